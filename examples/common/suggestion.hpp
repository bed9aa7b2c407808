// Suggestions for mistyped names.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// Edit distance with transpositions: the number of wrong, missing, additional and exchanged letters.
inline std::size_t typing_errors(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> cost(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        cost[i][j] = i + j;
        continue;
      }
      cost[i][j] =
          std::min({cost[i - 1][j] + 1, cost[i][j - 1] + 1, cost[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        cost[i][j] = std::min(cost[i][j], cost[i - 2][j - 2] + 1);
    }
  return cost[a.size()][b.size()];
}

/// Returns "; did you mean search?", or an empty text if no name is similar.
inline std::string suggestion(std::string_view word, const std::vector<std::string>& names) {
  std::size_t least = std::max<std::size_t>(1, std::min<std::size_t>(word.size(), 60) / 3) + 1;
  std::string nearest;
  for (const std::string& name : names)
    if (const std::size_t errors = typing_errors(word.substr(0, 60), name); errors < least) {
      least = errors;
      nearest = name;
    }
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

}  // namespace program
