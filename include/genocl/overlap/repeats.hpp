// Repeated substrings as spans: for exact-substring deduplication (Lee et al. 2022, "Deduplicating training data makes
// language models better"), or for repeats of genomes.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/interval.hpp"

namespace genocl::overlap {

using RepeatedSpan [[deprecated("use SequenceInterval")]] = SequenceInterval;  ///< the name of 0.1

struct RepeatOptions {
  std::uint64_t min_length = 50;  ///< 1 or more
  /// Only strings that also occur at an earlier position. Removal of these spans keeps the first occurrence of each.
  bool later_only = false;
  Letters letters = Letters::bases;
  /// Maximum number of symbols with a suffix array on a device, up to Text::longest / 2. 0: as many as memory allows.
  /// A longer text is split into pieces, and each is compared with all others.
  std::uint64_t piece_symbols = 0;
  Progress progress = {};  ///< counts symbols, each once for every piece
};

/// All symbols within strings of at least min_length symbols that occur at two or more positions (with later_only: also
/// at an earlier one), as spans of records, ordered, that do not touch within a record. No string spans the end of a
/// record or a letter that matches nothing; occurrences may overlap. The result does not depend on the number of
/// devices or pieces. O(size) for one piece; k times O(size log(size)) for k pieces, on the devices. The host holds the
/// records and one bit a symbol. Throws InputError for a min_length of 0, CapacityError, Cancelled.
GENOCL_EXPORT std::vector<SequenceInterval> repeated_spans(Devices devices, const RecordsView& records,
                                                           const RepeatOptions& options = {});

}  // namespace genocl::overlap
