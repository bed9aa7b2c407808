#include "genocl/jacobi/grid.hpp"

#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "runtime/host_memory.hpp"

namespace genocl::jacobi {

std::string Shape::text() const {
  std::string text = std::to_string(width) + "x" + std::to_string(height);
  if (three_dimensional()) text += "x" + std::to_string(depth);
  return text;
}

void Shape::check() const {
  if (width < 3 || height < 3 || depth < 1 || depth == 2)
    throw InputError("a grid of " + text() + " cells; expected at least 3 in each direction");
  constexpr std::uint64_t max_cells = std::numeric_limits<std::int64_t>::max() / 64;
  if (width > max_cells / height || width * height > max_cells / depth)
    throw InputError("a grid of " + text() + " cells: more than can be counted");
}

template <class T>
void Grid<T>::check_memory(const Shape& shape) {
  shape.check();
  constexpr std::uint64_t large = std::uint64_t{64} << 20;  // smaller grids are not checked
  const std::uint64_t bytes = shape.cells() * sizeof(T);
  if (bytes >= large) runtime::check_host_memory("a grid of " + shape.text() + " cells", bytes);
}

template <class T>
void Grid<T>::check_size(const Shape& shape, std::size_t cells) {
  shape.check();
  if (cells != shape.cells())
    throw InputError("memory of " + std::to_string(cells) + " cells for a grid of " + shape.text());
}

template <class T>
void Grid<T>::fill(const Boundary<T>& boundary, T interior) {
  for (const T value :
       {boundary.top, boundary.bottom, boundary.left, boundary.right, boundary.front, boundary.back, interior})
    if (!std::isfinite(value))
      throw InputError("a boundary value of " + std::to_string(value) + "; expected a finite number");
  const Shape& s = shape_;
  for (std::uint64_t z = 0; z < s.depth; ++z)
    for (std::uint64_t y = 0; y < s.height; ++y)
      for (std::uint64_t x = 0; x < s.width; ++x)
        (*this)(x, y, z) = s.three_dimensional() && z == 0             ? boundary.front
                           : s.three_dimensional() && z == s.depth - 1 ? boundary.back
                           : y == 0                                    ? boundary.top
                           : y == s.height - 1                         ? boundary.bottom
                           : x == 0                                    ? boundary.left
                           : x == s.width - 1                          ? boundary.right
                                                                       : interior;
}

template class Grid<float>;
template class Grid<double>;

}  // namespace genocl::jacobi
