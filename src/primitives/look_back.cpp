#include "primitives/look_back.hpp"

#include <algorithm>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {

TileStates tile_states(const Device& device, std::uint64_t bytes) {
  // A fill takes as long as a launch. One warp clears many states more slowly than a fill.
  constexpr std::uint64_t max_cleared_bytes = std::uint64_t{32} << 10;
  const auto size = static_cast<std::size_t>(bytes);
  if (bytes <= max_cleared_bytes) return {runtime::Scratch(device, size, runtime::ScratchContents::zero), bytes / 8};
  runtime::Scratch states(device, size);
  const std::uint64_t zero = 0;
  runtime::fill(device, states.buffer(), &zero, sizeof zero, size);
  return {std::move(states), 0};
}

namespace {

struct Shape {
  unsigned group_size, rows;
  std::uint64_t tiles;
};

Shape shape_of(const Device& device, std::uint64_t results, std::size_t result_bytes, const LaunchTuning& tuning) {
  const bool wide = result_bytes == 8;
  // Small groups with many elements per item: the elements in registers are the memory accesses in flight.
  const unsigned size = group_size(device, tuning, wide ? 64 : 128);
  const unsigned max_rows = std::max(8192 / size, 4u);  // larger groups have fewer registers per item
  const auto rows = static_cast<unsigned>(round_up(std::min(wide ? 16u : 24u, max_rows), std::max(1u, 1024 / size)));
  return {size, rows, ceil_div(results, std::uint64_t{size} * rows * 4)};
}

}  // namespace

std::uint64_t one_pass_scan_tiles(const Device& device, std::uint64_t results, std::size_t result_bytes,
                                  const LaunchTuning& tuning) {
  return shape_of(device, results, result_bytes, tuning).tiles;
}

void scan_in_one_pass(const Device& device, runtime::Defines& defines, const cl::Buffer& values, std::uint64_t count,
                      const cl::Buffer& results, std::uint64_t results_count, std::size_t result_bytes,
                      const LaunchTuning& tuning, std::uint64_t bytes_moved) {
  const bool wide = result_bytes == 8;
  const Shape shape = shape_of(device, results_count, result_bytes, tuning);
  const TileStates states = tile_states(device, tile_states_bytes(shape.tiles, wide));
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", shape.group_size).set("ROWS", shape.rows).set("WIDE", wide ? 1 : 0);
  runtime::Kernel(device, "primitives/scan_one_pass.cl", "scan_one_pass", defines)
      .args(values, count, results_count, states.memory, states.cleared_words, results)
      .run(static_cast<std::size_t>(shape.tiles), shape.group_size, bytes_moved);
}

}  // namespace genocl::primitives
