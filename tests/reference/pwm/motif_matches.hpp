// Matches of motifs' columns: every alignment, and every draw of target columns counted.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

namespace genocl_reference {

using Column = std::array<double, 4>;

struct ColumnMatch {
  int score = 0, offset = 0;
  std::size_t overlap = 0;
  bool reverse = false;
  double p = 1;
};

inline std::vector<Column> turned_columns(const std::vector<Column>& columns) {
  std::vector<Column> result(columns.rbegin(), columns.rend());
  for (Column& column : result) std::reverse(column.begin(), column.end());
  return result;
}

/// In floats, so that what is rounded to a unit is rounded alike.
inline float euclidean(const Column& a, const Column& b) {
  float difference[4];
  for (std::size_t l = 0; l < 4; ++l) difference[l] = static_cast<float>(b[l]) - static_cast<float>(a[l]);
  return -std::sqrt(difference[0] * difference[0] + difference[1] * difference[1] + difference[2] * difference[2] +
                    difference[3] * difference[3]);
}

/// scores[query column][column of `all`] in units.
inline std::vector<std::vector<int>> column_units(const std::vector<Column>& query, const std::vector<Column>& all) {
  std::vector<std::vector<float>> above;
  float low = 0, high = 0;
  for (const Column& column : query) {
    std::vector<float>& row = above.emplace_back();
    for (const Column& other : all) row.push_back(euclidean(column, other));
    std::vector<float> sorted = row;
    std::sort(sorted.begin(), sorted.end());
    const float median = sorted[sorted.size() / 2];
    for (float& score : row) {
      score -= median;
      low = std::min(low, score);
      high = std::max(high, score);
    }
  }
  const float scale = high > low ? 128 / (high - low) : 0;
  std::vector<std::vector<int>> units;
  for (const auto& row : above) {
    std::vector<int>& rounded = units.emplace_back();
    for (const float score : row) rounded.push_back(static_cast<int>(score * scale + (score < 0 ? -0.5F : 0.5F)));
  }
  return units;
}

/// P that columns of a query drawn each from all of them score at least so much together: by all draws.
inline double tail(const std::vector<std::vector<int>>& units, std::size_t begin, std::size_t end, int score) {
  if (begin == end) return score <= 0 ? 1 : 0;
  double sum = 0;
  for (const int one : units[begin]) sum += tail(units, begin + 1, end, score - one);
  return sum / static_cast<double>(units[begin].size());
}

/// `all`: the columns of all targets and of their reverse complements; those of this one begin at `at`.
inline ColumnMatch match(const std::vector<Column>& query, const std::vector<Column>& all, std::size_t at,
                         std::size_t n) {
  const std::vector<std::vector<int>> units = column_units(query, all);
  const int m = static_cast<int>(query.size()), columns = static_cast<int>(n);
  ColumnMatch best;
  bool any = false;
  for (const bool reverse : {false, true})
    for (int offset = 1 - m; offset < columns; ++offset) {
      ColumnMatch one{0, offset, 0, reverse, 1};
      for (int i = 0; i < m; ++i) {
        const int j = i + offset;
        if (j < 0 || j >= columns) continue;
        one.score += units[static_cast<std::size_t>(i)][at + (reverse ? n : 0) + static_cast<std::size_t>(j)];
        ++one.overlap;
      }
      const bool better = !any || one.score > best.score ||
                          (one.score == best.score &&
                           (one.overlap > best.overlap ||
                            (one.overlap == best.overlap && reverse == best.reverse && one.offset < best.offset)));
      if (better) best = one;
      any = true;
    }
  double none = 1;
  for (int offset = 1 - m; offset < columns; ++offset) {
    const int begin = std::max(0, -offset), end = std::min(m, columns - offset);
    none *= 1 - tail(units, static_cast<std::size_t>(begin), static_cast<std::size_t>(end), best.score);
  }
  best.p = 1 - none * none;
  return best;
}

}  // namespace genocl_reference
