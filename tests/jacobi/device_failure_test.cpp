// Devices that fail, at every step: the others go on, and the bits are those of the oracle.
// Runs before a release: it opens many devices, and each compiles its programs.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/relaxation.hpp"
#include "jacobi/solver_cases.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

constexpr std::uint32_t seed = 20281;
constexpr std::uint64_t iterations = 24;

[[noreturn]] void fail() { throw DeviceError("a step", "a device", "", -5); }

struct Case {
  Shape shape{100, 90, 1};
  Grid<float> given = random_grid<float>(shape, seed);
  std::uint64_t wanted = genocl_reference::hash_of<float>(
      std::span<const float>(genocl_reference::relax<float>(shape, given.cells(), iterations)));

  Grid<float> grid() const {
    Grid<float> copy(shape);
    std::copy(given.cells().begin(), given.cells().end(), copy.cells().begin());
    return copy;
  }
  Hooks hooks(bool bands) const {
    Hooks hooks;
    if (bands) hooks.memory = 40 * Layout(shape).slice() * 8;
    return hooks;
  }
  SolveOptions options(bool bands) const {
    SolveOptions options{.iterations = iterations, .kernel = Kernel::naive, .halo_depth = 2};
    if (!bands) options.balance = Balance::fixed;
    return options;
  }
};

void check_failed(const Report& report, const std::vector<std::size_t>& failed) {
  CHECK(report.iterations == iterations);
  REQUIRE(report.change);
  std::size_t told = 0;
  for (const std::string& decision : report.decisions)
    if (decision.find("failed (a step") != std::string::npos) ++told;
  CHECK(told == failed.size());
  for (std::size_t i = 0; i < report.devices.size(); ++i)
    CHECK(report.devices[i].failed == (std::find(failed.begin(), failed.end(), i) != failed.end()));
}

}  // namespace

TEST_CASE("jacobi failing: at every step of every device, in partitions and in bands, with copies and without") {
  const std::vector<Device> devices = some_devices(3);
  const Case one;
  for (const bool bands : {false, true})
    for (const std::uint64_t backup_every : {0, 6})
      for (std::size_t failing = 0; failing < (bands ? 2 : 3); ++failing)
        for (std::uint64_t step = 0; step < iterations; step += 2) {
          CAPTURE(bands);
          CAPTURE(backup_every);
          CAPTURE(failing);
          CAPTURE(step);
          Hooks hooks = one.hooks(bands);
          std::atomic<bool> met = false;
          hooks.fail_at = [&](std::size_t device, std::uint64_t iteration) {
            if (device != failing || iteration < step) return;
            met = true;
            fail();
          };
          SolveOptions options = one.options(bands);
          options.backup_every = backup_every;
          Grid<float> grid = one.grid();
          const std::span<const Device> some = std::span(devices).first(bands ? 2 : 3);
          const Report report = solve_with<float>(some, grid, options, hooks);
          CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
          // Which device takes a band is chance: one may have been spared.
          if (!bands) CHECK(met);
          check_failed(report, met ? std::vector<std::size_t>{failing} : std::vector<std::size_t>{});
          if (bands) continue;
          CHECK((report.backups == 0) == (backup_every == 0));
          const std::string from = "from iteration " + std::to_string(backup_every == 0 ? 0 : step / 6 * 6);
          CHECK(report.decisions.front().find(from) != std::string::npos);
        }
}

TEST_CASE("jacobi failing: one after the other, and the last") {
  const std::vector<Device> devices = some_devices(3);
  const Case one;
  for (const bool bands : {false, true}) {
    CAPTURE(bands);
    Hooks hooks = one.hooks(bands);
    hooks.fail_at = [&](std::size_t device, std::uint64_t iteration) {
      if ((device == 1 && iteration >= 4) || (device == 0 && iteration >= 10)) fail();
    };
    SolveOptions options = one.options(bands);
    options.backup_every = 4;
    Grid<float> grid = one.grid();
    const Report report = solve_with<float>(devices, grid, options, hooks);
    CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
    if (!bands) check_failed(report, {0, 1});

    hooks.fail_at = [&](std::size_t, std::uint64_t iteration) {
      if (iteration >= 1) fail();  // alone, a device asks now and then: some are under way then
    };
    grid = one.grid();
    CHECK_THROWS_WITH_AS(solve_with<float>(devices, grid, options, hooks), doctest::Contains("a step"), DeviceError);
    CHECK(copy_of(grid) == copy_of(one.given));
    CHECK_THROWS_AS(solve_with<float>(std::span(devices).first(1), grid, options, hooks), DeviceError);
    CHECK(copy_of(grid) == copy_of(one.given));
  }
}

// The nth time that cells come or go, for every n: loading, copies, slices that move, the result.
TEST_CASE("jacobi failing: whenever cells come to a device or leave it") {
  const std::vector<Device> devices = some_devices(2);
  const Case one;
  for (const bool bands : {false, true})
    for (std::size_t failing = 0; failing < 2; ++failing) {
      bool met = true;
      for (int nth = 0; met; ++nth) {
        CAPTURE(bands);
        CAPTURE(failing);
        CAPTURE(nth);
        REQUIRE(nth < 200);
        Hooks hooks = one.hooks(bands);
        std::atomic<int> transfers = 0;
        hooks.fail_transfer = [&](std::size_t device) {
          if (device == failing && transfers++ == nth) fail();
        };
        SolveOptions options = one.options(bands);
        options.backup_every = 8;
        auto relaxation = RelaxationAccess::make<float>(devices, one.shape, options, hooks);
        relaxation.load(one.given);
        relaxation.advance(10);
        relaxation.advance(14);
        Grid<float> grid(one.shape);
        relaxation.store(grid);
        CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
        met = relaxation.report().devices[failing].failed;
        if (!met) CHECK(relaxation.report().backups == 2);
        if (nth == 0 && !bands) CHECK(met);
      }
    }
}

TEST_CASE("jacobi failing: a relaxation whose last device failed takes another grid") {
  const std::vector<Device> devices = some_devices(2);
  const Case one;
  bool broken = true;
  Hooks hooks;
  hooks.fail_at = [&](std::size_t, std::uint64_t iteration) {
    if (broken && iteration >= 1) fail();
  };
  SolveOptions options = one.options(false);
  auto relaxation = RelaxationAccess::make<float>(devices, one.shape, options, hooks);
  relaxation.load(one.given);
  CHECK_THROWS_AS(relaxation.advance(iterations), DeviceError);
  CHECK_THROWS_AS(relaxation.advance(1), InputError);
  broken = false;
  relaxation.load(one.given);
  relaxation.advance(iterations);
  Grid<float> grid(one.shape);
  relaxation.store(grid);
  CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
}

// An error in a device's thread that is not a DeviceError: the relaxation then holds no grid, and can be loaded again.
TEST_CASE("jacobi failing: an error that is no device's") {
  const std::vector<Device> devices = some_devices(3);
  const Case one;
  for (const bool bands : {false, true})
    for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{3}}) {
      if (bands && count == 3) continue;
      CAPTURE(bands);
      CAPTURE(count);
      std::atomic<bool> broken = true;
      Hooks hooks = one.hooks(bands);
      hooks.fail_at = [&](std::size_t device, std::uint64_t) {
        if (broken && device + 1 == count) throw std::length_error("no memory");
      };
      const std::span<const Device> some = std::span(devices).first(count);
      auto relaxation = RelaxationAccess::make<float>(some, one.shape, one.options(bands), hooks);
      relaxation.load(one.given);
      // Which device takes a band is chance.
      try {
        relaxation.advance(iterations);
        CHECK(bands);
      } catch (const std::length_error&) {
        Grid<float> none(one.shape);
        CHECK_THROWS_AS(relaxation.store(none), InputError);
        CHECK_THROWS_AS(relaxation.advance(1), InputError);
      }
      broken = false;
      relaxation.load(one.given);
      relaxation.advance(iterations);
      Grid<float> grid(one.shape);
      relaxation.store(grid);
      CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
    }
}

// Slices that move between the devices by the balance, cells that come and copies: the nth time for every n.
TEST_CASE("jacobi failing: an error that is no device's while cells move") {
  const std::vector<Device> devices = some_devices(2);
  const Case one;
  for (std::size_t failing = 0; failing < 2; ++failing) {
    bool met = true;
    for (int nth = 0; met; ++nth) {
      CAPTURE(failing);
      CAPTURE(nth);
      REQUIRE(nth < 200);
      std::atomic<int> transfers = 0;
      met = false;
      Hooks hooks;
      hooks.slice_seconds = {1e-6, 3e-6};  // the balance moves slices to the first
      hooks.short_run = 0;
      hooks.fail_transfer = [&](std::size_t device) {
        if (device != failing || transfers++ != nth) return;
        met = true;
        throw std::length_error("no memory");
      };
      SolveOptions options = one.options(false);
      options.balance = Balance::automatic;
      options.backup_every = 8;
      auto relaxation = RelaxationAccess::make<float>(devices, one.shape, options, hooks);
      Grid<float> grid(one.shape);
      bool lost = false;
      try {
        relaxation.load(one.given);
        relaxation.advance(iterations);
      } catch (const std::length_error&) {
        lost = true;
        CHECK_THROWS_AS(relaxation.store(grid), InputError);
      }
      if (lost) {
        relaxation.load(one.given);
        relaxation.advance(iterations);
      }
      try {
        relaxation.store(grid);
      } catch (const std::length_error&) {  // the devices have the cells still
        relaxation.store(grid);
      }
      CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
    }
  }
}

TEST_CASE("jacobi failing: the host has no memory for copies") {
  const std::vector<Device> devices = some_devices(2);
  const Case one;
  Hooks hooks;
  hooks.host_memory = one.shape.cells() * sizeof(float) / 2;
  hooks.memory = std::uint64_t{1} << 30;
  hooks.fail_at = [&](std::size_t device, std::uint64_t iteration) {
    if (device == 1 && iteration >= 10) fail();
  };
  SolveOptions options = one.options(false);
  options.backup_every = 4;
  auto relaxation = RelaxationAccess::make<float>(devices, one.shape, options, hooks);
  relaxation.load(one.given);
  CHECK_THROWS_AS(relaxation.advance(iterations), DeviceError);
  // solve() has the caller's.
  Grid<float> grid = one.grid();
  const Report report = solve_with<float>(devices, grid, options, hooks);
  CHECK(genocl_reference::hash_of<float>(grid.cells()) == one.wanted);
  CHECK(report.backups == 0);
  CHECK(report.devices[1].failed);
}
