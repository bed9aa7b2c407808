#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>

#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/load_balancer.hpp"
#include "jacobi/solver_cases.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

std::uint64_t sum(const PartitionSizes& shares) {
  return std::accumulate(shares.begin(), shares.end(), std::uint64_t{0});
}

PartitionLimits limits_of(std::uint64_t slices, std::size_t devices) {
  return {slices, 8, std::vector<std::uint64_t>(devices, slices), 0};
}

/// Devices with simulated speeds.
struct Simulation {
  std::vector<DeviceSpeed> speeds;
  double crowded = 1;  ///< factor on every device's time when several take part

  std::vector<double> computing(const PartitionSizes& shares) const {
    const auto taking_part = std::count_if(shares.begin(), shares.end(), [](auto share) { return share != 0; });
    std::vector<double> seconds;
    for (std::size_t i = 0; i < shares.size(); ++i)
      seconds.push_back(
          shares[i] == 0 ? 0 : speeds[i].seconds(static_cast<double>(shares[i])) * (taking_part > 1 ? crowded : 1));
    return seconds;
  }
  double run(const PartitionSizes& shares) const {
    const std::vector<double> each = computing(shares);
    return *std::max_element(each.begin(), each.end());
  }
};

/// The final sizes if the devices are as fast as `truth` and were measured as `measured`.
PartitionSizes final_sizes(const std::vector<DeviceSpeed>& measured, const Simulation& truth, std::uint64_t slices,
                           std::vector<std::string>* said = nullptr, std::uint64_t iterations = 1000000) {
  LoadBalancer balancer(nullptr);
  balancer.start(measured, limits_of(slices, measured.size()),
                 {iterations, 8, 1e6, {}, 1e-6, std::vector<std::string>(measured.size(), "device")});
  PartitionSizes shares = balancer.sizes();
  std::uint64_t done = 0;
  for (int step = 0; step < 60 && balancer.next_update() < iterations - done; ++step) {
    done += balancer.next_update();
    const PartitionSizes before = shares;
    if (const auto moved = balancer.update(balancer.next_update(), truth.run(shares), truth.computing(shares)))
      shares = *moved;
    CHECK(sum(shares) == slices);
    CHECK(shares == balancer.sizes());
  }
  if (said != nullptr) *said = balancer.decisions();
  return shares;
}

}  // namespace

TEST_CASE("jacobi balance: a line through two measurements") {
  const DeviceSpeed speed = fit_speed(100, 3e-3, 300, 7e-3);
  CHECK(speed.slice == doctest::Approx(2e-5));
  CHECK(speed.fixed == doctest::Approx(1e-3));
  // Noise that makes the smaller one slower, or a slice free.
  CHECK(fit_speed(100, 8e-3, 300, 7e-3).slice > 0);
  CHECK(fit_speed(100, 8e-3, 300, 7e-3).seconds(300) == doctest::Approx(7e-3));
  CHECK(fit_speed(100, 1e-3, 300, 7e-3).fixed == 0);
  CHECK(fit_speed(5, 1e-3, 5, 1e-3).slice == doctest::Approx(2e-4));
}

TEST_CASE("jacobi balance: partitions of equal time, by brute force") {
  for (std::uint32_t seed = 1; seed <= 40; ++seed) {
    CAPTURE(seed);
    genocl_test::Random random(seed);
    const auto value = [&] { return random.between(0.1, 3); };
    const std::vector<DeviceSpeed> speeds{{value(), value()}, {value(), value()}};
    PartitionLimits limits = limits_of(60, 2);
    limits.min_slices = 1 + random() % 6;
    limits.max_slices = {40 + random() % 25, 30 + random() % 35};
    const auto found = best_partitioning(speeds, limits);
    double best = 1e300;
    for (std::uint64_t first = 0; first <= 60; ++first) {
      const std::uint64_t second = 60 - first;
      if (first > limits.max_slices[0] || second > limits.max_slices[1]) continue;
      if ((first != 0 && first < limits.min_slices) || (second != 0 && second < limits.min_slices)) continue;
      best = std::min(best, std::max(first != 0 ? speeds[0].seconds(static_cast<double>(first)) : 0,
                                     second != 0 ? speeds[1].seconds(static_cast<double>(second)) : 0));
    }
    REQUIRE(found);
    CHECK(sum(found->sizes) == 60);
    CHECK(found->seconds <= best + std::max(speeds[0].slice, speeds[1].slice));
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(found->sizes[i] <= limits.max_slices[i]);
      CHECK((found->sizes[i] == 0 || found->sizes[i] >= limits.min_slices));
    }
  }
}

TEST_CASE("jacobi balance: devices without a gain or without memory") {
  PartitionLimits limits = limits_of(1000, 3);
  const std::vector<DeviceSpeed> speeds{{1e-5, 1e-6}, {1e-5, 1e-6}, {1e-1, 1e-3}};  // the third is hopeless
  const auto best = best_partitioning(speeds, limits);
  REQUIRE(best);
  CHECK(best->sizes == PartitionSizes{500, 500, 0});
  limits.exchange = 1e-3;  // more than all devices save
  CHECK(best_partitioning(speeds, limits)->devices() == 1);
  limits.exchange = 0;
  limits.max_slices = {100, 300, 700};  // each is needed
  CHECK(best_partitioning(speeds, limits)->sizes == PartitionSizes{100, 300, 600});
  CHECK_FALSE(best_single(speeds, limits));
  limits.max_slices = {100, 300, 500};
  CHECK_FALSE(best_partitioning(speeds, limits));
}

TEST_CASE("jacobi balance: shares by weights") {
  const std::vector<double> weights{1, 2, 5};
  CHECK(partition_by_weights(weights, 80, 1) == PartitionSizes{10, 20, 50});
  CHECK(sum(partition_by_weights(weights, 83, 1)) == 83);
  const std::vector<double> uneven{1e-9, 1, 1e-9};
  CHECK(partition_by_weights(uneven, 30, 4) == PartitionSizes{4, 22, 4});
}

TEST_CASE("jacobi balance: slices move until the times are equal, and stay") {
  const Simulation truth{{{0, 1e-5}, {0, 3e-5}, {0, 2e-5}}};
  Rebalancer rebalancer({400, 400, 300}, limits_of(1100, 3));
  PartitionSizes shares = rebalancer.sizes();
  int moves = 0;
  for (int step = 0; step < 40; ++step)
    if (const auto moved = rebalancer.update(truth.run(shares), truth.computing(shares))) {
      shares = *moved;
      ++moves;
    }
  CHECK(sum(shares) == 1100);
  CHECK(std::abs(static_cast<double>(shares[0]) - 600) < 20);
  CHECK(std::abs(static_cast<double>(shares[1]) - 200) < 20);
  CHECK(std::abs(static_cast<double>(shares[2]) - 300) < 20);
  CHECK(moves < 12);
}

TEST_CASE("jacobi balance: a move that makes it slower is taken back") {
  Rebalancer rebalancer({500, 500}, limits_of(1000, 2));
  const std::vector<double> uneven{1e-3, 2e-3};
  const auto moved = rebalancer.update(2e-3, uneven);
  REQUIRE(moved);
  CHECK((*moved)[0] > 500);
  const auto back = rebalancer.update(5e-3, uneven);
  REQUIRE(back);
  CHECK(*back == PartitionSizes{500, 500});
  CHECK_FALSE(rebalancer.update(2e-3, uneven));  // waits
}

TEST_CASE("jacobi balance: together only if that is faster") {
  const std::vector<DeviceSpeed> like{{0, 1e-6}, {0, 1e-6}};
  CHECK(final_sizes(like, {like}, 1000) == PartitionSizes{500, 500});
  // Measured alone both are equally fast, but they share their cores.
  std::vector<std::string> said;
  CHECK(final_sizes(like, {like, 2.1}, 1000, &said).at(0) % 1000 == 0);
  REQUIRE_FALSE(said.empty());
  CHECK(said.back().find("goes on alone") != std::string::npos);
  // A slow device with a fast one: a gain of 3 %.
  const std::vector<DeviceSpeed> uneven{{0, 1e-6}, {0, 32e-6}};
  const PartitionSizes helped = final_sizes(uneven, {uneven}, 10000);
  CHECK(helped[1] > 200);
  CHECK(helped[1] < 400);
  // The same, where the slow one's work costs the fast one more than it brings.
  CHECK(final_sizes(uneven, {uneven, 1.05}, 10000) == PartitionSizes{10000, 0});
  // The measurement was wrong by far: the run itself corrects it.
  const PartitionSizes corrected = final_sizes(like, {{{0, 1e-6}, {0, 3e-6}}}, 1000);
  CHECK(std::abs(static_cast<double>(corrected[0]) - 750) < 25);
  // Too short to try.
  CHECK(final_sizes(uneven, {uneven}, 10000, nullptr, 100) == PartitionSizes{10000, 0});
}

TEST_CASE("jacobi balance: together is given up when it loses") {
  const std::vector<DeviceSpeed> uneven{{0, 1e-6}, {0, 32e-6}};
  Simulation truth{uneven};
  LoadBalancer balancer(nullptr);
  balancer.start(uneven, limits_of(10000, 2), {20000, 8, 1e6, {1, 1.12}, 1e-6, {"fast", "slow"}});
  const auto look = [&] {
    const auto run = truth.run(balancer.sizes());
    return balancer.update(balancer.next_update(), run, truth.computing(balancer.sizes()));
  };
  for (int i = 0; i < 20; ++i) look();
  CHECK(balancer.sizes()[1] > 150);
  // Less than equal time would be: 303.
  CHECK(balancer.sizes()[1] < 295);
  truth.crowded = 1.1;  // also the fast device's computing
  for (int i = 0; i < 100; ++i) look();
  CHECK(balancer.sizes() == PartitionSizes{10000, 0});
  CHECK(balancer.decisions().back().find("goes on alone") != std::string::npos);
  CHECK_FALSE(look());
}

TEST_CASE("jacobi balance: a device is measured") {
  const Device device = Device::pick();
  const Layout layout(Shape{2000, 3000, 1});
  const Plan plan = choose_plan(device, layout, sizeof(float), Kernel::naive, 0);
  const MeasuredSpeed measured = measure_speed<float>(device, plan, RunSettings{layout}, 3000, {});
  CHECK(measured.speed.slice > 0);
  CHECK(measured.speed.fixed >= 0);
  CHECK(measured.seconds > 0);
  // Few slices are held, and the grid has few.
  RunSettings small{Layout(Shape{5, 3, 1}, {.top = BoundaryKind::periodic, .bottom = BoundaryKind::periodic})};
  const std::vector<std::uint8_t> mask(15);
  small.fixed_cells = mask;
  small.formula.weighted = small.formula.source = small.formula.coefficients = true;
  CHECK(measure_speed<float>(device, plan, small, 3, {1}).speed.slice > 0);
}

namespace {

/// Two contexts on a simulated clock: the decisions do not depend on the machine.
Report run_played(std::span<const Device> devices, const std::vector<double>& slice_seconds, std::uint64_t iterations) {
  const Grid<float> given = random_grid<float>({64, 200, 1}, 21);
  Grid<float> grid(given.shape());
  std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
  const Hooks hooks{.slice_seconds = slice_seconds, .short_run = 0};
  const Report report =
      solve_with<float>(devices, grid, {.iterations = iterations, .kernel = Kernel::naive, .halo_depth = 4}, hooks);
  const Expected<float> wanted = expected<float>(given, iterations);
  CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted.cells));
  std::string decisions;
  for (const std::string& decision : report.decisions) decisions += decision + "\n";
  MESSAGE(decisions);
  return report;
}

}  // namespace

TEST_CASE("jacobi balance: a slower device gets a smaller partition") {
  const std::vector<Device> devices = some_devices(2);
  const Report report = run_played(devices, {4e-5, 8e-5}, 500);
  CHECK(report.devices[0].rows + report.devices[1].rows == 200);
  CHECK(report.devices[0].rows > 110);
  CHECK(report.devices[0].rows < 160);
  CHECK(report.devices[1].used);
  CHECK_FALSE(report.decisions.empty());
}

TEST_CASE("jacobi balance: a hopeless device is left out") {
  const std::vector<Device> devices = some_devices(2);
  const Report report = run_played(devices, {2e-5, 4e-2}, 100);
  CHECK(report.devices[0].rows == 200);
  CHECK(report.devices[1].rows == 0);
  CHECK_FALSE(report.devices[1].used);
}

TEST_CASE("jacobi balance: devices that share their cores, to the same bits") {
  const std::vector<Device> devices = some_devices(3);
  const Grid<float> given = random_grid<float>({400, 300, 1}, 22);
  const std::uint64_t iterations = 1500;
  Grid<float> grid(given.shape());
  std::copy(given.cells().begin(), given.cells().end(), grid.cells().begin());
  const Report report = solve_with<float>(devices, grid, {.iterations = iterations}, {.short_run = 0});
  const Expected<float> wanted = expected<float>(given, iterations);
  CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(wanted.cells));
  CHECK(report.change->max == wanted.max);
  for (const std::string& decision : report.decisions) MESSAGE(decision);
}

TEST_CASE("jacobi balance: a short run is not measured") {
  const std::vector<Device> devices = some_devices(2);
  Grid<float> grid = random_grid<float>({64, 50, 1}, 23);
  const Report report = solve<float>(devices, grid, {.iterations = 10, .kernel = Kernel::naive});
  CHECK(std::count_if(report.devices.begin(), report.devices.end(), [](const auto& one) { return one.used; }) == 1);
  CHECK(report.decisions.size() == 1);
}
