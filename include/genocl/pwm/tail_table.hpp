// P-values of all hits of a matrix, from a table that is made before they are looked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl::pwm {

/// P(score of a random word >= s) for every s that is at least the threshold it was made for.
///
/// Where up to 2^15 words score that much, their P-values are in the table, and exact; else those of the best words
/// are, some thousands, and beyond the table has bounds, which are proved: the letters' losses against the column's
/// best are rounded down to a grid so fine that bounds are some tenths of a percent apart, and their distribution is
/// computed column by column (Staden 1989; rounding bounded as by Touzet and Varre 2007, but on one grid). Bounds do
/// not tell words that tie on paper apart, whose sums differ in the last bit: all are in the higher one, none in the
/// lower. Does not change; copies share the memory.
class GENOCL_EXPORT TailTable {
 public:
  /// Computes on the host: O(columns^2 * 2^16), most often some milliseconds. options.method: certified only
  /// (InputError otherwise); options.strands and options.background say whose words are random.
  TailTable(const ScoreMatrix& matrix, double threshold, const PValueOptions& options = {});

  /// O(log words), or O(1) where it has bounds. A score below the threshold has P between that of the threshold and 1.
  PValue operator()(double score) const;
  /// Whether all P-values are exact.
  bool exact() const noexcept;
  /// What it takes of the host's memory.
  std::uint64_t bytes() const noexcept;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

/// results[i]: of matrices[i] and thresholds[i], on all of the host's cores. A threshold that is no number has a table
/// that says nothing (0 to 1).
GENOCL_EXPORT std::vector<TailTable> tail_tables(std::span<const ScoreMatrix> matrices,
                                                 std::span<const double> thresholds, const PValueOptions& options = {});

}  // namespace genocl::pwm
