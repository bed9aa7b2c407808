// Score matrices, as doubles, as integers and as floats.

#include "pwm/scores.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "genocl/pwm/score_matrix.hpp"

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
    // Base 2 separately: log2(0.5) is -1, log(0.5) / log(2) need not be.
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

namespace {

/// |Q| stays below 2^60.
constexpr int bits = 60;
/// Sums of at most this number of bits are exact in double.
constexpr int exact_bits = 52;
constexpr std::int64_t beyond = std::int64_t{1} << 62;

/// Exponent of the lowest set bit of a double other than 0.
int lowest_bit(double value) {
  int exponent = 0;
  const double mantissa = std::frexp(value, &exponent);
  const auto integer = static_cast<std::int64_t>(std::ldexp(std::fabs(mantissa), 53));
  return exponent - 53 + __builtin_ctzll(static_cast<std::uint64_t>(integer));
}

std::int64_t clamped(double units) {
  const double limit = static_cast<double>(beyond);
  return static_cast<std::int64_t>(std::clamp(units, -limit, limit));
}

}  // namespace

FixedPoint fixed_point(const ScoreMatrix& matrix) {
  FixedPoint fixed;
  double reach = 0;  // maximum of all partial sums, except for rounding
  int finest = 1 << 20;
  for (std::size_t i = 0; i < matrix.length(); ++i) {
    double largest = -1;
    for (const double score : matrix.columns()[i]) {
      if (std::isinf(score)) continue;
      largest = std::max(largest, std::fabs(score));
      if (score != 0) finest = std::min(finest, lowest_bit(score));
    }
    if (largest < 0)
      throw InputError("matrix " + matrix.id() + ": column " + std::to_string(i + 1) + " allows no letter");
    reach += largest;
  }
  if (!std::isfinite(reach)) throw InputError("matrix " + matrix.id() + ": scores that add up to infinity");
  const auto length = static_cast<std::int64_t>(matrix.length());
  if (reach == 0) {
    fixed.shift = 0;
  } else if (std::ilogb(reach) + 1 - finest <= exact_bits) {
    fixed.shift = -finest;
  } else {
    fixed.shift = bits - 2 - std::ilogb(reach);
    // Each of length - 1 additions rounds by at most half a unit in the last place of a number below 2^(bits - 1),
    // and each column's integer by half a unit.
    fixed.doubt = length + length * (std::int64_t{1} << (bits - 1 - 53));
  }
  for (const std::array<double, 4>& column : matrix.columns()) {
    std::array<std::int64_t, 4> integers{};
    for (std::size_t x = 0; x < 4; ++x)
      integers[x] = std::isinf(column[x]) ? FixedPoint::impossible : std::llrint(std::ldexp(column[x], fixed.shift));
    fixed.columns.push_back(integers);
  }
  return fixed;
}

// Scaling by a power of two is exact, and so are the sums: |Q| + doubt is compared below 2^61 only, and doubles there
// are integers or were rounded to one before.
std::int64_t FixedPoint::surely_at_least(double score) const {
  return clamped(std::ceil(std::ldexp(score, shift))) + doubt;
}
std::int64_t FixedPoint::maybe_at_least(double score) const {
  return clamped(std::ceil(std::ldexp(score, shift))) - doubt;
}
double FixedPoint::score(std::int64_t q) const { return std::ldexp(static_cast<double>(q), -shift); }

std::int64_t FixedPoint::lowest() const {
  std::int64_t sum = 0;
  for (const auto& column : columns) {
    std::int64_t least = INT64_MAX;
    for (const std::int64_t q : column)
      if (q != impossible) least = std::min(least, q);
    sum += least;
  }
  return sum;
}
std::int64_t FixedPoint::highest() const {
  std::int64_t sum = 0;
  for (const auto& column : columns) sum += *std::max_element(column.begin(), column.end());
  return sum;
}

float float_below(double value) {
  const auto nearest = static_cast<float>(value);
  return static_cast<double>(nearest) <= value ? nearest
                                               : std::nextafter(nearest, -std::numeric_limits<float>::infinity());
}

FloatScores::FloatScores(const Target& target) {
  const ScoreMatrix& matrix = *target.scores;
  double largest = 0;
  for (const std::array<double, 4>& column : matrix.columns())
    for (const double score : column)
      if (std::isfinite(score)) largest = std::max(largest, std::abs(score));
  int exponent = 0;
  std::frexp(largest, &exponent);

  double sum = 0;
  for (const std::array<double, 4>& column : matrix.columns()) {
    double in_column = 0;
    std::array<double, 4>& scaled = columns.emplace_back();
    for (std::size_t letter = 0; letter < 4; ++letter) {
      scaled[letter] = std::isfinite(column[letter]) ? std::ldexp(column[letter], -exponent) : double{forbidden};
      if (std::isfinite(column[letter])) in_column = std::max(in_column, std::abs(scaled[letter]));
    }
    sum += in_column;
  }
  if (!(target.threshold <= target.highest())) {
    threshold = nowhere;
  } else if (target.threshold == -std::numeric_limits<double>::infinity()) {
    threshold = everywhere;
  } else {
    const double slack = static_cast<double>(columns.size()) * sum * 0x1p-23;
    threshold = std::max(-2.0 * ScoreMatrix::longest, std::ldexp(target.threshold, -exponent) - slack);
  }
}

}  // namespace genocl::pwm
