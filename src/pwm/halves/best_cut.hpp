// Where to cut words in two.
#pragma once

#include <cstddef>
#include <span>

#include "pwm/motif/fixed_point.hpp"

namespace genocl::pwm {

/// Beginnings have the columns before `at`; the longer of both lists has at most `sums` sums.
struct Cut {
  std::size_t at = 0;
  double sums = 0;
};

/// Where the longer of both lists is shortest, first <= at <= last: with letters[i] letters that column i tells apart,
/// and a list of ends, where there are any, for each of `states`.
Cut best_cut(std::span<const double> letters, std::size_t first, std::size_t last, double states = 1);

/// With equal sums merged, and lists for each state of a Markov model of that order.
Cut best_cut(const FixedPoint& matrix, unsigned order);

}  // namespace genocl::pwm
