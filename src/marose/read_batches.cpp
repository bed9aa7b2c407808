#include "marose/read_batches.hpp"

#include <algorithm>
#include <iterator>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace genocl::marose {

DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores, std::uint64_t free) {
  // The rest is for memory that does not depend on the reads, and for batches that are split.
  const std::uint64_t budget = free / 10 * 8;
  if (!holds_all) return {.reads = std::size_t{1} << 20, .workers = 1, .bytes = budget};
  // The cores of a CPU device do the mapping.
  if (family == KernelFamily::cpu) return {.reads = std::size_t{1} << 14, .workers = 2, .bytes = budget / 2};
  // A batch on a GPU takes gigabytes: a small GPU processes fewer at a time.
  constexpr std::uint64_t bytes_of_batch = std::uint64_t{4} << 30;
  const auto share = static_cast<unsigned>(cores / std::max<std::size_t>(1, devices));
  const auto room = static_cast<unsigned>(std::min<std::uint64_t>(16, budget / bytes_of_batch));
  const unsigned workers = std::clamp(std::min(share, room), 2u, 16u);
  return {.reads = std::size_t{1} << 17, .workers = workers, .bytes = budget / workers};
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
