#include "jacobi/equation/check.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {
namespace {

/// The first that is not good; cells.size() when all are.
template <class T, class Good>
std::size_t first_bad(std::span<const T> cells, const Good& good) {
  const std::size_t threads = runtime::threads_for(cells.size(), std::size_t{1} << 20);
  std::vector<std::size_t> bad(threads, cells.size());
  runtime::parallel_for(threads, threads, [&](std::size_t share) {
    const std::size_t begin = cells.size() / threads * share;
    const std::size_t end = share + 1 == threads ? cells.size() : begin + cells.size() / threads;
    const auto found = std::find_if_not(cells.begin() + static_cast<std::ptrdiff_t>(begin),
                                        cells.begin() + static_cast<std::ptrdiff_t>(end), good);
    const auto place = static_cast<std::size_t>(found - cells.begin());
    if (place != end) bad[share] = place;
  });
  return *std::min_element(bad.begin(), bad.end());
}

template <class T, class Good>
void check_cells(const char* what, const char* expected, std::span<const T> cells, const Layout& layout,
                 std::uint64_t first, const Good& good) {
  const std::size_t bad = first_bad<T>(cells, good);
  if (bad == cells.size()) return;
  const Shape& shape = layout.shape;
  const std::uint64_t slice = shape.width * layout.rows_per_slice;
  const std::uint64_t place = layout.in_grid(first + bad / slice) * slice + bad % slice;
  throw InputError(std::string(what) + " of cell " + std::to_string(place % shape.width) + "," +
                   std::to_string(place / shape.width % shape.height) +
                   (shape.three_dimensional() ? "," + std::to_string(place / shape.width / shape.height) : "") +
                   " is " + std::to_string(cells[bad]) + "; expected " + expected);
}

template <class T>
void check_size(const char* what, const CellValues& values, const Shape& shape) {
  const std::size_t size = std::visit([](const auto& cells) { return cells.size(); }, values);
  if (size == 0) return;
  if (!std::holds_alternative<std::span<const T>>(values))
    throw InputError(std::string(what) + " in " + (sizeof(T) == sizeof(float) ? "double" : "float") +
                     " for a grid in " + (sizeof(T) == sizeof(float) ? "float" : "double") +
                     "; expected the grid's type");
  if (size != shape.cells())
    throw InputError(std::string(what) + " of " + std::to_string(size) + " cells for a grid of " + shape.text());
}

template <class T>
void check_weights(const Weights& weights, const Shape& shape) {
  for (const double weight :
       {weights.centre, weights.top, weights.bottom, weights.left, weights.right, weights.front, weights.back})
    if (!std::isfinite(static_cast<T>(weight)))
      throw InputError("a weight of " + std::to_string(weight) + " in the equation; expected a finite number");
  if (!shape.three_dimensional() && (weights.front != 0 || weights.back != 0))
    throw InputError("weights of front and back neighbours; expected a grid of three dimensions");
}

void check_boundaries(const Boundaries& boundaries, const Shape& shape) {
  for (const BoundaryKind kind :
       {boundaries.left, boundaries.right, boundaries.top, boundaries.bottom, boundaries.front, boundaries.back})
    if (kind > BoundaryKind::zero_flux)
      throw InputError("boundary number " + std::to_string(static_cast<int>(kind)) + " does not exist");
  if (!shape.three_dimensional() && (boundaries.front != BoundaryKind::fixed || boundaries.back != BoundaryKind::fixed))
    throw InputError("boundaries of front and back; expected a grid of three dimensions");
  const auto check_pair = [](BoundaryKind one, BoundaryKind other, const char* names) {
    if ((one == BoundaryKind::periodic) != (other == BoundaryKind::periodic))
      throw InputError("a periodic boundary on one side alone; expected it on both, " + std::string(names));
  };
  check_pair(boundaries.left, boundaries.right, "left and right");
  check_pair(boundaries.top, boundaries.bottom, "top and bottom");
  check_pair(boundaries.front, boundaries.back, "front and back");
}

}  // namespace

template <class T>
void check_source(std::span<const T> cells, const Layout& layout, std::uint64_t first) {
  check_cells("source", "a finite number", cells, layout, first, [](T cell) { return std::isfinite(cell); });
}

template <class T>
void check_coefficients(std::span<const T> cells, const Layout& layout, std::uint64_t first) {
  check_cells("coefficient", "a finite number above 0", cells, layout, first,
              [](T cell) { return cell > 0 && std::isfinite(cell); });
}

template <class T>
void check_equation(const Equation& equation, const Shape& shape) {
  if (!(equation.damping > 0) || !(equation.damping < 2))
    throw InputError("a damping of " + std::to_string(equation.damping) + "; expected a number between 0 and 2");
  check_boundaries(equation.boundaries, shape);
  check_size<T>("source", equation.source, shape);
  check_size<T>("coefficients", equation.coefficients, shape);
  const std::span<const T> source = values_in<T>(equation.source), k = values_in<T>(equation.coefficients);
  if (equation.weights) {
    if (!k.empty()) throw InputError("both weights and coefficients in the equation; expected one of them");
    check_weights<T>(*equation.weights, shape);
  }
  const Layout layout(shape);
  check_source<T>(source, layout, 0);
  check_coefficients<T>(k, layout, 0);
}

#define GENOCL_INSTANTIATE(T)                                                   \
  template void check_equation<T>(const Equation&, const Shape&);               \
  template void check_source(std::span<const T>, const Layout&, std::uint64_t); \
  template void check_coefficients(std::span<const T>, const Layout&, std::uint64_t);
GENOCL_INSTANTIATE(float)
GENOCL_INSTANTIATE(double)
#undef GENOCL_INSTANTIATE

}  // namespace genocl::jacobi
