// Overlaps of reads, from one suffix array of all.
#include "genocl/overlap/suffix_prefix.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "genocl/error.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "overlap/matches/error_overlaps.hpp"
#include "overlap/matches/suffix_prefix_steps.hpp"
#include "runtime/chunks.hpp"

namespace genocl::overlap {

namespace {

/// Each read and behind it its reverse complement.
SequenceSet with_mates(const SequenceSet& reads) {
  SequenceSet both(reads.alphabet());
  both.reserve(2 * reads.size(), 2 * reads.residues());
  for (std::size_t i = 0; i < reads.size(); ++i) {
    both.append({}, reads[i]);
    dna::reverse_complement(reads[i], both.extend({}, {}, reads.length(i)).codes);
  }
  return both;
}

/// Of records, with `mates` of reads and their reverse complements.
ReadOverlap of_reads(const RecordOverlap& overlap, std::uint32_t errors, bool mates) {
  if (!mates) return {overlap.a, overlap.b, overlap.length, false, false, errors};
  return {overlap.a / 2, overlap.b / 2, overlap.length, overlap.a % 2 == 1, overlap.b % 2 == 1, errors};
}

/// Whether an overlap is the one of itself and its mirror image that is reported.
bool is_reported(const ReadOverlap& overlap) {
  if (overlap.a_reverse == overlap.b_reverse) return !overlap.a_reverse;
  return overlap.a < overlap.b;
}

/// Of overlaps by a: the longest of each, to the first b.
std::vector<ErrorOverlap> best_of(const std::vector<ErrorOverlap>& all) {
  std::vector<ErrorOverlap> best;
  for (const ErrorOverlap& overlap : all) {
    if (best.empty() || best.back().a != overlap.a)
      best.push_back(overlap);
    else if (overlap.length > best.back().length)
      best.back() = overlap;
  }
  return best;
}

}  // namespace

std::vector<ReadOverlap> suffix_prefix(const Device& device, const SequenceSet& reads,
                                       const SuffixPrefixOptions& options) {
  if (options.min_length == 0) throw InputError("overlaps of 0 letters: at least 1");
  if (options.errors >= options.min_length)
    throw InputError("errors", {}, std::to_string(options.errors), "fewer than an overlap has letters at least");
  const std::uint64_t mates = options.both_strands ? 2 : 1;
  if (options.both_strands && reads.alphabet() != Alphabet::dna)
    throw InputError("overlaps on both strands of reads that are not DNA");
  if (reads.size() >= 0xffff'ffffu / mates)
    throw InputError(std::to_string(reads.size()) + " reads: at most " + std::to_string(0xffff'ffffu / mates - 1));
  const SequenceSet turned = options.both_strands ? with_mates(reads) : SequenceSet(reads.alphabet());
  const SequenceSet* const records = options.both_strands ? &turned : &reads;
  const Text text = Text::separated(device, std::span(&records, 1), options.letters);
  const Stages stages(options.progress, text.size());
  if (text.size() == 0) return {};
  const std::uint64_t first = mates * std::min<std::uint64_t>(options.first_read, reads.size());
  const std::uint64_t end = first + mates * std::min<std::uint64_t>(options.read_count, reads.size() - first / mates);
  std::vector<ReadOverlap> result;
  if (options.errors > 0) {
    const SuffixIndex index(SuffixArray(text, {.progress = stages.up_to(0.7)}));
    const ErrorOverlapOptions how{options.min_length, options.errors, options.both_strands};
    std::vector<ErrorOverlap> found = error_overlaps(index, how, first, end, stages);
    if (options.best_only) found = best_of(found);
    for (const ErrorOverlap& overlap : found) result.push_back(of_reads(overlap, overlap.errors, options.both_strands));
  } else {
    const Sorting sorting(text, "overlaps of reads", bytes_of_overlapping, stages);
    const SortedText sorted = sorting.sorted();
    const Rmq minima(device, sorted.lcp);
    const ReadOverlaps overlaps(sorted, minima, options.min_length, options.both_strands);
    const std::vector<RecordOverlap> found = options.best_only ? overlaps.best() : overlaps.all(stages, first, end);
    result.reserve(found.size());
    for (const RecordOverlap& overlap : found)
      if (first <= overlap.a && overlap.a < end) result.push_back(of_reads(overlap, 0, options.both_strands));
  }
  if (options.both_strands && !options.best_only)
    std::erase_if(result, [](const ReadOverlap& overlap) { return !is_reported(overlap); });
  stages.reach(1);
  return result;
}

std::vector<ReadOverlap> suffix_prefix(std::span<const Device> devices, const SequenceSet& reads,
                                       const SuffixPrefixOptions& options) {
  if (devices.empty()) throw InputError("no device given");
  if (devices.size() == 1) return suffix_prefix(devices.front(), reads, options);
  // Shares of as many letters each.
  const std::uint64_t first = std::min<std::uint64_t>(options.first_read, reads.size());
  const std::uint64_t end = first + std::min<std::uint64_t>(options.read_count, reads.size() - first);
  std::uint64_t letters = 0;
  for (std::uint64_t read = first; read < end; ++read) letters += reads.length(read);
  std::uint64_t next = first, done = 0, share = 0;
  std::vector<ReadOverlap> result;
  runtime::for_each_chunk(
      devices,
      [&]() -> std::optional<SuffixPrefixOptions> {
        if (next == end && share != 0) return std::nullopt;
        const std::uint64_t until = letters / devices.size() * ++share;
        SuffixPrefixOptions part = options;
        part.progress = {};
        part.first_read = next;
        for (; next < end && (done < until || share == devices.size()); ++next) done += reads.length(next);
        part.read_count = next - part.first_read;
        return part;
      },
      [&](const Device& device, SuffixPrefixOptions&& part) { return suffix_prefix(device, reads, part); },
      [&](std::vector<ReadOverlap>&& some) {
        result.insert(result.end(), some.begin(), some.end());
        return std::uint64_t{1};
      },
      {.workers_per_device = 1, .items_total = devices.size(), .progress = options.progress});
  return result;
}

}  // namespace genocl::overlap
