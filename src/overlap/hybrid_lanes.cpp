// The keys' step on a CPU.
#include <algorithm>
#include <vector>

#include "overlap/hybrid.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::hybrid {
namespace {

using primitives::ceil_div;

// As in hybrid_buckets_lanes.cl and hybrid_refine_lanes.clh.
constexpr std::uint64_t buckets = 1024, members_room = 4096;
enum Count { left_groups, left_members, leave_all, next_bucket, all_members, count_words };
// Windows that a worker may read for each suffix before it leaves its groups. E. coli takes 3.
constexpr std::uint32_t budget = 24;
// From here on suffixes are written past the cache.
constexpr std::uint64_t stream_from = std::uint64_t{1} << 22;

/// Reads the counts; what is left becomes `groups`.
void read_counts(const Array<std::uint32_t>& counts, std::uint64_t most_left, KeyGroups& groups) {
  const std::vector<std::uint32_t> found = counts.download();
  groups.left.count = found[left_groups];
  groups.left.members = found[left_members];
  groups.unresolved = found[all_members];
  groups.given_up = groups.left.members > most_left;
}

KeyGroups no_groups(const Task& task, unsigned depth) {
  const std::uint64_t most = task.text.size / 2;
  return {Groups{ScratchArray<std::uint32_t>(task.device, most), ScratchArray<std::uint32_t>(task.device, most), 0, 0,
                 depth}};
}

}  // namespace

KeyGroups refine_in_lanes(const Task& task, const Sorted& sorted, std::uint64_t most_left) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  KeyGroups groups = no_groups(task, sorted.depth);
  const primitives::Shares shares = primitives::share_out(device, {}, text.size, 64, 4096, 8);
  const runtime::Scratch rooms(device, shares.workers * members_room * 8);
  ScratchArray<std::uint32_t> counts(device, count_words);
  counts->fill(0);
  runtime::Kernel(device, "overlap/hybrid_refine_lanes.cl", "refine_groups", text.defines())
      .args(*sorted.keys, sorted.shift, sorted.depth, text.words, text.breaks, task.positions, rooms,
            *groups.left.starts, *groups.left.sizes, *counts, static_cast<std::uint32_t>(most_left), budget, text.size,
            shares.share)
      .run(shares.workers, 1, text.size * 4);
  read_counts(*counts, most_left, groups);
  return groups;
}

std::optional<KeyGroups> sort_in_buckets(const Task& task, std::uint64_t most_left) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  if (text.bits != 2 || text.size < buckets_from) return std::nullopt;
  const runtime::Defines defines = text.defines().set("STREAM", text.size >= stream_from ? 1 : 0);
  const char* file = "overlap/hybrid_buckets_lanes.cl";
  const std::uint64_t blocks = ceil_div(text.size, 32);
  const primitives::Shares shares = primitives::share_out(device, {}, blocks, 1, 1024, 4);
  const auto launch = [&](const char* name, std::uint64_t bytes, const auto&... arguments) {
    runtime::Kernel(device, file, name, defines)
        .args(text.words, text.breaks, text.size, arguments..., blocks, shares.share)
        .run(shares.workers, 1, bytes);
  };
  ScratchArray<std::uint32_t> bucket_counts(device, shares.workers * buckets), starts(device, buckets + 2);
  launch("count_buckets", text.bytes(), *bucket_counts);
  runtime::Kernel(device, file, "bucket_starts", defines)
      .args(*bucket_counts, static_cast<std::uint32_t>(shares.workers), *starts)
      .run(1, 1, bucket_counts->bytes());
  std::uint32_t largest = 0;
  starts->download(std::span(&largest, 1), buckets + 1);
  // Each worker sorts a bucket of any size; texts with one that is most of them are better sorted by all together.
  const std::uint64_t room = std::max<std::uint64_t>(largest, members_room);
  const std::uint64_t workers = std::min<std::uint64_t>(std::max(1u, device.info().compute_units), buckets);
  if (room * workers > std::max(text.size / 4, buckets_from)) return std::nullopt;

  const runtime::Scratch suffixes(device, text.size * 8);
  launch("scatter_suffixes", text.size * 8, *bucket_counts, suffixes);
  KeyGroups groups = no_groups(task, 16);
  const runtime::Scratch rooms(device, workers * room * 8);
  ScratchArray<std::uint32_t> counts(device, count_words);
  counts->fill(0);
  runtime::Kernel(device, file, "sort_buckets", defines)
      .args(text.words, text.breaks, text.size, *starts, suffixes, task.positions, rooms, room, *groups.left.starts,
            *groups.left.sizes, *counts, static_cast<std::uint32_t>(most_left), budget)
      .run(workers, 1, text.size * 36);
  read_counts(*counts, most_left, groups);
  return groups;
}

}  // namespace genocl::overlap::hybrid
