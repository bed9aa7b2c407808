// Score cutoffs for hits whose E-values also depend on the subject's length. Devices select by score alone.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "align/composition/scaled_profile.hpp"
#include "align/device_state.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/searcher.hpp"
#include "genocl/align/statistics.hpp"

namespace genocl::align {

/// Bounds the effect of a subject's length on E-values, over all subjects. Thread-safe.
class LengthBounds {
 public:
  /// @param highest Maximum score of a pair of letters. Requires `parameters.finite_size`.
  LengthBounds(const KarlinAltschul& parameters, std::uint64_t shortest, std::uint64_t longest, int highest);

  /// Returns lower bounds of both terms per letter of the subject, over all subjects that can have this score (1 or
  /// more).
  LengthTerms least(std::int64_t score) const;

 private:
  LengthTerms compute(std::int64_t score) const;

  KarlinAltschul parameters_;
  double shortest_, longest_;
  int highest_;
  mutable std::mutex mutex_;
  mutable std::deque<LengthTerms> known_;  ///< [score - 1]
};

/// The minimum scores of hits of one query, derived from E-values. Not thread-safe.
class ScoreCutoffs {
 public:
  /// `bounds` must outlive this object; null if E-values do not depend on lengths.
  ScoreCutoffs(const Significance& significance, const LengthBounds* bounds)
      : significance_(significance), bounds_(bounds) {}

  const Significance& significance() const noexcept { return significance_; }
  bool depend_on_lengths() const noexcept { return bounds_ != nullptr; }
  /// Returns a score, at least 1, below which no subject has an E-value of at most `evalue`.
  std::int64_t min_score(double evalue);

 private:
  Significance significance_;
  const LengthBounds* bounds_;
  std::vector<double> lowest_;  ///< [score - 1] minimum E-value of scores up to this one
};

/// A query, its reverse complement, or one of its reading frames.
struct StrandQuery {
  std::size_t query = 0;  ///< record number
  bool minus = false;
  std::span<const Code> codes;    ///< for scores: masked letters are X, in DNA N
  std::span<const Code> letters;  ///< original letters
  const Profile* profile = nullptr;
  const ScaledProfile* scaled = nullptr;          ///< of `profile`, for composition-based statistics
  std::optional<KarlinAltschul> statistics = {};  ///< if they depend on the query's letters
  Frame frame = 0;                                ///< 0: not translated
  std::size_t frame_number = 0;                   ///< among the searched frames of the query
  std::uint64_t source_length = 0;                ///< letters of the query; nucleotides if it is translated

  /// Distinguishes the strands and frames of a query.
  int strand() const noexcept { return frame != 0 ? frame : minus ? 1 : 0; }
};

/// The queries of a search with the searched strands, in the order of the records, plus before minus.
class StrandQueries {
 public:
  /// Masked letters (SequenceSet::masked()) score as X, in DNA as N. `queries` must outlive this object. Throws the
  /// errors of check_queries().
  StrandQueries(const SequenceSet& queries, Strands strands);
  /// For profiles; `queries` are their letters.
  StrandQueries(const SequenceSet& queries, std::span<const Profile> profiles);
  /// Translates the queries in the frames of these strands. A frame without a codon becomes one X, which has no hit.
  StrandQueries(const SequenceSet& queries, Strands strands, const GeneticCode& code);

  /// Sets StrandQuery::scaled and the statistics of profiles. `gapped`: those of the matrix and gap penalties.
  void scale_profiles(const Matrix& matrix, const GapPenalty& gap, const KarlinAltschul& gapped);

  std::span<const StrandQuery> all() const noexcept { return all_; }
  std::span<StrandQuery> all() noexcept { return all_; }

 private:
  std::span<const Code> masked(const SequenceSet& set, std::size_t i);

  SequenceSet reversed_;
  std::deque<std::vector<Code>> masked_;  ///< and translated queries
  std::deque<ScaledProfile> scaled_;
  std::vector<StrandQuery> all_;
};

/// Returns the queries in order of descending length. Kernels process several adjacent queries of similar length at a
/// time.
std::vector<StrandQuery> sorted_by_length(std::span<const StrandQuery> queries);

/// Throws InputError (with the record) for an empty query and for one that is too long.
void check_queries(const SequenceSet& queries);

/// A unit of work: a chunk and queries [first_query, first_query + query_count) of the planned list.
struct Unit {
  std::size_t chunk = 0;
  std::size_t first_query = 0, query_count = 0;
  std::uint64_t cells = 0;
  std::uint64_t overlap = 0;  ///< of pieces (see Cut); sufficient for all of these queries
};

struct UnitLimits {
  std::uint64_t cells = 0;   ///< target maximum of a unit; one query and one chunk may exceed it
  std::uint64_t scores = 0;  ///< maximum of a unit, with the same exception
  std::size_t together = 1;  ///< preferred number of queries of a kernel, which share its words
};

/// Returns all units of these queries by chunk, those with the longest sequences first. Each unit holds a multiple of
/// `limits.together` queries, except the last unit of a chunk. A chunk's `count` is the number of its scores per query.
std::vector<Unit> plan_units(std::span<const ChunkRange> chunks, std::span<const StrandQuery> queries,
                             const UnitLimits& limits);

/// Returns limits for the slowest device. Units are large enough to make launch costs negligible, and small enough to
/// avoid long waits for the last unit of another device. `cells`: of the whole search.
UnitLimits unit_limits(Devices devices, std::uint64_t cells);
/// Sorts units by size, largest first, irrespective of the chunk. Several devices then finish at about the same time.
void largest_first(std::vector<Unit>& units);
/// Returns the number of residues of a chunk.
std::uint64_t chunk_residues(Devices devices, std::uint64_t database_residues);

}  // namespace genocl::align
