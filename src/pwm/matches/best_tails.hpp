// How probable it is that the best of all alignments of a query with a random target scores at least so much.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <vector>

#include "pwm/matches/column_scores.hpp"

namespace genocl::pwm {

class BestTails {
 public:
  /// For targets of these numbers of columns. O(m^3 * units^2) for m columns of a query.
  BestTails(const ColumnScores& scores, std::span<const std::size_t> target_columns);

  /// P for a target of `columns` columns, of `strands` strands, at `score` or above.
  double p(std::size_t columns, int score, unsigned strands) const;

 private:
  int least_ = 0;  ///< of the scores that tables are of
  std::size_t size_ = 0;
  /// By a target's columns, for each score: the sum of log(1 - P) over all alignments of one strand.
  std::map<std::size_t, std::vector<double>> of_best_;
};

}  // namespace genocl::pwm
