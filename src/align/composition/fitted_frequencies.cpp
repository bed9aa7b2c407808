#include "align/composition/fitted_frequencies.hpp"

#include <algorithm>
#include <cmath>

namespace genocl::align {
namespace {

/// A score that lies near half a unit is rounded as BLAST's is: Newton's steps end as close to the solution.
constexpr double tolerance = 1e-13, tolerance_of_entropy = 1e-11, most_power = 20;
constexpr int most_rounds = 2000, most_steps = 60;

/// Lagrange's conditions say that the frequencies are targets^power times a factor for each row and one for each
/// column. This finds the factors for a power: rows and columns are scaled in turn until both fit (Sinkhorn 1964),
/// beginning with the factors of the power before.
class Scaling {
 public:
  Scaling(const PairTable& targets, const LetterTable& rows, const LetterTable& columns)
      : rows_(rows), columns_(columns) {
    for (std::size_t i = 0; i < amino_acids; ++i)
      for (std::size_t j = 0; j < amino_acids; ++j) logs_[i][j] = std::log(targets[i][j]);
    of_column_.fill(1);
  }

  bool fit(double power) {
    for (std::size_t i = 0; i < amino_acids; ++i)
      for (std::size_t j = 0; j < amino_acids; ++j) powers_[i][j] = std::exp(power * logs_[i][j]);
    for (int round = 0; round < most_rounds; ++round) {
      for (std::size_t i = 0; i < amino_acids; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < amino_acids; ++j) sum += powers_[i][j] * of_column_[j];
        of_row_[i] = rows_[i] / sum;
      }
      LetterTable sums{};
      for (std::size_t i = 0; i < amino_acids; ++i)
        for (std::size_t j = 0; j < amino_acids; ++j) sums[j] += of_row_[i] * powers_[i][j];
      double worst = 0;
      for (std::size_t j = 0; j < amino_acids; ++j) {
        worst = std::max(worst, std::abs(sums[j] * of_column_[j] / columns_[j] - 1));
        of_column_[j] = columns_[j] / sums[j];
      }
      if (worst < tolerance) return true;
      if (!std::isfinite(worst)) return false;
    }
    return false;
  }

  PairTable frequencies() const {
    PairTable all{};
    for (std::size_t i = 0; i < amino_acids; ++i)
      for (std::size_t j = 0; j < amino_acids; ++j) all[i][j] = of_row_[i] * powers_[i][j] * of_column_[j];
    return all;
  }

 private:
  const LetterTable& rows_;
  const LetterTable& columns_;
  PairTable logs_{}, powers_{};
  LetterTable of_row_{}, of_column_{};
};

}  // namespace

double relative_entropy(const PairTable& pairs, const LetterTable& rows, const LetterTable& columns) {
  double sum = 0;
  for (std::size_t i = 0; i < amino_acids; ++i)
    for (std::size_t j = 0; j < amino_acids; ++j)
      if (pairs[i][j] > 0) sum += pairs[i][j] * std::log(pairs[i][j] / (rows[i] * columns[j]));
  return sum;
}

std::optional<PairTable> fitted_frequencies(const PairTable& targets, const LetterTable& rows,
                                            const LetterTable& columns, double entropy) {
  Scaling scaling(targets, rows, columns);
  // The entropy rises with the power: 0 at 0. False position, where an end that stays counts half (Dowell and Jarratt
  // 1971, the Illinois algorithm).
  double low = 0, low_excess = -entropy, high = 1, high_excess = 0;
  const auto excess_at = [&](double power) -> std::optional<double> {
    if (!scaling.fit(power)) return {};
    return relative_entropy(scaling.frequencies(), rows, columns) - entropy;
  };
  for (;; high *= 1.5) {
    const auto excess = excess_at(high);
    if (!excess || high > most_power) return {};
    high_excess = *excess;
    if (high_excess > 0) break;
    low = high;
    low_excess = high_excess;
  }
  for (int step = 0, side = 0; step < most_steps; ++step) {
    const double power = low - low_excess * (high - low) / (high_excess - low_excess);
    const auto excess = excess_at(power);
    if (!excess) return {};
    if (std::abs(*excess) < tolerance_of_entropy) return scaling.frequencies();
    if (*excess > 0) {
      high = power;
      high_excess = *excess;
      if (side == 1) low_excess /= 2;
      side = 1;
    } else {
      low = power;
      low_excess = *excess;
      if (side == -1) high_excess /= 2;
      side = -1;
    }
  }
  return {};
}

}  // namespace genocl::align
