// Suffixes that share a beginning of a given length with others: what every kind of region is made of
// (cl/overlap/regions/regions.cl).
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/regions.hpp"
#include "overlap/text/sorted_text.hpp"

namespace genocl::overlap {

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

}  // namespace genocl::overlap
