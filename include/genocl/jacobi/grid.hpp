// The grid of cells.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::jacobi {

/// The number of cells in each direction; x is contiguous. With a depth of 1 the grid has two dimensions.
struct Shape {
  std::uint64_t width = 0, height = 0, depth = 1;

  bool three_dimensional() const noexcept { return depth != 1; }
  std::uint64_t cells() const noexcept { return width * height * depth; }
  /// Interior cells: all except the outermost in each direction.
  std::uint64_t interior() const noexcept { return (width - 2) * (height - 2) * (three_dimensional() ? depth - 2 : 1); }
  /// Returns "4000x3000" or "256x256x256".
  GENOCL_EXPORT std::string text() const;
  /// Throws InputError for fewer than 3 cells in a direction (except depth 1), and if the number of cells overflows.
  GENOCL_EXPORT void check() const;

  friend bool operator==(const Shape&, const Shape&) = default;
};

/// Values of the outermost cells. Front (z = 0) and back include their edges, then top (y = 0) and bottom: in two
/// dimensions the top and bottom rows include the corners. Left is x = 0.
template <class T>
struct Boundary {
  T top = 0, bottom = 0, left = 0, right = 0, front = 0, back = 0;
};

/// Cell (x, y, z) is cells()[(z * height + y) * width + x]. T is float or double. Concurrent reads are safe.
template <class T>
class Grid {
 public:
  /// Allocates the cells and fills them with `value`. Throws as Shape::check(), and CapacityError if the host has too
  /// little memory.
  explicit Grid(const Shape& shape, T value = 0) : shape_(shape) {
    check_memory(shape);
    own_.assign(std::size_t{shape.cells()}, value);
    cells_ = own_;
  }
  Grid(std::uint64_t width, std::uint64_t height, T value = 0) : Grid(Shape{width, height, 1}, value) {}
  /// A view of the caller's memory, which must outlive the grid. Throws InputError unless cells.size() is
  /// shape.cells().
  Grid(std::span<T> cells, const Shape& shape) : shape_(shape), cells_(cells) { check_size(shape, cells.size()); }

  /// A moved-from grid has no cells and the shape 0x0.
  Grid(Grid&& other) noexcept { swap(other); }
  Grid& operator=(Grid&& other) noexcept {
    Grid(std::move(other)).swap(*this);
    return *this;
  }

  const Shape& shape() const noexcept { return shape_; }
  std::span<T> cells() noexcept { return cells_; }
  std::span<const T> cells() const noexcept { return {cells_.data(), cells_.size()}; }
  T& operator()(std::uint64_t x, std::uint64_t y, std::uint64_t z = 0) noexcept { return cells_[index(x, y, z)]; }
  const T& operator()(std::uint64_t x, std::uint64_t y, std::uint64_t z = 0) const noexcept {
    return cells_[index(x, y, z)];
  }

  /// Sets the outermost cells, and all others to `interior`. O(cells). Throws InputError for a value that is infinite
  /// or not a number.
  GENOCL_EXPORT void fill(const Boundary<T>& boundary, T interior);

 private:
  // Swapping vectors does not move their elements.
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
