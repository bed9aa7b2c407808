// Scores and alignments of given pairs: record i of one set with record i of the other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/align/alignment.hpp"
#include "genocl/align/scoring.hpp"
#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

/// What is aligned with what.
/// - `local`: any part of the one sequence with any part of the other (Smith and Waterman 1981).
/// - `global`: the whole of both (Needleman and Wunsch 1970).
/// - `semi_global`: the whole of both but for letters at their ends that FreeEnds names.
enum class PairMode : std::uint8_t { local, global, semi_global };

/// Letters that a semi-global alignment may leave out at no cost: any number of the first or of the last ones of the
/// query or the subject. To find a whole query somewhere in its subject (edlib's HW, a read mapper's glocal), both ends
/// of the subject are free and none of the query; for sequences that overlap, all four are.
struct FreeEnds {
  bool query_begin = true, query_end = true, subject_begin = true, subject_end = true;

  friend bool operator==(const FreeEnds&, const FreeEnds&) = default;
};

struct PairOptions {
  Matrix matrix = blosum62();
  GapPenalty gap = {};  ///< open 0: linear
  PairMode mode = PairMode::local;
  FreeEnds free = {};  ///< of `semi_global`; not looked at in the other modes
  /// Device memory that the borders of tiles may take, in bytes; a pair of m x n letters keeps about (m + n) * 16 bytes
  /// at least. 0: chosen (512 MiB, or an eighth of what is free).
  std::uint64_t border_bytes = 0;
  Progress progress;
};

/// scores[i]: the highest score of an alignment of a[i] (the query) and b[i]. Exact: a local score up to 2^31 - 1; in
/// the other modes (letters of both) * extend + (letters of the shorter) * matrix.highest() + 4 * (open + extend) of a
/// pair must be below 2^31. Each pair is one of at most 2^24 letters on either side; either may be empty. O(sum of
/// products) work, linear memory. Throws InputError for sets of different sizes or of another alphabet than the
/// matrix's, a longer sequence, or one whose scores might not fit; CapacityError; Cancelled.
GENOCL_EXPORT std::vector<std::int32_t> score_pairs(std::span<const Device> devices, const SequenceSet& a,
                                                    const SequenceSet& b, const PairOptions& options = {});

/// The alignments themselves, computed on the device in linear memory: tile borders are kept, tiles on the path are
/// computed again. About twice the work of the scores at most. Throws what the function above throws.
GENOCL_EXPORT std::vector<Alignment> align_pairs(std::span<const Device> devices, const SequenceSet& a,
                                                 const SequenceSet& b, const PairOptions& options = {});

GENOCL_EXPORT std::vector<std::int32_t> score_pairs(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                                    const PairOptions& options = {});
GENOCL_EXPORT std::vector<Alignment> align_pairs(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                                 const PairOptions& options = {});

/// How many alignments of a pair are wanted.
struct LocalOptions {
  PairOptions pairs;
  std::size_t most = 10;       ///< of each pair; 1 or more
  std::int32_t min_score = 1;  ///< what an alignment scores at least
};

/// The best alignment of each pair, then the best ones that share no pair of letters with a better one, best first
/// (Waterman and Eggert 1987): [pair][alignment]. Each is the one that Alignment describes, where pairs of letters that
/// are taken cannot be had. The first one comes from the devices, each further one takes the host O(m n) time. Throws
/// what the functions above throw, and InputError for `most` 0.
GENOCL_EXPORT std::vector<std::vector<Alignment>> local_alignments(std::span<const Device> devices,
                                                                   const SequenceSet& a, const SequenceSet& b,
                                                                   const LocalOptions& options = {});
GENOCL_EXPORT std::vector<std::vector<Alignment>> local_alignments(const Device& device, const SequenceSet& a,
                                                                   const SequenceSet& b,
                                                                   const LocalOptions& options = {});

}  // namespace genocl::align
