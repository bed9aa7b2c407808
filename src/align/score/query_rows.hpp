// The rows of queries as the scoring kernels see them: of a letter, or of a profile.
#pragma once

#include <cstdint>
#include <span>

#include "align/on_device.hpp"

namespace genocl::align {

/// What a row of a query scores with a class of letters. Scores of a profile that no best alignment can have count as
/// one of those: two gaps cost less, and narrow numbers have more room.
int row_score(const ScoringTable& table, const Query& query, std::size_t row, unsigned subject_class) noexcept;

/// The least and the highest score that some row has, of the matrix or of the queries' profiles.
struct ScoreRange {
  int lowest = 0, highest = 0;
};
ScoreRange score_range(const ScoringTable& table, std::span<const Query> queries) noexcept;

/// Whether the queries are profiles. Throws Error where some are and others are not.
bool are_profiles(std::span<const Query> queries);

}  // namespace genocl::align
