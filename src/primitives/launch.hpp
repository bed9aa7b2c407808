// Shared host code of the primitives: launch shapes, and OpenCL C names of types and operations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/element.hpp"
#include "runtime/call.hpp"
#include "runtime/defines.hpp"
#include "runtime/launch.hpp"

namespace genocl::primitives {

namespace detail {
struct UniqueOperands;
}

using runtime::Access;
using runtime::CallFrame;
using runtime::ceil_div;
using runtime::group_size;
using runtime::groups_that_fill;
using runtime::MemoryView;
using runtime::round_up;
using runtime::share_out;
using runtime::Shares;
using runtime::uses_cpu_kernels;

/// The type's name in OpenCL C.
template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, float>)
    return "float";
  else if constexpr (std::is_same_v<T, std::uint32_t>)
    return "uint";
  else if constexpr (std::is_same_v<T, std::int32_t>)
    return "int";
  else if constexpr (std::is_same_v<T, std::uint64_t>)
    return "ulong";
  else if constexpr (std::is_same_v<T, std::int64_t>)
    return "long";
  else if constexpr (std::is_same_v<T, double>)
    return "double";
  else if constexpr (std::is_same_v<T, std::uint8_t>)
    return "uchar";
  else if constexpr (std::is_same_v<T, std::int8_t>)
    return "char";
  else if constexpr (std::is_same_v<T, std::uint16_t>)
    return "ushort";
  else {
    static_assert(std::is_same_v<T, std::int16_t>);
    return "short";
  }
}

inline bool is_real(ElementType type) { return type == ElementType::float32 || type == ElementType::float64; }

/// Calls `work` with a value of the C++ type of an element type.
template <class Work>
void with_type(ElementType type, Work&& work) {
  switch (type) {
    case ElementType::uint32:
      return work(std::uint32_t{});
    case ElementType::int32:
      return work(std::int32_t{});
    case ElementType::uint64:
      return work(std::uint64_t{});
    case ElementType::int64:
      return work(std::int64_t{});
    case ElementType::float32:
      return work(float{});
    case ElementType::uint8:
      return work(std::uint8_t{});
    case ElementType::int8:
      return work(std::int8_t{});
    case ElementType::uint16:
      return work(std::uint16_t{});
    case ElementType::int16:
      return work(std::int16_t{});
    case ElementType::float64:
      return work(double{});
  }
}

/// The type's name in OpenCL C.
inline const char* type_name(ElementType type) {
  const char* name = "";
  with_type(type, [&]<class T>(T) { name = type_name<T>(); });
  return name;
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

/// OpenCL C's name of the MIN or MAX of an integer type: "UCHAR_MAX", "SHRT_MIN".
template <class T>
std::string limit_name(const char* limit) {
  const char* const name = sizeof(T) == 1 ? "CHAR" : sizeof(T) == 2 ? "SHRT" : sizeof(T) == 4 ? "INT" : "LONG";
  const char* const sign = std::is_signed_v<T> ? (sizeof(T) == 1 ? "S" : "") : "U";
  return std::string(sign) + name + "_" + limit;
}

/// True if the last group of a reduction to `tiles` results combines them in the same launch (retire.clh), for which it
/// needs reduce_control_bytes of zeroed scratch memory. Each group then waits for its store: with 16,384 tiles that
/// costs more than a launch (3% on an H200).
inline bool finishes_in_one_launch(const Device& device, std::uint64_t tiles) {
  return !uses_cpu_kernels(device) && device.has_ptx() && tiles <= 1024;
}
constexpr std::size_t reduce_control_bytes = 8;

/// TILE_ROWS of cl/primitives/tile_scan.clh: quads of a tile per work-item.
constexpr unsigned tile_rows = 4;

/// INPUT, RESULT, COMBINE and the related defines of cl/primitives/combine.clh.
template <class Input, class Result>
runtime::Defines combine_defines(Combine combine) {
  constexpr bool real = std::is_floating_point_v<Result>;
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
      defines.set("IDENTITY", real ? std::string("FLOAT_HIGHEST") : limit_name<Result>("MAX"));
      break;
    case Combine::maximum:
      defines.set("COMBINE", "maximum");
      if (real || is_signed)
        defines.set("IDENTITY", real ? std::string("FLOAT_LOWEST") : limit_name<Result>("MIN"));
      else
        defines.set("IDENTITY", 0);
      break;
  }
  return defines;
}

// ---- Runs of equal elements, in unique.cpp ----

enum class RunFlag { start, end };

/// Writes a flag of one byte for each of `count` > 0 elements: 1 if it is the first, or the last, of a run of equal
/// elements. Elements are equal if all their bytes are.
void flag_runs(const Device& device, const cl::Buffer& elements, std::uint64_t count, std::size_t element_bytes,
               RunFlag which, const cl::Buffer& flags, const LaunchTuning& tuning);

// ---- Without flags on CPUs and on NVIDIA GPUs, in operator_scan.cpp ----

/// `value_bytes`: 0 without values.
bool selects_runs_directly(const Device& device, std::size_t value_bytes, const LaunchTuning& tuning);
std::uint64_t direct_runs_scratch(const Device& device, std::uint64_t elements, std::size_t value_bytes,
                                  const LaunchTuning& tuning);
/// Writes the first key and the first value of each run, and the number of runs. Operands of the frame: keys, values,
/// unique keys, unique values, count.
void select_first_of_runs(const CallFrame& frame, const detail::UniqueOperands& operands, const LaunchTuning& tuning);

}  // namespace genocl::primitives
