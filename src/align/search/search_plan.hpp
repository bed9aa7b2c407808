// Which scores can be those of hits, when E-values depend on the subjects' lengths too: devices know scores alone.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/align/statistics.hpp"

namespace genocl::align {

/// Bounds, over all subjects, what a subject's length does to an E-value. Several threads may ask at once.
class LengthBounds {
 public:
  /// `highest`: the highest score of a pair of letters. `parameters.finite_size` is known.
  LengthBounds(const KarlinAltschul& parameters, std::uint64_t shortest, std::uint64_t longest, int highest);

  /// Bounds from below, for a subject of any length that can have this score (1 or more), room and probability by
  /// letter of the subject.
  LengthTerms least(std::int64_t score) const;

 private:
  LengthTerms compute(std::int64_t score) const;

  KarlinAltschul parameters_;
  double shortest_, longest_;
  int highest_;
  mutable std::mutex mutex_;
  mutable std::deque<LengthTerms> known_;  ///< [score - 1]
};

/// The scores that hits of one query can have, from their E-values. One thread at a time.
class ScoreCutoffs {
 public:
  /// `bounds` outlives this; null where E-values do not depend on lengths.
  ScoreCutoffs(const Significance& significance, const LengthBounds* bounds)
      : significance_(significance), bounds_(bounds) {}

  const Significance& significance() const noexcept { return significance_; }
  bool depend_on_lengths() const noexcept { return bounds_ != nullptr; }
  /// A score such that no lower one has an E-value of `evalue` or less, whatever the subject; 1 or more.
  std::int64_t least_score(double evalue);

 private:
  Significance significance_;
  const LengthBounds* bounds_;
  std::vector<double> lowest_;  ///< [score - 1] no score up to this one has a lower E-value
};

/// A query, or its reverse complement.
struct StrandQuery {
  std::size_t query = 0;  ///< record
  bool minus = false;
  std::span<const Code> codes;    ///< as they score: what is masked is X, in DNA N
  std::span<const Code> letters;  ///< as they are
  const Profile* profile = nullptr;
  std::optional<KarlinAltschul> statistics = {};  ///< where they depend on the query's letters
};

/// The queries of a search with the strands that are looked for, in the order of the records; plus before minus.
class StrandQueries {
 public:
  /// What is masked in them (SequenceSet::masked()) scores as X, in DNA as N. `queries` must outlive this. Throws what
  /// check_queries() throws.
  StrandQueries(const SequenceSet& queries, Strands strands);
  /// The same of profiles; `queries` are their letters.
  StrandQueries(const SequenceSet& queries, std::span<const Profile> profiles);

  std::span<const StrandQuery> all() const noexcept { return all_; }
  std::span<StrandQuery> all() noexcept { return all_; }

 private:
  std::span<const Code> masked(const SequenceSet& set, std::size_t i);

  SequenceSet reversed_;
  std::deque<std::vector<Code>> masked_;
  std::vector<StrandQuery> all_;
};

/// Longest first, so that queries of like length are side by side: kernels take several at a time.
std::vector<StrandQuery> sorted_by_length(std::span<const StrandQuery> queries);

/// Throws InputError (with the record) for an empty query or one that is too long.
void check_queries(const SequenceSet& queries);

/// Some queries against one chunk: [first_query, first_query + query_count) of the list that was planned.
struct Unit {
  std::size_t chunk = 0;
  std::size_t first_query = 0, query_count = 0;
  std::uint64_t cells = 0;
  std::uint64_t overlap = 0;  ///< of pieces (see Cut): what suits all of these queries
};

struct UnitLimits {
  std::uint64_t cells = 0;   ///< wanted of a unit at most; one query and one chunk can be more
  std::uint64_t scores = 0;  ///< of a unit at most, likewise
  std::size_t together = 1;  ///< queries that a kernel takes best at a time, side by side in its words
};

/// Makes all units of these queries: chunk by chunk, those with the longest sequences first. Units hold
/// `limits.together` queries or a multiple of it, but for the last of a chunk. A chunk's `count` is that of its scores
/// for a query.
std::vector<Unit> plan_units(std::span<const ChunkRange> chunks, std::span<const StrandQuery> queries,
                             const UnitLimits& limits);

/// What suits the slowest of the devices: so much work that launches do not matter, and so little that no device waits
/// long for the last unit of another. `cells`: of the whole search.
UnitLimits unit_limits(Devices devices, std::uint64_t cells);
/// The largest units first, whatever their chunk: several devices are then done at about the same time.
void largest_first(std::vector<Unit>& units);
/// Chooses how many residues a chunk has.
std::uint64_t chunk_residues(Devices devices, std::uint64_t database_residues);

}  // namespace genocl::align
