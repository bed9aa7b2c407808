// What the structures for range minima take.
#pragma once

#include <bit>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap/rmq.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {

/// What a structure over `size` values takes besides them: what it keeps, the most while it is made, and its largest
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

/// What a table of `size` values takes in units of 2^log_unit.
struct TableShape {
  unsigned log_unit = 0;
  std::uint64_t units = 0;
  unsigned low_levels = 0, high_levels = 0;  ///< stored ones: level 0 is not with units of one value

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
  /// Minima of two levels, while it is made.
  std::uint64_t scratch_bytes() const { return 8 * units; }
};

/// Nothing is waited for; `values` are `size` 32-bit words.
ArgminTable make_argmin_table(const Device& device, const cl::Buffer& values, std::uint64_t size, unsigned log_unit);

}  // namespace genocl::overlap
