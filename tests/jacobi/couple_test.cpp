#include "genocl/jacobi/couple.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/relaxation.hpp"
#include "jacobi/solver_cases.hpp"
#include "reference/jacobi_equation.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

/// Slices [begin, end) of a grid as a grid.
template <class T>
Grid<T> part_of(const Grid<T>& whole, std::uint64_t begin, std::uint64_t end) {
  Shape shape = whole.shape();
  (shape.three_dimensional() ? shape.depth : shape.height) = end - begin;
  Grid<T> part(shape);
  const std::uint64_t slice = shape.cells() / (end - begin);
  std::copy_n(whole.cells().begin() + static_cast<std::ptrdiff_t>(begin * slice), shape.cells(), part.cells().begin());
  return part;
}

template <class T>
std::uint64_t slices_in(const Grid<T>& grid) {
  return grid.shape().three_dimensional() ? grid.shape().depth : grid.shape().height;
}

template <class T>
void reverse_slices(Grid<T>& grid) {
  const std::uint64_t slices = slices_in(grid), slice = grid.shape().cells() / slices;
  const auto at = [&](std::uint64_t i) { return grid.cells().begin() + static_cast<std::ptrdiff_t>(i * slice); };
  for (std::uint64_t low = 0, high = slices - 1; low < high; ++low, --high)
    std::swap_ranges(at(low), at(low + 1), at(high));
}

/// One iteration of the combined grid: slices from `border` on by the second equation.
template <class T>
void relax_combined(Grid<T>& whole, const Equation& first, const Equation& second, std::uint64_t border) {
  std::vector<T> by_first(whole.cells().size()), by_second(by_first);
  const std::span<const T> old = whole.cells();
  genocl_reference::relax_once<T>(whole.shape(), first, old, by_first, {});
  genocl_reference::relax_once<T>(whole.shape(), second, old, by_second, {});
  const std::size_t at = border * (whole.cells().size() / slices_in(whole));
  std::copy_n(by_second.begin() + static_cast<std::ptrdiff_t>(at), by_second.size() - at,
              by_first.begin() + static_cast<std::ptrdiff_t>(at));
  std::copy(by_first.begin(), by_first.end(), whole.cells().begin());
}

template <class T>
std::vector<T> random_values(std::uint64_t count, std::uint32_t seed, double low, double high) {
  Random random(seed);
  std::vector<T> values(count);
  for (T& value : values) value = static_cast<T>(random.between(low, high));
  return values;
}

/// Values of slices [begin, end) of a field of the whole grid.
template <class T>
std::span<const T> field_of(const std::vector<T>& field, const Grid<T>& whole, std::uint64_t begin, std::uint64_t end) {
  const std::uint64_t slice = field.size() / slices_in(whole);
  return std::span<const T>(field).subspan(begin * slice, (end - begin) * slice);
}

/// Cuts a random grid at `border` into two coupled ones and compares every bit with the combined oracle.
template <class T>
void check_coupled(const Shape& shape, std::uint64_t border, unsigned depth, std::uint64_t iterations,
                   const Equation& first, const Equation& second, const Equation& of_a, const Equation& of_b,
                   std::size_t devices_of_a, bool both_bottom = false) {
  CAPTURE(shape.text());
  CAPTURE(border);
  CAPTURE(depth);
  CAPTURE(devices_of_a);
  CAPTURE(both_bottom);
  const std::vector<Device> devices = some_devices(devices_of_a + 1);
  if (!have<T>(devices)) return;
  Grid<T> whole = random_grid<T>(shape, 31);
  const std::uint64_t slices = slices_in(whole);
  Grid<T> a = part_of(whole, 0, border + depth), b = part_of(whole, border - depth, slices);
  if (both_bottom) reverse_slices(b);
  SolveOptions options;
  options.balance = Balance::fixed;
  options.equation = of_a;
  Relaxation<T> relaxation_a(std::span<const Device>(devices).first(devices_of_a), a.shape(), options);
  options.equation = of_b;
  Relaxation<T> relaxation_b(std::span<const Device>(devices).last(1), b.shape(), options);
  relaxation_a.load(a);
  relaxation_b.load(b);
  const bool is_3d = shape.three_dimensional();
  const Side last = is_3d ? Side::back : Side::bottom, start = is_3d ? Side::front : Side::top;
  Coupling<T> coupling = couple(relaxation_a, last, relaxation_b, both_bottom ? last : start, depth);
  coupling.advance(iterations / 2);
  coupling.advance(iterations - iterations / 2);
  CHECK(relaxation_a.iterations() == iterations);
  REQUIRE(relaxation_a.change());
  CHECK(coupling.exchanges() >= iterations / depth);
  relaxation_a.store(a);
  relaxation_b.store(b);
  if (both_bottom) reverse_slices(b);
  for (std::uint64_t i = 0; i < iterations; ++i) relax_combined(whole, first, second, border);
  // Owned cells, and after the last exchange the halos.
  CHECK(copy_of(a) == copy_of(part_of(whole, 0, border + depth)));
  CHECK(copy_of(b) == copy_of(part_of(whole, border - depth, slices)));
}

template <class T>
void check_different_equations() {
  const Weights anisotropic{.centre = 0.1, .top = 0.3, .bottom = 0.2, .left = 0.15, .right = 0.25};
  Random random(genocl_test::test_seed());
  for (const Shape& shape : {Shape{37, 41, 1}, Shape{130, 29, 1}})
    for (const std::uint64_t border : random.some_of<std::uint64_t>({5, 13, 20}))
      for (const std::size_t devices : {1, 2}) {
        const Equation mean{}, weighted{.weights = anisotropic};
        check_coupled<T>(shape, border, 1, 23, mean, weighted, mean, weighted, devices);
        check_coupled<T>(shape, border, 1, 8, weighted, Equation{.damping = 0.8}, weighted, Equation{.damping = 0.8},
                         devices);
      }
  const Equation mean{}, damped{.damping = 0.5};
  check_coupled<T>({11, 9, 17}, 6, 1, 9, mean, damped, mean, damped, 2);
}

}  // namespace

// Not "tiny:": the two relaxations run in two threads, in which Oclgrind 21.10 crashes or computes nonsense.
TEST_CASE("jacobi couple: different equations have the bits of one combined relaxation") {
  GENOCL_SHOW_SEED();
  check_different_equations<float>();
  check_different_equations<double>();
}

TEST_CASE("jacobi couple: a deep halo of two materials has the bits of one relaxation") {
  const Shape shape{45, 60, 1};
  const auto conductivities = random_values<double>(shape.cells(), 5, 0.5, 4);
  const auto sources = random_values<double>(shape.cells(), 6, -1, 1);
  const Grid<double> whole(shape);
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed());
  for (const unsigned depth : random.some_of<unsigned>({1, 3, 8}, 2))
    for (const std::uint64_t border : random.some_of<std::uint64_t>({25, 40})) {
      const auto with = [&](std::uint64_t begin, std::uint64_t end) {
        return Equation{.source = field_of(sources, whole, begin, end),
                        .coefficients = field_of(conductivities, whole, begin, end)};
      };
      check_coupled<double>(shape, border, depth, 29, with(0, 60), with(0, 60), with(0, border + depth),
                            with(border - depth, 60), 1);
      check_coupled<double>(shape, border, depth, 30, with(0, 60), with(0, 60), with(0, border + depth),
                            with(border - depth, 60), 2);
    }
}

TEST_CASE("jacobi couple: two bottom sides") {
  // The mean is not symmetric in the order of its sum; with equal weights above and below the order is that of the
  // formula, so the rounding of a reversed grid differs. Whole numbers leave no rounding.
  const Shape shape{21, 24, 1};
  const Weights sums{.top = 1, .bottom = 1, .left = -1, .right = 1};
  const Equation equation{.weights = sums};
  Grid<double> whole(shape);
  Random random(8);
  for (double& cell : whole.cells()) cell = static_cast<double>(random() % 8);
  for (const unsigned depth : {1U, 2U, 3U}) {
    constexpr std::uint64_t border = 11;
    Grid<double> a = part_of(whole, 0, border + depth), b = part_of(whole, border - depth, 24);
    reverse_slices(b);
    const Device device = Device::pick();
    Relaxation<double> first(device, a.shape(), {.equation = equation}),
        second(device, b.shape(), {.equation = equation});
    first.load(a);
    second.load(b);
    couple(first, Side::bottom, second, Side::bottom, depth).advance(12, false);
    CHECK_FALSE(first.change());
    first.store(a);
    second.store(b);
    reverse_slices(b);
    Grid<double> expected = part_of(whole, 0, 24);
    for (int i = 0; i < 12; ++i) relax_combined(expected, equation, equation, border);
    CHECK(copy_of(a) == copy_of(part_of(expected, 0, border + depth)));
    CHECK(copy_of(b) == copy_of(part_of(expected, border - depth, 24)));
  }
}

TEST_CASE("jacobi couple: errors") {
  const Device device = Device::pick();
  Relaxation<double> a(device, {20, 10, 1}), b(device, {20, 12, 1}), wide(device, {21, 12, 1}),
      solid(device, {20, 9, 8});
  SolveOptions open;
  open.equation.boundaries.top = BoundaryKind::zero_flux;
  Relaxation<double> flux(device, {20, 10, 1}, open);
  CHECK_THROWS_WITH_AS(couple(a, Side::left, b, Side::top),
                       "a coupling at the left side of a grid of 20x10; expected top or bottom", InputError);
  CHECK_THROWS_WITH_AS(couple(solid, Side::top, solid, Side::back), "a relaxation coupled with itself", InputError);
  CHECK_THROWS_AS(couple(solid, Side::top, a, Side::top), InputError);
  CHECK_THROWS_WITH_AS(couple(a, Side::bottom, wide, Side::top),
                       "coupled grids of 20x10 and 21x12; expected the same cells at their common side", InputError);
  CHECK_THROWS_AS(couple(a, Side::bottom, solid, Side::front), InputError);
  CHECK_THROWS_WITH_AS(couple(a, Side::bottom, flux, Side::top),
                       "a coupling at the top side, whose boundary is not fixed", InputError);
  CHECK_THROWS_WITH_AS(couple(a, Side::bottom, b, Side::top, 5),
                       "a coupled grid of 20x10 and a halo of 5 slices; expected more than 10 slices", InputError);
  CHECK_THROWS_AS(couple(a, Side::bottom, b, Side::top, 0), InputError);

  Coupling<double> coupling = couple(a, Side::bottom, b, Side::top);
  CHECK_THROWS_AS(coupling.advance(1), InputError);  // no grid
  a.load(Grid<double>(20, 10));
  b.load(Grid<double>(20, 12));
  a.advance(3);
  CHECK_THROWS_WITH_AS(coupling.advance(1), "coupled relaxations at iterations 3 and 0; expected the same", InputError);
  // Usable after the error.
  a.load(Grid<double>(20, 10, 1.0));
  coupling.advance(2);
  Grid<double> result(20, 12);
  b.store(result);
  CHECK(result(7, 0) == doctest::Approx(0.72));  // the row that a owns
  CHECK(result(7, 1) == doctest::Approx(0.28));
  Coupling<double> moved = std::move(coupling);
  moved.advance(1);
  CHECK(a.iterations() == 3);
}
