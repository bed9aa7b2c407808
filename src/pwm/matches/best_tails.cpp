#include "pwm/matches/best_tails.hpp"

#include <algorithm>
#include <cmath>

namespace genocl::pwm {
namespace {

/// The distribution of the sum of two scores.
std::vector<double> sum_of(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size() + b.size() - 1, 0.0);
  for (std::size_t j = 0; j < b.size(); ++j)
    if (b[j] != 0)
      for (std::size_t i = 0; i < a.size(); ++i) sum[i + j] += a[i] * b[j];
  return sum;
}

/// Alignments of a query of m columns with a target of n in which the query's columns [begin, end) have partners.
std::size_t alignments(std::size_t m, std::size_t n, std::size_t begin, std::size_t end) {
  const std::size_t shared = end - begin;
  if (shared == m) return n >= m ? n - m + 1 : 0;
  if (begin == 0 || end == m) return n >= shared ? 1 : 0;
  return n == shared ? 1 : 0;
}

}  // namespace

BestTails::BestTails(const ColumnScores& scores, std::span<const std::size_t> target_columns) {
  const std::size_t m = scores.least.size();
  int most = 0;
  for (std::size_t i = 0; i < m; ++i) {
    least_ += std::min(0, scores.least[i]);
    most += std::max(0, scores.least[i] + static_cast<int>(scores.distributions[i].size()) - 1);
  }
  size_ = static_cast<std::size_t>(most - least_) + 1;
  for (const std::size_t columns : target_columns) of_best_[columns].assign(size_, 0.0);
  std::vector<double> logs(size_);
  for (std::size_t begin = 0; begin < m; ++begin) {
    std::vector<double> distribution = {1.0};
    int least = 0;
    for (std::size_t end = begin + 1; end <= m; ++end) {
      distribution = sum_of(distribution, scores.distributions[end - 1]);
      least += scores.least[end - 1];
      if (std::ranges::none_of(of_best_, [&](const auto& one) { return alignments(m, one.first, begin, end) > 0; }))
        continue;
      const auto first = static_cast<std::size_t>(least - least_);
      std::ranges::fill(logs, 0.0);
      double tail = 0;
      for (std::size_t i = distribution.size(); i-- > 0;) {
        tail += distribution[i];
        logs[first + i] = tail < 1 ? std::log1p(-tail) : -INFINITY;
      }
      std::fill_n(logs.begin(), first, -INFINITY);
      for (auto& [columns, sums] : of_best_) {
        const auto times = static_cast<double>(alignments(m, columns, begin, end));
        if (times > 0)
          for (std::size_t i = 0; i < size_; ++i) sums[i] += times * logs[i];
      }
    }
  }
}

double BestTails::p(std::size_t columns, int score, unsigned strands) const {
  const int at = std::clamp(score - least_, 0, static_cast<int>(size_) - 1);
  return std::min(1.0, -std::expm1(strands * of_best_.at(columns)[static_cast<std::size_t>(at)]));
}

}  // namespace genocl::pwm
