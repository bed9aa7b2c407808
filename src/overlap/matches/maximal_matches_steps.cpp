#include "overlap/matches/maximal_matches_steps.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "genocl/primitives/scan.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/regions/regions_members.hpp"
#include "runtime/launch.hpp"
#include "runtime/memory/scratch.hpp"

namespace genocl::overlap {
namespace {

using runtime::launch_items;
using Words = runtime::ScratchArray<std::uint32_t>;

constexpr const char* file = "overlap/matches/maximal.cl";

/// Suffixes of the reference by interval and symbol before; those of the queries by position, each with the references
/// that it matches.
struct Matching {
  Members members;
  Words reference_ranks;
  Words query_positions, query_members;
  Words firsts, skips, gaps;
  runtime::ScratchArray<std::uint64_t> offsets;  ///< [query suffix]: of its first match; one more at the end
  std::uint64_t queries() const { return query_positions.size(); }
};

Matching match(const SortedText& sorted, Members members, std::uint32_t border, std::uint32_t min_length) {
  const Device& device = sorted.device();
  const std::uint64_t count = members.count();
  Matching result;
  result.members = std::move(members);
  const Members& all = result.members;

  Words numbers(device, count), marks(device, count), before(device, count + 1);
  launch_items(device, "overlap/regions/regions.cl", "mark_numbers", {}, {.items = count, .bytes = 8 * count},
               all.values, min_length, numbers, count);
  primitives::inclusive_scan(device, numbers, numbers);
  launch_items(device, file, "mark_references", sorted.text.defines(), {.items = count, .bytes = 12 * count}, all.ranks,
               sorted.positions, border, marks, count);
  primitives::exclusive_scan(device, marks, before);
  std::uint32_t references = 0, intervals = 0;
  before.download(std::span(&references, 1), count);
  numbers.download(std::span(&intervals, 1), count - 1);
  marks = Words();

  const std::uint64_t queries = count - references;
  runtime::ScratchArray<std::uint64_t> reference_keys(device, references);
  result.reference_ranks = Words(device, references);
  result.query_positions = Words(device, queries);
  result.query_members = Words(device, queries);
  Words interval_begins(device, std::uint64_t{intervals} + 1);
  launch_items(device, file, "split_members", sorted.text.defines(), {.items = count, .bytes = 40 * count}, all.ranks,
               sorted.positions, border, numbers, before, sorted.text.words, sorted.text.breaks, reference_keys,
               result.reference_ranks, result.query_positions, result.query_members, interval_begins, count);
  const unsigned class_bits = sorted.text.bits + 1;
  primitives::sort(device, reference_keys, result.reference_ranks,
                   {.last_bit = class_bits + static_cast<unsigned>(std::bit_width(intervals))});
  primitives::sort(device, result.query_positions, result.query_members, {.last_bit = sorted.position_bits()});

  result.firsts = Words(device, queries);
  result.skips = Words(device, queries);
  result.gaps = Words(device, queries);
  Words counts(device, queries);
  launch_items(device, file, "count_matches", sorted.text.defines(), {.items = queries, .bytes = 60 * queries},
               result.query_positions, result.query_members, numbers, interval_begins, reference_keys,
               sorted.text.words, sorted.text.breaks, result.firsts, result.skips, result.gaps, counts, queries);
  result.offsets = runtime::ScratchArray<std::uint64_t>(device, queries + 1);
  primitives::exclusive_scan(device, counts, result.offsets);
  return result;
}

/// What a piece of matches takes, in memory that the next piece takes again.
class Piece {
 public:
  Piece(const SortedText& sorted, const Rmq& minima, const Matching& matching)
      : sorted_(sorted), minima_(minima), matching_(matching) {}

  void report(std::uint64_t first, std::uint64_t count, const MatchSink& sink) {
    const Device& device = sorted_.device();
    runtime::check_capacity(device, "maximal matches", 8 * count, bytes_of_match * count);
    runtime::ScratchArray<std::uint64_t> keys(device, count);
    Words lengths(device, count);
    {
      runtime::ScratchArray<RangeQuery> ranges(device, count);
      runtime::ScratchArray<RangeMinimum> answers(device, count);
      launch_items(device, file, "fill_matches", sorted_.text.defines(), {.items = count, .bytes = 60 * count},
                   matching_.offsets, first, matching_.queries(), matching_.query_positions, matching_.query_members,
                   matching_.members.ranks, matching_.firsts, matching_.skips, matching_.gaps,
                   matching_.reference_ranks, sorted_.positions, sorted_.position_bits(), keys, ranges, count);
      minima_.minima(ranges, answers);
      launch_items(device, file, "take_lengths", sorted_.text.defines(), {.items = count, .bytes = 12 * count}, answers,
                   lengths, count);
    }
    primitives::sort(device, keys, lengths, {.last_bit = 2 * sorted_.position_bits()});
    host_keys_.resize(count);
    host_lengths_.resize(count);
    keys.download(std::span(host_keys_));
    lengths.download(std::span(host_lengths_));
    sink(host_keys_, host_lengths_);
  }

 private:
  const SortedText& sorted_;
  const Rmq& minima_;
  const Matching& matching_;
  std::vector<std::uint64_t> host_keys_;
  std::vector<std::uint32_t> host_lengths_;
};

}  // namespace

void maximal_matches_of_text(const SortedText& sorted, const Rmq& minima, std::uint32_t border,
                             std::uint32_t min_length, std::uint64_t most, const Stages& stages,
                             const MatchSink& sink) {
  Members both = members_of_both(sorted, members(sorted, min_length), border, min_length);
  if (both.count() == 0) return;
  const Matching matching = match(sorted, std::move(both), border, min_length);
  std::uint64_t total = 0;
  matching.offsets.download(std::span(&total, 1), matching.queries());
  stages.reach(0.8);
  if (total == 0) return;
  Piece piece(sorted, minima, matching);
  if (total <= most) {
    piece.report(0, total, sink);
    return;
  }
  // Cut where a position's matches end.
  const std::vector<std::uint64_t> offsets = matching.offsets.download();
  for (auto first = offsets.begin(); *first < total;) {
    auto end = std::upper_bound(first, offsets.end(), *first + most) - 1;
    if (*end == *first) end = std::upper_bound(first, offsets.end(), *first);
    piece.report(*first, *end - *first, sink);
    first = end;
    stages.reach(0.8 + 0.2 * static_cast<double>(*first) / static_cast<double>(total));
  }
}

}  // namespace genocl::overlap
