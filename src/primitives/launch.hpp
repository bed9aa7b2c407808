// What the primitives' host code shares: the shape of a launch and the names of types and operations in kernels.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/tuning.hpp"
#include "runtime/defines.hpp"

namespace genocl::primitives {

inline bool uses_lanes(const Device& device) { return device.family() == KernelFamily::lanes; }

constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) { return a / b + (a % b != 0 ? 1 : 0); }
constexpr std::uint64_t round_up(std::uint64_t a, std::uint64_t b) { return ceil_div(a, b) * b; }

/// A power of two: tuning.group_size or `wanted`, lowered to what the device allows.
inline unsigned group_size(const Device& device, const Tuning& tuning, unsigned wanted) {
  const std::uint64_t size =
      std::min<std::uint64_t>(tuning.group_size != 0 ? tuning.group_size : wanted, device.info().max_work_group_size);
  if (size < 64)
    throw InputError("group size " + std::to_string(size) + ": the group kernels need at least 64 work-items");
  return static_cast<unsigned>(std::bit_floor(size));
}

/// How `items` are shared by the workers of a `lanes` kernel. Worker w owns [w * share, (w + 1) * share), the last ones
/// less or nothing.
struct Shares {
  std::uint64_t share = 0;  ///< a multiple of the block
  std::size_t workers = 0;  ///< never 0
};

/// Workers for each compute unit. On PoCL 5.0, two cores, a copy with 4 kept 1.6 of them busy, with 32 and four streams
/// 1.8; PoCL 3.1 on a quiet machine fills both either way. Why it does not on 5.0 is not known.
constexpr unsigned workers_per_unit = 32;

/// `block`: items that stay together; `least`: a worker with fewer is not worth its launch.
inline Shares share_out(const Device& device, const Tuning& tuning, std::uint64_t items, std::uint64_t block,
                        std::uint64_t least, unsigned per_unit = workers_per_unit) {
  const std::uint64_t wanted =
      tuning.workers != 0 ? tuning.workers : std::uint64_t{per_unit} * std::max(1u, device.info().compute_units);
  Shares shares;
  shares.share = std::max(round_up(ceil_div(items, wanted), block), round_up(least, block));
  shares.workers = static_cast<std::size_t>(std::max<std::uint64_t>(1, ceil_div(items, shares.share)));
  return shares;
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

/// An unsigned type of `bytes` (1, 2, 4, 8, 16) in OpenCL C, to move elements of any type.
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

/// Sums wrap round: in OpenCL C only unsigned arithmetic is sure to.
template <class T, bool is_integer = std::is_integral_v<T>>
struct WrappingType {
  using type = std::make_unsigned_t<T>;
};
template <class T>
struct WrappingType<T, false> {
  using type = T;
};

enum class Combine { sum, minimum, maximum };

/// TILE_ROWS of cl/primitives/tile_scan.clh: each item of a group has so many quads of a tile.
constexpr unsigned tile_rows = 4;

/// INPUT, RESULT, COMBINE and what goes with it in cl/primitives/combine.clh.
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
