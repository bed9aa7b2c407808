// Matches by their places in texts, and by records.
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

/// Turns places in the texts of a reference and of queries to places in records. Ask it for matches in order.
class MatchPlaces {
 public:
  /// `strands`: how many records of its text each query has.
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
  bool wide;  ///< whether these have 64 bits, or 32
  const PrefixTable& table;
  bool whole;  ///< whether positions has all suffixes of the text

  template <class Position>
  Reference(const Text::State& of, const Array<Position>& suffixes, const PrefixTable& with, bool is_whole = true)
      : text(of), positions(suffixes.buffer()), wide(sizeof(Position) == 8), table(with), whole(is_whole) {}
};

/// Every `step`-th place of the queries is an anchor, of which `depth` symbols are looked up: depth + step - 1 is the
/// least length of a match.
struct AnchorPlan {
  std::uint32_t step = 1, depth = 1;

  /// `min_length`: 1 or more. So deep that few anchors of a random text are found, and two thirds of the least length,
  /// since what is found by less and is no match is looked at in vain.
  static AnchorPlan of(const Text::State& text, std::uint32_t min_length);
  std::uint32_t min_length() const { return depth + step - 1; }
};

/// Anchors that a worker looks up at a time, and the places of the queries that they stand for, at most.
constexpr std::uint64_t anchors_at_once = std::uint64_t{1} << 20, places_at_once = std::uint64_t{1} << 30;

/// Anchors first to first + count - 1, and the places before them up to the anchor before.
struct AnchorRange {
  std::uint64_t first = 0, count = 0;
};

/// Matches by their place in the queries, then that in the reference.
struct FoundMatches {
  std::uint64_t base = 0;           ///< what `keys` count the places of queries from
  std::vector<std::uint64_t> keys;  ///< that place above position_bits bits of the one in the reference
  std::vector<std::uint32_t> lengths;
};

class MatchSearch {
 public:
  /// Candidates that are looked at at a time, 12 bytes each, unless an anchor has more.
  static constexpr std::uint64_t usual_candidates = std::uint64_t{1} << 24;

  /// `queries`: coded as the reference. All on the device's queue.
  MatchSearch(const Device& device, const Reference& reference, const Text::State& queries, AnchorPlan plan,
              std::uint64_t most_candidates = usual_candidates);

  /// The matches that have their first anchor in the range. `unique`: those of MatchKind::unique_in_reference, else
  /// all. In order.
  void find(AnchorRange range, bool unique, const std::function<void(FoundMatches&&)>& sink) const;

  /// found[i]: whether the reference has the lengths[i] symbols of the queries from places[i] on, without a break in
  /// them.
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
  std::uint64_t most_candidates_;
  unsigned position_bits_;
};

/// Takes matches that are unique in the reference, in order, and gives those on that are unique in the query's strand:
/// what matches stands a second time there just where another such match holds its place in the reference.
class UniqueMatches {
 public:
  void add(std::span<const MaximalMatch> matches, const MatchIndex::Sink& sink);
  void finish(const MatchIndex::Sink& sink);

 private:
  std::vector<MaximalMatch> strand_;  ///< of the query's strand that is under way
};

}  // namespace genocl::overlap
