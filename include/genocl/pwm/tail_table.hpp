// P-values of all hits of a matrix, from a table that is made before the scan.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl::pwm {

/// P(score of a random word >= s) for every s that is at least the threshold of the table.
///
/// If at most 2^15 words score at least the threshold, the table contains their exact P-values. Otherwise it contains
/// those of some thousands of the best words exactly, and proved bounds beyond. The letters' losses against the
/// column's best are rounded down to a grid, and their distribution is computed column by column (Staden 1989;
/// rounding bounded as by Touzet and Varre 2007, but on one grid). The grid is so fine that bounds are some tenths of
/// a percent from each other. Bounds do not separate words that tie mathematically and whose sums differ in the last
/// bit: the upper bound includes all of them, the lower none. Immutable and thread-safe; copies share the memory.
class GENOCL_EXPORT TailTable {
 public:
  /// Computes on the host: O(columns^2 * 2^16), usually some milliseconds.
  ///
  /// @param options  method: only certified (otherwise InputError); strands and background: the null model
  TailTable(const ScoreMatrix& matrix, double threshold, const PValueOptions& options = {});

  /// P of a score. O(log words), or O(1) for bounds. A score below the threshold has P between that of the threshold
  /// and 1.
  PValue operator()(double score) const;
  /// Whether all P-values are exact.
  bool exact() const noexcept;
  /// Bytes of host memory.
  std::uint64_t bytes() const noexcept;

 private:
  struct State;
  friend GENOCL_EXPORT std::vector<TailTable> tail_tables(std::span<const ScoreMatrix> matrices,
                                                          std::span<const double> thresholds,
                                                          const PValueOptions& options);
  TailTable(const ScoreMatrix& matrix, double threshold, const PValueOptions& options,
            std::vector<std::vector<double>>& memory);
  /// Prefetch what operator() reads, one after another: the table itself, then for a score the place of its words, then
  /// the words.
  friend class HitPValues;
  void prefetch() const;
  void prefetch_place(double score) const;
  void prefetch_words(double score) const;
  std::shared_ptr<const State> state_;
};

/// results[i]: of matrices[i] and thresholds[i], on all of the host's cores. A NaN threshold gives a table without
/// information (0 to 1).
GENOCL_EXPORT std::vector<TailTable> tail_tables(std::span<const ScoreMatrix> matrices,
                                                 std::span<const double> thresholds, const PValueOptions& options = {});

}  // namespace genocl::pwm
