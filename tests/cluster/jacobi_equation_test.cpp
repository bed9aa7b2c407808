#include <doctest/doctest.h>

#include <algorithm>
#include <optional>

#include "genocl/cluster.hpp"
#include "genocl/error.hpp"
#include "jacobi/equation_cases.hpp"
#include "jacobi/layout.hpp"
#include "jacobi/solver_cases.hpp"
#include "reference/jacobi_equation.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;
using genocl::cluster::Communicator;
using genocl::cluster::GridSlices;

namespace {

constexpr std::uint32_t seed = 20262;  // the same on every rank
constexpr std::uint64_t iterations = 23;

}  // namespace

TEST_CASE("cluster jacobi equation: the oracle's bits, whatever the ranks") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  Random random(seed);
  for (const Shape& shape : {Shape{61, 83, 1}, Shape{19, 13, 37}})
    for (const Parts& parts : every_part())
      for (const bool ring : {false, true}) {
        CAPTURE(shape.text());
        CAPTURE(parts.text());
        CAPTURE(ring);
        DrawnEquation<float> drawn(shape, parts, random);
        Boundaries& sides = drawn.equation.boundaries;
        if (ring && shape.three_dimensional()) sides.front = sides.back = BoundaryKind::periodic;
        if (ring && !shape.three_dimensional()) sides.top = sides.bottom = BoundaryKind::periodic;
        const Grid<float> given = random_grid<float>(shape, seed);
        const std::vector<std::uint8_t> mask = random_mask(shape, seed + 1);
        const std::vector<float> wanted =
            genocl_reference::relax<float>(shape, drawn.equation, given.cells(), iterations, mask);

        // A grid of rank 0, with its equation.
        SolveOptions options{.iterations = iterations, .halo_depth = 3, .balance = Balance::fixed};
        Grid<float> grid = random_grid<float>(shape, seed);
        if (ranks.is_root()) {
          options.fixed_cells = mask;
          options.equation = drawn.equation;
        }
        const Report report = cluster::solve<float>(ranks, devices, ranks.is_root() ? &grid : nullptr, options);
        if (ranks.is_root())
          CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted));
        REQUIRE(report.change);

        // Slices, of an equation in slices.
        const std::uint64_t slice = shape.cells() / Layout(shape).slices;
        const auto reader = [slice](const auto& from) {
          return [&from, slice](std::uint64_t first, auto cells) {
            std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(first * slice), cells.size(), cells.begin());
          };
        };
        const std::vector<float> cells = copy_of(given);
        GridSlices<float> slices;
        slices.read = reader(cells);
        slices.fixed = reader(mask);
        if (parts.source) slices.source = reader(drawn.source);
        if (parts.coefficients) slices.coefficients = reader(drawn.coefficients);
        bool right = true;
        slices.write = [&](std::uint64_t first, std::span<const float> written) {
          right &=
              std::equal(written.begin(), written.end(), wanted.begin() + static_cast<std::ptrdiff_t>(first * slice));
        };
        options.fixed_cells = {};
        options.equation.source = options.equation.coefficients = std::span<const float>();
        const Report again = cluster::solve<float>(ranks, devices, shape, slices, options);
        CHECK(right);
        CHECK(again.change->l2 == report.change->l2);
      }
}

TEST_CASE("cluster jacobi equation: invalid arguments are reported on every rank") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  const Shape shape{20, 30, 1};
  Grid<float> grid = random_grid<float>(shape, seed);
  std::vector<float> values(600, 1.0f);
  const std::vector<double> doubles(600, 1);
  const auto refused = [&](const Equation& equation, const char* said) {
    SolveOptions options{.iterations = 3};
    if (ranks.is_root()) options.equation = equation;
    CHECK_THROWS_WITH_AS(cluster::solve<float>(ranks, devices, ranks.is_root() ? &grid : nullptr, options), said,
                         InputError);
  };
  refused({.source = doubles}, "source in double for a grid in float; expected the grid's type");
  refused({.coefficients = std::span(values).first(7)}, "coefficients of 7 cells for a grid of 20x30");
  refused({.damping = 2}, "a damping of 2.000000; expected a number between 0 and 2");
  refused({.weights = Weights{}, .coefficients = values},
          "both weights and coefficients in the equation; expected one of them");
  Equation equation;
  equation.boundaries.top = BoundaryKind::periodic;
  refused(equation, "a periodic boundary on one side alone; expected it on both, top and bottom");
  values[599] = 0;
  refused({.coefficients = values}, "coefficient of cell 19,29 is 0.000000; expected a finite number above 0");
}
