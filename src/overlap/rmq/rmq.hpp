// The structures for range minima and their memory.
#pragma once

#include <bit>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/rmq.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {

/// Bytes of a structure over `size` values, without these: kept, at the peak of the construction, and of the largest
/// buffer.
struct RmqMemory {
  std::uint64_t kept = 0, peak = 0, largest = 0;
};
RmqMemory rmq_memory(RmqStructure structure, std::uint64_t size);

struct ArgminTable {
  Array<std::uint16_t> low;   ///< levels of at most 65,536 values, as distances
  Array<std::uint32_t> high;  ///< the other levels, as positions
  std::uint64_t units = 0;

  std::uint64_t bytes() const { return low.bytes() + high.bytes(); }
};

/// The dimensions of a table over `size` values in units of 2^log_unit.
struct TableShape {
  unsigned log_unit = 0;
  std::uint64_t units = 0;
  unsigned low_levels = 0, high_levels = 0;  ///< stored levels; units of one value have no level 0

  static constexpr TableShape of(std::uint64_t size, unsigned log_unit) {
    TableShape shape{.log_unit = log_unit, .units = runtime::ceil_div(size, std::uint64_t{1} << log_unit)};
    const unsigned levels = static_cast<unsigned>(std::bit_width(shape.units)), high_level = 17 - log_unit;
    shape.low_levels = levels < high_level ? levels : high_level;
    shape.high_levels = levels - shape.low_levels;
    if (log_unit == 0 && shape.low_levels != 0) --shape.low_levels;
    return shape;
  }
  std::uint64_t low_bytes() const { return 2 * low_levels * units; }
  std::uint64_t high_bytes() const { return 4 * high_levels * units; }
  std::uint64_t bytes() const { return low_bytes() + high_bytes(); }
  /// The minima of two levels during the construction.
  std::uint64_t scratch_bytes() const { return 8 * units; }
};

/// `values` are `size` 32-bit words. Does not wait.
ArgminTable make_argmin_table(const Device& device, const cl::Buffer& values, std::uint64_t size, unsigned log_unit);

/// The structure of Berkman and Vishkin: the Euler tour of the Cartesian tree, in blocks with steps of one.
struct Bv1 {
  static constexpr std::uint64_t max_values = std::uint64_t{1} << 31;  ///< positions in the tour have 32 bits

  unsigned log_block = 4;
  Array<std::uint32_t> firsts;        ///< [value]: its first position in the tour
  Array<std::uint32_t> tour, depths;  ///< 2 n - 1 of them
  Array<std::uint16_t> steps;         ///< [block]: its steps as bits
  Array<std::uint8_t> in_block;       ///< [steps][i][j]: the position of the minimum of i..j
  ArgminTable blocks;                 ///< of depths

  std::uint64_t bytes() const {
    return firsts.bytes() + tour.bytes() + depths.bytes() + steps.bytes() + in_block.bytes() + blocks.bytes();
  }
};

/// `size` is 1 or more.
RmqMemory bv1_memory(std::uint64_t size);

/// `size`: 1 to max_values. Does not wait.
Bv1 make_bv1(const Device& device, const cl::Buffer& values, std::uint64_t size);

}  // namespace genocl::overlap
