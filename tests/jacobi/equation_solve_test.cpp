// Whole runs by an equation: splits, devices, bands, and problems whose solution is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/equation_cases.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/solver_cases.hpp"
#include "reference/jacobi_equation.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

constexpr auto fixed = BoundaryKind::fixed;
constexpr auto around = BoundaryKind::periodic;
constexpr auto no_flux = BoundaryKind::zero_flux;

struct Run {
  Shape shape;
  Parts parts;
  bool masked = false;
  Kernel kernel = Kernel::automatic;
  std::uint64_t iterations = 21;
  unsigned halo_depth = 0;
  std::vector<std::uint64_t> cuts;
};

/// On that many devices, whose shares begin at the cuts; every bit is the oracle's.
template <class T>
void check(std::span<const Device> devices, const Run& run, Random& random, const Hooks& hooks = {}) {
  if (!have<T>(devices)) return;
  CAPTURE(run.shape.text());
  CAPTURE(run.parts.text());
  CAPTURE(run.masked);
  CAPTURE(to_string(run.kernel));
  CAPTURE(run.halo_depth);
  CAPTURE(devices.size());
  CAPTURE(sizeof(T));
  const DrawnEquation<T> drawn(run.shape, run.parts, random);
  const Grid<T> given = random_grid<T>(run.shape, static_cast<std::uint32_t>(random()));
  std::vector<std::uint8_t> mask;
  if (run.masked) mask = random_mask(run.shape, static_cast<std::uint32_t>(random()));
  const std::span<const T> cells(given.cells());
  const std::vector<T> before = genocl_reference::relax<T>(run.shape, drawn.equation, cells, run.iterations - 1, mask);
  const std::vector<T> wanted = genocl_reference::relax<T>(run.shape, drawn.equation, before, 1, mask);
  double max = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) max = std::max(max, std::abs(double{wanted[i] - before[i]}));
  Grid<T> grid(run.shape);
  std::copy(cells.begin(), cells.end(), grid.cells().begin());
  SolveOptions options{.iterations = run.iterations,
                       .kernel = run.kernel,
                       .halo_depth = run.halo_depth,
                       .balance = devices.size() > 1 ? Balance::fixed : Balance::automatic,
                       .cuts = run.cuts,
                       .fixed_cells = mask,
                       .equation = drawn.equation};
  for (const bool overlap : {true, false}) {
    if (devices.size() == 1 && !overlap) continue;
    CAPTURE(overlap);
    options.overlap = overlap;
    std::copy(cells.begin(), cells.end(), grid.cells().begin());
    const Report report = solve_with<T>(devices, grid, options, hooks);
    CHECK(genocl_reference::hash_of<T>(grid.cells()) == genocl_reference::hash_of<T>(wanted));
    REQUIRE(report.change);
    CHECK(report.change->max == max);
  }
}

template <class T>
Equation equation_of(const std::optional<Weights>& weights, const std::vector<T>& source, const Boundaries& sides) {
  Equation equation;
  equation.weights = weights;
  equation.source = source;
  equation.boundaries = sides;
  return equation;
}

constexpr Weights quarter{.top = 0.25, .bottom = 0.25, .left = 0.25, .right = 0.25};
constexpr Weights fifth{0.2, 0.2, 0.2, 0.2, 0.2};

}  // namespace

TEST_CASE("jacobi equation: the same bits on every split") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 80);
  const std::vector<Device> devices = some_devices(3);
  const std::span<const Device> all(devices);
  bool masked = false;
  for (const Parts& parts : random.some_of(every_part(), 10)) {
    masked = !masked;
    check<double>(all.first(1), {{90, 61, 1}, parts, masked}, random);
    check<double>(all.first(2), {{90, 61, 1}, parts, !masked, Kernel::naive, 21, 4, {17}}, random);
    check<float>(all, {{70, 61, 1}, parts, masked, Kernel::automatic, 21, 3, {20, 40}}, random);
    check<float>(all.first(1), {{20, 13, 23}, parts, !masked, Kernel::automatic, 9}, random);
    check<float>(all, {{20, 13, 23}, parts, masked, Kernel::naive, 9, 2, {5, 13}}, random);
  }
}

TEST_CASE("jacobi equation: the same bits with every kernel") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 81);
  const std::vector<Device> devices = some_devices(2);
  const std::span<const Device> all(devices);
  const Parts open{.weights = true, .source = true, .boundaries = 3};
  const std::vector<Kernel> kernels = {Kernel::naive, Kernel::local,  Kernel::blocked,
                                       Kernel::strip, Kernel::stream, Kernel::rolling};
  for (const Kernel kernel : random.some_of(kernels, 3)) {
    check<float>(all.first(1), {{90, 41, 1}, open, true, kernel, 11, 4}, random);
    check<float>(all, {{90, 41, 1}, open, false, kernel, 11, 4, {19}}, random);
    check<float>(all, {{25, 11, 20}, {.coefficients = true, .boundaries = 3}, true, kernel, 7, 3, {9}}, random);
  }
}

TEST_CASE("jacobi equation: a ring of few slices, of one device and of several") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 82);
  const std::vector<Device> devices = some_devices(3);
  const std::span<const Device> all(devices);
  for (const std::uint64_t slices : {3, 4, 7, 20}) {
    CAPTURE(slices);
    for (const bool is_3d : {false, true}) {
      const Shape shape = is_3d ? Shape{5, 4, slices} : Shape{5, slices, 1};
      const Grid<float> given = random_grid<float>(shape, 5);
      Equation equation;
      Boundaries& sides = equation.boundaries;
      sides.left = sides.right = sides.top = sides.bottom = around;
      if (is_3d) sides.front = sides.back = around;
      const std::vector<float> wanted = genocl_reference::relax<float>(shape, equation, given.cells(), 19);
      for (const std::size_t count : {1, 2, 3})
        for (const unsigned every : {0u, 1u}) {
          Grid<float> grid = random_grid<float>(shape, 5);
          const SolveOptions options{
              .iterations = 19, .halo_depth = every, .balance = Balance::fixed, .equation = equation};
          solve<float>(all.first(count), grid, options);
          CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted));
        }
      Grid<float> grid = random_grid<float>(shape, 5);
      solve<float>(all.first(1), grid, {.iterations = 19, .halo_depth = 4000, .equation = equation});
      CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted));
    }
  }
}

// Partitions move during the run, also around the ring, and to devices without one.
TEST_CASE("jacobi equation: slices move in a ring") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 83);
  const std::vector<Device> devices = some_devices(3);
  const Shape shape{40, 90, 1};
  const DrawnEquation<float> drawn(shape, {.source = true, .coefficients = true}, random);
  Equation equation = drawn.equation;
  equation.boundaries = {around, around, around, around};
  constexpr std::uint64_t steps = 10, each = 7;
  const std::vector<float> wanted =
      genocl_reference::relax<float>(shape, equation, random_grid<float>(shape, 6).cells(), steps * each);
  for (const bool spare_memory : {false, true}) {
    CAPTURE(spare_memory);
    RunSettings settings{Layout(shape, equation.boundaries), 4};
    set_equation<float>(settings, equation, {});
    std::vector<RunDevice> workers;
    for (const Device& device : devices)
      workers.push_back({device, choose_plan(device, settings.layout, sizeof(float), Kernel::naive, 4), 1000});
    PartitionedSolver<float> run(workers, make_device_table(workers, sizeof(float), nullptr), settings, {}, {},
                                 spare_memory);
    Grid<float> grid = random_grid<float>(shape, 6);
    const auto shares = [&] {
      std::vector<double> weights(3);
      for (double& weight : weights) weight = random.between(0.1, 1);
      PartitionSizes drawn_shares = partition_by_weights(weights, 90, 8);
      for (std::size_t i = 0; i < 2; ++i) {  // one or two have none now and then
        const std::size_t empty = random.below(4), other = random.below(3);
        if (empty < 3 && empty != other) drawn_shares[other] += std::exchange(drawn_shares[empty], 0);
      }
      return drawn_shares;
    };
    run.start(shares(), {grid.cells(), {}, {}}, std::vector<FusedStepSet>(3));
    for (std::uint64_t step = 0; step < steps; ++step) {
      run.advance(each, step + 1 == steps);
      if (step + 1 < steps) run.move(shares());
    }
    run.store({grid.cells(), {}, {}});
    CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted));
  }
}

TEST_CASE("jacobi equation: in bands, but not with slices that are periodic") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 84);
  const std::vector<Device> devices = some_devices(2);
  for (const Parts& parts : {Parts{.weights = true, .source = true, .boundaries = 1}, Parts{.coefficients = true},
                             Parts{.source = true, .damping = true, .coefficients = true, .boundaries = 1}}) {
    const Shape shape{60, 150, 1};
    Hooks hooks;
    hooks.memory = 60 * Layout(shape).slice() * 7 * sizeof(double);
    check<double>(std::span(devices).first(1), {shape, parts, true, Kernel::automatic, 23, 5}, random, hooks);
  }
  const Shape shape{60, 150, 1};
  Equation equation;
  equation.boundaries = {.left = around, .right = around};
  Grid<float> grid = random_grid<float>(shape, 9);
  const std::vector<float> before = copy_of(grid);
  Hooks hooks;
  hooks.memory = 60 * Layout(shape, equation.boundaries).slice() * 2 * sizeof(float);
  const std::vector<float> wanted = genocl_reference::relax<float>(shape, equation, grid.cells(), 11);
  const std::span<const Device> one = std::span(devices).first(1);
  const Report report = solve_with<float>(one, grid, {.iterations = 11, .equation = equation}, hooks);
  CHECK(report.decisions.at(0).find("bands of") != std::string::npos);
  CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted));
  std::copy(before.begin(), before.end(), grid.cells().begin());
  equation.boundaries.top = equation.boundaries.bottom = around;
  CHECK_THROWS_WITH_AS(solve_with<float>(one, grid, {.iterations = 11, .equation = equation}, hooks),
                       doctest::Contains("does not go in bands as its slices are periodic"), CapacityError);
  CHECK(copy_of(grid) == before);
}

TEST_CASE("jacobi equation: Poisson's equation, by its solution") {
  const Device device = Device::pick();
  if (!device.info().fp64) return;
  // u = x^2 y + y^2 has second differences 2 y and 2: the discrete solution is exact.
  constexpr std::uint64_t width = 31, height = 24;
  constexpr double h = 0.5;
  const auto solution = [](double x, double y) { return x * x * y + y * y; };
  Grid<double> grid(width, height);
  std::vector<double> source(width * height);
  for (std::uint64_t y = 0; y < height; ++y)
    for (std::uint64_t x = 0; x < width; ++x) {
      const double px = h * static_cast<double>(x), py = h * static_cast<double>(y);
      const bool outermost = x == 0 || y == 0 || x == width - 1 || y == height - 1;
      grid(x, y) = outermost ? solution(px, py) : 0;
      source[y * width + x] = -h * h * (2 * py + 2) / 4;
    }
  for (const double damping : {1.0, 0.8}) {
    CAPTURE(damping);
    Equation equation = equation_of<double>(quarter, source, {});
    equation.damping = damping;
    Grid<double> solved(width, height);
    std::copy(grid.cells().begin(), grid.cells().end(), solved.cells().begin());
    const Report report = solve<double>(
        device, solved, {.iterations = 20000, .tolerance = 1e-12, .check_every = 100, .equation = equation});
    CHECK(report.converged);
    double worst = 0;
    for (std::uint64_t y = 0; y < height; ++y)
      for (std::uint64_t x = 0; x < width; ++x)
        worst =
            std::max(worst, std::abs(solved(x, y) - solution(h * static_cast<double>(x), h * static_cast<double>(y))));
    CHECK(worst < 1e-8);
  }
}

TEST_CASE("jacobi equation: a periodic mode decays by its factor, and no flux keeps the sum") {
  const std::vector<Device> devices = some_devices(2);
  if (!have<double>(devices)) return;
  constexpr std::uint64_t width = 48, height = 36, iterations = 200;
  const auto mode = [](std::uint64_t x, std::uint64_t y) {
    return std::cos(2 * std::numbers::pi * 2 * static_cast<double>(x) / width) *
           std::sin(2 * std::numbers::pi * 3 * static_cast<double>(y) / height);
  };
  const double factor =
      (1 + 2 * std::cos(2 * std::numbers::pi * 2 / width) + 2 * std::cos(2 * std::numbers::pi * 3 / height)) / 5;
  for (const std::size_t count : {1, 2}) {
    const std::span<const Device> some = std::span(devices).first(count);
    for (const bool weighted : {false, true}) {
      Grid<double> grid(width, height);
      for (std::uint64_t y = 0; y < height; ++y)
        for (std::uint64_t x = 0; x < width; ++x) grid(x, y) = mode(x, y);
      Equation equation;
      equation.boundaries = {around, around, around, around};
      if (weighted) equation.weights = fifth;
      const Report report =
          solve<double>(some, grid, {.iterations = iterations, .balance = Balance::fixed, .equation = equation});
      const double left = std::pow(factor, static_cast<double>(iterations));
      double worst = 0;
      for (std::uint64_t y = 0; y < height; ++y)
        for (std::uint64_t x = 0; x < width; ++x) worst = std::max(worst, std::abs(grid(x, y) - left * mode(x, y)));
      CHECK(worst < 1e-13);
      // All cells change.
      CHECK(report.updates_per_second ==
            doctest::Approx(static_cast<double>(width * height * iterations) / report.seconds));
    }
    Grid<double> grid = random_grid<double>({24, 18, 1}, 3);
    const double sum = std::accumulate(grid.cells().begin(), grid.cells().end(), 0.0);
    Equation equation;
    equation.boundaries = {no_flux, no_flux, no_flux, no_flux};
    const SolveOptions options{.iterations = 8000, .halo_depth = 8, .balance = Balance::fixed, .equation = equation};
    solve<double>(some, grid, options);
    CHECK(std::accumulate(grid.cells().begin(), grid.cells().end(), 0.0) == doctest::Approx(sum).epsilon(1e-9));
    for (const double cell : grid.cells()) REQUIRE(std::abs(cell - sum / (24 * 18)) < 1e-9);
  }
}

TEST_CASE("jacobi equation: heat through layers is linear in each of them") {
  const Device device = Device::pick();
  if (!device.info().fp64) return;
  // Columns of conductivities 1, 10 and 0.5; left 0, right 1, no flux above and below. Steady: one flow goes through
  // all faces, so each drop is in proportion to 1 / the face's conductivity.
  constexpr std::uint64_t width = 20, height = 9;
  const auto conductivity = [](std::uint64_t x) { return x < 7 ? 1.0 : x < 14 ? 10.0 : 0.5; };
  std::vector<double> coefficients(width * height);
  for (std::size_t i = 0; i < coefficients.size(); ++i) coefficients[i] = conductivity(i % width);
  Grid<double> grid(width, height);
  for (std::uint64_t y = 0; y < height; ++y) grid(width - 1, y) = 1;
  Equation equation;
  equation.coefficients = coefficients;
  equation.boundaries = {fixed, fixed, no_flux, no_flux};
  const Report report =
      solve<double>(device, grid, {.iterations = 100000, .tolerance = 1e-14, .check_every = 500, .equation = equation});
  CHECK(report.converged);
  std::vector<double> drop(width, 0);
  for (std::uint64_t x = 1; x < width; ++x) drop[x] = drop[x - 1] + (1 / conductivity(x - 1) + 1 / conductivity(x)) / 2;
  for (std::uint64_t y = 0; y < height; ++y)
    for (std::uint64_t x = 0; x < width; ++x) CHECK(std::abs(grid(x, y) - drop[x] / drop[width - 1]) < 1e-10);
}

TEST_CASE("jacobi equation: bad input") {
  const std::vector<Device> devices = some_devices(1);
  Grid<float> grid = random_grid<float>({20, 30, 1}, 11);
  const std::vector<float> before = copy_of(grid);
  const auto refused = [&](const Equation& equation, const char* said) {
    CAPTURE(said);
    CHECK_THROWS_WITH_AS(solve<float>(devices, grid, {.equation = equation}), said, InputError);
    CHECK(copy_of(grid) == before);
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const double damping : {0.0, 2.0, -1.0, nan}) {
    Equation equation;
    equation.damping = damping;
    refused(equation, ("a damping of " + std::to_string(damping) + "; expected a number between 0 and 2").c_str());
  }
  refused({.weights = Weights{.left = nan}}, "a weight of nan in the equation; expected a finite number");
  refused({.weights = Weights{.left = 1e39}},
          "a weight of 999999999999999939709166371603178586112.000000 in the equation; expected a finite number");
  refused({.weights = Weights{.back = 0.1}},
          "weights of front and back neighbours; expected a grid of three dimensions");
  std::vector<float> values(600, 1.0f);
  const std::vector<double> doubles(600, 1);
  refused({.source = std::span(values).first(599)}, "source of 599 cells for a grid of 20x30");
  refused({.source = doubles}, "source in double for a grid in float; expected the grid's type");
  refused({.coefficients = doubles}, "coefficients in double for a grid in float; expected the grid's type");
  refused({.coefficients = std::span(values).first(1)}, "coefficients of 1 cells for a grid of 20x30");
  refused({.weights = quarter, .coefficients = values},
          "both weights and coefficients in the equation; expected one of them");
  values[21] = std::numeric_limits<float>::infinity();
  refused({.source = values}, "source of cell 1,1 is inf; expected a finite number");
  refused({.coefficients = values}, "coefficient of cell 1,1 is inf; expected a finite number above 0");
  values[21] = 0;
  refused({.coefficients = values}, "coefficient of cell 1,1 is 0.000000; expected a finite number above 0");
  Equation equation;
  equation.boundaries.left = around;
  refused(equation, "a periodic boundary on one side alone; expected it on both, left and right");
  equation.boundaries = {.top = no_flux, .bottom = around};
  refused(equation, "a periodic boundary on one side alone; expected it on both, top and bottom");
  equation.boundaries = {.front = no_flux};
  refused(equation, "boundaries of front and back; expected a grid of three dimensions");
  if (!devices[0].info().fp64) return;
  // Too many orders of magnitude: 1e300 next to 1e-300 on all sides.
  Grid<double> wide(3, 3);
  std::vector<double> k(9, 1e-300);
  k[4] = 1e300;
  CHECK_THROWS_WITH_AS(solve<double>(devices, wide, {.equation = {.coefficients = k}}),
                       doctest::Contains("differ by too many orders of magnitude"), InputError);
}
