// The equation of an iteration, if it is not the mean of a cell and its neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace genocl::jacobi {

/// Weights of a cell and its neighbours: top is y - 1, left x - 1, front z - 1. Front and back are for three
/// dimensions. Any sign; rounded to the grid's type.
struct Weights {
  double centre = 0, top = 0, bottom = 0, left = 0, right = 0, front = 0, back = 0;
};

/// Boundary condition of a side.
/// - `fixed`: the outermost cells keep their values (Dirichlet).
/// - `periodic`: the neighbours are the cells of the opposite side, which must also be periodic. All cells change.
/// - `zero_flux`: a missing neighbour is the cell itself (Neumann). All cells change.
enum class BoundaryKind : std::uint8_t { fixed, periodic, zero_flux };

/// An outermost cell on a fixed side keeps its value, whatever its other sides are. Front and back are for three
/// dimensions.
struct Boundaries {
  BoundaryKind left = BoundaryKind::fixed, right = BoundaryKind::fixed;
  BoundaryKind top = BoundaryKind::fixed, bottom = BoundaryKind::fixed;
  BoundaryKind front = BoundaryKind::fixed, back = BoundaryKind::fixed;

  friend bool operator==(const Boundaries&, const Boundaries&) = default;
};

/// One value for each cell, in the caller's memory, in the order of the grid's cells and of their type; empty: none.
using CellValues = std::variant<std::span<const float>, std::span<const double>>;

/// With `weights`, `source`, `damping` or `coefficients`, a cell without a fixed value becomes
///   2D: v = fma(bottom.w, bottom, fma(right.w, right, fma(centre.w, centre, fma(left.w, left, fma(top.w, top, s)))))
///   3D: the same with fma(front.w, front, s) instead of s, and fma(back.w, back, v) around it
/// where fma(w, u, s) is w * u + s, rounded once, in T, and s is the cell's source or +0. Without any of them it
/// becomes the mean, as in solve(). Boundaries apply to both.
///
/// Poisson's equation, laplacian(u) = f on cells with spacing h: the weights are 1/4 for the neighbours (1/6 in three
/// dimensions) and 0 for the centre, the source is -h^2 f / 4 (/ 6):
///   std::vector<double> source(f.size());
///   for (std::size_t i = 0; i < f.size(); ++i) source[i] = -h * h * f[i] / 4;
///   options.equation = {.weights = Weights{.top = 0.25, .bottom = 0.25, .left = 0.25, .right = 0.25},
///                       .source = source};
struct Equation {
  /// Empty: 1/5 each, 1/7 in three dimensions; with coefficients, the weights that follow from these.
  std::optional<Weights> weights = {};
  /// Added to each update of the cell. Finite.
  CellValues source = {};
  /// Damping of weighted Jacobi, u + damping * (v - u), with 0 < damping < 2. It is applied to the weights before they
  /// are rounded to T: neighbours have damping * w, the centre fma(damping, w, 1 - damping), the source damping * s;
  /// all are computed in double.
  double damping = 1;
  /// A conductivity for each cell, finite and above 0 (heat conduction in layers). The conductivity of the face between
  /// two cells is the harmonic mean, 2 k k' / (k + k'). The weight of a neighbour is that of its face over the sum of
  /// all faces of the cell; the centre has none. Weights are computed once, on the host, in double: q = 2 / (1 + k /
  /// k') for each face, over the sum of these in the order top, left, right, bottom (front first and back last in three
  /// dimensions), times the damping. At a side of zero flux, k' is the cell's own conductivity. Excludes `weights`.
  CellValues coefficients = {};
  Boundaries boundaries = {};
};

}  // namespace genocl::jacobi
