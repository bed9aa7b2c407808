#include "marose/read_batches.hpp"

#include <algorithm>
#include <bit>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores, std::uint64_t free) {
  // The rest is for memory that does not depend on the reads, and for batches that are split.
  const std::uint64_t budget = free / 10 * 8;
  if (!holds_all) return {.reads = std::size_t{1} << 20, .workers = 1, .bytes = budget};
  // The cores of a CPU device do the mapping.
  if (family == KernelFamily::cpu) return {.reads = std::size_t{1} << 14, .workers = 2, .bytes = budget / 2};
  // A batch on a GPU takes gigabytes: a small GPU processes fewer at a time.
  constexpr std::uint64_t bytes_of_batch = std::uint64_t{2} << 30;
  const auto share = static_cast<unsigned>(cores / std::max<std::size_t>(1, devices));
  const auto fitting = static_cast<unsigned>(std::min<std::uint64_t>(16, budget / bytes_of_batch));
  const unsigned workers = std::clamp(std::min(share, fitting), 2u, 16u);
  return {.reads = std::size_t{1} << 16, .workers = workers, .bytes = budget / workers};
}

std::size_t reads_within(std::uint64_t bytes, std::size_t words) {
  // Two strands of bases and Ns; about 2.5 candidate windows for each word, each with a word for every word of the
  // read; a list of 40 bytes for each of twice as many look-ups.
  const std::uint64_t windows = words * 5 / 2 + 8;
  const std::uint64_t each = 64 + words * 32 + windows * (4 + 4 * words) + windows * 80;
  return static_cast<std::size_t>(std::clamp<std::uint64_t>(bytes / 4 / each, 1, (std::size_t{1} << 21) / words));
}

std::uint64_t entries_within(std::uint64_t bytes) {
  // Each may become a candidate that is sorted and verified.
  constexpr std::uint64_t each = 48;
  return std::max<std::uint64_t>(bytes / 2 / each, std::uint64_t{1} << 16);
}

ReadClasses ReadClassCounts::merge(ReadClasses&& classes, std::uint64_t worth_programs) {
  // Up to 256 bases, a read costs little more in the class of the longest; above, up to twice its length.
  constexpr std::uint64_t short_words = 8;
  const std::lock_guard lock(mutex_);
  for (const auto& [words, which] : classes) seen_[words] += which.size();
  for (auto one = classes.begin(); one != classes.end();) {
    const auto next = std::next(one);
    if (next != classes.end() && seen_[one->first] < worth_programs &&
        next->first <= std::max(short_words, 2 * one->first)) {
      std::vector<std::uint32_t> both(one->second.size() + next->second.size());
      std::merge(one->second.begin(), one->second.end(), next->second.begin(), next->second.end(), both.begin());
      next->second = std::move(both);
      classes.erase(one);
    }
    one = next;
  }
  return std::move(classes);
}

ReadBatch pack_reads(const Device& device, const SequenceSet& reads, std::span<const std::uint32_t> which,
                     std::span<const std::uint32_t> plans, std::uint32_t min_words) {
  ReadBatch batch;
  batch.count = static_cast<std::uint32_t>(which.size());
  std::vector<std::uint32_t> offsets(which.size() + 1);
  std::uint64_t longest = 1, total = 0;
  bool consecutive = true;
  for (std::size_t i = 0; i < which.size(); ++i) {
    longest = std::max(longest, reads.length(which[i]));
    offsets[i] = static_cast<std::uint32_t>(total);
    total += reads.length(which[i]);
    consecutive = consecutive && which[i] == which[0] + i;
  }
  if (total > 0xffffffffu) throw InputError("more than 2^32 bases in one batch of reads");
  offsets[which.size()] = static_cast<std::uint32_t>(total);
  batch.words = std::max(min_words, static_cast<std::uint32_t>(std::bit_ceil((longest + 31) / 32)));

  Array<Code> codes(device, std::max<std::uint64_t>(total, 1));
  if (which.empty()) {
  } else if (consecutive) {
    codes.upload(reads.codes({which[0], which.size(), 0}));
  } else {
    std::vector<Code> gathered;
    gathered.reserve(total);
    for (const std::uint32_t read : which) gathered.insert(gathered.end(), reads[read].begin(), reads[read].end());
    codes.upload(gathered);
  }
  for (const std::uint32_t read : which) {
    Code most = 0;
    for (const Code code : reads[read]) most = std::max(most, code);  // no early exit: vector code
    if (most > 3) {
      batch.has_unknown = true;
      break;
    }
  }
  batch.one_plan = std::all_of(plans.begin(), plans.end(), [](std::uint32_t plan) { return plan == 0; });

  const std::uint64_t words = std::uint64_t{2} * batch.words * batch.count;
  batch.bases = Array<std::uint64_t>(device, std::max<std::uint64_t>(words, 1));
  batch.unknown = Array<std::uint64_t>(device, batch.has_unknown ? words : 1);
  batch.plan = Array<std::uint32_t>(device, plans);
  const Array<std::uint32_t> device_offsets(device, std::span<const std::uint32_t>(offsets));
  runtime::launch_items(device, "marose/pack_reads.cl", "pack_reads", {},
                        {.items = words, .bytes = total + 16 * words, .least = 1024}, codes, device_offsets,
                        batch.count, batch.words, std::uint32_t{batch.has_unknown}, batch.bases, batch.unknown);
  return batch;
}

namespace {

class IdleSets {
 public:
  SequenceSet take() {
    const std::lock_guard lock(mutex_);
    if (sets_.empty()) return SequenceSet();
    SequenceSet set = std::move(sets_.back());
    sets_.pop_back();
    return set;
  }
  void give(SequenceSet&& set) {
    set.clear();
    const std::lock_guard lock(mutex_);
    sets_.push_back(std::move(set));
  }

 private:
  std::mutex mutex_;
  std::vector<SequenceSet> sets_;
};

}  // namespace

ReadsSource reads_to_make(std::function<bool(SequenceSet&)> source) {
  const auto idle = std::make_shared<IdleSets>();
  return [idle, source = std::move(source)]() -> std::optional<Mapper::ReadsToMake> {
    auto reads = std::make_shared<SequenceSet>(idle->take());
    if (!source(*reads)) return std::nullopt;
    return Mapper::ReadsToMake{reads->size(), [idle, reads](SequenceSet& batch) {
                                 std::swap(batch, *reads);
                                 idle->give(std::move(*reads));
                               }};
  };
}

}  // namespace genocl::marose
