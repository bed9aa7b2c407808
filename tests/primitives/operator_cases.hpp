// Operators and their scalar counterparts, for tests of reductions and scans.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>

#include "genocl/primitives/expression.hpp"
#include "primitives/variants.hpp"

namespace genocl_test {

template <class T>
struct OperatorCase {
  genocl::primitives::Operator device;
  T identity;
  std::function<T(T, T)> host;
};

/// Sums, products, extremes, or a caller's operator.
template <class T>
OperatorCase<T> random_case(Random& random) {
  using genocl::primitives::Operator;
  using Limits = std::numeric_limits<T>;
  const T highest = Limits::has_infinity ? Limits::infinity() : Limits::max();
  const T lowest = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  switch (random.below(5)) {
    case 0:
      return {Operator::sum(), T{0}, [](T a, T b) { return static_cast<T>(a + b); }};
    case 1:
      return {Operator::product(), T{1}, [](T a, T b) { return static_cast<T>(a * b); }};
    case 2:
      return {Operator::minimum(), highest, [](T a, T b) { return std::min(a, b); }};
    case 3:
      return {Operator::maximum(), lowest, [](T a, T b) { return std::max(a, b); }};
    default:
      return {Operator("a > b ? a : b", "0"), T{0}, [](T a, T b) { return a > b ? a : b; }};
  }
}

}  // namespace genocl_test
