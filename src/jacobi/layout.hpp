// The cells in the memory of a device: their layout, the slices that it holds, and the fields of the equation.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>

#include "genocl/array.hpp"
#include "genocl/jacobi/equation.hpp"
#include "genocl/jacobi/grid.hpp"

namespace genocl::jacobi {

/// The order of cells in an array: slices (rows in 2D, planes in 3D), in a plane its rows. Rows are `pitch` elements
/// apart. The pitch is a multiple of 64 and leaves at least 64 elements after the last column, so that vectors may read
/// past it; their values are never used.
///
/// If left and right are periodic, a row has `halo_columns` halo columns on both sides, copies of the cells at the
/// other end; column x is at x + halo_columns. Sweeps treat them as ordinary cells. The outermost valid ones become
/// wrong one by one with every iteration, and the sweep refreshes them at its end. In 3D the same holds for rows.
/// Periodic slices form a ring (`ring`): they are numbered from `slices` on, and number n is slice n modulo `slices`.
struct Layout {
  Shape shape;
  std::uint64_t pitch = 0;
  std::uint64_t rows_per_slice = 1;  ///< 1 in 2D, height in 3D, without halo
  std::uint64_t slices = 0;          ///< of the whole grid: height in 2D, depth in 3D
  std::uint64_t halo_columns = 0, halo_rows = 0;
  bool ring = false;
  /// The numbers of outermost columns, rows (3D) and slices with fixed values.
  std::uint64_t fixed_columns = 0, fixed_rows = 0, fixed_before = 0, fixed_behind = 0;

  explicit Layout(const Shape& s, const Boundaries& boundaries = {})
      : shape(s),
        rows_per_slice(s.three_dimensional() ? s.height : 1),
        slices(s.three_dimensional() ? s.depth : s.height) {
    const bool is_3d = s.three_dimensional();
    const BoundaryKind before = is_3d ? boundaries.front : boundaries.top;
    const BoundaryKind behind = is_3d ? boundaries.back : boundaries.bottom;
    // The maximum number of fused steps of any plan.
    const std::uint64_t halo = is_3d ? 6 : 16;
    if (boundaries.left == BoundaryKind::periodic) halo_columns = halo;
    if (is_3d && boundaries.top == BoundaryKind::periodic) halo_rows = halo;
    ring = before == BoundaryKind::periodic;
    const auto fixed = [](BoundaryKind kind) { return kind == BoundaryKind::fixed ? 1u : 0u; };
    fixed_columns = fixed(boundaries.left) + fixed(boundaries.right);
    if (is_3d) fixed_rows = fixed(boundaries.top) + fixed(boundaries.bottom);
    fixed_before = fixed(before);
    fixed_behind = fixed(behind);
    pitch = (held_width() + 63) / 64 * 64 + 64;
  }
  /// Cells of a row and rows of a slice, with halo.
  std::uint64_t held_width() const noexcept { return shape.width + 2 * halo_columns; }
  std::uint64_t held_rows() const noexcept { return rows_per_slice + 2 * halo_rows; }
  bool has_cell_halo() const noexcept { return halo_columns + halo_rows != 0; }
  /// Elements of a slice.
  std::uint64_t slice() const noexcept { return pitch * held_rows(); }
  /// Cells that may change: of a slice, of slices [begin, end) by number, of the grid.
  std::uint64_t changing_in_slice() const noexcept {
    return (shape.width - fixed_columns) * (rows_per_slice - fixed_rows);
  }
  std::uint64_t changing(std::uint64_t begin, std::uint64_t end) const noexcept {
    begin = std::max(begin, first() + fixed_before);
    end = std::min(end, first() + slices - fixed_behind);
    return begin < end ? (end - begin) * changing_in_slice() : 0;
  }
  std::uint64_t changing() const noexcept { return changing(0, numbers()); }
  /// The number of the grid's first slice, and the number after the last that a device can hold.
  std::uint64_t first() const noexcept { return ring ? slices : 0; }
  std::uint64_t numbers() const noexcept { return ring ? 3 * slices : slices; }
  std::uint64_t in_grid(std::uint64_t number) const noexcept { return ring ? number % slices : number; }
};

/// Slices [begin, end) of the grid, by their numbers (Layout).
struct SliceRange {
  std::uint64_t begin = 0, end = 0;

  bool empty() const noexcept { return begin >= end; }
  std::uint64_t size() const noexcept { return empty() ? 0 : end - begin; }
  friend bool operator==(const SliceRange&, const SliceRange&) = default;
};

inline SliceRange intersection(const SliceRange& a, const SliceRange& b) {
  return {std::max(a.begin, b.begin), std::min(a.end, b.end)};
}

/// The points of the stencil, in the order of summation. In two dimensions the previous and next slices are the rows
/// above and below; `up` and `down` exist in three dimensions only.
enum StencilPoint : std::size_t {
  point_previous,
  point_up,
  point_left,
  point_centre,
  point_right,
  point_down,
  point_next
};
inline constexpr std::size_t point_count = 7;

/// Bits of Formula::fixed_sides (cl/jacobi/cells.clh).
inline constexpr std::uint32_t side_previous = 1, side_next = 2, side_up = 4, side_down = 8, side_left = 16,
                               side_right = 32, all_sides = 63;

struct Formula {
  bool weighted = false;                      ///< false: the mean
  bool source = false;                        ///< the fields contain a source
  bool coefficients = false;                  ///< the fields contain a weight for each neighbour of each cell
  std::array<double, point_count> weights{};  ///< with damping; with coefficients only the centre
  double damping = 1;
  std::uint32_t fixed_sides = all_sides;  ///< the other sides have zero flux; periodic sides count as fixed

  bool has_flux() const noexcept { return fixed_sides != all_sides; }
  bool plain() const noexcept { return !weighted && !has_flux(); }
};

/// The neighbours of a cell: 4 or 6 points.
inline std::span<const StencilPoint> neighbours_of(bool is_3d) {
  static constexpr std::array flat = {point_previous, point_left, point_right, point_next};
  static constexpr std::array full = {point_previous, point_up, point_left, point_right, point_down, point_next};
  return is_3d ? std::span<const StencilPoint>(full) : std::span<const StencilPoint>(flat);
}

/// The fields of an equation in device memory, in the layout of the cells; unused ones are empty.
template <class T>
struct Fields {
  Array<T> source;                            ///< with the damping
  std::array<Array<T>, point_count> weights;  ///< of neighbours, with damping
};

/// Fills in slices of the grid from slice `first` on, in the order of jacobi::Grid (rows without a pitch).
template <class T>
using ReadCells = std::function<void(std::uint64_t first, std::span<T> cells)>;

/// The sources of the fields of an equation; empty: no such field.
template <class T>
struct FieldReaders {
  ReadCells<T> source, coefficients;
};

/// Slices [first, first + count) of the grid: a partition or a band, with its halo.
struct HeldSlices {
  Layout layout;
  std::uint64_t first = 0, count = 0;
  /// [slice][row][pitch]: nonzero for a cell with a fixed value, not needed for the outermost cells. Empty: no others.
  Array<std::uint8_t> fixed;
  Formula formula;
  std::tuple<Fields<float>, Fields<double>> all_fields;  ///< only those of the cells' type are used

  explicit HeldSlices(const Layout& l) : layout(l) {}
  std::uint64_t elements() const noexcept { return count * layout.slice(); }
  template <class T>
  Fields<T>& fields() noexcept {
    return std::get<Fields<T>>(all_fields);
  }
  template <class T>
  const Fields<T>& fields() const noexcept {
    return std::get<Fields<T>>(all_fields);
  }
};

}  // namespace genocl::jacobi
