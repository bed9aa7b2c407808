// The kernels for GPUs, and the sweep that measures the change, against plain C++: every bit, and nothing else written.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <type_traits>

#include "device_under_test.hpp"
#include "genocl/device.hpp"
#include "jacobi/sweep.hpp"
#include "random.hpp"
#include "reference/jacobi.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using genocl_test::Random;

namespace {

/// A grid, the slices of it that a device holds, and the slices [begin, end) to compute (all numbered in the grid).
struct Case {
  Shape shape;
  std::uint64_t first = 0, count = 0;
  std::uint64_t begin = 0, end = 0;
  bool fixed = false;

  std::uint64_t slices() const { return shape.three_dimensional() ? shape.depth : shape.height; }
  static Case whole(const Shape& shape, bool fixed = false) {
    const std::uint64_t slices = shape.three_dimensional() ? shape.depth : shape.height;
    return {shape, 0, slices, 0, slices, fixed};
  }
  /// Slices [begin, end) alone, with the halo slices that `iterations` need.
  static Case part(const Shape& shape, std::uint64_t begin, std::uint64_t end, std::uint64_t iterations,
                   bool fixed = false) {
    Case c{shape, begin - std::min(begin, iterations), 0, begin, end, fixed};
    c.count = std::min(c.slices(), end + iterations) - c.first;
    return c;
  }
};

template <class T>
struct Sample {
  std::vector<T> cells;             ///< without pads
  std::vector<std::uint8_t> fixed;  ///< empty or one for each cell
  HeldSlices held;
  Array<T> from, to;
  std::vector<T> before;  ///< what `to` held, with pads

  Sample(const Device& device, const Case& c, unsigned seed, T scale = 1) : held(Layout(c.shape)) {
    Random random(seed);
    cells.resize(c.shape.cells());
    for (T& cell : cells) cell = scale * static_cast<T>(random.between(-100, 100));
    if (c.fixed) {
      fixed.resize(cells.size());
      for (std::uint8_t& one : fixed) one = random() % 5 == 0 ? static_cast<std::uint8_t>(1 + random() % 255) : 0;
    }
    held.first = c.first;
    held.count = c.count;
    std::vector<T> padded(held.elements(), T(777));
    std::vector<std::uint8_t> padded_fixed(held.elements());
    for_each_cell(c.first, c.first + c.count, [&](std::size_t i, std::size_t cell) {
      padded[i] = cells[cell];
      if (c.fixed) padded_fixed[i] = fixed[cell];
    });
    from = Array<T>(device, std::span<const T>(padded));
    before.assign(held.elements(), T(-555));
    to = Array<T>(device, std::span<const T>(before));
    if (c.fixed) held.fixed = Array<std::uint8_t>(device, std::span<const std::uint8_t>(padded_fixed));
  }

  /// visit(place in the arrays, place in `cells`) for the cells of slices [begin, end) of the grid.
  template <class Visit>
  void for_each_cell(std::uint64_t begin, std::uint64_t end, Visit&& visit) const {
    const std::uint64_t width = held.layout.shape.width, rows = held.layout.rows_per_slice;
    for (std::uint64_t row = begin * rows; row < end * rows; ++row)
      for (std::uint64_t x = 0; x < width; ++x)
        visit((row - held.first * rows) * held.layout.pitch + x, row * width + x);
  }

  /// The number of elements of `to` that differ from plain C++, in the computed slices and in the others.
  struct Wrong {
    std::size_t inside = 0, outside = 0;
  };
  Wrong wrong(const Case& c, unsigned iterations) const {
    const std::vector<T> relaxed = genocl_reference::relax<T>(c.shape, cells, iterations, fixed);
    std::vector<T> expected = before;
    std::vector<bool> asked(before.size());
    for_each_cell(c.begin, c.end, [&](std::size_t i, std::size_t cell) {
      expected[i] = relaxed[cell];
      asked[i] = true;
    });
    const std::vector<T> found = to.download();
    using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
    Wrong wrong;
    for (std::size_t i = 0; i < found.size(); ++i)
      if (std::bit_cast<Bits>(found[i]) != std::bit_cast<Bits>(expected[i]))
        ++(asked[i] ? wrong.inside : wrong.outside);
    return wrong;
  }
};

/// Whether the device supports the precision. The other one is skipped.
template <class T>
bool has(const Device& device) {
  return sizeof(T) == sizeof(float) || device.info().fp64;
}

template <class T>
void check(const Device& device, const Plan& plan, const Case& c, unsigned iterations, unsigned seed = 1) {
  if (!has<T>(device)) return;
  CAPTURE(to_string(plan.kernel));
  CAPTURE(c.shape.text());
  CAPTURE(c.first);
  CAPTURE(c.begin);
  CAPTURE(c.end);
  CAPTURE(c.fixed);
  CAPTURE(plan.fused_steps);
  CAPTURE(iterations);
  CAPTURE(seed);
  CAPTURE(sizeof(T));
  Sample<T> sample(device, c, seed);
  sweep<T>(device, plan, sample.held, sample.from, sample.to, c.begin - c.first, c.end - c.first, iterations);
  const auto wrong = sample.wrong(c, iterations);
  CHECK(wrong.inside == 0);
  CHECK(wrong.outside == 0);
}

template <class T>
void check_change(const Device& device, const Case& c, unsigned seed, bool has_double, T scale = 1) {
  CAPTURE(c.shape.text());
  CAPTURE(seed);
  CAPTURE(has_double);
  CAPTURE(scale);
  Sample<T> sample(device, c, seed, scale);
  const std::uint64_t rows = (c.end - c.begin) * sample.held.layout.rows_per_slice;
  Array<T> max(device, std::vector<T>(rows + 1, T(-1)));
  Array<double> squares(device, std::vector<double>(rows + 1, -1.0));
  sweep_with_change<T>(device, sample.held, sample.from, sample.to, c.begin - c.first, c.end - c.first, max, squares,
                       has_double);
  const auto wrong = sample.wrong(c, 1);
  CHECK(wrong.inside == 0);
  CHECK(wrong.outside == 0);
  // The sums in the order that sweep.hpp promises.
  const std::vector<T> relaxed = genocl_reference::relax<T>(c.shape, sample.cells, 1, sample.fixed);
  const std::uint64_t width = c.shape.width;
  std::vector<T> expected_max(rows + 1, T(-1));
  std::vector<double> expected_squares(rows + 1, -1.0);
  for (std::uint64_t r = 0; r < rows; ++r) {
    const std::size_t row = (c.begin * sample.held.layout.rows_per_slice + r) * width;
    double sums[64] = {};
    T most = 0;
    for (std::uint64_t x = 0; x < width; ++x) {
      const T difference = relaxed[row + x] - sample.cells[row + x];
      most = std::max(most, std::abs(difference));
      sums[x % 64] += static_cast<double>(difference) * static_cast<double>(difference);
    }
    for (int step = 32; step > 0; step /= 2)
      for (int lane = 0; lane < step; ++lane) sums[lane] += sums[lane + step];
    expected_max[r] = most;
    expected_squares[r] = sums[0];
  }
  CHECK(max.download() == expected_max);
  CHECK(squares.download() == expected_squares);
}

/// With the device's double where it has it, and as on a device without.
template <class T>
void check_change(const Device& device, const Case& c, unsigned seed) {
  if (device.info().fp64) check_change<T>(device, c, seed, true);
  if constexpr (sizeof(T) == sizeof(float)) check_change<T>(device, c, seed, false);
}

/// Both families on the device under test.
template <class Check>
void in_both_families(Check&& check) {
  const Device device = Device::pick();
  for (const KernelFamily family : genocl_test::families_under_test()) {
    CAPTURE(to_string(family));
    check(device.with_family(family));
  }
}

}  // namespace

TEST_CASE("tiny: jacobi: a work-item for each cell") {
  in_both_families([](const Device& device) {
    check<float>(device, {.kernel = Kernel::naive}, Case::whole({5, 4, 1}), 1);
    check<float>(device, {.kernel = Kernel::naive, .group = 64, .columns = 32}, Case::part({4, 4, 5}, 2, 4, 1, true),
                 1);
  });
}

TEST_CASE("tiny: jacobi: the change of each row") {
  in_both_families([](const Device& device) {
    check_change<float>(device, Case::whole({5, 4, 1}), 1);
    check_change<float>(device, Case::part({4, 3, 5}, 1, 2, 1, true), 2);
  });
}

TEST_CASE("jacobi naive: the oracle's bits") {
  in_both_families([](const Device& device) {
    const Plan plan{.kernel = Kernel::naive};
    for (const bool fixed : {false, true}) {
      check<double>(device, plan, Case::whole({3, 3, 1}, fixed), 1);
      check<double>(device, plan, Case::part({333, 71, 1}, 7, 60, 1, fixed), 1);
      check<float>(device, plan, Case::part({130, 17, 9}, 5, 9, 1, fixed), 1);
      check<double>(device, plan, Case::whole({64, 5, 4}, fixed), 1);
    }
  });
}

TEST_CASE("jacobi: the change of each row, in its order") {
  in_both_families([](const Device& device) {
    for (const bool fixed : {false, true}) {
      check_change<double>(device, Case::part({1000, 43, 1}, 3, 42, 1, fixed), 3);
      check_change<float>(device, Case::whole({63, 12, 1}, fixed), 4);
      check_change<float>(device, Case::part({130, 7, 9}, 0, 5, 1, fixed), 5);
      check_change<double>(device, Case::whole({65, 3, 3}, fixed), 6);
    }
  });
}

TEST_CASE("jacobi: sums of squares without double are double's, bit for bit") {
  in_both_families([](const Device& device) {
    // Many roundings of each kind; squares far below what a float holds, and far above.
    for (unsigned seed = 10; seed < 20; ++seed) check_change<float>(device, Case::whole({2000, 9, 1}), seed, false);
    for (const float scale : {0x1p-80f, 0x1p-40f, 0x1p60f, 0x1p110f})
      check_change<float>(device, Case::part({700, 30, 1}, 3, 28, 1, true), 7, false, scale);
    check_change<float>(device, Case::whole({200, 9, 1}), 8, false, 0.0f);
    // Columns of very different magnitude: the summands are far below the sum, by every factor.
    Sample<float> sample(device, Case::whole({4096, 3, 1}), 9);
    std::vector<float> cells(sample.held.elements(), 0.0f);
    for (std::size_t x = 1; x + 1 < 4096; ++x)
      cells[sample.held.layout.pitch + x] =
          std::ldexp(1.0f + static_cast<float>(x % 1000) / 1000, static_cast<int>(x / 64 % 60) - 30);
    sample.from = Array<float>(device, std::span<const float>(cells));
    if (!device.info().fp64) return;
    Array<float> max(device, 3);
    Array<double> with(device, 3), without(device, 3);
    sweep_with_change<float>(device, sample.held, sample.from, sample.to, 0, 3, max, with, true);
    sweep_with_change<float>(device, sample.held, sample.from, sample.to, 0, 3, max, without, false);
    CHECK(with.download() == without.download());
    CHECK(with.download()[1] > 0);
    // An infinite change, and one that is no number.
    cells[sample.held.layout.pitch + 100] = std::numeric_limits<float>::max();
    cells[sample.held.layout.pitch + 101] = -std::numeric_limits<float>::max();
    cells[sample.held.layout.pitch + 102] = std::numeric_limits<float>::infinity();
    sample.from = Array<float>(device, std::span<const float>(cells));
    sweep_with_change<float>(device, sample.held, sample.from, sample.to, 0, 3, max, without, false);
    CHECK_FALSE(std::isfinite(without.download()[1]));
  });
}

namespace {

Plan streaming(unsigned fused_steps, unsigned group, unsigned columns, unsigned rows) {
  return {.kernel = Kernel::stream, .fused_steps = fused_steps, .group = group, .columns = columns, .rows = rows};
}

}  // namespace

TEST_CASE("tiny: jacobi: iterations in one pass down the rows") {
  check<float>(Device::pick(), streaming(2, 8, 1, 4), Case::whole({9, 7, 1}, true), 2);
}

TEST_CASE("jacobi stream: the oracle's bits with every number of fused steps") {
  const Device device = Device::pick();
  // With fixed cells a program is half as long, and PoCL's compiler takes half the time.
  for (unsigned fused_steps = 1; fused_steps <= 16; ++fused_steps)
    check<float>(device, streaming(16, 64, 1, 13), Case::part({111, 67, 1}, 9, 67, fused_steps, fused_steps % 4 != 0),
                 fused_steps);
}

TEST_CASE("tiny: jacobi: tiles in local memory, and slices in registers") {
  const Device device = Device::pick();
  check<float>(device, {.kernel = Kernel::local, .columns = 4, .rows = 4, .planes = 3}, Case::whole({4, 5, 4}, true),
               1);
  check<float>(device, {.kernel = Kernel::strip, .group = 8, .columns = 1, .rows = 2, .planes = 2},
               Case::whole({5, 3, 4}, true), 1);
}

TEST_CASE("jacobi local, strip: the oracle's bits") {
  const Device device = Device::pick();
  const Plan tile{.kernel = Kernel::local, .columns = 16, .rows = 16};
  const Plan box{.kernel = Kernel::local, .columns = 16, .rows = 4, .planes = 4};
  const Plan strip{.kernel = Kernel::strip, .group = 64, .columns = 2, .rows = 8};
  const Plan column{.kernel = Kernel::strip, .group = 64, .columns = 4, .rows = 4, .planes = 5};
  for (const bool fixed : {false, true}) {
    check<double>(device, tile, Case::part({333, 71, 1}, 7, 60, 1, fixed), 1);
    check<float>(device, box, Case::part({130, 17, 9}, 5, 9, 1, fixed), 1);
    check<double>(device, strip, Case::part({333, 71, 1}, 7, 60, 1, fixed), 1);
    check<float>(device, column, Case::part({130, 17, 9}, 5, 9, 1, fixed), 1);
  }
  check<float>(device, tile, Case::whole({3, 3, 1}), 1);
  check<double>(device, box, Case::whole({14, 5, 5}), 1);
  check<float>(device, strip, Case::whole({128, 3, 1}), 1);
  check<double>(device, column, Case::whole({64, 4, 13}), 1);
}

TEST_CASE("jacobi stream: columns of an item, fixed cells, and slices at the grid's ends") {
  const Device device = Device::pick();
  check<double>(device, streaming(5, 64, 3, 0), Case::whole({400, 37, 1}), 5);
  check<double>(device, streaming(5, 64, 3, 10), Case::part({171, 37, 1}, 0, 15, 5), 5);
  check<double>(device, streaming(3, 64, 2, 7), Case::part({171, 37, 1}, 12, 25, 3, true), 3);
  check<float>(device, streaming(4, 64, 4, 9), Case::part({250, 23, 1}, 1, 22, 4, true), 4);
  check<float>(device, streaming(4, 64, 4, 9), Case::whole({3, 3, 1}, true), 4);
  check<float>(device, streaming(4, 64, 4, 0), Case::part({1000, 40, 1}, 20, 21, 4, true), 4);
}

namespace {

Plan streaming_tiles(unsigned fused_steps, unsigned group, unsigned columns, unsigned rows, unsigned planes) {
  return {.kernel = Kernel::stream,
          .fused_steps = fused_steps,
          .group = group,
          .columns = columns,
          .rows = rows,
          .planes = planes};
}

}  // namespace

TEST_CASE("tiny: jacobi: iterations in one pass along the planes") {
  check<float>(Device::pick(), streaming_tiles(1, 64, 1, 2, 3), Case::whole({4, 3, 5}, true), 1);
}

TEST_CASE("jacobi stream: the oracle's bits in three dimensions") {
  const Device device = Device::pick();
  for (unsigned fused_steps = 1; fused_steps <= 3; ++fused_steps)
    check<float>(device, streaming_tiles(3, 64, 2, 4, 5),
                 Case::part({70, 15, 21}, 4, 21, fused_steps, fused_steps == 2), fused_steps);
  check<double>(device, streaming_tiles(2, 128, 1, 2, 0), Case::part({40, 11, 9}, 2, 7, 2, true), 2);
  check<double>(device, streaming_tiles(4, 128, 4, 3, 0), Case::whole({40, 11, 9}, true), 4);
}

TEST_CASE("jacobi stream: the oracle's bits in three dimensions, with several tiles in each direction") {
  const Device device = Device::pick().with_family(KernelFamily::gpu);
  const Case parts = Case::part({150, 130, 24}, 5, 20, 4, false);
  const Layout layout(parts.shape);
  check<float>(device, choose_plan(device, layout, 4, Kernel::stream, 4), parts, 4);
  check<double>(device, choose_plan(device, layout, 8, Kernel::stream, 4), Case::whole({150, 130, 24}, true), 4);
}

TEST_CASE("jacobi: plans for GPUs stay within the fused steps asked for and are right") {
  const Device device = Device::pick().with_family(KernelFamily::gpu);
  const Shape flat{100, 70, 1}, is_3d{70, 20, 12};
  for (const Kernel kernel : {Kernel::naive, Kernel::local, Kernel::strip, Kernel::stream})
    for (const Shape& shape : {flat, is_3d}) {
      const Plan plan = choose_plan(device, Layout(shape), 8, kernel, 2);
      CHECK(plan.kernel == kernel);
      CHECK(plan.fused_steps == (kernel == Kernel::stream ? 2 : 1));
      check<double>(device, plan, Case::whole(shape), plan.fused_steps);
    }
  for (const std::size_t element : {4, 8})
    for (const unsigned fused_steps : {0u, 1u, 3u, 16u, 99u}) {
      const Plan deep = choose_plan(device, Layout(flat), element, Kernel::stream, fused_steps);
      CHECK(deep.fused_steps >= 1);
      CHECK(deep.fused_steps <= (fused_steps == 0 ? 16 : fused_steps));
      CHECK(deep.group * deep.columns > 2 * (deep.fused_steps + deep.columns));
      const Plan high = choose_plan(device, Layout(is_3d), element, Kernel::stream, fused_steps);
      CHECK(high.fused_steps >= 1);
      CHECK(high.fused_steps <= (fused_steps == 0 ? 4 : fused_steps));
      CHECK(high.group / 32 * high.rows > 2 * high.fused_steps);
    }
  CHECK(choose_plan(device, Layout(flat), 8, Kernel::automatic, 1).kernel == Kernel::stream);
}
