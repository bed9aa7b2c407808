// What a cell becomes in an iteration, where that is not the mean of itself and its neighbours.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <variant>

namespace genocl::jacobi {

/// Factors of a cell and of its neighbours: top is y - 1, left x - 1, front z - 1. Front and back are for three
/// dimensions. They are numbers of any sign, and are rounded to the grid's type.
struct Weights {
  double centre = 0, top = 0, bottom = 0, left = 0, right = 0, front = 0, back = 0;
};

/// What is behind the outermost cells of a side.
/// - `fixed`: nothing; they keep their values.
/// - `periodic`: the cells of the opposite side, which has to be periodic too. They change like all others.
/// - `zero_flux`: no flow goes through: a missing neighbour is the cell itself. They change like all others.
enum class BoundaryKind : std::uint8_t { fixed, periodic, zero_flux };

/// A cell that is outermost on a fixed side keeps its value, whatever its other sides are. Front and back are for three
/// dimensions.
struct Boundaries {
  BoundaryKind left = BoundaryKind::fixed, right = BoundaryKind::fixed;
  BoundaryKind top = BoundaryKind::fixed, bottom = BoundaryKind::fixed;
  BoundaryKind front = BoundaryKind::fixed, back = BoundaryKind::fixed;

  friend bool operator==(const Boundaries&, const Boundaries&) = default;
};

/// A number for each cell, in the caller's memory, in the order of the grid's cells and of their type; empty: none.
using CellValues = std::variant<std::span<const float>, std::span<const double>>;

/// With `weights`, `source`, `damping` or `coefficients`, a cell that keeps no value becomes
///   2D: v = fma(bottom.w, bottom, fma(right.w, right, fma(centre.w, centre, fma(left.w, left, fma(top.w, top, s)))))
///   3D: the same with fma(front.w, front, s) instead of s, and fma(back.w, back, v) around it
/// where fma(w, u, s) is w * u + s, rounded once, in T, and s is the cell's source or +0. Without any of them it
/// becomes the mean, as solve() has it. Boundaries go with both.
///
/// So Poisson's equation, laplacian(u) = f on cells h apart, is solved by weights of 1/4 for the neighbours (1/6 in
/// three dimensions), 0 for the centre, and a source of -h^2 f / 4 (/ 6):
///   std::vector<double> source(f.size());
///   for (std::size_t i = 0; i < f.size(); ++i) source[i] = -h * h * f[i] / 4;
///   options.equation = {.weights = Weights{.top = 0.25, .bottom = 0.25, .left = 0.25, .right = 0.25},
///                       .source = source};
struct Equation {
  /// None: 1/5 each, 1/7 in three dimensions; with coefficients, what follows from these.
  std::optional<Weights> weights = {};
  /// Added to each update of the cell. Finite.
  CellValues source = {};
  /// Weighted relaxation, u + damping * (v - u), with 0 < damping < 2. It goes into the weights before they are rounded
  /// to T: those of the neighbours become damping * w, that of the centre fma(damping, w, 1 - damping), the source
  /// damping * s; all are made in double.
  double damping = 1;
  /// A conductivity for each cell, finite and above 0 (heat conduction in layers). That of the face between two cells
  /// is the harmonic mean, 2 k k' / (k + k'), and a neighbour's weight is that of its face over the sum of all faces of
  /// the cell; the centre has none. They are made in double, once, on the host: q = 2 / (1 + k / k') for each face,
  /// which is over the sum of these in the order top, left, right, bottom (front first and back last in three
  /// dimensions), times the damping. Behind a side of zero flux k' is the cell's own. Without `weights`.
  CellValues coefficients = {};
  Boundaries boundaries = {};
};

}  // namespace genocl::jacobi
