// Local alignment as plainly as it can be written: three whole matrices (Gotoh 1982).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "genocl/align/profile.hpp"
#include "genocl/pairwise/alignment.hpp"
#include "genocl/pairwise/scoring.hpp"

namespace genocl_reference {

/// The highest score of a local alignment, 0 when there is none. O(m * n) time, O(n) memory.
std::int64_t local_score(std::span<const genocl::Code> query, std::span<const genocl::Code> subject,
                         const genocl::pairwise::Matrix& matrix, const genocl::pairwise::GapPenalty& gap);

/// Pairs of letters, of the query and of the subject, from 0.
using LetterPairs = std::set<std::pair<std::size_t, std::size_t>>;

/// The alignment that pairwise::Alignment describes, without pairs of letters that are taken. O(m * n) time and memory.
genocl::pairwise::Alignment local_alignment(std::span<const genocl::Code> query, std::span<const genocl::Code> subject,
                                            const genocl::pairwise::Matrix& matrix,
                                            const genocl::pairwise::GapPenalty& gap, const LetterPairs& taken = {});
genocl::pairwise::Alignment local_alignment(const genocl::align::Profile& profile,
                                            std::span<const genocl::Code> subject,
                                            const genocl::pairwise::GapPenalty& gap);

/// The best alignment, then the best ones without a pair of letters of those before (Waterman and Eggert 1987): `most`
/// at most, that score `min_score` or more.
std::vector<genocl::pairwise::Alignment> local_alignments(std::span<const genocl::Code> query,
                                                          std::span<const genocl::Code> subject,
                                                          const genocl::pairwise::Matrix& matrix,
                                                          const genocl::pairwise::GapPenalty& gap, std::size_t most,
                                                          std::int32_t min_score);

}  // namespace genocl_reference
