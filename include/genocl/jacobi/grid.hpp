// The grid that is relaxed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::jacobi {

/// The numbers of cells in each direction; x is the fastest. With a depth of 1 there are two dimensions.
struct Shape {
  std::uint64_t width = 0, height = 0, depth = 1;

  bool three_dimensional() const noexcept { return depth != 1; }
  std::uint64_t cells() const noexcept { return width * height * depth; }
  /// Those that may change: all but the outermost in each direction.
  std::uint64_t inside() const noexcept { return (width - 2) * (height - 2) * (three_dimensional() ? depth - 2 : 1); }
  /// Writes "4000x3000" or "256x256x256".
  GENOCL_EXPORT std::string text() const;
  /// Throws InputError for a direction with fewer than 3 cells (but depth 1), and when the cells' number overflows.
  GENOCL_EXPORT void check() const;

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// The outermost cells have these values. Front (z = 0) and back own their edges, then top (y = 0) and bottom, so that
/// in two dimensions the top and bottom rows own the corners; left is x = 0.
template <class T>
struct Boundary {
  T top = 0, bottom = 0, left = 0, right = 0, front = 0, back = 0;
};

/// Cell (x, y, z) is cells()[(z * height + y) * width + x]. T is float or double.
template <class T>
class Grid {
 public:
  /// Takes memory of its own and fills it with `value`. Throws as Shape::check(), and CapacityError when the host has
  /// not so much.
  explicit Grid(const Shape& shape, T value = 0) : shape_(shape) {
    check_memory(shape);
    own_.assign(std::size_t{shape.cells()}, value);
    cells_ = own_;
  }
  Grid(std::uint64_t width, std::uint64_t height, T value = 0) : Grid(Shape{width, height, 1}, value) {}
  /// Works in the caller's memory, of shape.cells() values, and leaves it to the caller. Throws InputError for another
  /// size.
  Grid(std::span<T> cells, const Shape& shape) : shape_(shape), cells_(cells) { check_size(shape, cells.size()); }

  /// A grid that was moved from has no cells and the shape 0x0.
  Grid(Grid&& other) noexcept { swap(other); }
  Grid& operator=(Grid&& other) noexcept {
    Grid(std::move(other)).swap(*this);
    return *this;
  }

  const Shape& shape() const noexcept { return shape_; }
  std::span<T> cells() noexcept { return cells_; }
  std::span<const T> cells() const noexcept { return cells_; }
  T& operator()(std::uint64_t x, std::uint64_t y, std::uint64_t z = 0) noexcept { return cells_[index(x, y, z)]; }
  const T& operator()(std::uint64_t x, std::uint64_t y, std::uint64_t z = 0) const noexcept {
    return cells_[index(x, y, z)];
  }

  /// Sets the outermost cells, and every other one to `inside`. Throws InputError for a value that is no number or
  /// infinite.
  GENOCL_EXPORT void fill(const Boundary<T>& boundary, T inside);

 private:
  // The memory of a vector stays where it is when it is swapped.
  void swap(Grid& other) noexcept {
    std::swap(shape_, other.shape_);
    own_.swap(other.own_);
    std::swap(cells_, other.cells_);
  }
  GENOCL_EXPORT static void check_memory(const Shape& shape);
  GENOCL_EXPORT static void check_size(const Shape& shape, std::size_t cells);
  std::size_t index(std::uint64_t x, std::uint64_t y, std::uint64_t z) const noexcept {
    return std::size_t{(z * shape_.height + y) * shape_.width + x};
  }

  Shape shape_;
  std::vector<T> own_;
  std::span<T> cells_;
};

extern template class GENOCL_EXPORT Grid<float>;
extern template class GENOCL_EXPORT Grid<double>;

}  // namespace genocl::jacobi
