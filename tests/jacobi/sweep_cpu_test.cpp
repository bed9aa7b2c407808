// The kernels for CPUs against plain C++: every bit, and nothing else written.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "jacobi/sweep.hpp"
#include "random.hpp"
#include "reference/jacobi.hpp"
#include "runtime/platform.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using genocl_test::device_under_test;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

/// Slices [begin, end) of a grid are computed; [first, first + count) are held (all numbered in the grid).
struct Case {
  Shape shape;
  std::uint64_t begin = 0, end = 0;
  bool fixed = false;
  std::uint64_t ghosts = 0;  ///< more than the iterations need

  std::uint64_t slices() const { return shape.three_dimensional() ? shape.depth : shape.height; }
  static Case whole(const Shape& shape, bool fixed = false) {
    return {shape, 0, shape.three_dimensional() ? shape.depth : shape.height, fixed};
  }
};

/// Cells, -0.0 and numbers that are too small to be normal among them.
template <class T>
std::vector<T> random_cells(Random& random, std::size_t count) {
  std::vector<T> cells = random.values<T>(count);
  for (std::size_t i = 0; i < count; i += 1 + random.below(97)) {
    const T odd[] = {T(-0.0), std::numeric_limits<T>::denorm_min(), std::numeric_limits<T>::min(), T(0)};
    cells[i] = odd[random.below(4)];
  }
  return cells;
}

/// The number of wrong cells of `to`, in the computed slices and in the rest, padding included.
struct Wrong {
  std::size_t inside = 0, outside = 0;
};

template <class T>
Wrong wrong_after(const Device& device, const Plan& plan, const Case& c, unsigned iterations, Random& random) {
  const std::vector<T> cells = random_cells<T>(random, c.shape.cells());
  std::vector<std::uint8_t> fixed;
  if (c.fixed)
    for (std::size_t i = 0; i < cells.size(); i++)
      fixed.push_back(static_cast<std::uint8_t>(random.below(5) == 0 ? 1 + random.below(255) : 0));

  HeldSlices held{Layout(c.shape)};
  const std::uint64_t around = iterations + c.ghosts;
  held.first = c.begin - std::min(c.begin, around);
  held.count = std::min(c.slices(), c.end + around) - held.first;
  const std::uint64_t width = c.shape.width, rows = held.layout.rows_per_slice, pitch = held.layout.pitch;

  // Pads hold what spoils a result that they reach.
  std::vector<T> from(held.elements(), std::numeric_limits<T>::quiet_NaN()), expected(held.elements(), T(-555));
  std::vector<std::uint8_t> padded_fixed(held.elements(), 1);
  const std::vector<T> relaxed = genocl_reference::relax<T>(c.shape, cells, iterations, fixed);
  std::vector<T> before = expected;
  std::vector<bool> asked(expected.size());
  for (std::uint64_t row = 0; row < held.count * rows; row++)
    for (std::uint64_t x = 0; x < width; x++) {
      const std::size_t here = row * pitch + x, there = (held.first * rows + row) * width + x;
      from[here] = cells[there];
      if (c.fixed) padded_fixed[here] = fixed[there];
      const std::uint64_t slice = held.first + row / rows;
      if (slice < c.begin || slice >= c.end) continue;
      asked[here] = true;
      expected[here] = relaxed[there];
    }
  if (c.fixed) held.fixed = Array<std::uint8_t>(device, std::span<const std::uint8_t>(padded_fixed));
  const Array<T> source(device, std::span<const T>(from));
  Array<T> target(device, std::span<const T>(before));
  sweep<T>(device, plan, held, source, target, c.begin - held.first, c.end - held.first, iterations);

  Wrong wrong;
  const std::vector<T> found = target.download();
  for (std::size_t i = 0; i < found.size(); i++)
    if (std::memcmp(&found[i], &expected[i], sizeof(T)) != 0) ++(asked[i] ? wrong.inside : wrong.outside);
  return wrong;
}

/// Leaves out double on a device that has none.
template <class T>
void check(const Device& device, const Plan& plan, const Case& c, unsigned iterations, Random& random) {
  if (sizeof(T) == sizeof(double) && !device.info().fp64) return;
  const Wrong wrong = wrong_after<T>(device, plan, c, iterations, random);
  CAPTURE(to_string(device.family()));
  CAPTURE(to_string(plan.kernel));
  CAPTURE(plan.columns);
  CAPTURE(plan.rows);
  CAPTURE(plan.planes);
  CAPTURE(c.shape.text());
  CAPTURE(c.begin);
  CAPTURE(c.end);
  CAPTURE(c.fixed);
  CAPTURE(c.ghosts);
  CAPTURE(iterations);
  CAPTURE(sizeof(T));
  CHECK(wrong.inside == 0);
  CHECK(wrong.outside == 0);
}

void check_all(const Plan& plan, const Case& c, unsigned iterations, Random& random) {
  for (const KernelFamily family : genocl_test::families_under_test()) {
    const Device device = device_under_test().with_family(family);
    check<float>(device, plan, c, iterations, random);
    check<double>(device, plan, c, iterations, random);
  }
}

Plan rolling(unsigned columns, unsigned rows, unsigned planes = 0) {
  return {.kernel = Kernel::rolling, .fused_steps = 16, .group = 1, .columns = columns, .rows = rows, .planes = planes};
}
Plan blocked(unsigned columns, unsigned rows = 1) {
  return {.kernel = Kernel::blocked, .fused_steps = 1, .group = 1, .columns = columns, .rows = rows};
}

TEST_CASE("tiny: jacobi rolling and blocked") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 60);
  const Device& device = device_under_test();
  check<float>(device, rolling(64, 12), Case::whole({70, 13, 1}, true), 2, random);
  check<double>(device, rolling(64, 12), Case::whole({7, 25, 1}), 3, random);
  check<double>(device, rolling(64, 3, 8), Case::whole({9, 5, 9}), 2, random);
  check<float>(device, rolling(64, 8, 8), {{5, 4, 12}, 2, 10, true}, 1, random);
  check<float>(device, blocked(64), Case::whole({70, 5, 1}, true), 1, random);
  check<double>(device, blocked(64, 2), {{9, 5, 9}, 2, 6}, 1, random);
}

TEST_CASE("jacobi rolling: every number of fused steps") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 61);
  for (unsigned iterations = 1; iterations <= 16; iterations++) {
    const bool fixed = iterations % 2 == 0;
    check_all(rolling(64, 64), Case::whole({150, 131, 1}, fixed), iterations, random);
    check_all(rolling(64, 10, 64), Case::whole({75, 23, 41}, !fixed), iterations, random);
    check_all(rolling(512, 512), {{200, 90, 1}, 30, 49, !fixed}, iterations, random);
    check_all(rolling(512, 32, 128), {{20, 37, 60}, 21, 40, fixed}, iterations, random);
  }
}

TEST_CASE("jacobi rolling: every width") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 62);
  for (std::uint64_t width = 3; width < 40; width++) {
    check_all(rolling(64, 16), Case::whole({width, 20, 1}, width % 3 == 0), 5, random);
    check_all(rolling(64, 4, 16), Case::whole({width, 6, 11}, width % 3 == 1), 3, random);
  }
  for (const std::uint64_t width : {63, 64, 65, 127, 128, 129, 130, 192, 193})
    for (const unsigned iterations : {1u, 7u, 8u, 9u, 16u})
      check_all(rolling(64, 64), Case::whole({width, 40, 1}), iterations, random);
}

TEST_CASE("jacobi rolling: few slices, at the grid's ends and not") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 63);
  for (const unsigned iterations : {1u, 2u, 5u, 16u})
    for (const std::uint64_t count : {1, 2, 7, 8, 9, 17})
      for (const std::uint64_t begin : {0, 1, 3, 20})
        for (const std::uint64_t ghosts : {0, 3}) {
          const std::uint64_t end = begin + count;
          // The held slices end inside the grid, one slice before its end, or at its end.
          for (const std::uint64_t more : {0, 1, 40}) {
            check_all(rolling(64, 64), {{70, std::max<std::uint64_t>(end + more, 3), 1}, begin, end, false, ghosts},
                      iterations, random);
            check_all(rolling(64, 3, 64), {{11, 5, std::max<std::uint64_t>(end + more, 3)}, begin, end, true, ghosts},
                      iterations, random);
          }
        }
}

TEST_CASE("jacobi rolling: the plan that is chosen, and grids of many tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 64);
  for (const Shape& shape : {Shape{1500, 900, 1}, Shape{300, 80, 90}})
    for (const bool fixed : {false, true}) {
      const Plan plan = choose_plan(device_under_test(), Layout(shape), sizeof(double), Kernel::rolling, 0);
      CHECK(plan.kernel == Kernel::rolling);
      check_all(plan, Case::whole(shape, fixed), plan.fused_steps, random);
    }
}

TEST_CASE("jacobi rolling and blocked: results that go past the cache") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 65);
  // More than 96 MiB; a width that is no whole number of vectors.
  check<float>(device_under_test(), rolling(1024, 512), Case::whole({5003, 5200, 1}), 4, random);
  check<float>(device_under_test(), rolling(512, 32, 64), Case::whole({259, 260, 270}), 2, random);
  check<float>(device_under_test(), blocked(1024), Case::whole({5003, 5200, 1}), 1, random);
}

TEST_CASE("jacobi blocked") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 66);
  for (const bool fixed : {false, true}) {
    for (const std::uint64_t width : {3, 8, 17, 64, 65, 130, 700}) {
      check_all(blocked(64), Case::whole({width, 19, 1}, fixed), 1, random);
      check_all(blocked(64, 4), Case::whole({width, 10, 7}, fixed), 1, random);
    }
    for (const std::uint64_t begin : {0, 1, 9})
      for (const std::uint64_t more : {0, 1, 5}) {
        check_all(blocked(128), {{300, begin + 8 + more, 1}, begin, begin + 8, fixed, begin % 2}, 1, random);
        check_all(blocked(64, 3), {{20, 11, begin + 8 + more}, begin, begin + 8, fixed}, 1, random);
      }
    const Shape shape{2500, 300, 1};
    check_all(choose_plan(device_under_test(), Layout(shape), 8, Kernel::blocked, 0), Case::whole(shape, fixed), 1,
              random);
  }
}

TEST_CASE("jacobi: plans for CPUs") {
  const Device& device = device_under_test();
  const Layout flat(Shape{4000, 4000, 1}), is_3d(Shape{256, 256, 256});
  for (const unsigned fused_steps : {1u, 3u, 8u}) {
    CHECK(choose_plan(device, flat, 8, Kernel::rolling, fused_steps).fused_steps == fused_steps);
    CHECK(choose_plan(device, is_3d, 8, Kernel::rolling, fused_steps).fused_steps <= fused_steps);
  }
  CHECK(choose_plan(device, flat, 4, Kernel::blocked, 8).fused_steps == 1);
  // Three rows that are read and one that is written, in whole multiples of 64 columns.
  CHECK(blocked_columns(32 << 10, 8, 1) == 1024);
  CHECK(blocked_columns(48 << 10, 8, 1) == 1536);
  CHECK(blocked_columns(48 << 10, 4, 1) == 3072);
  CHECK(blocked_columns(33'000, 8, 1) == 1024);
  CHECK(blocked_columns(2 << 20, 8, 32) == 2048);
  CHECK(blocked_columns(0, 8, 1) == 64);
  const unsigned columns = choose_plan(device, flat, 8, Kernel::blocked, 0).columns;
  CHECK(columns >= 64);
  CHECK(columns % 64 == 0);
  if (const std::uint64_t cache = platform::cache_sizes().level1_data;
      cache != 0 && device.info().type == DeviceType::cpu)
    CHECK(columns == blocked_columns(cache, 8, 1));
}

}  // namespace
