// Relaxations by an equation: checkpoints know it, and go on to the same bits on other devices, in bands, in a ring,
// and without a device that fails.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/equation_cases.hpp"
#include "jacobi/relaxation.hpp"
#include "jacobi/solver_cases.hpp"
#include "reference/jacobi_equation.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

constexpr std::uint32_t seed = 77112;

std::uint64_t hash(const Grid<float>& grid) {
  return genocl_reference::hash_of<float>(std::span<const float>(grid.cells()));
}

std::uint64_t hash_after(const Grid<float>& given, const Equation& equation, std::uint64_t iterations) {
  return genocl_reference::hash_of<float>(std::span<const float>(
      genocl_reference::relax<float>(given.shape(), equation, std::span<const float>(given.cells()), iterations, {})));
}

}  // namespace

TEST_CASE("jacobi relaxation: by an equation, from one way to another by a checkpoint") {
  GENOCL_SHOW_SEED();
  Random choice(genocl_test::test_seed());
  const std::vector<Device> devices = some_devices(2);
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.gjr";
  Random random(seed);
  for (const Shape& shape : {Shape{50, 61, 1}, Shape{17, 13, 31}}) {
    const Grid<float> given = random_grid<float>(shape, seed);
    for (const Parts& parts : choice.some_of(every_part())) {
      CAPTURE(shape.text());
      CAPTURE(parts.text());
      const DrawnEquation<float> drawn(shape, parts, random);
      const BoundaryKind before =
          shape.three_dimensional() ? drawn.equation.boundaries.front : drawn.equation.boundaries.top;
      const bool ring = before == BoundaryKind::periodic;
      SolveOptions one{.halo_depth = 4, .equation = drawn.equation}, two = one;
      two.balance = Balance::fixed;
      two.weights = {2, 3};
      Hooks few;  // slices of the grid that fit
      const Layout layout(shape, drawn.equation.boundaries);
      const std::uint64_t fields =
          (parts.source ? 1 : 0) + (parts.coefficients ? (shape.three_dimensional() ? 6 : 4) : 0);
      few.memory = 22 * layout.slice() * (2 + fields) * sizeof(float);
      auto alone = RelaxationAccess::make<float>(std::span(devices).first(1), shape, one, {});
      alone.load(given);
      alone.advance(7);
      alone.checkpoint(file);
      auto both = RelaxationAccess::make<float>(devices, shape, two, {});
      both.resume(file);
      both.advance(6, false);
      CHECK(both.iterations() == 13);
      both.checkpoint(file);
      Grid<float> grid(shape);
      both.store(grid);
      CHECK(hash(grid) == hash_after(given, drawn.equation, 13));
      auto banded = RelaxationAccess::make<float>(std::span(devices).first(1), shape, one, few);
      if (ring) {
        CHECK_THROWS_AS(banded.resume(file), CapacityError);
        continue;
      }
      banded.resume(file);
      REQUIRE_FALSE(banded.report().decisions.empty());
      CHECK(banded.report().decisions.back().find("bands") != std::string::npos);
      banded.advance(11);
      banded.store(grid);
      CHECK(hash(grid) == hash_after(given, drawn.equation, 24));
    }
  }
}

TEST_CASE("jacobi relaxation: a checkpoint of another equation is refused") {
  const Device device = Device::pick();
  const Shape shape{20, 17, 1};
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.gjr";
  Random random(seed + 1);
  const DrawnEquation<float> drawn(shape, {.weights = true, .source = true, .damping = true, .boundaries = 1}, random);
  Relaxation<float> relaxation(device, shape, {.equation = drawn.equation});
  relaxation.load(random_grid<float>(shape, seed));
  relaxation.checkpoint(file);
  Relaxation<float>(device, shape, {.equation = drawn.equation}).resume(file);
  const auto refused = [&](auto&& change) {
    Equation other = drawn.equation;
    change(other);
    Relaxation<float> second(device, shape, {.equation = other});
    CHECK_THROWS_AS(second.resume(file), InputError);
  };
  std::vector<float> source = drawn.source;
  source[source.size() / 2] += 1;
  refused([&](Equation& other) { other.source = source; });
  refused([](Equation& other) { other.source = std::span<const float>(); });
  refused([](Equation& other) { other.weights->left += 0.01; });
  refused([](Equation& other) { other.damping *= 0.5; });
  refused([](Equation& other) {
    BoundaryKind& left = other.boundaries.left;
    left = left == BoundaryKind::fixed ? BoundaryKind::zero_flux : BoundaryKind::fixed;
  });
}

TEST_CASE("jacobi relaxation: by an equation, in a ring and not, a device fails") {
  const std::vector<Device> devices = some_devices(3);
  const Shape shape{40, 33, 1};
  const Grid<float> given = random_grid<float>(shape, seed + 2);
  Random random(seed + 2);
  for (const bool ring : {false, true}) {
    CAPTURE(ring);
    const DrawnEquation<float> drawn(shape, {.source = true, .coefficients = true}, random);
    SolveOptions options{.halo_depth = 3, .balance = Balance::fixed, .equation = drawn.equation, .backup_every = 6};
    if (ring) options.equation.boundaries.top = options.equation.boundaries.bottom = BoundaryKind::periodic;
    for (const std::uint64_t when : {std::uint64_t{0}, std::uint64_t{9}, std::uint64_t{15}}) {
      CAPTURE(when);
      bool failed = false;
      Hooks hooks;
      hooks.fail_at = [&](std::size_t device, std::uint64_t iteration) {
        if (failed || device != 1 || iteration < when) return;
        failed = true;
        throw DeviceError("clEnqueueNDRangeKernel", "a device", "stream", -5);
      };
      auto relaxation = RelaxationAccess::make<float>(devices, shape, options, hooks);
      relaxation.load(given);
      relaxation.advance(20);
      CHECK(failed);
      Grid<float> grid(shape);
      relaxation.store(grid);
      CHECK(hash(grid) == hash_after(given, options.equation, 20));
      CHECK(relaxation.report().devices[1].failed);
    }
  }
}
