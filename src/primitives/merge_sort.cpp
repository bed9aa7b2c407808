#include "genocl/primitives/merge_sort.hpp"

#include <bit>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/merge.hpp"
#include "primitives/merge.hpp"
#include "primitives/sort_values.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {
namespace {

/// BLOCK of merge_sort.cl.
constexpr std::uint64_t cpu_block = 4096;

constexpr const char* merge_sort_file = "primitives/merge_sort.cl";

/// With `gpu` kernels: sorts tiles.
void sort_tiles(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
                const KeysAndValues& to, const MergeTile& tile) {
  runtime::Defines defines = kind.defines();
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", tile.group_size).set("ITEMS", tile.items);
  runtime::Kernel kernel = expression_kernel(device, merge_sort_file, "merge_sort_tiles_gpu", kind.source, defines);
  kernel.args(items.keys, count, to.keys);
  if (kind.value_bytes != 0) kernel.append(items.values, to.values);
  kernel.run(static_cast<std::size_t>(ceil_div(count, tile.size())), tile.group_size, 2 * count * kind.item_bytes());
}

/// Sorts the runs of the first step: from `items` to `to`, which is `items` or `spare`. `tile`: of `gpu` kernels.
void sort_blocks(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
                 const KeysAndValues& to, const KeysAndValues& spare, const MergeTile& tile,
                 const LaunchTuning& tuning) {
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, count, cpu_block, cpu_block);
    runtime::Defines defines = kind.defines();
    defines.set("ONLY_CPU", 1).set("BLOCK", cpu_block);
    runtime::Kernel kernel = expression_kernel(device, merge_sort_file, "merge_sort_blocks_cpu", kind.source, defines);
    kernel.args(items.keys, count, shares.share, to.keys, spare.keys);
    if (kind.value_bytes != 0) kernel.append(items.values, to.values, spare.values);
    return kernel.run(shares.workers, 1, 2 * count * kind.item_bytes());
  }
  sort_tiles(device, kind, items, count, to, tile);
}

/// Sorts keys, with values of a size that merges move or without.
void sort_items(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
                const LaunchTuning& tuning) {
  const bool has_values = kind.value_bytes != 0;
  const runtime::Scratch spare_keys(device, count * kind.key_bytes);
  const runtime::Scratch spare_values =
      has_values ? runtime::Scratch(device, count * kind.value_bytes) : runtime::Scratch();
  const KeysAndValues spare{spare_keys.buffer(), has_values ? spare_values.buffer() : cl::Buffer()};
  const MergeTile tile = merge_tile(device, count, kind, tuning);
  const std::uint64_t run = uses_cpu_kernels(device) ? cpu_block : tile.size();
  unsigned passes = 0;
  for (std::uint64_t length = run; length < count; length *= 2) ++passes;
  // The first step writes to the memory from which the passes end in `items`.
  KeysAndValues from = passes % 2 == 0 ? items : spare, to = passes % 2 == 0 ? spare : items;
  sort_blocks(device, kind, items, count, from, to, tile, tuning);
  for (std::uint64_t length = run; length < count; length *= 2) {
    merge_runs(device, kind, from, count, length, to, tuning);
    std::swap(from, to);
  }
}

/// Size of what moves with the keys; 0 without values.
std::size_t moved_bytes(std::uint64_t count, std::size_t value_bytes) {
  return moves_values_of(value_bytes) ? value_bytes : words_of(count, value_bytes).word_bytes;
}

runtime::ScratchSize scratch_of(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                std::size_t value_bytes) {
  runtime::ScratchSize size(device);
  size.add(count * key_bytes);
  if (value_bytes == 0) return size;
  const std::size_t moved = moved_bytes(count, value_bytes);
  size.add(count * moved);
  if (moved != value_bytes) ValueWords{count, value_bytes, moved}.add_scratch(size);
  return size;
}

}  // namespace

bool moves_values_of(std::size_t value_bytes) {
  return value_bytes == 0 || (value_bytes <= 16 && std::has_single_bit(value_bytes));
}

void sort_tile(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
               const KeysAndValues& to, const LaunchTuning& tuning) {
  sort_tiles(device, kind, items, count, to, small_merge_tile(device, tuning));
}

void detail::merge_sort(const Device& device, ElementType key_type, const MemoryView& keys, const MemoryView& values,
                        std::size_t value_bytes, const Comparison& comparison, const Call& call) {
  const std::uint64_t count = keys.bytes / element_bytes(key_type);
  const std::size_t moved = moved_bytes(count, value_bytes);
  const MergeKind kind(device, "merge_sort", comparison, key_type, moved);
  if (value_bytes != 0 && values.bytes / value_bytes != count)
    throw InputError("merge_sort: " + std::to_string(count) + " keys with " +
                     std::to_string(values.bytes / value_bytes) + " values");
  CallFrame frame(device, call, "merge_sort", {{"keys", keys, Access::update}, {"values", values, Access::update}});
  if (!call.scratch.empty())
    frame.require_scratch(merge_sort_scratch_bytes(device, count, kind.key_bytes, value_bytes, call.tuning));
  if (count < 2) return frame.finish();
  const Device& inner = frame.device();
  const runtime::ScratchSize scratch = scratch_of(inner, count, kind.key_bytes, value_bytes);
  runtime::check_capacity(inner, "scratch memory of a merge sort", scratch.largest(), scratch.total());
  if (moved == value_bytes)
    sort_items(inner, kind, {frame[0], frame[1]}, count, call.tuning);
  else
    ValueWords{count, value_bytes, moved}.sort_in_place(inner, frame[1], [&](const cl::Buffer& words) {
      sort_items(inner, kind, {frame[0], words}, count, call.tuning);
    });
  frame.finish();
}

std::uint64_t merge_sort_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                       std::size_t value_bytes, const LaunchTuning& tuning) {
  return scratch_of(device, count, key_bytes, value_bytes).total() + merge_scratch_bytes(device, count, tuning);
}

}  // namespace genocl::primitives
