#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/solver_cases.hpp"
#include "jacobi/validate.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

/// Runs and compares every bit with the oracle's.
template <class T>
Report check_bits(std::span<const Device> devices, const Grid<T>& given, const SolveOptions& options,
                  const Expected<T>& wanted, const Hooks& hooks = {}) {
  Grid<T> grid(given.shape());
  std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
  const Report report = solve_with<T>(devices, grid, options, hooks);
  CHECK(genocl_reference::hash_of<T>(grid.cells()) == genocl_reference::hash_of<T>(wanted.cells));
  CHECK(report.iterations == options.iterations);
  REQUIRE(report.change);
  CHECK(report.change->max == wanted.max);
  CHECK(report.change->l2 == doctest::Approx(std::sqrt(wanted.squares)).epsilon(1e-6));
  return report;
}

/// Whether the driver cuts this CPU into parts: not all do (sub-devices are optional), and one core cannot be.
bool can_be_cut(const Device& device) {
  if (device.info().type != DeviceType::cpu || device.info().compute_units < 2) return false;
  std::array<cl_device_partition_property, 16> ways{};
  std::size_t bytes = 0;
  if (clGetDeviceInfo(device.opencl_device()(), CL_DEVICE_PARTITION_PROPERTIES, sizeof ways, ways.data(), &bytes) !=
      CL_SUCCESS)
    return false;
  const auto end = ways.begin() + static_cast<std::ptrdiff_t>(bytes / sizeof ways[0]);
  return std::find(ways.begin(), end, CL_DEVICE_PARTITION_BY_COUNTS) != end;
}

constexpr std::array every_kernel = {Kernel::automatic, Kernel::naive,  Kernel::local,  Kernel::blocked,
                                     Kernel::strip,     Kernel::stream, Kernel::rolling};

struct Split {
  std::string name;
  std::size_t devices;
  std::vector<std::uint64_t> cuts;
};

/// Every split, with overlap and without, against one device's oracle; the l2 of all are the same bits.
template <class T>
void check_splits(std::span<const Device> devices, const Shape& shape, const std::vector<Split>& splits, Kernel kernel,
                  std::uint64_t iterations, std::initializer_list<unsigned> exchanges, bool masked) {
  if (!have<T>(devices)) return;
  constexpr std::uint32_t seed = 20251;
  CAPTURE(seed);
  CAPTURE(shape.text());
  CAPTURE(to_string(kernel));
  CAPTURE(sizeof(T));
  const Grid<T> grid = random_grid<T>(shape, seed);
  const std::vector<std::uint8_t> mask = masked ? random_mask(shape, seed + 1) : std::vector<std::uint8_t>();
  const Expected<T> wanted = expected<T>(grid, iterations, mask);
  std::optional<double> l2;
  for (const unsigned halo_depth : exchanges)
    for (const Split& split : splits)
      for (const bool overlap : {true, false}) {
        if (split.devices == 1 && !overlap) continue;
        CAPTURE(halo_depth);
        CAPTURE(split.name);
        CAPTURE(overlap);
        SolveOptions options;
        options.iterations = iterations;
        options.kernel = kernel;
        options.halo_depth = halo_depth;
        options.balance = Balance::fixed;
        options.cuts = split.cuts;
        options.overlap = overlap;
        options.fixed_cells = mask;
        const Report report = check_bits<T>(devices.first(split.devices), grid, options, wanted);
        if (!l2) l2 = report.change->l2;
        CHECK(report.change->l2 == *l2);
        if (sizeof(T) == sizeof(float) && overlap) {  // as where a device has no double
          const Report without =
              check_bits<T>(devices.first(split.devices), grid, options, wanted, {.has_double = false});
          CHECK(without.change->l2 == *l2);
        }
      }
}

const std::vector<Split> flat_splits = {{"one", 1, {}},
                                        {"two", 2, {}},
                                        {"two, uneven", 2, {17}},
                                        {"three", 3, {}},
                                        {"three, tiny", 3, {44, 60}},
                                        {"three, uneven", 3, {68, 85}}};
const std::vector<Split> solid_splits = {{"one", 1, {}}, {"two, uneven", 2, {16}}, {"three, tiny", 3, {18, 35}}};

}  // namespace

TEST_CASE("jacobi solve: the case by hand") {
  const std::vector<Device> devices = some_devices(3);
  if (!have<double>(devices)) return;
  for (const std::size_t count : {1, 2, 3}) {
    Grid<double> grid(100, 80);
    grid.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
    const Report report =
        solve<double>(std::span(devices).first(count), grid, {.iterations = 500, .balance = Balance::fixed});
    double sum = 0;
    for (const double cell : grid.cells()) sum += cell;
    CHECK(sum == doctest::Approx(184480.54556870461).epsilon(1e-13));
    CHECK(grid(1, 1) == 62.301700762039786);
    CHECK(grid(50, 40) == 0.51815846770539353);
    CHECK(report.devices.size() == count);
    CHECK(report.iterations == 500);
    CHECK_FALSE(report.converged);
    CHECK(report.seconds > 0);
    CHECK(report.updates_per_second == doctest::Approx(98.0 * 78 * 500 / report.seconds));
  }
}

TEST_CASE("jacobi solve: the same bits on every split, flat") {
  const std::vector<Device> devices = some_devices(3);
  check_splits<double>(devices, {150, 101, 1}, flat_splits, Kernel::naive, 21, {1, 3, 16}, false);
  check_splits<float>(devices, {65, 101, 1}, flat_splits, Kernel::naive, 21, {2, 5}, true);
}

TEST_CASE("jacobi solve: the same bits on every split, solid") {
  const std::vector<Device> devices = some_devices(3);
  check_splits<double>(devices, {20, 23, 53}, solid_splits, Kernel::naive, 21, {4, 16}, true);
  check_splits<float>(devices, {70, 13, 53}, solid_splits, Kernel::naive, 21, {1, 7}, false);
}

// Splits whose parts are as small as the exchanges allow; how many iterations a sweep fuses is for the kernel to
// choose.
TEST_CASE("jacobi solve: the same bits with every kernel, flat") {
  const std::vector<Device> devices = some_devices(3);
  const std::vector<Split> splits = {{"one", 1, {}}, {"three, tiny", 3, {16, 33}}, {"two, uneven", 2, {80}}};
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed());
  for (const Kernel kernel : random.some_of<Kernel>({std::begin(every_kernel), std::end(every_kernel)}, 2)) {
    check_splits<double>(devices, {300, 101, 1}, splits, kernel, 23, {3, 16}, false);
    check_splits<float>(devices, {300, 101, 1}, splits, kernel, 23, {8}, true);
  }
}

TEST_CASE("jacobi solve: the same bits with every kernel, solid") {
  const std::vector<Device> devices = some_devices(3);
  const std::vector<Split> splits = {{"one", 1, {}}, {"three, tiny", 3, {5, 13}}};
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed());
  for (const Kernel kernel : random.some_of<Kernel>({std::begin(every_kernel), std::end(every_kernel)}, 2)) {
    check_splits<double>(devices, {37, 35, 30}, splits, kernel, 9, {4}, true);
    check_splits<float>(devices, {70, 21, 30}, splits, kernel, 9, {5}, false);
  }
}

TEST_CASE("jacobi solve: an exchange after every 1 to 16 iterations") {
  const std::vector<Device> devices = some_devices(3);
  const std::vector<Split> splits = {{"one", 1, {}}, {"three", 3, {20, 50}}};
  for (unsigned every = 1; every <= 16; ++every)
    check_splits<float>(devices, {300, 70, 1}, splits, Kernel::naive, 20, {every}, false);
  for (const Kernel kernel : {Kernel::stream, Kernel::rolling})
    check_splits<float>(devices, {300, 70, 1}, splits, kernel, 20, {1, 2, 7, 12}, false);
}

TEST_CASE("jacobi solve: a chosen time between exchanges, more devices than rows inside, no iterations") {
  const std::vector<Device> devices = some_devices(3);
  for (const Shape& shape : {Shape{7, 3, 1}, Shape{5, 4, 1}, Shape{4, 5, 3}, Shape{300, 40, 1}}) {
    const Grid<float> grid = random_grid<float>(shape, 5);
    for (const std::size_t count : {1, 2, 3}) {
      SolveOptions options{.iterations = 11, .kernel = Kernel::naive, .balance = Balance::fixed};
      check_bits<float>(std::span(devices).first(count), grid, options, expected<float>(grid, 11));
    }
  }
  Grid<float> grid = random_grid<float>({9, 8, 1}, 6);
  const std::vector<float> before = copy_of(grid);
  const Report report = solve<float>(devices, grid, {.iterations = 0});
  CHECK(report.iterations == 0);
  CHECK_FALSE(report.change);
  CHECK(copy_of(grid) == before);
}

TEST_CASE("jacobi solve: weights, and a device given twice") {
  const std::vector<Device> devices = some_devices(2);
  if (!have<double>(devices)) return;
  const Grid<double> grid = random_grid<double>({50, 100, 1}, 7);
  const Expected<double> wanted = expected<double>(grid, 20);
  const Report report = check_bits<double>(
      devices, grid,
      {.iterations = 20, .kernel = Kernel::naive, .halo_depth = 4, .balance = Balance::fixed, .weights = {3, 1}},
      wanted);
  CHECK(report.devices[0].rows == 75);
  CHECK(report.devices[1].first_row == 75);
  CHECK(report.devices[1].rows == 25);
  CHECK(report.devices[1].used);
  const std::vector<Device> twice{devices[0], devices[0]};
  check_bits<double>(twice, grid, {.iterations = 20, .kernel = Kernel::naive, .balance = Balance::fixed}, wanted);
}

TEST_CASE("jacobi solve: stops at the same iteration on every split") {
  const std::vector<Device> devices = some_devices(3);
  if (!have<double>(devices)) return;  // the number of iterations is that of double
  std::optional<double> l2;
  for (const std::size_t count : {1, 3}) {
    Grid<double> grid(100, 80);
    grid.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
    const Report report = solve<double>(
        std::span(devices).first(count), grid,
        {.iterations = 5000, .tolerance = 1e-2, .check_every = 1, .kernel = Kernel::naive, .balance = Balance::fixed});
    CHECK(report.converged);
    CHECK(report.iterations == 2788);
    REQUIRE(report.change);
    CHECK(report.change->max < 1e-2);
    if (!l2) l2 = report.change->l2;
    CHECK(report.change->l2 == *l2);
  }
  // Looked at less often: at the next look.
  Grid<double> grid(100, 80);
  grid.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
  const Report report = solve<double>(
      devices, grid, {.iterations = 5000, .tolerance = 1e-2, .check_every = 300, .balance = Balance::fixed});
  CHECK(report.converged);
  CHECK(report.iterations == 3000);
  // Not reached.
  const Report more =
      solve<double>(devices, grid, {.iterations = 70, .tolerance = 1e-9, .check_every = 30, .kernel = Kernel::naive});
  CHECK_FALSE(more.converged);
  CHECK(more.iterations == 70);
  CHECK(more.change);
}

TEST_CASE("jacobi solve: progress, cancelled and failing") {
  const std::vector<Device> devices = some_devices(3);
  for (const std::size_t count : {1, 3}) {
    CAPTURE(count);
    const std::span<const Device> some = std::span(devices).first(count);
    Grid<float> grid = random_grid<float>({300, 200, 1}, 8);
    const std::vector<float> before = copy_of(grid);
    // Nobody goes on before the progress was called at the start and twice on the way.
    std::mutex mutex;
    std::condition_variable called;
    std::uint64_t calls = 0;
    const auto count_call = [&] {
      const std::lock_guard lock(mutex);
      ++calls;
      called.notify_all();
    };
    Hooks hooks;
    hooks.fail_at = [&](std::size_t, std::uint64_t) {
      std::unique_lock lock(mutex);
      called.wait(lock, [&] { return calls >= 3; });
    };
    SolveOptions options{.iterations = 500, .kernel = Kernel::naive, .balance = Balance::fixed};
    std::uint64_t last = 0;
    options.progress = [&](const ProgressState& state) {
      count_call();
      CHECK(state.items_total == 500);
      CHECK(state.items_done >= last);
      last = state.items_done;
      return true;
    };
    solve_with<float>(some, grid, options, hooks);
    CHECK(calls >= 4);  // and at the end
    CHECK(last == 500);

    std::copy(before.begin(), before.end(), grid.cells().begin());
    options.iterations = 1000000;
    hooks.fail_at = {};
    options.progress = [&](const ProgressState& state) { return state.items_done < 50; };
    CHECK_THROWS_AS(solve_with<float>(some, grid, options, hooks), Cancelled);
    CHECK(copy_of(grid) == before);

    options.progress = [&](const ProgressState& state) -> bool {
      if (state.items_done >= 50) throw std::runtime_error("progress fails");
      return true;
    };
    CHECK_THROWS_WITH(solve_with<float>(some, grid, options, hooks), "progress fails");
    CHECK(copy_of(grid) == before);
  }
}

TEST_CASE("jacobi solve: an error that is no device's stops all") {
  const std::vector<Device> devices = some_devices(3);
  for (std::size_t failing = 0; failing < 3; ++failing) {
    Grid<float> grid = random_grid<float>({100, 90, 1}, 9);
    const std::vector<float> before = copy_of(grid);
    Hooks hooks;
    hooks.fail_at = [failing](std::size_t device, std::uint64_t iteration) {
      if (device == failing && iteration >= 40) throw std::runtime_error("something else");
    };
    CHECK_THROWS_WITH(
        solve_with<float>(devices, grid,
                          {.iterations = 1000, .kernel = Kernel::naive, .halo_depth = 2, .balance = Balance::fixed},
                          hooks),
        "something else");
    CHECK(copy_of(grid) == before);
  }
}

TEST_CASE("jacobi solve: a CPU that leaves cores to others") {
  const Device device = Device::pick();
  if (!can_be_cut(device)) {
    CHECK(reserve_cores(device, 1) == device);
    return;
  }
  const Device less = reserve_cores(device, 1);
  CHECK(less.info().compute_units == device.info().compute_units - 1);
  CHECK(less.family() == device.family());
  const Grid<float> grid = random_grid<float>({100, 90, 1}, 10);
  const std::vector<Device> both{less, device};
  check_bits<float>(both, grid, {.iterations = 30, .kernel = Kernel::naive, .balance = Balance::fixed},
                    expected<float>(grid, 30));
  CHECK(reserve_cores(device, 100000).info().compute_units == device.info().compute_units);
}

TEST_CASE("jacobi solve: a CPU that reserves cores for others keeps its properties") {
  Device device = Device::pick().without_vendor_paths();
  if (!can_be_cut(device)) return;
  CHECK_FALSE(reserve_cores(device, 1).vendor_paths());
  CHECK(reserve_cores(Device::pick(), 1).vendor_paths() == Device::pick().vendor_paths());
  // Who asks the device that was given hears of all that ran on its cores.
  device.enable_profiling();
  const Device less = reserve_cores(device, 1);
  Grid<float> grid = random_grid<float>({100, 90, 1}, 13);
  solve<float>(less, grid, {.iterations = 30, .kernel = Kernel::naive});
  std::uint64_t launches = 0;
  for (const KernelProfile& kernel : device.profile()) launches += kernel.launches;
  CHECK(launches >= 30);
}

TEST_CASE("jacobi solve: a kernel for each type of device, and the tile of local") {
  const KernelsByType kernels{.cpu = Kernel::blocked, .gpu = Kernel::local};
  CHECK(kernels.of(DeviceType::cpu, Kernel::strip) == Kernel::blocked);
  CHECK(kernels.of(DeviceType::gpu, Kernel::strip) == Kernel::local);
  CHECK(kernels.of(DeviceType::accelerator, Kernel::strip) == Kernel::strip);
  CHECK(kernels.of(DeviceType::other, Kernel::automatic) == Kernel::automatic);
  CHECK(KernelsByType{.accelerator = Kernel::rolling}.of(DeviceType::accelerator, Kernel::strip) == Kernel::rolling);

  const std::vector<Device> devices = some_devices(2);
  const Grid<float> grid = random_grid<float>({90, 75, 1}, 14);
  const Expected<float> wanted = expected<float>(grid, 21);
  const Report report = check_bits<float>(
      devices, grid, {.iterations = 21, .kernel = Kernel::strip, .kernels = kernels, .balance = Balance::fixed},
      wanted);
  for (std::size_t i = 0; i < devices.size(); ++i)
    CHECK(report.devices[i].kernel == kernels.of(devices[i].info().type, Kernel::strip));
  for (const LocalTile& tile : {LocalTile{3, 3}, LocalTile{16, 4}, LocalTile{5, 31}, LocalTile{80, 3}}) {
    CAPTURE(tile.columns);
    SolveOptions options{.iterations = 21, .kernel = Kernel::local, .tile = tile, .balance = Balance::fixed};
    check_bits<float>(devices, grid, options, wanted);
  }
}

TEST_CASE("jacobi solve: bad input") {
  const std::vector<Device> devices = some_devices(2);
  Grid<float> grid = random_grid<float>({20, 30, 1}, 11);
  const std::vector<float> before = copy_of(grid);
  const auto refused = [&](const SolveOptions& options) {
    CHECK_THROWS_AS(solve<float>(devices, grid, options), InputError);
    try {
      solve<float>(devices, grid, options);
    } catch (const InputError& error) {
      CHECK(std::string(error.what()).find('\n') == std::string::npos);
    }
    CHECK(copy_of(grid) == before);
  };
  const auto fixed = Balance::fixed;
  refused({.tolerance = -1});
  refused({.tolerance = std::numeric_limits<double>::quiet_NaN()});
  refused({.check_every = 0});
  refused({.halo_depth = 100000});
  refused({.kernels = {.gpu = static_cast<Kernel>(99)}});
  refused({.kernel = Kernel::local, .tile = {2, 8}});
  refused({.kernel = Kernel::local, .tile = {8, 0}});
  refused({.kernel = Kernel::local, .tile = {100'000, 100'000}});
  refused({.cuts = {10}});       // automatic
  refused({.weights = {1, 2}});  // automatic
  refused({.balance = fixed, .cuts = {}, .weights = {1}});
  refused({.balance = fixed, .weights = {1, 0}});
  refused({.balance = fixed, .weights = {1, -1}});
  refused({.balance = fixed, .weights = {1, std::numeric_limits<double>::infinity()}});
  refused({.balance = fixed, .cuts = {10}, .weights = {1, 1}});
  refused({.balance = fixed, .cuts = {10, 20}});
  refused({.balance = fixed, .cuts = {0}});
  refused({.balance = fixed, .cuts = {30}});
  refused({.halo_depth = 8, .balance = fixed, .cuts = {7}});
  refused({.halo_depth = 8, .balance = fixed, .cuts = {23}});
  refused({.halo_depth = 16, .balance = fixed});
  refused({.halo_depth = 8, .balance = fixed, .weights = {1, 9}});
  const std::vector<std::uint8_t> mask(599);
  refused({.fixed_cells = mask});
  CHECK_THROWS_AS(solve<float>(std::span<const Device>(), grid), InputError);
  const std::vector<Device> three = some_devices(3);
  CHECK_THROWS_AS(solve<float>(three, grid, {.balance = fixed, .cuts = {20, 10}}), InputError);
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()}) {
    Grid<float> other = random_grid<float>({20, 30, 1}, 12);
    other(19, 29) = bad;
    CHECK_THROWS_WITH_AS(solve<float>(devices, other), doctest::Contains("cell 19,29 is"), InputError);
  }
  DeviceInfo single;
  single.name = "a device";
  single.fp64 = false;
  CHECK_THROWS_WITH_AS(
      check_precision(single, sizeof(double)),
      "double on a device, which has single precision only; expected another device (--device) or float "
      "(--precision float)",
      InputError);
  CHECK_NOTHROW(check_precision(single, sizeof(float)));
}
