// Similarity of the columns of two motifs, and its P-value: Tomtom's statistic (Gupta, Stamatoyannopoulos, Bailey and
// Noble 2007; with the scores of Tanaka, Bailey, Grant, Noble and Keich 2011, which include columns without a
// partner).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "genocl/export.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/motif.hpp"

namespace genocl::pwm {

/// Similarity of two columns of probabilities.
enum class ColumnScore : std::uint8_t {
  euclidean,  ///< negative distance
  pearson,    ///< correlation; 0 if a column is flat
};

/// The best alignment, without gaps, of a query with a target.
struct MotifMatch {
  std::size_t target = 0;
  bool reverse = false;  ///< the target's reverse complement
  /// Column of the target, or of its reverse complement if `reverse`, that is aligned with the query's first column;
  /// negative: before it.
  int offset = 0;
  std::uint32_t overlap = 0;  ///< number of common columns
  double p = 1;               ///< see match_motifs()
};

struct MatchOptions {
  ColumnScore score = ColumnScore::euclidean;
  double pseudocount = 0.1;    ///< for a column in total, distributed by the background
  Background background = {};  ///< order 0
  bool both_strands = true;    ///< targets and their reverse complements; otherwise targets only
  Progress progress = {};
};

/// Calls sink(query, matches) for each query in order, with a match for each target in their order.
///
/// The score of an alignment is a sum over the columns of the query that have a partner. Each contributes the score
/// of both columns minus the median of that query column's scores with all columns of all targets (of both strands),
/// in units of 2^-7 of the range of all such differences, rounded. A query column without a partner counts 0. The
/// best alignment has the highest score; of equal ones the one with more columns, then forward, then with the smaller
/// offset. p is the probability that the best alignment with a target of this number of columns scores at least as
/// much, if each column of the target is drawn at random from those of all targets, independently for each alignment
/// and strand: 1 - prod(1 - P(alignment)). For dependent alignments this is an upper bound.
///
/// O(m * C + m^3 * 2^14) for a query of m columns and targets of C columns in total; on all threads of the host.
/// Throws InputError for a background that is not of order 0, a negative pseudocount, and no target; Cancelled.
GENOCL_EXPORT void match_motifs(
    std::span<const Motif> queries, std::span<const Motif> targets, const MatchOptions& options,
    const std::function<void(std::size_t query, std::span<const MotifMatch> matches)>& sink);

}  // namespace genocl::pwm
