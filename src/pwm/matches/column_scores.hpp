// Scores of a query's columns with those of all targets, in whole units.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pwm/motif_matches.hpp"

namespace genocl::pwm {

using Probabilities = std::array<double, 4>;

/// The columns of a motif as probabilities.
std::vector<Probabilities> probabilities_of(const Motif& motif, double pseudocount, const Background& background);

/// Column i: column n - 1 - i with the letters' complements.
std::vector<Probabilities> turned(std::span<const Probabilities> columns);

/// Many columns, letter by letter.
class ColumnTable {
 public:
  void add(std::span<const Probabilities> columns);
  std::size_t size() const { return letters_[0].size(); }
  /// scores[i]: of `column` with column i.
  void score(ColumnScore kind, const Probabilities& column, std::span<float> scores) const;

 private:
  std::array<std::vector<float>, 4> letters_;
};

/// Of each column of a query: what every column of the targets scores above the median of all, in units that the range
/// of all of them has `units` of, rounded.
struct ColumnScores {
  std::size_t targets = 0;
  std::vector<std::int16_t> scores;  ///< [query column][target column]
  /// [query column]: the distribution of its scores; the first is that of `least` of the column.
  std::vector<std::vector<double>> distributions;
  std::vector<int> least;

  ColumnScores(std::span<const Probabilities> query, const ColumnTable& targets, ColumnScore kind, int units);
};

}  // namespace genocl::pwm
