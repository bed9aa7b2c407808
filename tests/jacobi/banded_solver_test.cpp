#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "genocl/error.hpp"
#include "jacobi/banded_solver.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/solver.hpp"
#include "jacobi/solver_cases.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

template <class T>
void check_bands_of(Hooks::Bands bands, std::span<const Device> devices, const Shape& shape, std::uint64_t slices_held,
                    unsigned halo_depth, std::uint64_t iterations, bool masked, Kernel kernel) {
  if (!have<T>(devices)) return;
  constexpr std::uint32_t seed = 31;
  CAPTURE(shape.text());
  CAPTURE(slices_held);
  CAPTURE(halo_depth);
  CAPTURE(masked);
  const Grid<T> given = random_grid<T>(shape, seed);
  const std::vector<std::uint8_t> mask = masked ? random_mask(shape, seed + 1) : std::vector<std::uint8_t>();
  const Expected<T> wanted = expected<T>(given, iterations, mask);
  Grid<T> grid(shape);
  std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
  Hooks hooks{.bands = bands};
  hooks.memory = slices_held * Layout(shape).slice() * (2 * sizeof(T) + (masked ? 1 : 0));
  SolveOptions options{.iterations = iterations, .kernel = kernel, .halo_depth = halo_depth, .fixed_cells = mask};
  const Report report = solve_with<T>(devices, grid, options, hooks);
  CHECK(genocl_reference::hash_of<T>(grid.cells()) == genocl_reference::hash_of<T>(wanted.cells));
  CHECK(report.iterations == iterations);
  REQUIRE(report.change);
  CHECK(report.change->max == wanted.max);
  CHECK(report.change->l2 == doctest::Approx(std::sqrt(wanted.squares)).epsilon(1e-6));
  if (sizeof(T) == sizeof(float)) {  // as where a device has no double
    std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
    hooks.has_double = false;
    CHECK(solve_with<T>(devices, grid, options, hooks).change->l2 == report.change->l2);
  }
  double updates = 0;
  for (const DeviceReport& device : report.devices) updates += device.updates_per_second;
  CHECK(updates == doctest::Approx(report.updates_per_second));
  REQUIRE(report.decisions.size() == 1);
  CHECK(report.decisions[0].find("bands of") != std::string::npos);
  CHECK((report.decisions[0].find("time-skewed") != std::string::npos) == (bands == Hooks::Bands::skewed));
}

template <class T>
void check_bands(std::span<const Device> devices, const Shape& shape, std::uint64_t slices_held, unsigned halo_depth,
                 std::uint64_t iterations, bool masked, Kernel kernel = Kernel::naive) {
  for (const Hooks::Bands bands : {Hooks::Bands::with_halo, Hooks::Bands::skewed})
    if (bands == Hooks::Bands::with_halo || devices.size() == 1)
      check_bands_of<T>(bands, devices, shape, slices_held, halo_depth, iterations, masked, kernel);
}

}  // namespace

TEST_CASE("jacobi bands: plans") {
  const Layout layout(Shape{1000, 10000, 1});
  for (const bool overlaps : {true, false}) {
    const BandSpeed speed{1e9, 1e9, 1.9e9, overlaps};
    const BandMemory room{1800, 8, false};
    const BandPlan plan = plan_bands(layout, room, 0, 8, speed);
    CHECK(plan.iterations % 8 == 0);
    CHECK(plan.arrays * (plan.slices + 2 * plan.iterations) <= 2 * room.max_slices);
    CHECK(plan.slices >= plan.iterations);
    // No other depth has a larger useful fraction, except by bands of equal height.
    for (const unsigned arrays : {3U, 4U})
      for (unsigned iterations = 8; 3 * iterations <= 3600 / arrays; iterations += 8) {
        const BandPlan other{3600 / arrays - 2 * iterations, iterations, arrays};
        CHECK(cost_of_band(layout, 8, other, speed).useful <= 1.03 * cost_of_band(layout, 8, plan, speed).useful);
      }
  }
  const BandSpeed speed{1e9, 1e9, 1e9, false};
  CHECK(plan_bands(layout, {1500, 8, false}, 100, 100, speed).slices == 770);  // 13 like bands of at most 800
  CHECK(plan_bands(layout, {2000, 8, false}, 7, 8, speed).iterations == 7);
  const BandPlan masked = plan_bands(layout, {1500, 8, true}, 0, 8, speed);
  CHECK((3 * 8 + 2) * (masked.slices + 2 * masked.iterations) <= 1500 * 17);
  // Ghosts are a neighbour's alone: no more iterations than a band has slices.
  const BandPlan low = plan_bands(layout, {150, 8, false}, 50, 8, speed);
  CHECK(low.iterations <= low.slices);
  CHECK(low.slices + 2 * low.iterations <= 100);
  CHECK(plan_bands(layout, {5, 8, false}, 0, 8, speed).iterations == 1);
  CHECK_THROWS_AS(plan_bands(layout, {4, 8, false}, 0, 8, speed), CapacityError);
}

// An H200: 1,600 G updates of doubles in a second, 55 GB/s each way; grids of 4 times what the device may hold.
TEST_CASE("jacobi bands: what the model says of an H200") {
  const auto check = [](const Shape& shape, std::uint64_t most, unsigned fused_steps, double updates) {
    const Layout layout(shape);
    for (const double both : {110e9, 55e9}) {
      const BandSpeed h200{updates, 55e9, both, true};
      const BandPlan plan = plan_bands(layout, {most, 8, false}, 0, fused_steps, h200);
      const BandCost cost = cost_of_band(layout, 8, plan, h200);
      MESSAGE(shape.text(), ", ", most, " slices held, both ways ", 1e-9 * both, " GB/s: ", plan.arrays,
              " arrays, bands of ", plan.slices, " slices, ", plan.iterations, " iterations, bus ", 1e3 * cost.transfer,
              " ms, computing ", 1e3 * cost.computing, " ms, useful ", cost.useful);
      CHECK(cost.useful >= 0.75);
      const std::optional<SkewedPlan> skewed = plan_skewed(layout, {most, 8, false}, 0, fused_steps, h200);
      REQUIRE(skewed);
      MESSAGE("time-skewed: bands of ", skewed->slices, " slices, ", skewed->iterations, " iterations, useful ",
              useful_fraction(layout, 8, *skewed, h200));
      CHECK(useful_fraction(layout, 8, *skewed, h200) >= 0.9);
    }
  };
  check({16384, 16384, 1}, 4096, 16, 1.6e12);
  check({16384, 65536, 1}, 16384, 16, 1.6e12);
  check({1024, 1024, 8192}, 2048, 3, 0.6e12);
}

// As on a device behind a bus: the grid in page-locked memory, transfers that are copies.
TEST_CASE("jacobi bands: the same bits where transfers are copies") {
  const Environment copied("GENOCL_MAP", "off");
  const Device device = Device::pick();
  for (const bool masked : {false, true}) {
    check_bands<float>({&device, 1}, {70, 400, 1}, 120, 20, 77, masked);
    check_bands<double>({&device, 1}, {33, 21, 60}, 24, 3, 17, masked);
  }
}

// What the launches have is what the model counts: cells of bands, and of halo slices that shrink by a slice on each
// side.
TEST_CASE("jacobi bands: the part of work that is done twice is the model's") {
  const Device device = Device::pick();
  const Shape shape{70, 400, 1};
  const Layout layout(shape);
  const SolveOptions options{.kernel = Kernel::naive, .halo_depth = 20};
  const Hooks hooks{.memory = 120 * layout.slice() * 2 * sizeof(float), .bands = Hooks::Bands::with_halo};
  const RunSettings settings = run_settings<float>(shape, options, hooks);
  const std::vector<RunDevice> workers =
      make_run_devices(std::span<const Device>(&device, 1), settings, sizeof(float), options, hooks);
  BandedSolver<float> run(workers, settings, options, hooks, {});
  const Grid<float> given = random_grid<float>(shape, 37);
  run.load(host_grid_of<float>(given.cells()));
  const BandPlan plan = run.plan();
  const std::uint64_t bands = (layout.slices + plan.slices - 1) / plan.slices, rounds = 3;
  run.advance(rounds * plan.iterations, false);
  const BandTotals& done = run.done()[0];
  CHECK(done.bands == bands * rounds);
  CHECK(done.slices == layout.slices * rounds * plan.iterations);
  // Of every border between bands, either side's halo slices.
  const std::uint64_t ghosts = (bands - 1) * plan.iterations * (plan.iterations - 1);
  CHECK(done.slices_computed == done.slices + rounds * ghosts);
  const BandCost cost = cost_of_band(layout, sizeof(float), plan, {1, 1e30, 1e30, false});
  const double model = cost.computing / (static_cast<double>(plan.iterations * plan.slices) * 70);
  MESSAGE(plan.iterations, " iterations of bands of ", plan.slices, ": ",
          static_cast<double>(done.slices_computed) / static_cast<double>(done.slices), " times the work, ", model,
          " for a band in the middle");
  CHECK(static_cast<double>(done.slices_computed) / static_cast<double>(done.slices) <= model);
}

TEST_CASE("jacobi bands: the same bits") {
  const std::vector<Device> devices = some_devices(2);
  const std::span<const Device> one(devices.data(), 1);
  check_bands<double>(one, {70, 150, 1}, 60, 0, 23, false);
  check_bands<double>(one, {70, 150, 1}, 60, 5, 23, true);
  check_bands<float>(devices, {130, 150, 1}, 40, 9, 19, true, Kernel::automatic);
  check_bands<float>(one, {20, 12, 40}, 20, 2, 9, true);
  // Ghosts that reach over several bands, rounds of one iteration.
  check_bands<double>(one, {20, 60, 1}, 50, 12, 30, false);
  check_bands<double>(devices, {20, 30, 1}, 6, 1, 7, false);
}

TEST_CASE("jacobi bands: time-skewed ones of any height and depth") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device device = Device::pick();
  const std::span<const Device> one(&device, 1);
  for (int round = 0; round < 12; ++round) {
    const bool is_3d = random() % 2 == 0;
    const std::uint64_t slices = 18 + random() % (is_3d ? 30 : 120);
    const Shape shape =
        is_3d ? Shape{6 + random() % 20, 5 + random() % 9, slices} : Shape{20 + random() % 60, slices, 1};
    // 14 is the least that one slice and one iteration take, with a mask.
    const std::uint64_t held = 14 + random() % (slices - 16);
    const auto depth = static_cast<unsigned>(random() % 3 == 0 ? 0 : 1 + random() % 12);
    const Kernel kernel = random() % 2 == 0 ? Kernel::naive : Kernel::automatic;
    check_bands_of<float>(Hooks::Bands::skewed, one, shape, held, depth, 1 + random() % 40, random() % 2 == 0, kernel);
  }
}

// A plan fits the memory, and no other depth has a larger useful fraction.
TEST_CASE("jacobi bands: plans of time-skewed ones") {
  const Layout layout(Shape{1000, 10000, 1});
  for (const bool overlaps : {true, false})
    for (const std::uint64_t fields : {0, 1, 8}) {
      const BandSpeed speed{1e9, 1e9, 1.9e9, overlaps};
      const BandMemory room{1800, 8, fields};
      const std::optional<SkewedPlan> plan = plan_skewed(layout, room, 0, 8, speed);
      REQUIRE(plan);
      const auto taken = [&](const SkewedPlan& one) {
        return 8 * (2 * one.frame() + 2 * one.slices + 2 * one.iterations) + fields * 2 * one.frame();
      };
      CHECK(plan->iterations % 8 == 0);
      CHECK(taken(*plan) <= room.max_slices * (16 + fields));
      const double useful = useful_fraction(layout, 8, *plan, speed);
      CHECK(useful <= 1);
      for (unsigned iterations = 8; iterations < 900; iterations += 8)
        for (std::uint64_t slices = 10; slices < 900; slices += 10)
          if (const SkewedPlan other{slices, iterations, 8}; taken(other) <= room.max_slices * (16 + fields))
            FAST_CHECK_UNARY(useful_fraction(layout, 8, other, speed) <= 1.03 * useful);
    }
  const BandSpeed speed{1e9, 1e9, 1e9, false};
  CHECK(plan_skewed(layout, {1500, 8, 0}, 7, 8, speed)->iterations == 7);
  CHECK(plan_skewed(layout, {20, 8, 0}, 0, 8, speed)->iterations < 8);
  CHECK_FALSE(plan_skewed(layout, {4, 8, 0}, 0, 8, speed));
}

TEST_CASE("jacobi bands: the convergence test, cancelled") {
  const Device device = Device::pick();
  if (!device.info().fp64) return;  // the number of iterations is that of double
  Hooks hooks;
  hooks.memory = 60 * Layout(Shape{100, 80, 1}).slice() * 2 * sizeof(double);
  Grid<double> grid(100, 80);
  grid.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
  const std::span<const Device> devices(&device, 1);
  const std::vector<double> before = copy_of(grid);
  SolveOptions options{
      .iterations = 3000, .tolerance = 1e-2, .check_every = 50, .kernel = Kernel::naive, .halo_depth = 10};
  options.progress = [](const ProgressState& state) { return state.items_done < 100; };
  CHECK_THROWS_AS(solve_with<double>(devices, grid, options, hooks), Cancelled);
  CHECK(copy_of(grid) == before);
  options.progress = {};
  const Report report = solve_with<double>(devices, grid, options, hooks);
  CHECK(report.converged);
  CHECK(report.iterations == 2800);
  hooks.memory = 1000;
  CHECK_THROWS_AS(solve_with<double>(devices, grid, options, hooks), CapacityError);
}

TEST_CASE("jacobi bands: a grid that several devices hold together stays in partitions") {
  const std::vector<Device> devices = some_devices(2);
  const Shape shape{50, 100, 1};
  const Grid<float> given = random_grid<float>(shape, 33);
  Grid<float> grid(shape);
  std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
  Hooks hooks;
  hooks.memory = 80 * Layout(shape).slice() * 2 * sizeof(float);
  const Report report =
      solve_with<float>(devices, grid, {.iterations = 40, .kernel = Kernel::naive, .halo_depth = 4}, hooks);
  CHECK(genocl_reference::hash_of<float>(grid.cells()) ==
        genocl_reference::hash_of<float>(expected<float>(given, 40).cells));
  CHECK(report.devices[0].rows <= 76);
  CHECK(report.devices[1].rows <= 76);
  CHECK(report.devices[0].rows + report.devices[1].rows == 100);
  // PartitionSizes that one of them cannot hold.
  CHECK_THROWS_AS(
      solve_with<float>(devices, grid, {.iterations = 40, .halo_depth = 4, .balance = Balance::fixed, .cuts = {90}},
                        hooks),
      CapacityError);
}

TEST_CASE("jacobi bands: too little memory on the host is known before any is taken") {
  const Device device = Device::pick();
  const std::span<const Device> devices(&device, 1);
  const Shape shape{1000, 2000, 1};
  const std::uint64_t cells = shape.cells(), bytes = cells * sizeof(float);
  const Layout layout(shape);
  // Memory for the grid, but neither for two arrays of it nor for a second grid.
  Hooks hooks{.memory = 100 * layout.slice() * 2 * sizeof(float), .host_memory = bytes - 1};
  try {
    check_memory_with<float>(devices, shape, hooks);
    FAIL("the grid fits");
  } catch (const CapacityError& error) {
    CHECK(error.needed() == bytes);
    CHECK(error.available() == bytes - 1);
  }
  hooks.host_memory = 2 * bytes - 1;
  try {
    check_memory_with<float>(devices, shape, hooks);
    FAIL("a second grid fits");
  } catch (const CapacityError& error) {
    CHECK(error.needed() == 2 * bytes);
    CHECK(error.available() == 2 * bytes - 1);
  }
  hooks.host_memory = 3 * bytes;
  CHECK_NOTHROW(check_memory_with<float>(devices, shape, hooks));
  // The same, asked by the run itself, which has the grid.
  Grid<float> grid = random_grid<float>(shape, 35);
  const std::vector<float> before = copy_of(grid);
  hooks.host_memory = bytes - 1;
  CHECK_THROWS_AS(solve_with<float>(devices, grid, {.iterations = 3}, hooks), CapacityError);
  CHECK(copy_of(grid) == before);
  // A CPU that says it has plenty does not have more than the host: less is left than two arrays take, so bands go
  // through it, and with still less there is no run.
  if (!device.info().host_unified_memory) return;
  hooks.memory = 0;
  hooks.host_memory = 2 * bytes;
  const Report report = solve_with<float>(devices, grid, {.iterations = 3, .kernel = Kernel::naive}, hooks);
  REQUIRE_FALSE(report.decisions.empty());
  CHECK(report.decisions[0].find("bands of") != std::string::npos);
  hooks.host_memory = bytes / 2;
  CHECK_THROWS_AS(solve_with<float>(devices, grid, {.iterations = 3}, hooks), CapacityError);
}
