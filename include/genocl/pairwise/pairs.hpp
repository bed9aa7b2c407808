// Scores and alignments of pairs: record i of one set with record i of the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/pairwise/alignment.hpp"
#include "genocl/pairwise/scoring.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::pairwise {

/// The parts of a pair that are aligned.
/// - `local`: any part of the query with any part of the subject (Smith and Waterman 1981).
/// - `global`: both sequences from end to end (Needleman and Wunsch 1970).
/// - `semi_global`: both sequences from end to end, except for unaligned letters at the ends that FreeEnds names.
enum class PairMode : std::uint8_t { local, global, semi_global };

/// The ends where a semi-global alignment may leave out any number of letters at no cost. Both ends of the subject and
/// neither of the query: the whole query somewhere in the subject (edlib's HW, the glocal mode of read mappers). All
/// four: overlapping sequences.
struct FreeEnds {
  bool query_begin = true, query_end = true, subject_begin = true, subject_end = true;

  friend bool operator==(const FreeEnds&, const FreeEnds&) = default;
};

/// Options of score_pairs() and align_pairs().
struct PairOptions {
  Matrix matrix = blosum62();
  GapPenalty gap = {};  ///< open 0: linear gap costs
  PairMode mode = PairMode::local;
  FreeEnds free = {};  ///< for `semi_global`; ignored in the other modes
  /// Limit of the device memory for tile borders, in bytes. A pair of m x n letters needs at least about (m + n) * 16
  /// bytes. 0: automatic (512 MiB, or an eighth of the free device memory).
  std::uint64_t border_bytes = 0;
  Progress progress = {};  ///< counts cells
};

/// Computes the highest score of an alignment of each pair: scores[i] for the query a[i] and the subject b[i].
///
/// Scores are exact. Limits: a local score is at most 2^31 - 1. In the other modes, (letters of both) * extend +
/// (letters of the shorter) * matrix.highest() + 4 * (open + extend) of each pair must be below 2^31. A sequence has at
/// most 2^24 letters and may be empty. O(sum of products of lengths) time, linear memory. The result does not depend on
/// the devices or their number.
///
/// Throws InputError for sets of different sizes, an alphabet other than the matrix's, gap penalties that
/// GapPenalty::check() refuses, a longer sequence, or a pair whose scores might not fit; CapacityError; Cancelled.
GENOCL_EXPORT std::vector<std::int32_t> score_pairs(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                                    const PairOptions& options = {});

/// Computes the best alignment of each pair (see Alignment for ties) on the devices in linear memory: the borders of
/// tiles are kept, and the tiles on the path are computed again. At most about twice the time of score_pairs(). Throws
/// what score_pairs() throws.
GENOCL_EXPORT std::vector<Alignment> align_pairs(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                                 const PairOptions& options = {});

/// Options of local_alignments().
struct LocalOptions {
  PairOptions pairs = {};
  std::size_t most = 10;       ///< maximum number of alignments of a pair; at least 1
  std::int32_t min_score = 1;  ///< minimum score of an alignment
};

/// Computes the best alignments of each pair, [pair][alignment], best first. No two share a pair of letters (Waterman
/// and Eggert 1987): each is the best, by the rules of Alignment, that has no pair of letters of those before it. The
/// devices compute the first one; each further one takes O(m n) time on the host. Throws what score_pairs() throws, and
/// InputError if `most` is 0.
GENOCL_EXPORT std::vector<std::vector<Alignment>> local_alignments(Devices devices, const SequenceSet& a,
                                                                   const SequenceSet& b,
                                                                   const LocalOptions& options = {});

}  // namespace genocl::pairwise
