#include "genocl/jacobi/relaxation.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/relaxation.hpp"
#include "jacobi/solver_cases.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

constexpr std::uint32_t seed = 20271;

template <class T>
std::uint64_t hash_of(const Grid<T>& grid) {
  return genocl_reference::hash_of<T>(grid.cells());
}

template <class T>
std::uint64_t hash_after(const Grid<T>& given, std::uint64_t iterations, std::span<const std::uint8_t> mask = {}) {
  return genocl_reference::hash_of<T>(
      std::span<const T>(genocl_reference::relax<T>(given.shape(), given.cells(), iterations, mask)));
}

/// Calls of some iterations each, with a look at the grid after every one.
template <class T>
void check_calls(std::span<const Device> devices, const Shape& shape, bool masked, SolveOptions options,
                 const Hooks& hooks = {}) {
  if (!have<T>(devices)) return;
  CAPTURE(shape.text());
  CAPTURE(devices.size());
  const Grid<T> given = random_grid<T>(shape, seed);
  const std::vector<std::uint8_t> mask = masked ? random_mask(shape, seed + 1) : std::vector<std::uint8_t>();
  options.fixed_cells = mask;
  Relaxation<T> relaxation = RelaxationAccess::make<T>(devices, shape, options, hooks);
  Grid<T> grid(shape);
  for (int turn = 0; turn < 2; ++turn) {  // a second grid begins anew
    relaxation.load(given);
    CHECK(relaxation.iterations() == 0);
    CHECK_FALSE(relaxation.change());
    std::uint64_t done = 0;
    for (const std::uint64_t more : {1, 7, 0, 16, 21}) {
      CAPTURE(done);
      CAPTURE(more);
      const bool measured = more != 16;
      relaxation.advance(more, measured);
      done += more;
      CHECK(relaxation.iterations() == done);
      relaxation.store(grid);
      CHECK(hash_of(grid) == hash_after<T>(given, done, mask));
      if (more == 0) continue;
      CHECK(relaxation.change().has_value() == measured);
      if (!measured) continue;
      const Expected<T> wanted = expected<T>(given, done, mask);
      CHECK(relaxation.change()->max == wanted.max);
      CHECK(relaxation.change()->l2 == doctest::Approx(std::sqrt(wanted.squares)).epsilon(1e-6));
    }
  }
  const Report report = relaxation.report();
  CHECK(report.iterations == 45);
  CHECK(report.seconds > 0);
  CHECK(report.updates_per_second == doctest::Approx(2 * 45 * static_cast<double>(shape.interior()) / report.seconds));
}

}  // namespace

TEST_CASE("jacobi relaxation: the same bits however the iterations are cut into calls") {
  const std::vector<Device> devices = some_devices(3);
  for (const std::size_t count : {1, 2, 3}) {
    const std::span<const Device> some = std::span(devices).first(count);
    check_calls<float>(some, {150, 101, 1}, true, {.halo_depth = 8, .balance = Balance::fixed});
    check_calls<double>(some, {20, 13, 53}, false, {.kernel = Kernel::naive, .balance = Balance::fixed});
    check_calls<float>(some, {150, 101, 1}, false, {});
  }
  // In bands, of one device and of two.
  for (const std::size_t count : {1, 2}) {
    const Shape shape{70, 150, 1};
    check_calls<float>(std::span(devices).first(count), shape, true, {.kernel = Kernel::naive},
                       {.memory = 50 * Layout(shape).slice() * 9});
  }
}

TEST_CASE("jacobi relaxation: stops where solve() does, however often it is called") {
  const std::vector<Device> devices = some_devices(3);
  if (!have<double>(devices)) return;  // the number of iterations is that of double
  Grid<double> given(100, 80);
  given.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
  for (const std::size_t count : {1, 3})
    for (const std::uint64_t most : {100000, 450, 100}) {
      const std::span<const Device> some(devices.data(), count);
      Relaxation<double> relaxation(some, given.shape(), {.check_every = 300, .balance = Balance::fixed});
      relaxation.load(given);
      while (!relaxation.until(1e-2, most, false)) REQUIRE(relaxation.iterations() < 3000);
      CHECK(relaxation.iterations() == 3000);
      CHECK(relaxation.report().converged);
      CHECK(relaxation.change()->max < 1e-2);
    }
  // With `measured` the last iteration is also measured.
  Relaxation<double> relaxation(devices, given.shape(), {.check_every = 300, .balance = Balance::fixed});
  relaxation.load(given);
  CHECK_FALSE(relaxation.until(1e-2, 2787));
  CHECK(relaxation.iterations() == 2787);
  CHECK(relaxation.until(1e-2, 1));
}

TEST_CASE("jacobi relaxation: cancelled, it stays as at the last exchange and goes on from there") {
  const std::vector<Device> devices = some_devices(3);
  const Shape shape{300, 200, 1};
  const Grid<float> given = random_grid<float>(shape, seed);
  for (const bool bands : {false, true})
    for (const std::size_t count : {1, 2, 3})
      for (const bool throws : {false, true}) {
        CAPTURE(bands);
        CAPTURE(count);
        Hooks hooks;
        if (bands) hooks.memory = 90 * Layout(shape).slice() * 8;
        bool stop = false;
        std::uint64_t last = 0;
        SolveOptions options{.kernel = Kernel::naive, .halo_depth = 4, .balance = Balance::automatic};
        if (!bands) options.balance = Balance::fixed;
        options.progress = [&](const ProgressState& state) {
          last = state.items_done;
          if (stop && throws && state.items_done >= 50) throw std::runtime_error("enough");
          return !stop || state.items_done < 50;
        };
        auto relaxation = RelaxationAccess::make<float>(std::span(devices).first(count), shape, options, hooks);
        relaxation.load(given);
        for (int turn = 0; turn < 2; ++turn) {
          stop = true;
          const std::uint64_t before = relaxation.iterations();
          if (throws)
            CHECK_THROWS_WITH(relaxation.advance(1000000), "enough");
          else
            CHECK_THROWS_AS(relaxation.advance(1000000), Cancelled);
          const std::uint64_t done = relaxation.iterations();
          CHECK(done >= before);
          CHECK(done < 1000000);
          if (turn == 0) CHECK(done >= 50);
          // One device that goes on alone, because the others do not pay or do not any more, exchanges nothing.
          const Report report = relaxation.report();
          const auto sharing = std::ranges::count_if(report.devices, [](const DeviceReport& d) { return d.rows > 0; });
          if (turn == 0 && sharing > 1) CHECK(done % 4 == 0);
          if (done > before) CHECK_FALSE(relaxation.change());
          Grid<float> grid(shape);
          relaxation.store(grid);
          CHECK(hash_of(grid) == hash_after<float>(given, done));
          stop = false;
          relaxation.advance(10);
          CHECK(last == done + 10);
          relaxation.store(grid);
          CHECK(hash_of(grid) == hash_after<float>(given, done + 10));
          relaxation.advance(2);  // whole exchanges again
        }
      }
}

TEST_CASE("jacobi relaxation: the balance goes on from call to call") {
  const std::vector<Device> devices = some_devices(2);
  const Shape shape{40, 400, 1};
  const Grid<float> given = random_grid<float>(shape, seed);
  Hooks hooks{.slice_seconds = {1e-5, 1e-5}, .short_run = 0};
  SolveOptions options{.iterations = 200000, .kernel = Kernel::naive, .halo_depth = 4};
  auto relaxation = RelaxationAccess::make<float>(devices, shape, options, hooks);
  relaxation.load(given);
  for (int call = 0; call < 60; ++call) relaxation.advance(10, false);
  const Report report = relaxation.report();
  // Tried, reached, and decided: looks of at least 16 iterations each, over calls of 10.
  CHECK(report.devices[0].used);
  CHECK(report.devices[1].used);
  CHECK(std::any_of(report.decisions.begin(), report.decisions.end(), [](const std::string& decision) {
    return decision.find("goes on together") != std::string::npos;
  }));
  Grid<float> grid(shape);
  relaxation.store(grid);
  CHECK(hash_of(grid) == hash_after<float>(given, 600));
}

TEST_CASE("jacobi relaxation: bad input") {
  const std::vector<Device> devices = some_devices(2);
  CHECK_THROWS_AS(Relaxation<float>(devices, {20, 2, 1}), InputError);
  CHECK_THROWS_AS(Relaxation<float>(devices, {20, 30, 1}, {.tolerance = 1e-3}), InputError);
  CHECK_THROWS_AS(Relaxation<float>(devices, {20, 30, 1}, {.balance = Balance::fixed, .weights = {1}}), InputError);
  Relaxation<float> relaxation(devices, {20, 30, 1});
  Grid<float> grid = random_grid<float>({20, 30, 1}, seed), other = random_grid<float>({30, 20, 1}, seed);
  CHECK_THROWS_WITH_AS(relaxation.advance(1), doctest::Contains("without a grid"), InputError);
  CHECK_THROWS_WITH_AS(relaxation.store(grid), doctest::Contains("without a grid"), InputError);
  CHECK_THROWS_WITH_AS(relaxation.checkpoint("x"), doctest::Contains("without a grid"), InputError);
  CHECK_THROWS_WITH_AS(relaxation.load(other), "a grid of 30x20 for a relaxation of 20x30", InputError);
  relaxation.load(grid);
  relaxation.advance(3);
  CHECK_THROWS_AS(relaxation.store(other), InputError);
  CHECK_THROWS_AS(relaxation.until(0, 5), InputError);
  CHECK_THROWS_AS(relaxation.until(std::nan(""), 5), InputError);
  Grid<float> bad = random_grid<float>({20, 30, 1}, seed);
  bad(3, 4) = std::numeric_limits<float>::quiet_NaN();
  CHECK_THROWS_WITH_AS(relaxation.load(bad), doctest::Contains("cell 3,4 is"), InputError);
  // The grid is still there.
  CHECK(relaxation.iterations() == 3);
  Grid<float> result(20, 30);
  Relaxation<float> moved = std::move(relaxation);
  moved.store(result);
  CHECK(hash_of(result) == hash_after<float>(grid, 3));
}
