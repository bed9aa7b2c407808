// Local alignment as plainly as it can be written: three whole matrices (Gotoh 1982).
#pragma once

#include <cstdint>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "genocl/align/alignment.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/align/scoring.hpp"

namespace genocl_reference {

/// The highest score of a local alignment, 0 when there is none. O(m * n) time, O(n) memory.
std::int64_t local_score(std::span<const genocl::Code> query, std::span<const genocl::Code> subject,
                         const genocl::align::Matrix& matrix, const genocl::align::GapPenalty& gap);

/// Pairs of letters, of the query and of the subject, from 0.
using LetterPairs = std::set<std::pair<std::size_t, std::size_t>>;

/// The alignment that align::Alignment describes, without pairs of letters that are taken. O(m * n) time and memory.
genocl::align::Alignment local_alignment(std::span<const genocl::Code> query, std::span<const genocl::Code> subject,
                                         const genocl::align::Matrix& matrix, const genocl::align::GapPenalty& gap,
                                         const LetterPairs& taken = {});
genocl::align::Alignment local_alignment(const genocl::align::Profile& profile, std::span<const genocl::Code> subject,
                                         const genocl::align::GapPenalty& gap);

/// The best alignment, then the best ones without a pair of letters of those before (Waterman and Eggert 1987): `most`
/// at most, that score `min_score` or more.
std::vector<genocl::align::Alignment> local_alignments(std::span<const genocl::Code> query,
                                                       std::span<const genocl::Code> subject,
                                                       const genocl::align::Matrix& matrix,
                                                       const genocl::align::GapPenalty& gap, std::size_t most,
                                                       std::int32_t min_score);

}  // namespace genocl_reference
