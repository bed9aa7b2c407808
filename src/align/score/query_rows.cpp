#include "align/score/query_rows.hpp"

#include <algorithm>

#include "genocl/error.hpp"

namespace genocl::align {
namespace {

int never_taken(const ScoringTable& table) { return -(2 * table.gap.first() + 1); }

}  // namespace

int row_score(const ScoringTable& table, const Query& query, std::size_t row, unsigned subject_class) noexcept {
  if (query.profile == nullptr) return table.score(query.codes[row], subject_class);
  if (subject_class >= table.classes()) return ScoringTable::pad_score;
  return std::max((*query.profile)(row, table.representative[subject_class]), never_taken(table));
}

ScoreRange score_range(const ScoringTable& table, std::span<const Query> queries) noexcept {
  if (queries.empty() || queries.front().profile == nullptr) return {table.matrix.lowest(), table.matrix.highest()};
  ScoreRange range{127, -127};
  for (const Query& query : queries) {
    range.lowest = std::min(range.lowest, std::max(query.profile->lowest(), never_taken(table)));
    range.highest = std::max(range.highest, query.profile->highest());
  }
  return range;
}

bool are_profiles(std::span<const Query> queries) {
  const auto has = [](const Query& query) { return query.profile != nullptr; };
  const bool any = std::ranges::any_of(queries, has);
  if (any && !std::ranges::all_of(queries, has)) throw Error("profiles and plain queries in one batch");
  return any;
}

}  // namespace genocl::align
