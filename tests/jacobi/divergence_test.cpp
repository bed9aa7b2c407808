// Iterations that diverge: a run says so where it finds it, with every kernel, in partitions, in bands and bit by bit.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/relaxation.hpp"
#include "jacobi/solver_cases.hpp"
#include "jacobi/sweep.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

constexpr std::uint32_t seed = 60611;

/// An explicit step of the heat equation with dt / h^2 = `r`, which is stable up to 1/4.
Equation heat(double r) {
  return {.weights = Weights{.centre = 1 - 4 * r, .top = r, .bottom = r, .left = r, .right = r}};
}

void check_diverged(const Report& report, std::uint64_t iterations) {
  CHECK(report.diverged);
  CHECK_FALSE(report.converged);
  REQUIRE(report.change);
  CHECK_FALSE(std::isfinite(report.change->max));
  CHECK_FALSE(std::isfinite(report.change->l2));
  CHECK(report.iterations == iterations);
}

}  // namespace

TEST_CASE("jacobi diverging: every kernel, with and without a tolerance") {
  const std::vector<Device> devices = some_devices(1);
  const Shape shape{64, 64, 1};
  for (const Kernel kernel :
       {Kernel::naive, Kernel::local, Kernel::blocked, Kernel::strip, Kernel::stream, Kernel::rolling})
    for (const bool has_double : {true, false}) {
      if (!has_double && kernel != Kernel::naive) continue;  // the measured iteration is one kernel for all
      CAPTURE(to_string(kernel));
      CAPTURE(has_double);
      Hooks hooks;
      hooks.has_double = has_double;
      Grid<float> grid(shape);
      grid.fill({.top = 100}, 0);
      SolveOptions options{.iterations = 3000, .tolerance = 1e-6, .kernel = kernel};
      options.equation = heat(0.3);
      const Report ended = solve_with<float>(devices, grid, options, hooks);
      check_diverged(ended, ended.iterations);
      CHECK(ended.iterations % 100 == 0);
      CHECK(ended.iterations < 1000);  // the fastest mode grows by 1.4 in each iteration
      grid.fill({.top = 100}, 0);
      options.tolerance = 0;
      options.iterations = 400;
      check_diverged(solve_with<float>(devices, grid, options, hooks), 400);
      // A run that is stable is none.
      grid.fill({.top = 100}, 0);
      options.equation = heat(0.25);
      options.tolerance = 1e-2;
      const Report fine = solve_with<float>(devices, grid, options, hooks);
      CHECK_FALSE(fine.diverged);
      CHECK(std::isfinite(fine.change->max));
    }
}

TEST_CASE("jacobi diverging: a single cell, in one device's part of several and in bands") {
  const std::vector<Device> devices = some_devices(2);
  const Shape shape{40, 50, 1};
  std::vector<float> source(shape.cells(), 0);
  for (const bool bands : {false, true})
    for (const std::uint64_t row : {3, 25, 46}) {
      CAPTURE(bands);
      CAPTURE(row);
      source.assign(shape.cells(), 0);
      source[row * shape.width + 17] = 3e38F;  // infinite after the second iteration, alone
      SolveOptions options{.iterations = 2, .tolerance = 1e-6, .check_every = 2};
      if (!bands) options.balance = Balance::fixed;
      options.equation.weights = Weights{.centre = 1};
      options.equation.source = std::span<const float>(source);
      Hooks hooks;
      if (bands) hooks.memory = 30 * Layout(shape).slice() * 12;
      Grid<float> grid = random_grid<float>(shape, seed);
      const std::span<const Device> some = std::span(devices).first(bands ? 1 : 2);
      check_diverged(solve_with<float>(some, grid, options, hooks), 2);
      CHECK(std::isinf(grid(17, row)));
      CHECK(std::isfinite(grid(18, row)));
    }
}

TEST_CASE("jacobi diverging: until() ends, and another grid is relaxed as before") {
  const Shape shape{32, 20, 1};
  Grid<double> grid(shape);
  grid.fill({.left = 1}, 0);
  const std::vector<Device> devices = some_devices(1);
  if (!have<double>(devices)) return;
  SolveOptions options;
  options.equation = heat(3);  // doubles have a long way to go: larger steps
  Relaxation<double> relaxation(devices, shape, options);
  relaxation.load(grid);
  CHECK_FALSE(relaxation.diverged());
  CHECK_FALSE(relaxation.until(1e-6, 3000));
  CHECK(relaxation.diverged());
  CHECK(relaxation.iterations() < 3000);
  check_diverged(relaxation.report(), relaxation.iterations());
  relaxation.load(grid);
  CHECK_FALSE(relaxation.diverged());
  relaxation.advance(1);
  CHECK_FALSE(relaxation.diverged());
}

// The header's rule for the damped weight of the centre, with numbers for which rounding twice gives another double.
TEST_CASE("jacobi damping: the centre's weight is rounded once") {
  const std::vector<Device> devices = some_devices(1);
  if (!have<double>(devices)) return;
  const volatile double damping = 0.8, rest = 1 - damping;
  std::size_t differ = 0;
  for (int i = 0; i < 100; ++i) {
    const double weight = -0.222582 - 0.001 * i;
    const volatile double product = damping * weight;
    differ += std::fma(damping, weight, rest) != product + rest;
    Grid<double> grid(3, 3);
    grid(1, 1) = 1;
    SolveOptions options{.iterations = 1};
    options.equation = {.weights = Weights{.centre = weight}, .damping = damping};
    solve<double>(devices[0], grid, options);
    CHECK(grid(1, 1) == std::fma(damping, weight, rest));
  }
  CHECK(differ > 0);
}

TEST_CASE("jacobi diverging: what a change says") {
  const double none = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();
  CHECK_FALSE(diverges(change_of(1e300, std::vector<double>{infinite})));  // the square alone is too large
  CHECK(diverges(change_of(infinite, std::vector<double>{infinite})));
  CHECK(diverges(change_of(0, std::vector<double>{1, -none, 2})));
  CHECK_FALSE(diverges(change_of(0, std::vector<double>{})));
}
