// Equations drawn by chance, with the arrays that they look at.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"
#include "random.hpp"

namespace genocl_test {

/// What an equation has; the rest is left as it is.
struct Parts {
  bool weights = false, source = false, damping = false, coefficients = false;
  /// 0: all sides are fixed; 1: some are without flux; 2: some directions are periodic; 3: both.
  int boundaries = 0;

  std::string text() const {
    return std::string(weights ? "weights " : "") + (source ? "source " : "") + (damping ? "damping " : "") +
           (coefficients ? "coefficients " : "") + "boundaries " + std::to_string(boundaries);
  }
};

template <class T>
struct DrawnEquation {
  std::vector<T> source, coefficients;
  genocl::jacobi::Equation equation;

  DrawnEquation(const genocl::jacobi::Shape& shape, const Parts& parts, Random& random) {
    using genocl::jacobi::BoundaryKind;
    const bool is_3d = shape.three_dimensional();
    // The sum of the weights' sizes is below 1: nothing grows however many the iterations.
    const auto weight = [&] { return random.between(-0.14, 0.14); };
    if (parts.weights)
      equation.weights = genocl::jacobi::Weights{
          weight(), weight(), weight(), weight(), weight(), is_3d ? weight() : 0, is_3d ? weight() : 0};
    if (parts.damping) equation.damping = random.between(0.1, 1.9);
    if (parts.source)
      for (std::uint64_t i = 0; i < shape.cells(); ++i) source.push_back(static_cast<T>(random.between(-1, 1)));
    if (parts.coefficients)
      for (std::uint64_t i = 0; i < shape.cells(); ++i)
        coefficients.push_back(static_cast<T>(random.below(9) == 0 ? 1e-3 : random.between(0.1, 10)));
    equation.source = source;
    equation.coefficients = coefficients;
    const auto draw = [&](BoundaryKind& one, BoundaryKind& other) {
      if ((parts.boundaries & 2) != 0 && random.below(2) == 0) {
        one = other = BoundaryKind::periodic;
      } else if ((parts.boundaries & 1) != 0) {
        if (random.below(3) != 0) one = BoundaryKind::zero_flux;
        if (random.below(3) != 0) other = BoundaryKind::zero_flux;
      }
    };
    auto& sides = equation.boundaries;
    draw(sides.left, sides.right);
    draw(sides.top, sides.bottom);
    if (is_3d) draw(sides.front, sides.back);
  }
  DrawnEquation(const DrawnEquation&) = delete;
  DrawnEquation& operator=(const DrawnEquation&) = delete;
};

inline std::vector<Parts> every_part() {
  return {{},
          {.boundaries = 1},
          {.boundaries = 2},
          {.weights = true},
          {.source = true},
          {.damping = true},
          {.weights = true, .source = true, .boundaries = 1},
          {.coefficients = true},
          {.source = true, .damping = true, .coefficients = true, .boundaries = 3},
          {.weights = true, .damping = true, .boundaries = 3}};
}

}  // namespace genocl_test
