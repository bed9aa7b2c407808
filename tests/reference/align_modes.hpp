// Global and semi-global alignment, and edit distance, as plainly as they can be written: whole matrices.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pairwise/pairs.hpp"

namespace genocl_reference {

/// The alignment that pairwise::Alignment describes for PairMode::global (nothing free) and semi_global. O(m * n) time
/// and memory.
genocl::pairwise::Alignment end_to_end_alignment(std::span<const genocl::Code> query,
                                                 std::span<const genocl::Code> subject,
                                                 const genocl::pairwise::Matrix& matrix,
                                                 const genocl::pairwise::GapPenalty& gap,
                                                 const genocl::pairwise::FreeEnds& free);

/// The least number of letters replaced, put in and left out that make the query of the subject, or of a part of it:
/// without its first or last letters where those are free.
std::uint32_t edit_distance(std::span<const genocl::Code> query, std::span<const genocl::Code> subject, bool free_begin,
                            bool free_end);

}  // namespace genocl_reference
