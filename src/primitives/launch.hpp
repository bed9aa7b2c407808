// Shared host code of the primitives: launch shapes, and OpenCL C names of types and operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/tuning.hpp"
#include "runtime/defines.hpp"
#include "runtime/launch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {

using runtime::ceil_div;
using runtime::groups_that_fill;
using runtime::round_up;
using runtime::Shares;
using runtime::uses_cpu_kernels;

inline runtime::LaunchTuning launch_tuning(const Tuning& tuning) { return {tuning.group_size, tuning.workers}; }
inline unsigned group_size(const Device& device, const Tuning& tuning, unsigned wanted) {
  return runtime::group_size(device, launch_tuning(tuning), wanted);
}
inline unsigned group_size(const Device& device, const Tuning& tuning) {
  return runtime::group_size(device, launch_tuning(tuning));
}
inline Shares share_out(const Device& device, const Tuning& tuning, std::uint64_t items, std::uint64_t block,
                        std::uint64_t least, unsigned part = 1) {
  return runtime::share_out(device, launch_tuning(tuning), items, block, least, part);
}

/// The memory of an argument.
template <class T>
runtime::BufferRange range_of(const Array<T>& array) {
  return {runtime::buffer_of(array), 0, array.bytes()};
}
/// Throws InputError if the two overlap. `what`: "keys and values".
inline void check_apart(const std::string& name, const char* what, const runtime::BufferRange& a,
                        const runtime::BufferRange& b) {
  if (runtime::share_memory(a, b)) throw InputError(name + ": " + what + " share memory; expected arrays of their own");
}

/// The type's name in OpenCL C.
template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, float>)
    return "float";
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return "uchar";
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return "uint";
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return "int";
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return "ulong";
  else {
    static_assert(std::is_same_v<T, std::int64_t>);
    return "long";
  }
}

/// The unsigned OpenCL C type of `bytes` bytes (1, 2, 4, 8, 16), to move elements of any type.
inline const char* type_of_size(std::size_t bytes) {
  switch (bytes) {
    case 1:
      return "uchar";
    case 2:
      return "ushort";
    case 4:
      return "uint";
    case 8:
      return "ulong";
    default:
      return "uint4";
  }
}

/// Sums wrap around; OpenCL C guarantees that for unsigned types only.
template <class T, bool is_integer = std::is_integral_v<T>>
struct WrappingType {
  using type = std::make_unsigned_t<T>;
};
template <class T>
struct WrappingType<T, false> {
  using type = T;
};

enum class Combine { sum, minimum, maximum };

/// TILE_ROWS of cl/primitives/tile_scan.clh: quads of a tile per work-item.
constexpr unsigned tile_rows = 4;

/// INPUT, RESULT, COMBINE and the related defines of cl/primitives/combine.clh.
template <class Input, class Result>
runtime::Defines combine_defines(Combine combine) {
  constexpr bool real = std::is_floating_point_v<Result>;
  constexpr bool wide = sizeof(Result) == 8;
  constexpr bool is_signed = std::is_signed_v<Result>;
  runtime::Defines defines;
  defines.set("INPUT", type_name<Input>()).set("RESULT", type_name<Result>());
  defines.set("LESSER", real ? "fmin" : "min").set("GREATER", real ? "fmax" : "max");
  switch (combine) {
    case Combine::sum:
      defines.set("COMBINE", "sum").set("IDENTITY", 0);
      break;
    case Combine::minimum:
      defines.set("COMBINE", "minimum");
      defines.set("IDENTITY", real        ? "FLOAT_HIGHEST"
                              : is_signed ? (wide ? "LONG_MAX" : "INT_MAX")
                                          : (wide ? "ULONG_MAX" : "UINT_MAX"));
      break;
    case Combine::maximum:
      defines.set("COMBINE", "maximum");
      if (real || is_signed)
        defines.set("IDENTITY", real ? "FLOAT_LOWEST" : wide ? "LONG_MIN" : "INT_MIN");
      else
        defines.set("IDENTITY", 0);
      break;
  }
  return defines;
}

}  // namespace genocl::primitives
