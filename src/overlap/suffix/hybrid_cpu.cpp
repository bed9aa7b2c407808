// This is the keys' step on a CPU.
#include <algorithm>
#include <bit>
#include <vector>

#include "overlap/suffix/hybrid.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap::hybrid {
namespace {

using runtime::ceil_div;

// hybrid_buckets_cpu.cl has it as BUCKET_BITS, and hybrid_refine_cpu.clh has members_room as MEMBERS.
constexpr unsigned bucket_bits = 10;
constexpr std::uint64_t buckets = 1u << bucket_bits, members_room = 4096;
enum Count { left_groups, left_members, next_bucket, all_members, done_suffixes, given_up, count_words };
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
  groups.given_up = groups.left.members > most_left || found[given_up] != 0;
}

/// With room for as many groups as `most_left` members can make: where there are more, they are given up.
KeyGroups no_groups(const Task& task, unsigned depth, std::uint64_t most_left) {
  const std::uint64_t most = most_left / 2;
  return {Groups{runtime::ScratchArray<std::uint32_t>(task.device, most),
                 runtime::ScratchArray<std::uint32_t>(task.device, most), 0, 0, depth}};
}

std::uint64_t refine_workers(const Device& device, std::uint64_t size) {
  return runtime::share_out(device, {}, size, 64, 4096, 4).workers;
}
std::uint64_t bucket_workers(const Device& device) {
  return std::min<std::uint64_t>(std::max(1u, device.info().compute_units), buckets);
}
/// So many suffixes fit the rooms of all workers.
std::uint64_t most_room(std::uint64_t size) { return std::max(size / 8, buckets_from); }

}  // namespace

KeyGroups refine_on_cpu(const Task& task, const Sorted& sorted, std::uint64_t most_left) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  KeyGroups groups = no_groups(task, sorted.depth, most_left);
  const runtime::Shares shares = runtime::share_out(device, {}, text.size, 64, 4096, 4);
  const runtime::Scratch rooms(device, shares.workers * members_room * 8);
  runtime::ScratchArray<std::uint32_t> counts(device, count_words);
  counts.fill(0);
  runtime::Kernel(device, "overlap/suffix/hybrid_refine_cpu.cl", "refine_groups",
                  text.defines().set("MEMBERS", members_room))
      .args(sorted.keys, sorted.shift, sorted.depth, text.words, text.breaks, task.positions, rooms, groups.left.starts,
            groups.left.sizes, counts, static_cast<std::uint32_t>(most_left / 2), static_cast<std::uint32_t>(most_left),
            budget, text.size, shares.share)
      .run(shares.workers, 1, text.size * 4);
  read_counts(counts, most_left, groups);
  return groups;
}

std::optional<KeyGroups> sort_in_buckets(const Task& task, std::uint64_t most_left, std::uint64_t from) {
  const Device& device = task.device;
  const Text::State& text = task.text;
  if (text.bits != 2 || text.size < from) return std::nullopt;
  const runtime::Defines defines = text.defines()
                                       .set("STREAM", text.size >= stream_from ? 1 : 0)
                                       .set("BUCKET_BITS", bucket_bits)
                                       .set("MEMBERS", members_room);
  const char* file = "overlap/suffix/hybrid_buckets_cpu.cl";
  const std::uint64_t blocks = ceil_div(text.size, 32);
  const runtime::Shares shares = runtime::share_out(device, {}, blocks, 1, 1024, 8);
  const auto launch = [&](const char* name, std::uint64_t bytes, const auto&... arguments) {
    runtime::Kernel(device, file, name, defines)
        .args(text.words, text.breaks, text.size, arguments..., blocks, shares.share)
        .run(shares.workers, 1, bytes);
  };
  runtime::ScratchArray<std::uint32_t> bucket_counts(device, shares.workers * buckets), starts(device, buckets + 2);
  launch("count_buckets", text.bytes(), bucket_counts);
  runtime::Kernel(device, file, "bucket_starts", defines)
      .args(bucket_counts, static_cast<std::uint32_t>(shares.workers), starts)
      .run(1, 1, bucket_counts.bytes());
  std::uint32_t largest = 0;
  starts.download(std::span(&largest, 1), buckets + 1);
  // Each worker sorts a bucket of any size; texts with one that is most of them are better sorted by all together.
  const std::uint64_t room = std::max<std::uint64_t>(largest, members_room);
  const std::uint64_t workers = bucket_workers(device);
  if (room * workers > most_room(text.size)) return std::nullopt;

  const runtime::Scratch suffixes(device, text.size * 8);
  launch("scatter_suffixes", text.size * 8, bucket_counts, suffixes);
  KeyGroups groups = no_groups(task, 16, most_left);
  const runtime::Scratch rooms(device, workers * room * 8), key_rooms(device, workers * room * 4);
  runtime::ScratchArray<std::uint32_t> counts(device, count_words);
  counts.fill(0);
  runtime::Kernel(device, file, "sort_buckets", defines)
      .args(text.words, text.breaks, text.size, starts, suffixes, task.positions, rooms, key_rooms, room,
            groups.left.starts, groups.left.sizes, counts, static_cast<std::uint32_t>(most_left / 2),
            static_cast<std::uint32_t>(most_left), budget)
      .run(workers, 1, text.size * 36);
  read_counts(counts, most_left, groups);
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
      .args(text.words, text.breaks, bits, most, samples, counts, text.size, shares.share)
      .run(shares.workers, 1, text.bytes());
  std::vector<std::uint64_t> hashes(std::min(most, counts.download().front()));
  samples.download(hashes);
  std::sort(hashes.begin(), hashes.end());
  std::size_t repeated = 0;
  for (std::size_t i = 0; i < hashes.size(); ++i)
    repeated += (i != 0 && hashes[i] == hashes[i - 1]) || (i + 1 < hashes.size() && hashes[i] == hashes[i + 1]);
  return hashes.size() >= wanted / 16 && repeated > hashes.size() / 2;
}

std::uint64_t cpu_bytes(const Device& device, std::uint64_t size, unsigned bits, std::uint64_t most_left) {
  const std::uint64_t lists = most_left / 2 * 8;
  const std::uint64_t in_refine = 4 * size + refine_workers(device, size) * members_room * 8 + lists;
  if (bits != 2 || size < buckets_from) return in_refine;
  const std::uint64_t scatter_workers = runtime::workers_that_fill(device, 8);
  const std::uint64_t rooms = std::max(most_room(size), bucket_workers(device) * members_room);
  return std::max(in_refine, 8 * size + rooms * 12 + lists + scatter_workers * buckets * 4);
}

}  // namespace genocl::overlap::hybrid
