// Coupled relaxations: two grids with a common boundary, each with its own equation and devices.
//
// Contassot-Vivier and Vialle (ParCo 2015) name the coupling of different solvers on different devices as future work
// (section 6).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "genocl/export.hpp"
#include "genocl/jacobi/relaxation.hpp"

namespace genocl::jacobi {

/// A side of a grid: top is y = 0, left is x = 0, front is z = 0.
enum class Side : std::uint8_t { left, right, top, bottom, front, back };

GENOCL_EXPORT std::string_view to_string(Side side) noexcept;

/// Two relaxations that advance together. The slices (rows; planes in three dimensions) next to the common boundary are
/// in both grids: the last 2 * halo_depth slices of `a` at its side are the same cells as the last 2 * halo_depth
/// slices of `b` at its side. Of these, each grid owns the half that is farther from its own side; the others are its
/// halo, and the cells of its side do not change between exchanges.
///
///   a, bottom:  . . . . a a h h          halo_depth 2; a, b: owned by a or b, h: halo
///   b, top:             h h b b . . . .
///
/// The halos are exchanged before each `halo_depth` iterations, and at the end. With a halo depth of 1 both grids then
/// have the bits of one relaxation of all owned cells, in which each cell has the equation of its owner. With a larger
/// depth this holds if both equations are the same on the common cells: the same weights, and equal sources,
/// conductivities and fixed cells there. The bits do not depend on the devices and partitions of either.
///
/// Both relaxations must outlive the coupling. Used by one thread at a time, as are the relaxations. Between the calls
/// of advance() the relaxations can be stored, saved and loaded.
template <class T>
class Coupling {
 public:
  Coupling(Coupling&&) noexcept;
  Coupling& operator=(Coupling&&) noexcept;
  ~Coupling();

  /// Does `iterations` iterations of both, at the same time on two threads. With `measured`, both measure the change of
  /// the last one. Progress: that of each relaxation, for the iterations up to the next exchange.
  /// O((cells of a + cells of b) * iterations), and for each exchange a transfer of 4 * halo_depth slices between the
  /// devices and the host.
  ///
  /// Throws InputError if a relaxation has no grid, or if both are at different iterations; CapacityError if the
  /// devices of one do not hold its grid (bands); what Relaxation::advance() throws. After an error of one relaxation
  /// the other one may be further on: load both again. A device that fails is an error, since no copy of a coupled
  /// grid is kept.
  void advance(std::uint64_t iterations, bool measured = true);

  /// Exchanges since the coupling was made.
  std::uint64_t exchanges() const noexcept;

 private:
  struct State;
  explicit Coupling(std::unique_ptr<State> state);
  template <class U>
  friend Coupling<U> couple(Relaxation<U>&, Side, Relaxation<U>&, Side, unsigned);

  std::unique_ptr<State> state_;
};

/// Couples side `side_a` of `a` with `side_b` of `b`: top or bottom in two dimensions, front or back in three. If both
/// sides are the same, the slices of `b` have the reverse order. Iterations between exchanges: `halo_depth`, at least
/// 1.
///
/// Throws InputError for another side, a side that is not fixed (Boundaries), the same relaxation twice, grids of
/// different width (or height in three dimensions) or dimensions, and a grid of 2 * halo_depth slices or fewer.
template <class T>
Coupling<T> couple(Relaxation<T>& a, Side side_a, Relaxation<T>& b, Side side_b, unsigned halo_depth = 1);

extern template class GENOCL_EXPORT Coupling<float>;
extern template class GENOCL_EXPORT Coupling<double>;
extern template GENOCL_EXPORT Coupling<float> couple(Relaxation<float>&, Side, Relaxation<float>&, Side, unsigned);
extern template GENOCL_EXPORT Coupling<double> couple(Relaxation<double>&, Side, Relaxation<double>&, Side, unsigned);

}  // namespace genocl::jacobi
