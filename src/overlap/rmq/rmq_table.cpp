#include "overlap/rmq/rmq_table.hpp"

#include <algorithm>
#include <utility>

#include "genocl/opencl.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

ArgminTable make_argmin_table(const Device& device, const cl::Buffer& values, std::uint64_t size, unsigned log_unit) {
  using runtime::launch_items;
  constexpr const char* file = "overlap/rmq/rmq_table.cl";
  const TableShape shape = TableShape::of(size, log_unit);
  ArgminTable table;
  table.units = shape.units;
  table.low = Array<std::uint16_t>(device, shape.low_bytes() / 2);
  table.high = Array<std::uint32_t>(device, shape.high_bytes() / 4);
  const unsigned levels = static_cast<unsigned>(std::bit_width(shape.units));
  if (levels == 0 || (levels == 1 && log_unit == 0)) return table;

  const runtime::Defines defines = runtime::Defines().set("LOG_UNIT", log_unit);
  const runtime::Scratch first(device, 4 * shape.units), second(device, 4 * shape.units);
  cl::Buffer before = values, minima = first.buffer(), spare = second.buffer();
  if (log_unit != 0) {
    launch_items(device, file, "table_units", defines,
                 {.items = shape.units, .bytes = 4 * size + 6 * shape.units, .least = 64}, before, size, minima,
                 table.low, shape.units);
    before = std::exchange(minima, spare);
  }
  for (std::uint32_t level = 1; level < levels; ++level) {
    launch_items(device, file, "table_level", defines,
                 {.items = shape.units,
                  .bytes = (12 + 3 * std::uint64_t{level < 17 - log_unit ? 2u : 4u}) * shape.units,
                  .least = 1024},
                 before, minima, table.low, table.high, level, shape.units);
    const bool of_caller = before() == values();
    const cl::Buffer done = before;
    before = minima;
    minima = of_caller ? spare : done;
  }
  return table;
}

}  // namespace genocl::overlap
