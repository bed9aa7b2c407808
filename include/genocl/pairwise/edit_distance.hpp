// Edit distances of pairs: record i of one set with record i of the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/pairwise/alignment.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::pairwise {

/// The part of the subject (b) that the whole query (a) is compared with. By default all of it (edlib's NW); with both
/// ends free, the most similar part (HW); with the end alone free, the most similar prefix (SHW).
struct EditOptions {
  bool free_subject_begin = false;  ///< leading letters of the subject cost nothing
  bool free_subject_end = false;    ///< trailing letters of the subject cost nothing
  Progress progress = {};           ///< counts cells
};

/// Computes the edit distance (Levenshtein) of each pair: the minimum number of substitutions, insertions and deletions
/// that turn a[i] into b[i], or into a part of it.
///
/// Letters are equal if their codes are: N is no wildcard, and Alphabet::bytes compares any text. Bit-vectors (Myers
/// 1999): O(m n / 64) operations for a pair, some tens of times the cell rate of score_pairs(). A sequence has at most
/// 2^24 letters and may be empty. The result does not depend on the devices or their number.
///
/// Throws InputError for sets of different sizes or alphabets, or a longer sequence; CapacityError; Cancelled.
GENOCL_EXPORT std::vector<std::uint32_t> edit_distances(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                                        const EditOptions& options = {});

/// Computes an alignment of each pair with the minimum number of edits, by the rules of Alignment. Its score is the
/// negated distance; the edits are the letters of all runs but '='. Equals align_pairs() with Matrix::unit_costs() and
/// gaps {0, 1}, at the same rate. For proteins and DNA. Throws InputError for bytes, and what edit_distances() throws.
GENOCL_EXPORT std::vector<Alignment> edit_alignments(Devices devices, const SequenceSet& a, const SequenceSet& b,
                                                     const EditOptions& options = {});

}  // namespace genocl::pairwise
