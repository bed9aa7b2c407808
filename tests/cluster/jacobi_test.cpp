#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "cluster/mpi_process_group.hpp"
#include "genocl/cluster.hpp"
#include "genocl/error.hpp"
#include "jacobi/device_table.hpp"
#include "jacobi/partitioned_solver.hpp"
#include "jacobi/solver_cases.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;
using genocl::cluster::Communicator;
using genocl::cluster::GridSlices;
using genocl::cluster::MpiProcessGroup;

namespace {

constexpr std::uint32_t seed = 20261;

template <class T>
struct Case {
  Shape shape;
  std::uint64_t iterations;
  Grid<T> grid;
  std::vector<std::uint8_t> mask;
  Expected<T> wanted;
  Report alone;  // one device's
};

/// The same on every rank.
template <class T>
Case<T> make_case(const Device& device, const Shape& shape, std::uint64_t iterations, bool masked) {
  Case<T> one{shape, iterations, random_grid<T>(shape, seed), {}, {}, {}};
  if (masked) one.mask = random_mask(shape, seed + 1);
  one.wanted = expected<T>(one.grid, iterations, one.mask);
  Grid<T> grid = random_grid<T>(shape, seed);
  one.alone = solve<T>(device, grid, {.iterations = iterations, .fixed_cells = one.mask});
  REQUIRE(genocl_reference::hash_of<T>(grid.cells()) == genocl_reference::hash_of<T>(one.wanted.cells));
  return one;
}

/// Whether the ranks' report and rank 0's grid are what one device makes.
template <class T>
void check_result(const Communicator& ranks, const Case<T>& one, const Grid<T>& grid, const Report& report) {
  if (ranks.is_root())
    CHECK(genocl_reference::hash_of<T>(grid.cells()) == genocl_reference::hash_of<T>(one.wanted.cells));
  CHECK(report.iterations == one.iterations);
  REQUIRE(report.change);
  CHECK(report.change->max == one.wanted.max);
  CHECK(std::bit_cast<std::uint64_t>(report.change->l2) == std::bit_cast<std::uint64_t>(one.alone.change->l2));
  std::uint64_t slices = 0;
  for (const DeviceReport& device : report.devices) {
    CHECK(device.first_row == slices);
    slices += device.rows;
  }
  CHECK(slices == Layout(one.shape).slices);
}

std::vector<double> weights_for(std::size_t devices) {
  std::vector<double> weights;
  for (std::size_t i = 0; i < devices; ++i) weights.push_back(i % 2 == 0 ? 1 : 1.7);
  return weights;
}

template <class T>
void check_splits(const Communicator& ranks, std::span<const Device> devices, const Shape& shape, bool masked,
                  std::initializer_list<unsigned> exchanges) {
  const Case<T> one = make_case<T>(devices[0], shape, 29, masked);
  const std::size_t count = devices.size() * static_cast<std::size_t>(ranks.size());
  for (const unsigned halo_depth : exchanges)
    for (const bool overlap : {true, false})
      for (const bool even : {true, false}) {
        CAPTURE(shape.text());
        CAPTURE(sizeof(T));
        CAPTURE(halo_depth);
        CAPTURE(overlap);
        CAPTURE(even);
        SolveOptions options{.iterations = one.iterations,
                             .halo_depth = halo_depth,
                             .balance = Balance::fixed,
                             .overlap = overlap,
                             .fixed_cells = one.mask};
        if (!even) options.weights = weights_for(count);
        Grid<T> grid = random_grid<T>(shape, seed);
        const Report report = cluster::solve<T>(ranks, devices, ranks.is_root() ? &grid : nullptr, options);
        REQUIRE(report.devices.size() == count);
        check_result(ranks, one, grid, report);
      }
}

}  // namespace

TEST_CASE("cluster jacobi: the bits of one device, whatever the ranks and their shares") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  if (have<double>(devices)) {
    check_splits<double>(ranks, devices, {61, 83, 1}, false, {1, 8});
    check_splits<double>(ranks, devices, {19, 13, 37}, true, {3});
  }
  check_splits<float>(ranks, devices, {130, 70, 1}, true, {3, 0});
  check_splits<float>(ranks, devices, {17, 15, 33}, false, {1, 4});
}

TEST_CASE("cluster jacobi: several devices on each rank") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick(), Device::pick()};
  check_splits<float>(ranks, devices, {61, 90, 1}, false, {1, 5});
  // A different number on each rank.
  const std::span<const Device> some = std::span(devices).first(ranks.rank() % 2 == 0 ? 1 : 2);
  const Case<float> one = make_case<float>(devices[0], {61, 90, 1}, 40, true);
  Grid<float> grid = random_grid<float>(one.shape, seed);
  const Report report = cluster::solve<float>(ranks, some, ranks.is_root() ? &grid : nullptr,
                                              {.iterations = 40, .balance = Balance::fixed, .fixed_cells = one.mask});
  CHECK(report.devices.size() == static_cast<std::size_t>(ranks.size() + ranks.size() / 2));
  check_result(ranks, one, grid, report);
}

TEST_CASE("cluster jacobi: a grid that no rank holds as a whole") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  for (const Shape& shape : {Shape{70, 101, 1}, Shape{15, 18, 44}})
    for (const bool masked : {false, true}) {
      CAPTURE(shape.text());
      CAPTURE(masked);
      constexpr unsigned halo_depth = 4;
      const Case<float> one = make_case<float>(devices[0], shape, 27, masked);
      const std::uint64_t slice = shape.cells() / Layout(shape).slices;
      std::uint64_t read = 0;
      std::vector<std::uint64_t> written(Layout(shape).slices, 0);
      bool right = true;
      GridSlices<float> slices;
      slices.read = [&](std::uint64_t first, std::span<float> cells) {
        std::copy_n(one.grid.cells().data() + first * slice, cells.size(), cells.data());
        read += cells.size() / slice;
      };
      slices.write = [&](std::uint64_t first, std::span<const float> cells) {
        right &= std::equal(cells.begin(), cells.end(), one.wanted.cells.data() + first * slice);
        for (std::uint64_t i = 0; i < cells.size() / slice; ++i) ++written[first + i];
      };
      if (masked)
        slices.fixed = [&](std::uint64_t first, std::span<std::uint8_t> cells) {
          std::copy_n(one.mask.data() + first * slice, cells.size(), cells.data());
        };
      const Report report =
          cluster::solve<float>(ranks, devices, shape, slices,
                                {.iterations = one.iterations, .halo_depth = halo_depth, .balance = Balance::fixed});
      CHECK(right);
      CHECK(report.change->l2 == one.alone.change->l2);
      const std::uint64_t own = std::accumulate(written.begin(), written.end(), std::uint64_t{0});
      CHECK(own == report.devices[static_cast<std::size_t>(ranks.rank())].rows);
      CHECK(read <= own + 2 * halo_depth);
      ranks.sum(written);
      CHECK(written == std::vector<std::uint64_t>(written.size(), 1));
    }
}

TEST_CASE("cluster jacobi: a tolerance stops where one device does") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  for (const std::uint64_t check_every : {1, 7}) {
    SolveOptions options{.iterations = 3000, .tolerance = 2e-4, .check_every = check_every};
    Grid<float> alone = random_grid<float>({50, 60, 1}, seed), grid = random_grid<float>({50, 60, 1}, seed);
    const Report wanted = solve<float>(devices[0], alone, options);
    REQUIRE(wanted.converged);
    options.balance = Balance::fixed;
    options.halo_depth = 5;
    const Report report = cluster::solve<float>(ranks, devices, ranks.is_root() ? &grid : nullptr, options);
    CHECK(report.converged);
    CHECK(report.iterations == wanted.iterations);
    CHECK(report.change->max == wanted.change->max);
    CHECK(report.change->l2 == wanted.change->l2);
    if (ranks.is_root())
      CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(alone.cells()));
  }
}

TEST_CASE("cluster jacobi: ranks of a machine share memory with one another") {
  const Communicator ranks(MPI_COMM_WORLD);
  const bool one_machine = ranks.node_size() == ranks.size();
  for (const bool share_memory : {true, false}) {
    MpiProcessGroup processes(ranks, share_memory);
    for (std::size_t upper = 0; upper < processes.size(); ++upper)
      for (std::size_t lower = upper + 1; lower < processes.size(); ++lower) {
        if (processes.rank() != upper && processes.rank() != lower) continue;
        constexpr std::size_t half = 4096;
        const std::size_t other = processes.rank() == upper ? lower : upper;
        const std::span<std::byte> memory = processes.share(other, 2 * half);
        if (!share_memory) CHECK(memory.empty());
        if (share_memory && one_machine) CHECK(memory.size() == 2 * half);
        if (memory.empty()) continue;
        CHECK(std::ranges::count(memory, std::byte{}) == 2 * half);
        processes.share(other, 1);  // both have looked
        const std::span<std::byte> own = memory.subspan(processes.rank() == upper ? 0 : half, half);
        std::ranges::fill(own, static_cast<std::byte>(1 + processes.rank()));
        processes.share(other, 1);  // both have written
        const std::span<std::byte> there = memory.subspan(processes.rank() == upper ? half : 0, half);
        CHECK(std::ranges::count(there, static_cast<std::byte>(1 + other)) == half);
      }
  }
}

TEST_CASE("cluster jacobi: slices move between ranks while it runs, with shared memory and with messages") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices(ranks.rank() == 1 ? 2 : 1, Device::pick());
  constexpr std::uint64_t steps = 8, each = 11;
  const Shape shape{40, 200, 1};
  const Case<float> one = make_case<float>(devices[0], shape, steps * each, true);
  for (const auto& [spare_memory, share_memory] :
       {std::pair(false, true), std::pair(true, true), std::pair(false, false), std::pair(true, false)}) {
    CAPTURE(spare_memory);
    CAPTURE(share_memory);
    MpiProcessGroup processes(ranks, share_memory);
    const RunSettings settings{Layout(shape), 4, true, one.mask, {}, true};
    const std::vector<RunDevice> workers = make_run_devices(devices, settings, sizeof(float), {}, {});
    const DeviceTable table = make_device_table(workers, sizeof(float), &processes);
    const std::vector<FusedStepSet> fused_steps(workers.size());
    PartitionedSolver<float> run(workers, table, settings, {}, {}, spare_memory);
    Grid<float> grid = random_grid<float>(shape, seed);
    Random random(seed);
    const auto shares = [&] {  // the same everywhere; a device here and there has none
      std::vector<double> weights(table.size());
      for (double& weight : weights) weight = random.between(0.1, 1);
      PartitionSizes drawn = partition_by_weights(weights, 200, 8);
      const std::size_t empty = random.below(table.size() + 1), other = random.below(table.size());
      if (empty < table.size() && empty != other) drawn[other] += std::exchange(drawn[empty], 0);
      return drawn;
    };
    const HostGrid<float> host{ranks.is_root() ? grid.cells() : std::span<float>(), {}, {}};
    run.start(shares(), host, fused_steps);
    for (std::uint64_t step = 0; step < steps; ++step) {
      run.advance(each, step + 1 == steps);
      if (step + 1 < steps) run.move(shares());
    }
    CHECK(run.change().l2 == one.alone.change->l2);
    run.store(host);
    if (ranks.is_root())
      CHECK(genocl_reference::hash_of<float>(grid.cells()) == genocl_reference::hash_of<float>(one.wanted.cells));
  }
}

TEST_CASE("cluster jacobi: devices of all ranks are balanced by their measured speeds") {
  const Communicator ranks(MPI_COMM_WORLD);
  MpiProcessGroup processes(ranks);
  const std::vector<Device> devices{Device::pick()};
  const Shape shape{40, 400, 1};
  const Case<float> one = make_case<float>(devices[0], shape, 3000, false);
  // The last rank is the fastest. Ranks with a tenth of its speed are tried only after it ran alone for some time.
  for (const double others : {1.5, 10.0, 1000.0}) {
    CAPTURE(others);
    Grid<float> grid = random_grid<float>(shape, seed);
    const double own = ranks.rank() + 1 == ranks.size() ? 1e-5 : others * 1e-5;
    const HostGrid<float> host{ranks.is_root() ? grid.cells() : std::span<float>(), {}, {}};
    const Report report = solve_among<float>(processes, devices, shape, host, {}, {.iterations = one.iterations},
                                             {.slice_seconds = {own}, .short_run = 0});
    check_result(ranks, one, grid, report);
    CHECK(report.decisions.empty() == !(ranks.is_root() && ranks.size() > 1));
    const DeviceReport& fastest = report.devices.back();
    for (const DeviceReport& device : report.devices) {
      CHECK(device.rows <= fastest.rows);
      if (others == 1.5) CHECK(device.rows > 0);
      if (others == 1000 && ranks.size() > 1) CHECK(device.used == (&device == &fastest));
    }
  }
  // With measured speeds: only the result is known.
  Grid<float> grid = random_grid<float>(shape, seed);
  const HostGrid<float> host{ranks.is_root() ? grid.cells() : std::span<float>(), {}, {}};
  const Report report =
      solve_among<float>(processes, devices, shape, host, {}, {.iterations = one.iterations}, {.short_run = 0});
  check_result(ranks, one, grid, report);
}

TEST_CASE("cluster jacobi: invalid arguments are reported on every rank") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  Grid<float> grid = random_grid<float>({30, 40, 1}, seed);
  const std::vector<float> before = copy_of(grid);
  Grid<float>* const mine = ranks.is_root() ? &grid : nullptr;
  const auto refused = [&](const SolveOptions& options) {
    CHECK_THROWS_AS(cluster::solve<float>(ranks, devices, mine, options), InputError);
  };
  refused({.check_every = 0});
  refused({.cuts = {4}});
  refused({.balance = Balance::fixed, .weights = std::vector<double>(static_cast<std::size_t>(ranks.size()) + 1, 1)});
  refused({.fixed_cells = std::span<const std::uint8_t>(reinterpret_cast<const std::uint8_t*>("abc"), 3)});
  if (ranks.size() > 1) refused({.halo_depth = 40, .balance = Balance::fixed});
  CHECK_THROWS_AS(cluster::solve<float>(ranks, devices, static_cast<Grid<float>*>(nullptr)), InputError);
  CHECK_THROWS_AS(cluster::solve<float>(ranks, devices, {30, 40, 1}, GridSlices<float>()), InputError);
  CHECK((copy_of(grid) == before));

  // More ranks than slices: an error with equal partitions, fewer ranks with automatic ones.
  const Shape thin{30, 3, 1};
  Grid<float> few = random_grid<float>(thin, seed);
  if (ranks.size() > 3)
    CHECK_THROWS_AS(cluster::solve<float>(ranks, devices, ranks.is_root() ? &few : nullptr,
                                          {.iterations = 9, .balance = Balance::fixed}),
                    InputError);
  const Case<float> one = make_case<float>(devices[0], thin, 9, false);
  check_result(ranks, one, few,
               cluster::solve<float>(ranks, devices, ranks.is_root() ? &few : nullptr, {.iterations = 9}));

  // All together have too little memory.
  MpiProcessGroup processes(ranks);
  const HostGrid<float> host{ranks.is_root() ? grid.cells() : std::span<float>(), {}, {}};
  CHECK_THROWS_AS(solve_among<float>(processes, devices, grid.shape(), host, {}, {.iterations = 5},
                                     {.memory = Layout(grid.shape()).slice() * 8 * 8}),
                  CapacityError);
}

TEST_CASE("cluster jacobi: the options are rank 0's, and its progress") {
  const Communicator ranks(MPI_COMM_WORLD);
  const std::vector<Device> devices{Device::pick()};
  Grid<float> grid = random_grid<float>({30, 40, 1}, seed);
  std::uint64_t calls = 0, last = 0;
  const Progress progress = [&](const ProgressState& state) {
    ++calls;
    CHECK(state.items_done >= last);
    last = state.items_done;
    return true;
  };
  SolveOptions options{.iterations = 25, .balance = Balance::fixed, .progress = progress};
  if (!ranks.is_root()) options = {.iterations = 7, .cuts = {1, 2, 3}, .progress = progress};
  const Report report = cluster::solve<float>(ranks, devices, ranks.is_root() ? &grid : nullptr, options);
  CHECK(report.iterations == 25);
  CHECK((calls > 0) == ranks.is_root());
  if (ranks.is_root()) CHECK(last == 25);
  options.iterations = 0;
  const std::vector<float> before = copy_of(grid);
  CHECK(cluster::solve<float>(ranks, devices, ranks.is_root() ? &grid : nullptr, options).iterations == 0);
  CHECK((copy_of(grid) == before));
}
