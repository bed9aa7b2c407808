// Finds what stands twice or more in a text: spans for exact-substring deduplication (Lee et al. 2022, "Deduplicating
// training data makes language models better"), or repeats of genomes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"
#include "genocl/sequence/sequence_set.hpp"

namespace genocl::overlap {

/// Symbols `position` to position + length - 1 of a record.
struct RepeatedSpan {
  std::uint64_t record = 0, position = 0, length = 0;
  friend bool operator==(const RepeatedSpan&, const RepeatedSpan&) = default;
};

struct RepeatOptions {
  std::uint64_t min_length = 50;  ///< 1 or more
  /// Only what stands at an earlier place too: to leave out these spans keeps the first of each.
  bool later_only = false;
  Letters letters = Letters::bases;
  /// Symbols whose suffix array is on a device at a time; 0: as many as its memory holds. What a text has more is done
  /// piece by piece, each with all the others. At most Text::longest / 2.
  std::uint64_t piece_symbols = 0;
  Progress progress = {};  ///< counts symbols, each as often as there are pieces
};

/// All symbols that lie in a text of at least min_length symbols which stands at two or more places (with later_only:
/// at an earlier one too), as spans that do not touch one another within a record, by record and position. No text goes
/// over a record's end or a letter that matches nothing; places may overlap. The same for any number of devices and any
/// pieces. O(size) for one piece; with k pieces k times O(size log(size)), on the devices. The host keeps a bit for
/// each symbol, and the records. Throws InputError for a min_length of 0, CapacityError, Cancelled.
GENOCL_EXPORT std::vector<RepeatedSpan> repeated_spans(Devices devices, const SequenceSet& records,
                                                       const RepeatOptions& options = {});
GENOCL_EXPORT std::vector<RepeatedSpan> repeated_spans(Devices devices, ByteStrings records,
                                                       const RepeatOptions& options = {});

}  // namespace genocl::overlap
