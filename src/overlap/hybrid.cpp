// Suffixes are sorted by as many symbols as a key holds; what these do not tell apart is compared, and what is left of
// that is sorted by doubling.
#include "overlap/hybrid.hpp"

#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/build.hpp"
#include "primitives/launch_items.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace hybrid {
namespace {

constexpr const char* file = "overlap/hybrid_keys.cl";

template <class... Arguments>
void launch(const Task& task, const char* name, unsigned bytes, const Arguments&... arguments) {
  primitives::launch_items(task.device, file, name, task.text.defines(),
                           {.items = task.text.size, .bytes = task.text.size * bytes}, arguments..., task.text.size);
}

/// The array sorted by keys, and the keys.
struct Sorted {
  ScratchArray<std::uint32_t> keys;
  unsigned shift = 0;  ///< keys are the same when they agree from this bit up
  unsigned depth = 0;  ///< symbols that the order is by
};

Sorted sort_by_keys(const Task& task) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  Sorted sorted{ScratchArray<std::uint32_t>(device, text.size)};
  if (text.bits == 2) {
    launch(task, "first_keys", 9, text.words, text.breaks, *sorted.keys, task.positions);
    primitives::sort(device, *sorted.keys, task.positions);
    sorted.depth = 16;
    return sorted;
  }
  launch(task, "second_keys", 9, text.words, text.breaks, *sorted.keys, task.positions);
  primitives::sort(device, *sorted.keys, task.positions);
  launch(task, "upper_keys", 40, text.words, text.breaks, task.positions, *sorted.keys);
  primitives::sort(device, *sorted.keys, task.positions);
  launch(task, "mark_windows", 72, text.words, text.breaks, task.positions, *sorted.keys);
  primitives::inclusive_max_scan(device, *sorted.keys, *sorted.keys);
  sorted.depth = text.symbols_per_word();
  return sorted;
}

Groups list_groups(const Task& task, const Sorted& sorted) {
  const std::uint64_t most = task.text.size / 2;
  Groups groups{ScratchArray<std::uint32_t>(task.device, most), ScratchArray<std::uint32_t>(task.device, most)};
  ScratchArray<std::uint32_t> counts(task.device, 2);
  counts->fill(0);
  primitives::launch_items(task.device, "overlap/hybrid_rounds.cl", "list_groups", task.text.defines(),
                           {.items = task.text.size, .bytes = task.text.size * 4}, *sorted.keys, sorted.shift,
                           *groups.starts, *groups.sizes, *counts, task.text.size);
  const std::vector<std::uint32_t> found = counts->download();
  groups.count = found[0];
  groups.members = found[1];
  groups.depth = sorted.depth;
  return groups;
}

void build(const Task& task) {
  if (task.text.size < 2) {
    if (task.text.size == 1) task.positions.fill(0);
    return;
  }
  const Sorted sorted = sort_by_keys(task);
  Groups groups = list_groups(task, sorted);
  task.told_apart(groups.depth, groups.members);
  task.report.finished_by = "keys";
  if (groups.count == 0) return;
  sort_by_rounds(task, std::move(groups));
  task.report.finished_by = "rounds";
}

}  // namespace
}  // namespace hybrid

void build_hybrid(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                  const SuffixArrayOptions& options, BuildReport& report) {
  hybrid::build({device, text, positions, options, report});
}

void build_by_rounds(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     BuildReport& report) {
  const SuffixArrayOptions options;
  hybrid::build({device, text, positions, options, report});
}

std::uint64_t hybrid_bytes(const Device& device, std::uint64_t size, unsigned, bool) {
  return 4 * size + primitives::sort_scratch_bytes<std::uint32_t>(device, size, true);
}

}  // namespace genocl::overlap
