// Edit distances of given pairs: record i of one set with record i of the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/align/alignment.hpp"
#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

/// Which part of the subject (b) the whole of the query (a) is compared with: by default all of it (edlib's NW). With
/// both ends free it is the part that is most like the query (edlib's HW), with the end alone a first part (SHW).
struct EditOptions {
  bool free_subject_begin = false;  ///< any number of the subject's first letters cost nothing
  bool free_subject_end = false;    ///< nor do any of its last ones
  Progress progress;                ///< counts cells
};

/// distances[i]: the least number of letters replaced, put in and left out that turn a[i] into b[i] (Levenshtein), or
/// into a part of it. Letters are the same when their codes are: N is no wildcard, and with Alphabet::bytes any text
/// will do. By bit-vectors (Myers 1999): O(m n / 64) operations of a pair, some tens of times as many cells a second as
/// score_pairs() has. Each pair is one of at most 2^24 letters on either side; either may be empty. Throws InputError
/// for sets of different sizes or alphabets, or a longer sequence; CapacityError; Cancelled.
GENOCL_EXPORT std::vector<std::uint32_t> edit_distances(std::span<const Device> devices, const SequenceSet& a,
                                                        const SequenceSet& b, const EditOptions& options = {});
GENOCL_EXPORT std::vector<std::uint32_t> edit_distances(const Device& device, const SequenceSet& a,
                                                        const SequenceSet& b, const EditOptions& options = {});

/// Alignments with so many edits, by the rules of Alignment; their score is the distance, negative, and the edits are
/// the letters of all runs but '='. Computed as align_pairs() does with Matrix::unit_costs() and gaps {0, 1}, at its
/// rate. Of proteins and DNA; throws InputError for bytes, and what the function above throws.
GENOCL_EXPORT std::vector<Alignment> edit_alignments(std::span<const Device> devices, const SequenceSet& a,
                                                     const SequenceSet& b, const EditOptions& options = {});
GENOCL_EXPORT std::vector<Alignment> edit_alignments(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                                     const EditOptions& options = {});

}  // namespace genocl::align
