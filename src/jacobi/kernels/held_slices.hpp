// Describes slices of the grid that are in the memory of a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/array.hpp"
#include "genocl/jacobi/grid.hpp"

namespace genocl::jacobi {

/// How cells lie in an array: slices (rows in 2D, planes in 3D) one after the other; in a plane, rows. Column x of a
/// row is at x; rows are `pitch` elements apart, a multiple of 64 that leaves at least 64 elements behind the last
/// column, so that vectors may read past it (what is there is never used).
struct Layout {
  Shape shape;
  std::uint64_t pitch = 0;
  std::uint64_t rows_per_slice = 1;  ///< 1 in 2D, height in 3D
  std::uint64_t slices = 0;          ///< of the whole grid: height in 2D, depth in 3D

  explicit Layout(const Shape& s)
      : shape(s),
        pitch((s.width + 63) / 64 * 64 + 64),
        rows_per_slice(s.three_dimensional() ? s.height : 1),
        slices(s.three_dimensional() ? s.depth : s.height) {}
  /// Counts the elements of a slice.
  std::uint64_t slice() const noexcept { return pitch * rows_per_slice; }
};

/// Slices [first, first + count) of the grid: a device's share or a band, with its ghosts.
struct HeldSlices {
  Layout layout;
  std::uint64_t first = 0, count = 0;
  /// [slice][row][pitch]: not 0 where a cell keeps its value (the outermost ones do without it); empty: no others.
  Array<std::uint8_t> fixed;

  explicit HeldSlices(const Layout& l) : layout(l) {}
  std::uint64_t elements() const noexcept { return count * layout.slice(); }
};

}  // namespace genocl::jacobi
