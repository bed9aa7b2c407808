#include "jacobi/equation/formula.hpp"

#include <cmath>

namespace genocl::jacobi {

namespace {

std::uint32_t fixed_sides_of(const Boundaries& boundaries, bool solid) {
  std::uint32_t open = 0;
  const auto look = [&open](BoundaryKind kind, std::uint32_t side) {
    open |= kind == BoundaryKind::zero_flux ? side : 0;
  };
  look(boundaries.left, side_left);
  look(boundaries.right, side_right);
  look(boundaries.top, solid ? side_up : side_before);
  look(boundaries.bottom, solid ? side_down : side_behind);
  if (solid) look(boundaries.front, side_before);
  if (solid) look(boundaries.back, side_behind);
  return all_sides & ~open;
}

}  // namespace

Formula formula_of(const Equation& equation, const Shape& shape, bool source, bool coefficients) {
  const bool solid = shape.three_dimensional();
  Formula formula;
  formula.source = source;
  formula.coefficients = coefficients;
  formula.damping = equation.damping;
  formula.weighted = equation.weights || source || coefficients || equation.damping != 1;
  formula.fixed_sides = fixed_sides_of(equation.boundaries, solid);
  const double damping = equation.damping, mean = solid ? 1.0 / 7 : 0.2;
  Weights weights{mean, mean, mean, mean, mean, mean, mean};
  if (equation.weights) weights = *equation.weights;
  if (coefficients) weights = {};
  formula.weights[place_before] = damping * (solid ? weights.front : weights.top);
  formula.weights[place_up] = damping * (solid ? weights.top : 0);
  formula.weights[place_left] = damping * weights.left;
  formula.weights[place_centre] = std::fma(damping, weights.centre, 1 - damping);
  formula.weights[place_right] = damping * weights.right;
  formula.weights[place_down] = damping * (solid ? weights.bottom : 0);
  formula.weights[place_behind] = damping * (solid ? weights.back : weights.bottom);
  return formula;
}

}  // namespace genocl::jacobi
