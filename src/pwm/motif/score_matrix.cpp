#include "genocl/pwm/score_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/error.hpp"

namespace genocl::pwm {

ScoreMatrix::ScoreMatrix(std::string id, std::string alt_id, std::vector<std::array<double, 4>> scores)
    : id_(std::move(id)), alt_id_(std::move(alt_id)), scores_(std::move(scores)) {
  if (scores_.empty()) throw InputError("score matrix " + id_ + " has no column");
  if (scores_.size() > longest)
    throw InputError("score matrix " + id_ + " has " + std::to_string(scores_.size()) + " columns; at most " +
                     std::to_string(longest) + " are expected");
  for (std::size_t i = 0; i < scores_.size(); ++i)
    for (const double score : scores_[i])
      if (std::isnan(score) || score == INFINITY)
        throw InputError("score matrix " + id_ + ", column " + std::to_string(i + 1) + ": " + std::to_string(score) +
                         " is no score; expected a number or minus infinity");
}

double ScoreMatrix::score(std::span<const Code> word) const {
  double sum = 0;
  for (std::size_t i = 0; i < scores_.size(); ++i) sum += scores_[i][word[i]];
  return sum;
}

double ScoreMatrix::highest() const {
  double sum = 0;
  for (const std::array<double, 4>& column : scores_) sum += *std::max_element(column.begin(), column.end());
  return sum;
}

double ScoreMatrix::lowest() const {
  double sum = 0;
  for (const std::array<double, 4>& column : scores_) sum += *std::min_element(column.begin(), column.end());
  return sum;
}

ScoreMatrix ScoreMatrix::reverse_complement() const {
  std::vector<std::array<double, 4>> scores(scores_.rbegin(), scores_.rend());
  for (std::array<double, 4>& column : scores) std::reverse(column.begin(), column.end());
  return {id_, alt_id_, std::move(scores)};
}

ScoreMatrix log_odds(const Motif& motif, const LogOddsOptions& options) {
  if (!(options.pseudocount >= 0) || std::isinf(options.pseudocount))
    throw InputError("a pseudocount of " + std::to_string(options.pseudocount) + "; expected 0 or more");
  if (!(options.base > 1) || std::isinf(options.base))
    throw InputError("a logarithm of base " + std::to_string(options.base) + "; expected a number above 1");
  const std::array<double, 4>& background = options.background.frequencies();
  const auto log = [&options](double ratio) {
    // Base 2 apart: log2(0.5) is -1, log(0.5) / log(2) need not be.
    return options.base == 2 ? std::log2(ratio) : std::log(ratio) / std::log(options.base);
  };
  std::vector<std::array<double, 4>> scores;
  for (const std::array<double, 4>& column : motif.counts) {
    const double sum = column[0] + column[1] + column[2] + column[3];
    for (const double count : column)
      if (!(count >= 0) || std::isinf(count) || !(sum > 0))
        throw InputError("motif " + shown(motif.id) + ", column " + std::to_string(scores.size() + 1) +
                         ": counts that are negative, no numbers or all 0");
    std::array<double, 4>& odds = scores.emplace_back();
    for (std::size_t letter = 0; letter < 4; ++letter) {
      const double ratio = (column[letter] + options.pseudocount * background[letter]) / (sum + options.pseudocount) /
                           background[letter];
      odds[letter] = log(ratio);
    }
  }
  return {motif.id, motif.alt_id, std::move(scores)};
}

}  // namespace genocl::pwm
