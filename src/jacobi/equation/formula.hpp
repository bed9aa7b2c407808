// What kernels are told of an equation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "genocl/array.hpp"
#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"

namespace genocl::jacobi {

/// The star of a cell in the order of its sum. In two dimensions the slices before and behind are the rows above and
/// below; `up` and `down` are of three.
enum Place : std::size_t { place_before, place_up, place_left, place_centre, place_right, place_down, place_behind };
inline constexpr std::size_t place_count = 7;

/// Bits of Formula::fixed_sides (cl/jacobi/kernels/cells.clh).
inline constexpr std::uint32_t side_before = 1, side_behind = 2, side_up = 4, side_down = 8, side_left = 16,
                               side_right = 32, all_sides = 63;

struct Formula {
  bool weighted = false;                      ///< not the mean
  bool source = false;                        ///< fields have it
  bool coefficients = false;                  ///< fields have a weight of each neighbour for each cell
  std::array<double, place_count> weights{};  ///< with the damping; with coefficients that of the centre alone
  double damping = 1;
  std::uint32_t fixed_sides = all_sides;  ///< through the others nothing flows; periodic ones are among these

  bool has_flux() const noexcept { return fixed_sides != all_sides; }
  bool plain() const noexcept { return !weighted && !has_flux(); }
};

/// Which neighbours there are: 4 or 6 of the places.
inline std::span<const Place> neighbours_of(bool solid) {
  static constexpr std::array flat = {place_before, place_left, place_right, place_behind};
  static constexpr std::array full = {place_before, place_up, place_left, place_right, place_down, place_behind};
  return solid ? std::span<const Place>(full) : std::span<const Place>(flat);
}

/// The formula of an equation that was checked. `source`, `coefficients`: whether there are any.
Formula formula_of(const Equation& equation, const Shape& shape, bool source, bool coefficients);

/// An equation's fields in a device's memory, in the layout of the cells; empty where there are none.
template <class T>
struct Fields {
  Array<T> source;                            ///< with the damping
  std::array<Array<T>, place_count> weights;  ///< of neighbours, with the damping
};

/// Fills in slices of the grid from that one on, as the caller has them (rows close together).
template <class T>
using ReadCells = std::function<void(std::uint64_t first, std::span<T> cells)>;

/// Where the fields of an equation come from; empty: there are none.
template <class T>
struct FieldReaders {
  ReadCells<T> source, coefficients;
};

}  // namespace genocl::jacobi
