// Scores and alignments of given pairs: record i of one set with record i of the other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/align/alignment.hpp"
#include "genocl/align/scoring.hpp"
#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::align {

struct PairOptions {
  Matrix matrix = blosum62();
  GapPenalty gap = {};
  /// Device memory that the borders of tiles may take, in bytes; a pair of m x n letters keeps about (m + n) * 16 bytes
  /// at least. 0: chosen (512 MiB, or what the device has).
  std::uint64_t border_bytes = 0;
  Progress progress;
};

/// scores[i]: the highest score of a local alignment of a[i] (the query) and b[i]. Exact up to 2^31 - 1. Each pair is
/// one of at most 2^24 letters on either side. O(sum of products) work, linear memory. Throws InputError for sets of
/// different sizes or of another alphabet than the matrix's, or a longer sequence; CapacityError; Cancelled.
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

}  // namespace genocl::align
