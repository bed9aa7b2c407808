// The Burrows-Wheeler transform of several sets of strings, from the transforms of the sets.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::overlap {

/// The transform of the records of set A followed by those of set B, as BwtFromPieces makes it of all records: equal to
/// the transform of both sets at once. Terminators are smaller than all symbols and sorted by record.
///
/// Each suffix of B is inserted at its rank in A, from the end of a record to its begin, as in ropebwt2 (Li, "Fast
/// construction of FM-index for long sequence reads", 2014). O(size of A and of B); the records of B are divided among
/// the host's threads. Takes the result, 4 bytes a symbol of B (8 from 2^32 symbols on), and for ranks 1/16 byte a
/// symbol and different symbol.
///
/// @throws InputError if B is not the transform of a set, or if the ranks of B show that A is none; CapacityError if
///     host memory is too small
GENOCL_EXPORT std::vector<std::uint8_t> merge_bwt_of_records(std::span<const std::uint8_t> a,
                                                             std::span<const std::uint8_t> b,
                                                             std::uint8_t terminator = '$');

}  // namespace genocl::overlap
