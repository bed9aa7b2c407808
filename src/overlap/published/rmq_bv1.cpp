#include <algorithm>
#include <vector>

#include "genocl/opencl.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/rmq/rmq.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::ceil_div;
using runtime::launch_items;

constexpr const char* tree_file = "overlap/published/rmq_bv1_tree.cl";
constexpr const char* tour_file = "overlap/published/rmq_bv1.cl";
/// FAN of rmq_bv1_tree.cl.
constexpr std::uint64_t fan = 16;

/// About half the logarithm of the tour's length, so that the table of all ways through a block stays small.
unsigned log_block_for(std::uint64_t size) { return size < 1u << 10 ? 2 : size < 1u << 18 ? 3 : 4; }

std::uint64_t in_block_rows(unsigned log_block) {
  const std::uint64_t block = std::uint64_t{1} << log_block;
  return (std::uint64_t{1} << (block - 1)) * block;
}

/// Counts the nodes of each level of the tree of minima above the values.
std::vector<std::uint64_t> level_counts(std::uint64_t size) {
  std::vector<std::uint64_t> counts;
  while (size > fan) counts.push_back(size = ceil_div(size, fan));
  return counts;
}

struct Ranges {
  runtime::Scratch ends;
  runtime::ScratchArray<std::uint32_t> begun, ended;
};

/// Fills range_begins, and counts for each position the ranges that begin and end up to it.
Ranges find_ranges(const Device& device, const cl::Buffer& values, std::uint64_t size,
                   Array<std::uint32_t>& range_begins) {
  const std::vector<std::uint64_t> counts = level_counts(size);
  std::vector<std::uint64_t> begins = {0};
  for (const std::uint64_t count : counts) begins.push_back(begins.back() + count);
  const runtime::Scratch minima(device, std::max<std::uint64_t>(4 * begins.back(), 4));
  for (std::size_t level = 0; level < counts.size(); ++level) {
    launch_items(device, tree_file, "bv1_minima", runtime::Defines().set("FAN", fan),
                 {.items = counts[level], .bytes = 4 * (fan + 1) * counts[level], .least = 64},
                 level == 0 ? values : minima.buffer(), level == 0 ? std::uint64_t{0} : begins[level - 1],
                 level == 0 ? size : counts[level - 1], minima, begins[level], counts[level]);
  }

  Ranges ranges{.ends = runtime::Scratch(device, 4 * size),
                .begun = runtime::ScratchArray<std::uint32_t>(device, size),
                .ended = runtime::ScratchArray<std::uint32_t>(device, size)};
  Array<std::uint32_t>&begun = ranges.begun, &ended = ranges.ended;
  begun.fill(0);
  ended.fill(0);
  const Array<std::uint64_t> level_begins(device, begins);
  launch_items(device, tree_file, "bv1_ranges", runtime::Defines().set("FAN", fan),
               {.items = size, .bytes = 28 * size, .least = 64}, values, size, minima, level_begins,
               static_cast<std::uint32_t>(counts.size() + 1), range_begins, ranges.ends, begun, ended);
  primitives::inclusive_scan(device, begun, begun);
  primitives::inclusive_scan(device, ended, ended);
  return ranges;
}

}  // namespace

RmqMemory bv1_memory(std::uint64_t size) {
  const unsigned log_block = log_block_for(size);
  const TableShape shape = TableShape::of(2 * size - 1, log_block);
  RmqMemory memory;
  memory.kept = 20 * size + 2 * shape.units + (in_block_rows(log_block) << log_block) + shape.bytes();
  memory.peak = memory.kept + std::max(12 * size + 4 * ceil_div(size, fan - 1), shape.scratch_bytes());
  memory.largest = std::max({8 * size, shape.low_bytes(), shape.high_bytes()});
  return memory;
}

Bv1 make_bv1(const Device& device, const cl::Buffer& values, std::uint64_t size) {
  Bv1 made;
  made.log_block = log_block_for(size);
  const std::uint64_t length = 2 * size - 1;
  made.firsts = Array<std::uint32_t>(device, size);
  made.tour = Array<std::uint32_t>(device, length);
  made.depths = Array<std::uint32_t>(device, length);
  {
    const Ranges ranges = find_ranges(device, values, size, made.firsts);
    launch_items(device, tree_file, "bv1_tour", runtime::Defines().set("FAN", fan), {.items = size, .bytes = 36 * size},
                 size, made.firsts, ranges.ends, ranges.begun, ranges.ended, made.tour, made.depths);
  }
  made.blocks = make_argmin_table(device, made.depths.buffer(), length, made.log_block);
  const runtime::Defines defines = runtime::Defines().set("LOG_UNIT", made.log_block);
  made.steps = Array<std::uint16_t>(device, made.blocks.units);
  launch_items(device, tour_file, "bv1_steps", defines, {.items = made.blocks.units, .bytes = 9 * size}, made.depths,
               length, made.steps, made.blocks.units);
  const std::uint64_t rows = in_block_rows(made.log_block);
  made.in_block = Array<std::uint8_t>(device, rows << made.log_block);
  launch_items(device, tour_file, "bv1_in_block", defines, {.items = rows, .bytes = made.in_block.bytes()},
               made.in_block, rows);
  return made;
}

}  // namespace genocl::overlap
