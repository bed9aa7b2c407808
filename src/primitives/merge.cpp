#include "primitives/merge.hpp"

#include <algorithm>
#include <functional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/primitives/merge.hpp"
#include "primitives/look_back.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {
namespace {

constexpr const char* merge_file = "primitives/merge.cl";
// With at most this number of tiles each group searches the starts of its tile and of the next one, which is faster
// than a launch for all starts. With more tiles one launch costs less than two searches in each group.
constexpr std::uint64_t max_searched_tiles = 2048;

/// A kernel with the arguments of the input set.
using MergeKernel = std::function<runtime::Kernel(const char* name, const runtime::Defines& defines)>;

void launch_merge(const Device& device, const MergeKind& kind, std::uint64_t count, const MergeKernel& kernel_of,
                  runtime::Defines defines, const KeysAndValues& results, const LaunchTuning& tuning,
                  const SetOutput& set = {}) {
  const std::uint64_t bytes = 2 * count * kind.item_bytes();
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, count, 64, 8192);
    runtime::Kernel kernel = kernel_of("merge_cpu", defines.set("ONLY_CPU", 1));
    kernel.append(shares.share, results.keys);
    if (kind.value_bytes != 0) kernel.append(results.values);
    return kernel.run(shares.workers, 1, bytes);
  }
  const MergeTile tile = merge_tile(device, count, kind, tuning);
  const std::uint64_t tiles = ceil_div(count, tile.size());
  const bool searches = tiles <= max_searched_tiles, one_pass = set.total != nullptr;
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", tile.group_size).set("ITEMS", tile.items);
  defines.set("SEARCHES", searches ? 1 : 0).set("SET_OPERATION", set.operation).set("ONE_PASS", one_pass ? 1 : 0);
  const runtime::Scratch starts(device, searches ? 1 : static_cast<std::size_t>(tiles) * sizeof(std::uint64_t));
  if (!searches) {
    runtime::Kernel partition = kernel_of("merge_partition_gpu", defines);
    partition.append(tiles, starts).run(static_cast<std::size_t>(ceil_div(tiles, tile.group_size)), tile.group_size);
  }
  runtime::Kernel kernel = kernel_of("merge_gpu", defines);
  kernel.append(starts);
  const auto run = [&] { kernel.run(static_cast<std::size_t>(tiles), tile.group_size, bytes); };
  if (one_pass) {
    const TileStates states = tile_states(device, tile_states_bytes(tiles, true));
    kernel.append(states.memory, states.cleared_words, results.keys, set.capacity, *set.total);
    return run();
  }
  kernel.append(results.keys);
  if (kind.value_bytes != 0) kernel.append(results.values);
  if (set.flags != nullptr) kernel.append(*set.flags);
  run();
}

void check_sizes(const detail::MergeTypes& types, const detail::MergeRange& first, const detail::MergeRange& second,
                 const detail::MergeRange& results) {
  const std::size_t key_bytes = element_bytes(types.key_type);
  if (first.keys.bytes + second.keys.bytes != results.keys.bytes)
    throw InputError("merge: " + std::to_string(first.keys.bytes / key_bytes) + " and " +
                     std::to_string(second.keys.bytes / key_bytes) + " keys but " +
                     std::to_string(results.keys.bytes / key_bytes) + " results");
  if (types.value_bytes == 0) return;
  for (const detail::MergeRange* range : {&first, &second, &results})
    if (range->keys.bytes / key_bytes != range->values.bytes / types.value_bytes)
      throw InputError("merge: " + std::to_string(range->keys.bytes / key_bytes) + " keys with " +
                       std::to_string(range->values.bytes / types.value_bytes) + " values");
}

}  // namespace

MergeKind::MergeKind(const Device& device, const char* function, const Comparison& comparison, ElementType type,
                     std::size_t value_size)
    : key_bytes(element_bytes(type)), value_bytes(value_size) {
  if (comparison.kind() == Comparison::Kind::custom) check_type(device, function, type);
  source.add_comparison(comparison, type);
}

runtime::Defines MergeKind::defines() const {
  runtime::Defines defines;
  defines.set("HAS_VALUES", value_bytes != 0 ? 1 : 0);
  if (value_bytes != 0) defines.set("VALUE", type_of_size(value_bytes));
  return defines;
}

// Odd numbers of items keep work-items in different banks of local memory.
MergeTile small_merge_tile(const Device& device, const LaunchTuning& tuning) {
  return {std::min(group_size(device, tuning), 256u), 7};
}

// A work-item first searches log2(tile size) places, then merges: large tiles search less for each element, and a sort
// makes fewer passes. Of few elements, large tiles are too few to keep a GPU busy. Local memory holds the keys, two
// bytes for each value and one for each flag of a set operation.
MergeTile merge_tile(const Device& device, std::uint64_t count, const MergeKind& kind, const LaunchTuning& tuning) {
  constexpr std::uint64_t large = 1 << 23;
  MergeTile tile = small_merge_tile(device, tuning);
  if (count <= tile.size()) return tile;
  if (kind.key_bytes == 8)
    tile.items = 11;
  else
    tile.items = count >= large && kind.value_bytes == 0 ? 23 : 19;
  return tile;
}

bool merges_sets_in_one_pass(const Device& device, const LaunchTuning& tuning) {
  return !uses_cpu_kernels(device) && device.has_ptx() && small_merge_tile(device, tuning).group_size % 32 == 0;
}

void merge_ranges(const Device& device, const MergeKind& kind, const KeysAndValues& first, std::uint64_t first_count,
                  const KeysAndValues& second, std::uint64_t count, const KeysAndValues& results,
                  const LaunchTuning& tuning, const SetOutput& set) {
  const MergeKernel kernel_of = [&](const char* name, const runtime::Defines& defines) {
    runtime::Kernel kernel = expression_kernel(device, merge_file, name, kind.source, defines);
    kernel.args(first.keys, first_count, second.keys, count);
    if (kind.value_bytes != 0) kernel.append(first.values, second.values);
    return kernel;
  };
  runtime::Defines defines = kind.defines();
  launch_merge(device, kind, count, kernel_of, defines.set("RUNS", 0), results, tuning, set);
}

void merge_runs(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
                std::uint64_t run, const KeysAndValues& results, const LaunchTuning& tuning) {
  const MergeKernel kernel_of = [&](const char* name, const runtime::Defines& defines) {
    runtime::Kernel kernel = expression_kernel(device, merge_file, name, kind.source, defines);
    kernel.args(items.keys, count, run);
    if (kind.value_bytes != 0) kernel.append(items.values);
    return kernel;
  };
  runtime::Defines defines = kind.defines();
  launch_merge(device, kind, count, kernel_of, defines.set("RUNS", 1), results, tuning);
}

void detail::merge(const Device& device, const MergeTypes& types, const MergeRange& first, const MergeRange& second,
                   const MergeRange& results, const Comparison& comparison, const Call& call) {
  check_sizes(types, first, second, results);
  const MergeKind kind(device, "merge", comparison, types.key_type, types.value_bytes);
  CallFrame frame(device, call, "merge",
                  {{"first keys", first.keys, Access::read},
                   {"first values", first.values, Access::read},
                   {"second keys", second.keys, Access::read},
                   {"second values", second.values, Access::read},
                   {"result keys", results.keys, Access::write},
                   {"result values", results.values, Access::write}});
  const std::uint64_t count = results.keys.bytes / kind.key_bytes;
  if (!call.scratch.empty()) frame.require_scratch(merge_scratch_bytes(device, count, call.tuning));
  if (count != 0)
    merge_ranges(frame.device(), kind, {frame[0], frame[1]}, first.keys.bytes / kind.key_bytes, {frame[2], frame[3]},
                 count, {frame[4], frame[5]}, call.tuning);
  frame.finish();
}

std::uint64_t merge_scratch_bytes(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  if (uses_cpu_kernels(device)) return 0;
  // The size of keys is not known: the smallest tile.
  return runtime::ScratchSize(device)
      .add(ceil_div(count, small_merge_tile(device, tuning).size()) * sizeof(std::uint64_t))
      .total();
}

}  // namespace genocl::primitives
