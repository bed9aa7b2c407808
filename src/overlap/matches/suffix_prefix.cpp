// Overlaps of reads, from one suffix array of all.
#include "genocl/overlap/suffix_prefix.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "genocl/error.hpp"
#include "overlap/matches/suffix_prefix_steps.hpp"

namespace genocl::overlap {

std::vector<ReadOverlap> suffix_prefix(const Device& device, const SequenceSet& reads,
                                       const SuffixPrefixOptions& options) {
  if (options.min_length == 0) throw InputError("overlaps of 0 letters: at least 1");
  if (reads.size() >= 0xffff'ffffu)
    throw InputError(std::to_string(reads.size()) + " reads: at most " + std::to_string(0xffff'fffeu));
  const std::array<const SequenceSet*, 1> sets = {&reads};
  const Text text = Text::separated(device, sets, options.letters);
  const Stages stages(options.progress, text.size());
  if (text.size() == 0) return {};
  const Sorting sorting(text, "overlaps of reads", bytes_of_overlapping, stages);
  const SortedText sorted = sorting.sorted();
  const Rmq minima(device, sorted.lcp);
  const ReadOverlaps overlaps(sorted, minima, options.min_length);
  const std::uint64_t first = std::min<std::uint64_t>(options.first_read, reads.size());
  const std::uint64_t end = first + std::min<std::uint64_t>(options.read_count, reads.size() - first);
  std::vector<ReadOverlap> result = options.best_only ? overlaps.best() : overlaps.all(stages, first, end);
  if (options.best_only)
    std::erase_if(result, [&](const ReadOverlap& overlap) { return overlap.a < first || overlap.a >= end; });
  stages.reach(1);
  return result;
}

}  // namespace genocl::overlap
