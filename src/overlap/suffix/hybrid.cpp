// Sorts suffixes by the symbols of a key, compares those with equal keys, and sorts the rest by doubling.
#include "overlap/suffix/hybrid.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <memory>
#include <optional>
#include <vector>

#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace hybrid {
namespace {

constexpr const char* hybrid_file = "overlap/suffix/hybrid_keys.cl";

/// Maximum number of members to sort by rounds; for more another method is faster.
std::uint64_t max_members(std::uint64_t size) { return std::min(size, std::max<std::uint64_t>(size / 16, 1u << 16)); }

template <class... Arguments>
void launch(const Task& task, const char* name, unsigned bytes, const Arguments&... arguments) {
  runtime::launch_items(task.device, hybrid_file, name, task.text.defines(),
                        {.items = task.text.size, .bytes = task.text.size * bytes}, arguments..., task.text.size);
}

/// Symbols of 2 bits that distinguish most suffixes of a random text, in whole bytes, the digits of the sort.
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
    launch(task, "first_keys", 9, text.words, text.separators, sorted.keys, task.positions);
    sorted.depth = key_symbols(text.size);
    sorted.shift = 32 - 2 * sorted.depth;
    primitives::sort_replacing(device, sorted.keys, task.positions, {.first_bit = sorted.shift});
    return sorted;
  }
  launch(task, "second_keys", 9, text.words, text.separators, sorted.keys, task.positions);
  primitives::sort(device, sorted.keys, task.positions);
  launch(task, "upper_keys", 40, text.words, text.separators, task.positions, sorted.keys);
  primitives::sort(device, sorted.keys, task.positions);
  launch(task, "mark_windows", 72, text.words, text.separators, task.positions, sorted.keys);
  primitives::inclusive_max_scan(device, sorted.keys, sorted.keys);
  sorted.depth = text.symbols_per_word();
  return sorted;
}

KeyGroups find_groups(const Task& task, std::uint64_t max_remaining, bool force) {
  const bool lanes = runtime::uses_cpu_kernels(task.device);
  if (lanes) {
    std::optional<KeyGroups> groups;
    task.step("buckets", [&] { groups = sort_in_buckets(task, max_remaining); });
    if (groups) return std::move(*groups);
    // Sorting by keys takes several times as long as buckets or phrases.
    bool repeats = false;
    if (!force) task.step("sample", [&] { repeats = repeats_on_cpu(task); });
    if (repeats) return KeyGroups{Groups{{task.device, 0}, {task.device, 0}}, 0, true};
  }
  std::optional<Sorted> sorted;
  std::optional<KeyGroups> groups;
  task.step("keys", [&] { sorted.emplace(sort_by_keys(task)); });
  task.step("ties", [&] {
    groups = lanes ? refine_on_cpu(task, *sorted, max_remaining) : resolve_on_gpu(task, *sorted, max_remaining, force);
  });
  return std::move(*groups);
}

/// Returns false if another method is better.
bool build(const Task& task, bool force) {
  const std::uint64_t size = task.text.size;
  task.report.finished_by = "keys";
  if (size < 2) {
    if (size == 1) task.positions.fill(0);
    return true;
  }
  const std::uint64_t max_remaining = force ? size : max_members(size);
  KeyGroups groups = find_groups(task, max_remaining, force);
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

std::uint64_t hybrid_bytes(const Device& device, std::uint64_t size, unsigned bits, bool has_separators) {
  const std::uint64_t most = hybrid::max_members(size);
  const std::uint64_t keys = 4 * size + primitives::sort_scratch_bytes<std::uint32_t>(device, size, true);
  const std::uint64_t ties =
      runtime::uses_cpu_kernels(device) ? hybrid::cpu_bytes(device, size, bits, most) : hybrid::gpu_bytes(size);
  const std::uint64_t rounds = hybrid::round_bytes(device, size, most) + most / 2 * 8;
  return std::max({keys, ties, rounds, dc3_bytes(device, size, bits, has_separators)});
}

}  // namespace genocl::overlap

namespace genocl::overlap::hybrid {
namespace {

constexpr const char* hybrid_rounds_file = "overlap/suffix/hybrid_rounds.cl";
constexpr unsigned run_bits = 6;  // RUN_BITS

/// Members of groups, in the order of their groups.
struct Members {
  Members(const Device& device, std::uint64_t size)
      : count(size), slots(device, size), positions(device, size), groups(device, size) {}
  std::uint64_t count;
  runtime::ScratchArray<std::uint32_t> slots, positions, groups;
};

unsigned bits_for(std::uint64_t largest) { return static_cast<unsigned>(std::bit_width(largest)); }

class Rounds {
 public:
  Rounds(const Task& task, Groups& groups)
      : task_(task),
        device_(task.device),
        size_(task.text.size),
        ranks_(task.device, task.text.size),
        members_(std::make_unique<Members>(task.device, groups.members)),
        group_count_(groups.count),
        depth_(groups.depth) {
    runtime::ScratchArray<std::uint32_t> offsets(device_, groups.count + 1);
    primitives::exclusive_scan(device_, groups.sizes.first(groups.count), offsets);
    Members& members = *members_;
    launch("spread_members", members.count, 28, groups.starts, offsets, static_cast<cl_uint>(groups.count),
           task.positions, members.slots, members.positions, members.groups);
    launch("rank_all", size_, 8, task.positions, ranks_);
    launch("rank_members", members.count, 16, members.positions, members.groups, groups.starts, ranks_);
  }

  void run() {
    sort_members(true);
    while (members_) {
      task_.told_apart(depth_, members_->count);
      sort_members(false);
      depth_ *= 2;
    }
  }

 private:
  template <class... Arguments>
  void launch(const char* name, std::uint64_t items, unsigned bytes, const Arguments&... arguments) {
    runtime::launch_items(device_, hybrid_rounds_file, name, task_.text.defines().set("RUN_BITS", run_bits),
                          {.items = items, .bytes = items * bytes}, arguments..., items);
  }

  /// One round. Keeps the members of groups with two or more.
  void sort_members(bool by_runs) {
    Members& members = *members_;
    const unsigned low_bits = by_runs ? run_bits : bits_for(size_);
    runtime::ScratchArray<std::uint64_t> keys(device_, members.count);
    if (by_runs)
      launch("run_keys", members.count, 20, task_.text.separators, size_, static_cast<cl_uint>(depth_),
             members.positions, members.groups, keys);
    else
      launch("rank_keys", members.count, 48, ranks_, size_, depth_, low_bits, members.positions, members.groups, keys);
    primitives::sort_replacing(device_, keys, members.positions,
                               {.last_bit = std::min(64u, low_bits + bits_for(group_count_))});
    runtime::ScratchArray<std::uint32_t> firsts(device_, members.count);
    launch("round_firsts", members.count, 12, keys, by_runs ? 1u : 0u, firsts);
    primitives::inclusive_max_scan(device_, firsts, firsts);
    runtime::ScratchArray<std::uint8_t> keep(device_, members.count);
    launch("place_members", members.count, 60, members.slots, members.positions, firsts, task_.positions, ranks_, keep);
    runtime::ScratchArray<std::uint32_t> kept(device_, members.count);
    const std::uint64_t left = primitives::select_indices(device_, keep, kept);
    if (left == 0) {
      members_.reset();
      return;
    }
    auto next = std::make_unique<Members>(device_, left);
    launch("keep_members", left, 28, kept, members.slots, members.positions, firsts, next->slots, next->positions,
           next->groups);
    primitives::inclusive_scan(device_, next->groups, next->groups);
    group_count_ = left / 2;
    members_ = std::move(next);
  }

  const Task& task_;
  const Device& device_;
  std::uint64_t size_;
  runtime::ScratchArray<std::uint32_t> ranks_;
  std::unique_ptr<Members> members_;
  std::uint64_t group_count_, depth_;
};

}  // namespace

void sort_by_rounds(const Task& task, Groups groups) { Rounds(task, groups).run(); }

std::uint64_t round_bytes(const Device& device, std::uint64_t size, std::uint64_t members) {
  const std::uint64_t sort = primitives::sort_scratch_bytes<std::uint64_t>(device, members, true);
  // Ranks; slots, members and groups twice; keys; firsts, keep and kept.
  return 4 * size + sort + members * (2 * 12 + 8 + 9);
}

namespace {

using runtime::ceil_div;

// BUCKET_BITS of hybrid_buckets_cpu.cl, and MEMBERS of hybrid_refine_cpu.clh.
constexpr unsigned bucket_bits = 10;
constexpr std::uint64_t buckets = 1u << bucket_bits, members_capacity = 4096;
enum CpuCount { cpu_left_groups, left_members, next_bucket, all_members, done_suffixes, given_up, cpu_count_words };
// Windows that a worker may read for each suffix before it leaves its groups. E. coli needs 3.
constexpr std::uint32_t budget = 24;
// Texts from this size on write suffixes past the cache.
constexpr std::uint64_t stream_from = std::uint64_t{1} << 22;

/// Reads the counts of the remaining groups.
void read_counts(const Array<std::uint32_t>& counts, std::uint64_t max_remaining, KeyGroups& groups) {
  const std::vector<std::uint32_t> found = counts.download();
  groups.left.count = found[cpu_left_groups];
  groups.left.members = found[left_members];
  groups.unresolved = found[all_members];
  groups.given_up = groups.left.members > max_remaining || found[given_up] != 0;
}

/// Empty, with memory for the groups of `max_remaining` members.
KeyGroups no_groups(const Task& task, unsigned depth, std::uint64_t max_remaining) {
  const std::uint64_t most = max_remaining / 2;
  return {Groups{runtime::ScratchArray<std::uint32_t>(task.device, most),
                 runtime::ScratchArray<std::uint32_t>(task.device, most), 0, 0, depth}};
}

std::uint64_t refine_workers(const Device& device, std::uint64_t size) {
  return runtime::share_out(device, {}, size, 64, 4096, 4).workers;
}
std::uint64_t bucket_workers(const Device& device) {
  return std::min<std::uint64_t>(std::max(1u, device.info().compute_units), buckets);
}
/// Maximum number of suffixes in the buffers of all workers.
std::uint64_t max_capacity(std::uint64_t size) { return std::max(size / 8, buckets_from); }

}  // namespace

KeyGroups refine_on_cpu(const Task& task, const Sorted& sorted, std::uint64_t max_remaining) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  KeyGroups groups = no_groups(task, sorted.depth, max_remaining);
  const runtime::Shares shares = runtime::share_out(device, {}, text.size, 64, 4096, 4);
  const runtime::Scratch scratch(device, shares.workers * members_capacity * 8);
  runtime::ScratchArray<std::uint32_t> counts(device, cpu_count_words);
  counts.fill(0);
  runtime::Kernel(device, "overlap/suffix/hybrid_refine_cpu.cl", "refine_groups",
                  text.defines().set("MEMBERS", members_capacity))
      .args(sorted.keys, sorted.shift, sorted.depth, text.words, text.separators, task.positions, scratch,
            groups.left.starts, groups.left.sizes, counts, static_cast<std::uint32_t>(max_remaining / 2),
            static_cast<std::uint32_t>(max_remaining), budget, text.size, shares.share)
      .run(shares.workers, 1, text.size * 4);
  read_counts(counts, max_remaining, groups);
  return groups;
}

std::optional<KeyGroups> sort_in_buckets(const Task& task, std::uint64_t max_remaining, std::uint64_t from) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  if (text.bits != 2 || text.size < from) return std::nullopt;
  const runtime::Defines defines = text.defines()
                                       .set("STREAM", text.size >= stream_from ? 1 : 0)
                                       .set("BUCKET_BITS", bucket_bits)
                                       .set("MEMBERS", members_capacity);
  const char* file = "overlap/suffix/hybrid_buckets_cpu.cl";
  const std::uint64_t blocks = ceil_div(text.size, 32);
  const runtime::Shares shares = runtime::share_out(device, {}, blocks, 1, 1024, 8);
  const auto launch = [&](const char* name, std::uint64_t bytes, const auto&... arguments) {
    runtime::Kernel(device, file, name, defines)
        .args(text.words, text.separators, text.size, arguments..., blocks, shares.share)
        .run(shares.workers, 1, bytes);
  };
  runtime::ScratchArray<std::uint32_t> bucket_counts(device, shares.workers * buckets), starts(device, buckets + 2);
  launch("count_buckets", text.bytes(), bucket_counts);
  runtime::Kernel(device, file, "bucket_starts", defines)
      .args(bucket_counts, static_cast<std::uint32_t>(shares.workers), starts)
      .run(1, 1, bucket_counts.bytes());
  std::uint32_t largest = 0;
  starts.download(std::span(&largest, 1), buckets + 1);
  // One worker sorts a bucket. If one bucket has most of the text, all workers are faster together.
  const std::uint64_t capacity = std::max<std::uint64_t>(largest, members_capacity);
  const std::uint64_t workers = bucket_workers(device);
  if (capacity * workers > max_capacity(text.size)) return std::nullopt;

  const runtime::Scratch suffixes(device, text.size * 8);
  launch("scatter_suffixes", text.size * 8, bucket_counts, suffixes);
  KeyGroups groups = no_groups(task, 16, max_remaining);
  const runtime::Scratch scratch(device, workers * capacity * 8), key_scratch(device, workers * capacity * 4);
  runtime::ScratchArray<std::uint32_t> counts(device, cpu_count_words);
  counts.fill(0);
  runtime::Kernel(device, file, "sort_buckets", defines)
      .args(text.words, text.separators, text.size, starts, suffixes, task.positions, scratch, key_scratch, capacity,
            groups.left.starts, groups.left.sizes, counts, static_cast<std::uint32_t>(max_remaining / 2),
            static_cast<std::uint32_t>(max_remaining), budget)
      .run(workers, 1, text.size * 36);
  read_counts(counts, max_remaining, groups);
  return groups;
}

bool repeats_on_cpu(const Task& task, std::uint64_t from) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  if (text.size < from) return false;
  constexpr std::uint32_t wanted = 4096, most = 8 * wanted;
  const auto bits = std::max(1u, static_cast<std::uint32_t>(std::bit_width(text.size / wanted)));
  const runtime::ScratchArray<std::uint64_t> samples(device, most);
  runtime::ScratchArray<std::uint32_t> counts(device, 1);
  counts.fill(0);
  const runtime::Shares shares = runtime::share_out(device, {}, text.size, 64, 4096, 4);
  runtime::Kernel(device, "overlap/suffix/hybrid_sample_cpu.cl", "sample_windows", text.defines())
      .args(text.words, text.separators, bits, most, samples, counts, text.size, shares.share)
      .run(shares.workers, 1, text.bytes());
  std::vector<std::uint64_t> hashes(std::min(most, counts.download().front()));
  samples.download(hashes);
  std::sort(hashes.begin(), hashes.end());
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i)
    repeated += (i != 0 && hashes[i] == hashes[i - 1]) || (i + 1 < hashes.size() && hashes[i] == hashes[i + 1]);
  return hashes.size() >= wanted / 16 && repeated > hashes.size() / 2;
}

std::uint64_t cpu_bytes(const Device& device, std::uint64_t size, unsigned bits, std::uint64_t max_remaining) {
  const std::uint64_t lists = max_remaining / 2 * 8;
  const std::uint64_t in_refine = 4 * size + refine_workers(device, size) * members_capacity * 8 + lists;
  if (bits != 2 || size < buckets_from) return in_refine;
  const std::uint64_t scatter_workers = runtime::workers_that_fill(device, 8);
  const std::uint64_t capacity = std::max(max_capacity(size), bucket_workers(device) * members_capacity);
  return std::max(in_refine, 8 * size + capacity * 12 + lists + scatter_workers * buckets * 4);
}

namespace {

// TILE, SMALL, MEDIUM, SMALL_SAMPLES and MEDIUM_SAMPLES of hybrid_ties_gpu.cl.
constexpr std::uint64_t tile = 2048, small = 32, medium = 1024, small_samples = 1024, medium_samples = 256;
enum Count { small_groups, medium_groups = 2, large_groups = 4, pairs = 6, left_groups, sampled = 9, count_words = 11 };
// Maximum number of windows to compare for each suffix of the text. DC3 moves the bytes of 10 windows.
constexpr std::uint64_t max_windows = 8;

struct List {
  runtime::ScratchArray<std::uint32_t> starts, sizes;
  List(const Device& device, std::uint64_t most) : starts(device, most), sizes(device, most) {}
};

class Ties {
 public:
  Ties(const Task& task, const Sorted& sorted)
      : task_(task),
        sorted_(sorted),
        device_(task.device),
        size_(task.text.size),
        group_size_(runtime::group_size(task.device, {}, 256)),
        defines_(task.text.defines()
                     .set("GROUP_SIZE", group_size_)
                     .set("TILE", tile)
                     .set("SMALL", small)
                     .set("MEDIUM", medium)
                     .set("SMALL_SAMPLES", small_samples)
                     .set("MEDIUM_SAMPLES", medium_samples)),
        small_(device_, size_ / 2),
        medium_(device_, size_ / (small + 1)),
        large_(device_, size_ / (medium + 1)),
        counts_(device_, count_words) {}

  KeyGroups resolve(std::uint64_t max_remaining, bool force) {
    counts_.fill(0);
    run("find_ties", ceil_div(size_, tile), size_ * 4, sorted_.keys, size_, sorted_.shift, sorted_.depth, text(),
        separators(), task_.positions, small_.starts, small_.sizes, medium_.starts, medium_.sizes, large_.starts,
        large_.sizes, counts_);
    run("sample_ties", ceil_div(small_samples + medium_samples, group_size_), 0, text(), separators(), size_,
        sorted_.depth, task_.positions, small_.starts, small_.sizes, medium_.starts, medium_.sizes, counts_);
    read_counts();
    const std::uint64_t in_small = found_[small_groups + 1], in_medium = found_[medium_groups + 1],
                        in_large = found_[large_groups + 1];
    const std::uint64_t unresolved = 2 * std::uint64_t{found_[pairs]} + in_small + in_medium + in_large;
    const bool compare = windows_expected() <= max_windows * size_;
    const std::uint64_t sure_left = compare ? in_large : in_small + in_medium + in_large;
    const bool give_up = !force && sure_left > max_remaining;
    List left(device_, give_up ? 0 : in_small / 2 + in_medium / 2 + found_[large_groups]);
    KeyGroups groups{Groups{std::move(left.starts), std::move(left.sizes), 0, 0, sorted_.depth}, unresolved, give_up};
    if (give_up || in_small + in_medium + in_large == 0) return groups;

    leave(large_, large_groups, groups.left);
    if (compare) {
      compare_groups(in_medium, groups.left);
    } else {
      leave(small_, small_groups, groups.left);
      leave(medium_, medium_groups, groups.left);
    }
    read_counts();
    groups.left.count = found_[left_groups];
    groups.left.members = found_[left_groups + 1];
    groups.given_up = !force && groups.left.members > max_remaining;
    return groups;
  }

 private:
  const Array<std::uint64_t>& text() const { return task_.text.words; }
  const Array<std::uint32_t>& separators() const { return task_.text.separators; }

  template <class... Arguments>
  void run(const char* name, std::uint64_t groups, std::uint64_t bytes, const Arguments&... arguments) {
    runtime::Kernel(device_, "overlap/suffix/hybrid_ties_gpu.cl", name, defines_)
        .args(arguments...)
        .run(static_cast<std::size_t>(groups), group_size_, bytes);
  }

  void read_counts() { counts_.download(std::span<std::uint32_t>(found_)); }

  /// Estimated from samples: all pairs of small groups, and the pairs of the small groups that medium ones become.
  std::uint64_t windows_expected() const {
    const auto scaled = [&](std::size_t sum, std::size_t groups, std::uint64_t samples) {
      return std::uint64_t{found_[sum]} * found_[groups] / std::clamp<std::uint64_t>(found_[groups], 1, samples);
    };
    return scaled(sampled, small_groups, small_samples) +
           small / 2 * scaled(sampled + 1, medium_groups, medium_samples);
  }

  void leave(const List& list, std::size_t index, const Groups& left) {
    const std::uint32_t count = found_[index];
    if (count == 0) return;
    run("leave_groups", ceil_div(count, group_size_), std::uint64_t{count} * 16, list.starts, list.sizes, count,
        left.starts, left.sizes, to_, found_[index + 1], counts_);
    to_ += count;
  }

  void compare_groups(std::uint64_t in_medium, const Groups& left) {
    const std::uint64_t max_groups = 2 * runtime::groups_that_fill(device_);
    if (const std::uint32_t count = found_[medium_groups]; count != 0)
      run("split_medium", std::min<std::uint64_t>(count, max_groups), in_medium * 48, text(), separators(), size_,
          sorted_.depth, task_.positions, medium_.starts, medium_.sizes, count, small_.starts, small_.sizes,
          left.starts, left.sizes, counts_);
    const std::uint64_t most = found_[small_groups] + in_medium / 2;
    if (most == 0) return;
    run("rank_small", std::min(ceil_div(most, group_size_ / small), max_groups), windows_expected() * 64, text(),
        separators(), size_, sorted_.depth, task_.positions, small_.starts, small_.sizes, left.starts, left.sizes,
        counts_);
  }

  const Task& task_;
  const Sorted& sorted_;
  const Device& device_;
  std::uint64_t size_;
  unsigned group_size_;
  runtime::Defines defines_;
  List small_, medium_, large_;
  runtime::ScratchArray<std::uint32_t> counts_;
  std::array<std::uint32_t, count_words> found_{};
  std::uint32_t to_ = 0;
};

}  // namespace

KeyGroups resolve_on_gpu(const Task& task, const Sorted& sorted, std::uint64_t max_remaining, bool force) {
  return Ties(task, sorted).resolve(max_remaining, force);
}

std::uint64_t gpu_bytes(std::uint64_t size) {
  // The keys, three lists, and the list of remaining groups, at most half the members.
  return 4 * size + 8 * (size / 2 + size / (small + 1) + size / (medium + 1)) + 4 * size;
}

}  // namespace genocl::overlap::hybrid
