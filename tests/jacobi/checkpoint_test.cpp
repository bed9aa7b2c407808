// Checkpoints: a resumed run has the bits of one that was not interrupted, and a file that is not right is refused.
#include <doctest/doctest.h>

#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "jacobi/relaxation.hpp"
#include "jacobi/solver_cases.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using namespace genocl_test;

namespace {

constexpr std::uint32_t seed = 20291;

template <class T>
std::uint64_t stored(Relaxation<T>& relaxation) {
  Grid<T> grid(relaxation.shape());
  relaxation.store(grid);
  return genocl_reference::hash_of<T>(grid.cells());
}

template <class T>
std::uint64_t hash_after(const Grid<T>& given, std::uint64_t iterations, std::span<const std::uint8_t> mask) {
  return genocl_reference::hash_of<T>(
      std::span<const T>(genocl_reference::relax<T>(given.shape(), given.cells(), iterations, mask)));
}

/// How the devices are used: one, several, or bands.
struct Way {
  std::size_t devices;
  SolveOptions options;
  std::uint64_t slices_held = 0;
};

template <class T>
void check_resumed(const Shape& shape, bool masked) {
  const std::vector<Device> devices = some_devices(3);
  if (!have<T>(devices)) return;
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.gjr";
  const Grid<T> given = random_grid<T>(shape, seed);
  const std::vector<std::uint8_t> mask = masked ? random_mask(shape, seed + 1) : std::vector<std::uint8_t>();
  const std::vector<Way> ways = {{1, {}},
                                 {3, {.kernel = Kernel::naive, .halo_depth = 3, .balance = Balance::fixed}},
                                 {2, {.balance = Balance::fixed, .weights = {1, 3}}},
                                 {1, {.kernel = Kernel::naive}, 20}};
  const auto make = [&](const Way& way) {
    SolveOptions options = way.options;
    options.fixed_cells = mask;
    Hooks hooks;
    if (way.slices_held != 0)
      hooks.memory = way.slices_held * Layout(shape).slice() * (2 * sizeof(T) + (masked ? 1 : 0));
    return RelaxationAccess::make<T>(std::span(devices).first(way.devices), shape, options, hooks);
  };
  for (const Way& before : ways)
    for (const Way& after : ways) {
      CAPTURE(&before - ways.data());
      CAPTURE(&after - ways.data());
      Relaxation<T> first = make(before);
      first.load(given);
      first.advance(13, false);
      first.checkpoint(file);
      first.advance(1);  // it goes on as if nothing had been
      CHECK(stored(first) == hash_after<T>(given, 14, mask));
      Relaxation<T> second = make(after);
      second.resume(file);
      CHECK(second.iterations() == 13);
      CHECK_FALSE(second.change());
      CHECK(stored(second) == hash_after<T>(given, 13, mask));
      second.advance(17);
      CHECK(second.iterations() == 30);
      CHECK(stored(second) == hash_after<T>(given, 30, mask));
      const Expected<T> wanted = expected<T>(given, 30, mask);
      CHECK(second.change()->max == wanted.max);
      // Rates count the iterations done here.
      const Report report = second.report();
      CHECK(report.updates_per_second == doctest::Approx(17 * static_cast<double>(shape.interior()) / report.seconds));
    }
}

}  // namespace

TEST_CASE("jacobi checkpoint: the same bits, whatever had the grid before and after") {
  check_resumed<double>({61, 60, 1}, false);
  check_resumed<float>({61, 60, 1}, true);
  check_resumed<float>({15, 12, 50}, false);
}

TEST_CASE("jacobi checkpoint: a tolerance is reached at the same iteration") {
  const Device device = Device::pick();
  if (!device.info().fp64) return;  // the number of iterations is that of double
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.gjr";
  Grid<double> given(100, 80);
  given.fill({.top = 100, .bottom = 0, .left = 25, .right = 75}, 0);
  Relaxation<double> first(device, given.shape(), {.check_every = 17});
  first.load(given);
  CHECK_FALSE(first.until(1e-2, 1234, false));
  first.checkpoint(file);
  Relaxation<double> second(device, given.shape(), {.check_every = 17});
  second.resume(file);
  CHECK(second.until(1e-2, 10000));
  CHECK(second.iterations() == 2788);  // a multiple of 17
}

TEST_CASE("jacobi checkpoint: a file that is not right is one clear error, and what there was stays") {
  const std::vector<Device> devices = some_devices(1);
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.gjr", bad = folder.path() / "bad.gjr";
  const Shape shape{40, 30, 1};
  const Grid<float> given = random_grid<float>(shape, seed);
  const std::vector<std::uint8_t> mask = random_mask(shape, seed + 1);
  Relaxation<float> relaxation(devices, shape, {.fixed_cells = mask});
  relaxation.load(given);
  relaxation.advance(5);
  relaxation.checkpoint(file);
  relaxation.advance(2);
  const std::uint64_t now = stored(relaxation);
  const auto refused = [&](auto& other, const std::string& path, const char* text) {
    CAPTURE(text);
    try {
      other.resume(path);
      FAIL_CHECK("it is taken");
    } catch (const InputError& error) {
      const std::string what = error.what();
      CHECK(what.find(path) != std::string::npos);
      CHECK(what.find(text) != std::string::npos);
      CHECK(what.find('\n') == std::string::npos);
    }
  };
  Relaxation<float> wide(devices, {41, 30, 1}), free(devices, shape);
  refused(wide, file, "of a grid of 40x30; expected 41x30");
  refused(free, file, "of another problem");
  if (have<double>(devices)) {
    Relaxation<double> precise(devices, shape, {.fixed_cells = mask});
    refused(precise, file, "of a grid of type float; expected double");
  }
  refused(relaxation, folder.path() / "none.gjr", "");
  const std::string whole = read_file(file);
  write_file(bad, whole.substr(0, whole.size() - 1));
  refused(relaxation, bad, "");
  write_file(bad, "text");
  refused(relaxation, bad, "");
  write_file(bad, "");
  refused(relaxation, bad, "");
  for (std::size_t at = 3; at < whole.size(); at += 97) {  // anywhere
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 16);
    write_file(bad, damaged);
    refused(relaxation, bad, "");
  }
  CHECK(relaxation.iterations() == 7);
  CHECK(stored(relaxation) == now);
  // Which numbers say that a cell is fixed does not matter.
  std::vector<std::uint8_t> ones(mask);
  for (auto& one : ones) one = one != 0 ? 1 : 0;
  Relaxation<float> same(devices, shape, {.fixed_cells = ones});
  same.resume(file);
  CHECK(same.iterations() == 5);
}

TEST_CASE("jacobi checkpoint: a file appears whole or not at all") {
  const std::vector<Device> devices = some_devices(2);
  const TemporaryFolder folder;
  const std::string file = folder.path() / "x.gjr";
  const Shape shape{40, 30, 1};
  const Grid<float> given = random_grid<float>(shape, seed);
  bool broken = false;
  Hooks hooks;
  hooks.fail_transfer = [&](std::size_t device) {
    if (broken && device == 1) throw DeviceError("a step", "a device", "", -5);
  };
  SolveOptions options{.kernel = Kernel::naive, .halo_depth = 2, .balance = Balance::fixed};
  auto relaxation = RelaxationAccess::make<float>(devices, shape, options, hooks);
  relaxation.load(given);
  relaxation.advance(4);
  relaxation.checkpoint(file);
  const std::string before = read_file(file);
  CHECK_THROWS_AS(relaxation.checkpoint(folder.path() / "none" / "x.gjr"), InputError);
  // A device that fails while its cells are fetched: the others make them again, and the file is right.
  relaxation.advance(2);
  broken = true;
  relaxation.checkpoint(file);
  CHECK(relaxation.report().devices[1].failed);
  Relaxation<float> resumed(devices[0], shape);
  resumed.resume(file);
  CHECK(resumed.iterations() == 6);
  CHECK(stored(resumed) == hash_after<float>(given, 6, {}));
  // Alone, nobody does: the file is as it was.
  auto alone =
      RelaxationAccess::make<float>(std::span(devices).first(1), shape, {}, {.fail_transfer = [&](std::size_t) {
                                      if (broken) throw DeviceError("a step", "a device", "", -5);
                                    }});
  broken = false;
  alone.load(given);
  alone.advance(1);
  write_file(file, before);
  broken = true;
  CHECK_THROWS_AS(alone.checkpoint(file), DeviceError);
  CHECK(read_file(file) == before);
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}
