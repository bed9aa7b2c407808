// Words of any length, counted exactly by their scores: for matrices of whole numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

namespace genocl_reference {

/// A whole number up to 2^128, which only grows: 4^40 words are 2^80.
struct BigCount {
  std::uint64_t high = 0, low = 0;

  BigCount& operator+=(const BigCount& other) {
    low += other.low;
    high += other.high + (low < other.low ? 1 : 0);
    return *this;
  }
  /// Divided by 4^length, rounded in the last bits.
  double share(std::size_t length) const {
    return std::ldexp(static_cast<double>(high), 64 - 2 * static_cast<int>(length)) +
           std::ldexp(static_cast<double>(low), -2 * static_cast<int>(length));
  }
};

/// [score]: how many of the 4^columns words score exactly so much, column by column.
inline std::map<std::int64_t, BigCount> words_by_score(const std::vector<std::vector<std::int64_t>>& columns) {
  std::map<std::int64_t, BigCount> counts = {{0, {0, 1}}};
  for (const std::vector<std::int64_t>& column : columns) {
    std::map<std::int64_t, BigCount> longer;
    for (const auto& [score, count] : counts)
      for (const std::int64_t letter : column) longer[score + letter] += count;
    counts = std::move(longer);
  }
  return counts;
}

}  // namespace genocl_reference
