// How like the columns of two motifs are, and how likely that is by chance: Tomtom's statistic (Gupta,
// Stamatoyannopoulos, Bailey and Noble 2007; with the scores of Tanaka, Bailey, Grant, Noble and Keich 2011, to which
// columns without a partner count too).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "genocl/export.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/motif.hpp"

namespace genocl::pwm {

/// How like two columns of probabilities are.
enum class ColumnScore : std::uint8_t {
  euclidean,  ///< minus their distance
  pearson,    ///< their correlation; 0 where a column is flat
};

/// The best alignment, without gaps, of a query with a target.
struct MotifMatch {
  std::size_t target = 0;
  bool reverse = false;  ///< the target's reverse complement
  /// Column of the target, turned round if `reverse`, at which the query's first column stands; negative: before it.
  int offset = 0;
  std::uint32_t overlap = 0;  ///< columns that both have there
  double p = 1;               ///< see match_motifs()
};

struct MatchOptions {
  ColumnScore score = ColumnScore::euclidean;
  double pseudocount = 0.1;    ///< in total for a column, shared out by the background
  Background background = {};  ///< order 0
  bool both_strands = true;    ///< targets as they are and turned round; else as they are
  Progress progress = {};
};

/// Calls sink(query, matches) for each query in turn, with a match for each target in their order.
///
/// The score of an alignment is the sum over the columns of the query that have a partner of: the columns' score less
/// the median of that query column's scores with all columns of all targets (of both strands), in units of 2^-7 of the
/// range of all such differences, rounded. A query column without a partner counts 0. The best alignment is that of the
/// highest score; of equals that with more columns, then forward, then the smaller offset. p is the probability that
/// the best alignment with a target of so many columns scores at least so much where each column of the target is drawn
/// at random from those of all targets, each alignment and strand by itself: 1 - prod(1 - P(alignment)), which is an
/// upper bound of it for alignments that go together.
///
/// For a query of m columns O(m * C + m^3 * 2^14) steps, where all targets have C columns together; on all threads of
/// the host. Throws InputError for a background that is not of order 0, a negative pseudocount, and no target;
/// Cancelled.
GENOCL_EXPORT void match_motifs(
    std::span<const Motif> queries, std::span<const Motif> targets, const MatchOptions& options,
    const std::function<void(std::size_t query, std::span<const MotifMatch> matches)>& sink);

}  // namespace genocl::pwm
