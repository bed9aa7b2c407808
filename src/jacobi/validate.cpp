#include "jacobi/validate.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "genocl/error.hpp"
#include "runtime/parallel.hpp"

namespace genocl::jacobi {

namespace {

template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;

template <class T>
bool is_finite(T cell) {
  constexpr auto exponent = std::bit_cast<BitsOf<T>>(std::numeric_limits<T>::infinity());
  return (std::bit_cast<BitsOf<T>>(cell) & exponent) != exponent;
}

/// The index of the first invalid cell; cells.size() if all are valid.
template <class T, class Valid>
std::size_t first_invalid(std::span<const T> cells, const Valid& valid) {
  constexpr std::size_t block = 4096;
  const std::size_t threads = runtime::threads_for(cells.size(), std::size_t{1} << 20);
  std::vector<std::size_t> invalid(threads, cells.size());
  runtime::parallel_for(threads, threads, [&](std::size_t thread) {
    const std::size_t end = thread + 1 == threads ? cells.size() : cells.size() / threads * (thread + 1);
    for (std::size_t first = cells.size() / threads * thread; first < end; first += block) {
      const std::span<const T> some = cells.subspan(first, std::min(block, end - first));
      BitsOf<T> any = 0;  // without a branch for each cell
      for (const T cell : some) any |= static_cast<BitsOf<T>>(!valid(cell));
      if (any == 0) continue;
      invalid[thread] =
          first + static_cast<std::size_t>(std::find_if_not(some.begin(), some.end(), valid) - some.begin());
      return;
    }
  });
  return *std::min_element(invalid.begin(), invalid.end());
}

/// "3,4" or "3,4,5": the coordinates of a cell.
std::string coordinates(std::uint64_t cell, const Shape& shape) {
  return std::to_string(cell % shape.width) + "," + std::to_string(cell / shape.width % shape.height) +
         (shape.three_dimensional() ? "," + std::to_string(cell / shape.width / shape.height) : "");
}

template <class T, class Valid>
void check_cells(const char* what, const char* expected, std::span<const T> cells, const Layout& layout,
                 std::uint64_t first, const Valid& valid) {
  const std::size_t found = first_invalid<T>(cells, valid);
  if (found == cells.size()) return;
  const std::uint64_t slice = layout.shape.width * layout.rows_per_slice;
  const std::uint64_t cell = layout.in_grid(first + found / slice) * slice + found % slice;
  throw InputError(std::string(what) + "cell " + coordinates(cell, layout.shape) + " is " +
                   std::to_string(cells[found]) + "; expected " + expected);
}

void check_shape(const Shape& shape, const SolveOptions& options) {
  shape.check();
  // Kernels count the cells of a row, the rows and the slices in 32 bits.
  constexpr std::uint64_t max_cells = (std::uint64_t{1} << 30) - 1;
  if (shape.width > max_cells || shape.height > max_cells || shape.depth > max_cells)
    throw InputError("a grid of " + shape.text() + " cells; at most " + std::to_string(max_cells) +
                     " in each direction");
  if (!options.fixed_cells.empty() && options.fixed_cells.size() != shape.cells())
    throw InputError("fixed_cells of " + std::to_string(options.fixed_cells.size()) + " cells for a grid of " +
                     shape.text());
}

void check_partition_options(std::size_t devices, const Shape& shape, const SolveOptions& options) {
  const std::uint64_t slices = Layout(shape).slices;
  if (!options.cuts.empty()) {
    if (options.balance != Balance::fixed)
      throw InputError("cuts are for the fixed balance, not for the automatic one");
    if (!options.weights.empty()) throw InputError("both cuts and weights; expected one of them");
    if (options.cuts.size() != devices - 1)
      throw InputError(std::to_string(options.cuts.size()) + " cuts for " + std::to_string(devices) +
                       " devices; expected " + std::to_string(devices - 1));
    std::uint64_t before = 0;
    for (const std::uint64_t cut : options.cuts) {
      if (cut <= before || cut >= slices)
        throw InputError("a cut at " + std::to_string(cut) + "; expected cuts that rise, from 1 to " +
                         std::to_string(slices - 1));
      before = cut;
    }
  }
  if (!options.weights.empty()) {
    if (options.balance != Balance::fixed)
      throw InputError("weights are for the fixed balance, not for the automatic one");
    if (options.weights.size() != devices)
      throw InputError(std::to_string(options.weights.size()) + " weights for " + std::to_string(devices) + " devices");
    double sum = 0;
    for (const double weight : options.weights) {
      if (!(weight > 0) || !std::isfinite(weight))
        throw InputError("a weight of " + std::to_string(weight) + "; expected a finite number above zero");
      sum += weight;
    }
    if (!std::isfinite(sum)) throw InputError("weights whose sum is infinite");
  }
  if (options.balance == Balance::fixed && slices < devices)
    throw InputError("a grid of " + std::to_string(slices) + " slices for " + std::to_string(devices) + " devices");
}

}  // namespace

void check_precision(const DeviceInfo& device, std::size_t element) {
  if (element == sizeof(double) && !device.fp64)
    throw InputError(
        "double on " + device.name +
        ", which has single precision only; expected another device (--device) or float (--precision float)");
}

void check_halo_depth(std::span<const SliceRange> sizes, unsigned halo_depth) {
  if (sizes.size() < 2) return;
  for (const SliceRange& range : sizes)
    if (range.size() < halo_depth)
      throw InputError("slices " + std::to_string(range.begin) + " to " + std::to_string(range.end - 1) +
                       " for one device, and a halo of " + std::to_string(halo_depth) +
                       "; expected at least as many slices");
}

void check_options(std::size_t devices, const Shape& shape, const SolveOptions& options) {
  constexpr unsigned max_halo_depth = 4096;
  if (devices == 0) throw InputError("no device given");
  if (!std::isfinite(options.tolerance) || options.tolerance < 0)
    throw InputError("a tolerance of " + std::to_string(options.tolerance) +
                     "; expected zero or a finite number above");
  if (options.check_every == 0) throw InputError("a check every 0 iterations; expected at least 1");
  if (options.halo_depth > max_halo_depth)
    throw InputError("a halo of " + std::to_string(options.halo_depth) + " slices; expected at most " +
                     std::to_string(max_halo_depth));
  for (const Kernel kernel : {options.kernel, options.kernels.cpu, options.kernels.gpu, options.kernels.accelerator})
    if (kernel < Kernel::automatic || kernel > Kernel::rolling)
      throw InputError("kernel number " + std::to_string(static_cast<int>(kernel)) + " does not exist");
  if (options.tile != LocalTile{} && (options.tile.columns < 3 || options.tile.rows < 3))
    throw InputError("a tile of " + std::to_string(options.tile.columns) + "x" + std::to_string(options.tile.rows) +
                     "; expected at least 3x3");
  if (options.tile != LocalTile{} && shape.three_dimensional())
    throw InputError("a tile of two dimensions for a grid of " + shape.text());
  if (options.balance != Balance::automatic && options.balance != Balance::fixed)
    throw InputError("balance number " + std::to_string(static_cast<int>(options.balance)) + " does not exist");
  check_partition_options(devices, shape, options);
  check_shape(shape, options);
}

template <class T>
void check_finite(std::span<const T> cells, const Shape& shape, std::uint64_t first_slice) {
  check_cells("", "a finite number", cells, Layout(shape), first_slice, is_finite<T>);
}

template <class T>
void check_solve(Devices devices, const Grid<T>& grid, const SolveOptions& options) {
  for (const Device& device : devices) check_precision(device.info(), sizeof(T));
  check_options(devices.size(), grid.shape(), options);
  check_equation<T>(options.equation, grid.shape());
  if (grid.cells().size() != grid.shape().cells()) throw InputError("a grid that was moved from");
  check_finite<T>(grid.cells(), grid.shape());
}

template void check_solve(Devices, const Grid<float>&, const SolveOptions&);
template void check_solve(Devices, const Grid<double>&, const SolveOptions&);
template void check_finite(std::span<const float>, const Shape&, std::uint64_t);
template void check_finite(std::span<const double>, const Shape&, std::uint64_t);

namespace {

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
  check_cells("source of ", "a finite number", cells, layout, first, is_finite<T>);
}

template <class T>
void check_coefficients(std::span<const T> cells, const Layout& layout, std::uint64_t first) {
  check_cells("coefficient of ", "a finite number above 0", cells, layout, first,
              [](T cell) { return cell > 0 && is_finite(cell); });
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
