// Suffixes are sorted by as many symbols as a key holds; what these do not tell apart is compared, and what is left of
// that is sorted by doubling.
#include "overlap/suffix/hybrid.hpp"

#include <algorithm>
#include <optional>

#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/suffix/build.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace hybrid {
namespace {

constexpr const char* file = "overlap/suffix/hybrid_keys.cl";

/// More than this are not sorted by rounds: then it is better to begin anew in another way.
std::uint64_t most_members(std::uint64_t size) { return std::min(size, std::max<std::uint64_t>(size / 16, 1u << 16)); }

template <class... Arguments>
void launch(const Task& task, const char* name, unsigned bytes, const Arguments&... arguments) {
  runtime::launch_items(task.device, file, name, task.text.defines(),
                        {.items = task.text.size, .bytes = task.text.size * bytes}, arguments..., task.text.size);
}

/// A key has as many symbols of 2 bits as tell most suffixes of a random text apart, in whole bytes, which a sort takes
/// one at a time.
unsigned key_symbols(std::uint64_t size) {
  unsigned symbols = 8;
  while (symbols < 16 && (std::uint64_t{1} << 2 * symbols) / 8 < size) symbols += 4;
  return symbols;
}

Sorted sort_by_keys(const Task& task) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  Sorted sorted{runtime::ScratchArray<std::uint32_t>(device, text.size)};
  if (text.bits == 2) {
    launch(task, "first_keys", 9, text.words, text.breaks, sorted.keys, task.positions);
    sorted.depth = key_symbols(text.size);
    sorted.shift = 32 - 2 * sorted.depth;
    primitives::sort(device, sorted.keys, task.positions, {.first_bit = sorted.shift});
    return sorted;
  }
  launch(task, "second_keys", 9, text.words, text.breaks, sorted.keys, task.positions);
  primitives::sort(device, sorted.keys, task.positions);
  launch(task, "upper_keys", 40, text.words, text.breaks, task.positions, sorted.keys);
  primitives::sort(device, sorted.keys, task.positions);
  launch(task, "mark_windows", 72, text.words, text.breaks, task.positions, sorted.keys);
  primitives::inclusive_max_scan(device, sorted.keys, sorted.keys);
  sorted.depth = text.symbols_per_word();
  return sorted;
}

KeyGroups find_groups(const Task& task, std::uint64_t most_left, bool whatever_it_takes) {
  const bool lanes = runtime::uses_cpu_kernels(task.device);
  if (lanes) {
    std::optional<KeyGroups> groups;
    task.step("buckets", [&] { groups = sort_in_buckets(task, most_left); });
    if (groups) return std::move(*groups);
    // Sorting by keys takes several times as long as buckets or phrases.
    bool repeats = false;
    if (!whatever_it_takes) task.step("sample", [&] { repeats = repeats_on_cpu(task); });
    if (repeats) return KeyGroups{Groups{{task.device, 0}, {task.device, 0}}, 0, true};
  }
  std::optional<Sorted> sorted;
  std::optional<KeyGroups> groups;
  task.step("keys", [&] { sorted.emplace(sort_by_keys(task)); });
  task.step("ties", [&] {
    groups =
        lanes ? refine_on_cpu(task, *sorted, most_left) : resolve_on_gpu(task, *sorted, most_left, whatever_it_takes);
  });
  return std::move(*groups);
}

/// False when it is better done in another way.
bool build(const Task& task, bool whatever_it_takes) {
  const std::uint64_t size = task.text.size;
  task.report.finished_by = "keys";
  if (size < 2) {
    if (size == 1) task.positions.fill(0);
    return true;
  }
  const std::uint64_t most_left = whatever_it_takes ? size : most_members(size);
  KeyGroups groups = find_groups(task, most_left, whatever_it_takes);
  if (groups.given_up) return false;
  task.told_apart(groups.left.depth, groups.unresolved);
  if (groups.left.count == 0) return true;
  task.report.finished_by = "rounds";
  task.step("rounds", [&] { sort_by_rounds(task, std::move(groups.left)); });
  return true;
}

}  // namespace
}  // namespace hybrid

void build_hybrid(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                  const SuffixArrayOptions& options, BuildReport& report) {
  const hybrid::Task task{device, text, positions, options, report};
  if (hybrid::build(task, false)) return;
  // Both tell of their steps themselves.
  report.finished_by = "phrases";
  if (build_by_phrases(device, text, positions, options, report)) return;
  report.finished_by = "dc3";
  build_dc3(device, text, positions, options, report);
}

void build_by_rounds(const Device& device, const Text::State& text, Array<std::uint32_t>& positions,
                     BuildReport& report) {
  const SuffixArrayOptions options;
  hybrid::build({device, text, positions, options, report}, true);
}

std::uint64_t hybrid_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_breaks) {
  const std::uint64_t most = hybrid::most_members(size);
  const std::uint64_t keys = 4 * size + primitives::sort_scratch_bytes<std::uint32_t>(device, size, true);
  const std::uint64_t ties =
      runtime::uses_cpu_kernels(device) ? hybrid::cpu_bytes(device, size, bits, most) : hybrid::gpu_bytes(size);
  const std::uint64_t rounds = hybrid::round_bytes(device, size, most) + most / 2 * 8;
  return std::max({keys, ties, rounds, dc3_bytes(device, size, bits, has_breaks)});
}

}  // namespace genocl::overlap
