// Regions as positions of a text, and as what callers get.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/regions.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"

namespace genocl::overlap {

/// Texts of one length, and where each stands, ascending.
struct Regions {
  std::uint64_t length = 0;
  std::vector<std::vector<std::uint64_t>> positions;
};

/// The occurrences of the regions and their records, by first occurrence.
std::vector<SharedRegion> shared_regions(const Regions& regions, const std::vector<std::uint64_t>& begins);

/// Records: `first_records` of the first set, then `second_records` of the second, then the reverse complements of the
/// second.
std::vector<CommonRegion> common_regions(const Regions& regions, const std::vector<std::uint64_t>& begins,
                                         std::uint64_t first_records, std::uint64_t second_records);

/// Suffixes in intervals of the array, by rank.
struct Members {
  Array<std::uint32_t> ranks;
  /// The LCP of each with the suffix before it in the whole array: less than the length where an interval begins.
  Array<std::uint32_t> values;

  std::uint64_t count() const { return ranks.size(); }
};

/// Those that have `length` symbols in common with a neighbour. 1 or more.
Members members(const SortedText& sorted, std::uint32_t length);

/// How many symbols there are from each suffix up to the first break, by rank; and the members of the given run.
runtime::ScratchArray<std::uint32_t> runs_by_rank(const SortedText& sorted);
Members members_of_run(const SortedText& sorted, const Array<std::uint32_t>& runs, std::uint32_t length);

/// For positions: marks[size - 1 - p] = size - 1 - p + 1 less the symbols from p up to the first break.
runtime::ScratchArray<std::uint32_t> break_marks(const Text::State& text);

/// Holds the intervals for one length.
class Intervals {
 public:
  Intervals(const Device& device, const Members& members, std::uint32_t length);

  /// [member] is the first member of its interval.
  const Array<std::uint32_t>& begins() const { return begins_; }

  /// Whether there are intervals with marks of at least `least` in all. `marks`, one of each member, are lost.
  bool find(Array<std::uint32_t>& marks, std::uint32_t least);
  /// Members of the intervals that find() found: the elements of `values` that belong to them.
  Array<std::uint32_t> kept(const Array<std::uint32_t>& values);

 private:
  const Device& device_;
  const Members& members_;
  std::uint32_t length_;
  runtime::ScratchArray<std::uint32_t> begins_, enough_;
  runtime::ScratchArray<std::uint8_t> flags_;
};

/// Those of the members whose interval reaches over `border`: it holds suffixes from before it and from there on.
Members members_of_both(const SortedText& sorted, const Members& members, std::uint32_t border, std::uint32_t length);

/// Gives the positions of each interval, ascending.
std::vector<std::vector<std::uint64_t>> positions_of_intervals(const SortedText& sorted, const Members& members,
                                                               std::uint32_t length);

/// Bytes on the device for each symbol, suffix array and LCPs included, where every suffix is a member of an interval.
constexpr unsigned bytes_of_common = 44, bytes_of_shared = 56, bytes_of_repeated = 44;

/// Texts that stand before `border` and from there on.
Regions common_of_text(const SortedText& sorted, std::uint32_t border);
/// Texts that stand in `quorum` records, which is 1 to all of them.
Regions shared_of_text(const SortedText& sorted, std::uint64_t quorum);
/// Texts that stand at two places.
Regions repeated_of_text(const SortedText& sorted);

}  // namespace genocl::overlap
