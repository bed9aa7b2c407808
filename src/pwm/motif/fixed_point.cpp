#include "pwm/motif/fixed_point.hpp"

#include <algorithm>
#include <cmath>

#include "genocl/error.hpp"

namespace genocl::pwm {
namespace {

/// |Q| stays below 2^60.
constexpr int bits = 60;
/// Sums of up to this many bits are exact in double.
constexpr int exact_bits = 52;
constexpr std::int64_t beyond = std::int64_t{1} << 62;

/// The exponent of the lowest bit that is set in a double other than 0.
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
  double reach = 0;  // no partial sum is larger, but for rounding
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

// Scaling by a power of two is exact, and so are the sums: |Q| + doubt is compared where it matters below 2^61, and
// doubles there are integers or were rounded up or down to one before.
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

}  // namespace genocl::pwm
