// The search of matches in a suffix index or a piece of one.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/matches.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/text/text.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

/// Converts positions in the texts of reference and queries to positions in records; fastest for matches in order.
class MatchPlaces {
 public:
  /// `strands`: the number of records of each query in its text.
  MatchPlaces(std::span<const std::uint64_t> reference_begins, std::span<const std::uint64_t> query_begins,
              std::uint64_t strands)
      : in_references_(reference_begins), in_queries_(query_begins), strands_(strands) {}

  MaximalMatch match(std::uint64_t in_query, std::uint64_t in_reference, std::uint64_t length) {
    const std::uint64_t query = in_queries_.record(in_query), record = in_references_.record(in_reference);
    return {.reference_record = record,
            .reference_position = in_reference - in_references_.begin(record),
            .query_record = query / strands_,
            .query_position = in_query - in_queries_.begin(query),
            .length = length,
            .reverse = query % strands_ == 1};
  }

 private:
  RecordLocator in_references_, in_queries_;
  std::uint64_t strands_;
};

/// A suffix index, or a piece of one, as the kernels read it.
struct Reference {
  const Text::State& text;
  const cl::Buffer& positions;
  bool wide;  ///< 64-bit positions, else 32
  const PrefixTable& table;
  bool whole;  ///< positions of all suffixes of the text

  template <class Position>
  Reference(const Text::State& of, const Array<Position>& suffixes, const PrefixTable& with, bool is_whole = true)
      : text(of), positions(suffixes.buffer()), wide(sizeof(Position) == 8), table(with), whole(is_whole) {}
};

/// Every `step`-th position of the queries is an anchor. The search looks up its first `depth` symbols; the minimum
/// length of a match is depth + step - 1.
struct AnchorPlan {
  std::uint32_t step = 1, depth = 1;

  /// `min_length`: 1 or more. The depth is at least two thirds of min_length, since a shorter depth finds more
  /// candidates that are no match, and exceeds the length that random texts share.
  static AnchorPlan of(const Text::State& text, std::uint32_t min_length);
  std::uint32_t min_length() const { return depth + step - 1; }
};

/// Maximum number of anchors, and of positions of the queries, that a worker searches at a time.
constexpr std::uint64_t anchors_at_once = std::uint64_t{1} << 20, places_at_once = std::uint64_t{1} << 30;

/// Anchors first to first + count - 1, with the positions before each up to the previous anchor.
struct AnchorRange {
  std::uint64_t first = 0, count = 0;
};

/// Matches by position in the queries, then in the reference.
struct FoundMatches {
  std::uint64_t base = 0;           ///< subtracted from the positions of queries in `keys`
  std::vector<std::uint64_t> keys;  ///< position in the queries, then position_bits bits of that in the reference
  std::vector<std::uint32_t> lengths;
};

class MatchSearch {
 public:
  /// Candidates that are compared at a time, 12 bytes each.
  static constexpr std::uint64_t usual_candidates = std::uint64_t{1} << 24;

  /// `queries` have the codes of the reference. Uses the queue of `device`.
  MatchSearch(const Device& device, const Reference& reference, const Text::State& queries, AnchorPlan plan,
              std::uint64_t max_candidates = usual_candidates);

  /// The matches with their first anchor in the range, in order. `unique`: of MatchKind::unique_in_reference, else all.
  void find(AnchorRange range, bool unique, const std::function<void(FoundMatches&&)>& sink) const;

  /// found[i]: true if the lengths[i] symbols of the queries from places[i] on occur in the reference, without a
  /// separator.
  std::vector<std::uint8_t> has(std::span<const std::uint64_t> places, std::span<const std::uint32_t> lengths) const;

  unsigned position_bits() const { return position_bits_; }

 private:
  struct Anchors;
  Anchors look_up(AnchorRange range, bool unique) const;
  FoundMatches check(const Anchors& anchors, std::uint64_t first, std::uint64_t count) const;
  void find_all(Anchors& anchors, const std::function<void(FoundMatches&&)>& sink) const;
  void find_unique(const Anchors& anchors, const std::function<void(FoundMatches&&)>& sink) const;
  template <class... Arguments>
  void launch(const char* file, const char* name, std::uint64_t items, unsigned bytes,
              const Arguments&... arguments) const;

  const Device& device_;
  const Reference& reference_;
  const Text::State& queries_;
  AnchorPlan plan_;
  std::uint64_t max_candidates_;
  unsigned position_bits_;
};

/// Filters matches that are unique in the reference, in order, to those unique in the query's strand. A string occurs
/// twice in the strand exactly if another such match contains its position in the reference.
class UniqueMatches {
 public:
  void add(std::span<const MaximalMatch> matches, const MatchIndex::Sink& sink);
  void finish(const MatchIndex::Sink& sink);

 private:
  std::vector<MaximalMatch> strand_;  ///< of the current strand
};

}  // namespace genocl::overlap
