// Relaxation by an equation, as plainly as its header says it.
#pragma once

#include <cmath>
#include <cstdint>
#include <span>
#include <variant>
#include <vector>

#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"
#include "reference/jacobi.hpp"

namespace genocl_reference {

/// The numbers of a cell and its neighbours, or their weights.
template <class T>
struct Star {
  T front = 0, top = 0, left = 0, centre = 0, right = 0, bottom = 0, back = 0;
};

template <class T>
std::span<const T> values_of(const genocl::jacobi::CellValues& values) {
  const auto* const own = std::get_if<std::span<const T>>(&values);
  return own != nullptr ? *own : std::span<const T>();
}

/// One step from a place along a direction of `length`; a neighbour that is not there is the cell itself.
inline std::size_t step(std::size_t place, std::size_t length, int by, bool periodic) {
  if (by < 0) return place > 0 ? place - 1 : periodic ? length - 1 : place;
  return place + 1 < length ? place + 1 : periodic ? 0 : place;
}

template <class T>
void relax_once(const genocl::jacobi::Shape& shape, const genocl::jacobi::Equation& equation, std::span<const T> old,
                std::span<T> next, std::span<const std::uint8_t> fixed) {
  using genocl::jacobi::BoundaryKind;
  const auto& sides = equation.boundaries;
  const std::size_t w = shape.width, h = shape.height, d = shape.depth;
  const bool solid = shape.three_dimensional();
  const std::span<const T> source = values_of<T>(equation.source), k = values_of<T>(equation.coefficients);
  const bool weighted = equation.weights || !source.empty() || !k.empty() || equation.damping != 1;
  const double omega = equation.damping, mean = solid ? 1.0 / 7 : 0.2;
  for (std::size_t z = 0; z < d; ++z)
    for (std::size_t y = 0; y < h; ++y)
      for (std::size_t x = 0; x < w; ++x) {
        const auto at = [&](std::size_t px, std::size_t py, std::size_t pz) { return (pz * h + py) * w + px; };
        const std::size_t i = at(x, y, z);
        const auto is_fixed = [](BoundaryKind kind) { return kind == BoundaryKind::fixed; };
        const bool keeps = (x == 0 && is_fixed(sides.left)) || (x == w - 1 && is_fixed(sides.right)) ||
                           (y == 0 && is_fixed(sides.top)) || (y == h - 1 && is_fixed(sides.bottom)) ||
                           (solid && z == 0 && is_fixed(sides.front)) || (solid && z == d - 1 && is_fixed(sides.back));
        if (keeps || (!fixed.empty() && fixed[i] != 0)) {
          next[i] = old[i];
          continue;
        }
        const bool around_x = sides.left == BoundaryKind::periodic, around_y = sides.top == BoundaryKind::periodic;
        const bool around_z = sides.front == BoundaryKind::periodic;
        const Star<std::size_t> place{at(x, y, step(z, d, -1, around_z)), at(x, step(y, h, -1, around_y), z),
                                      at(step(x, w, -1, around_x), y, z), i,
                                      at(step(x, w, 1, around_x), y, z),  at(x, step(y, h, 1, around_y), z),
                                      at(x, y, step(z, d, 1, around_z))};
        const Star<T> u{old[place.front], old[place.top],    old[place.left], old[i],
                        old[place.right], old[place.bottom], old[place.back]};
        if (!weighted) {
          T sum = solid ? u.front + u.top : u.top;
          sum = sum + u.left;
          sum = sum + u.centre;
          sum = sum + u.right;
          sum = sum + u.bottom;
          if (solid) sum = sum + u.back;
          next[i] = sum * T(mean);
          continue;
        }
        Star<double> weights{mean, mean, mean, mean, mean, mean, mean};
        if (equation.weights)
          weights = {equation.weights->front,  equation.weights->top,   equation.weights->left,
                     equation.weights->centre, equation.weights->right, equation.weights->bottom,
                     equation.weights->back};
        if (!k.empty()) {
          const auto face = [&](std::size_t beside) { return 2 / (1 + double{k[i]} / double{k[beside]}); };
          double sum = solid ? face(place.front) + face(place.top) : face(place.top);
          sum = sum + face(place.left);
          sum = sum + face(place.right);
          sum = sum + face(place.bottom);
          if (solid) sum = sum + face(place.back);
          weights = {face(place.front) / sum, face(place.top) / sum,    face(place.left) / sum, 0,
                     face(place.right) / sum, face(place.bottom) / sum, face(place.back) / sum};
        }
        const auto rounded = [omega](double weight) { return static_cast<T>(omega * weight); };
        T v = source.empty() ? T(0) : static_cast<T>(omega * double{source[i]});
        if (solid) v = std::fma(rounded(weights.front), u.front, v);
        v = std::fma(rounded(weights.top), u.top, v);
        v = std::fma(rounded(weights.left), u.left, v);
        v = std::fma(static_cast<T>(std::fma(omega, weights.centre, 1 - omega)), u.centre, v);
        v = std::fma(rounded(weights.right), u.right, v);
        v = std::fma(rounded(weights.bottom), u.bottom, v);
        if (solid) v = std::fma(rounded(weights.back), u.back, v);
        next[i] = v;
      }
}

template <class T>
std::vector<T> relax(const genocl::jacobi::Shape& shape, const genocl::jacobi::Equation& equation,
                     std::span<const T> cells, std::uint64_t iterations, std::span<const std::uint8_t> fixed = {}) {
  std::vector<T> old(cells.begin(), cells.end()), next(old.size());
  for (std::uint64_t i = 0; i < iterations; ++i) {
    relax_once<T>(shape, equation, old, next, fixed);
    old.swap(next);
  }
  return old;
}

}  // namespace genocl_reference
