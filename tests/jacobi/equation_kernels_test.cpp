// Every kernel with everything that an equation may have, against plain C++: every bit, and nothing else written.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "device_under_test.hpp"
#include "jacobi/equation_cases.hpp"
#include "jacobi/partition.hpp"
#include "jacobi/sweep.hpp"
#include "random.hpp"
#include "reference/jacobi_equation.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using genocl_test::device_under_test;
using genocl_test::DrawnEquation;
using genocl_test::Parts;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

/// Slices [begin, end) of a grid are computed. `ghosts`: held slices beyond those that the iterations need. end 0: all.
struct Case {
  Shape shape;
  Parts parts;
  bool fixed = false;
  std::uint64_t begin = 0, end = 0, ghosts = 0;
};

template <class T>
struct Sample {
  const Case& c;
  unsigned iterations;
  DrawnEquation<T> drawn;
  std::vector<T> cells;
  std::vector<std::uint8_t> fixed;
  HeldSlices held;
  Array<T> from, to;
  std::uint64_t begin = 0, end = 0;  // by number

  Sample(const Device& device, const Case& one, unsigned fused_steps, Random& random)
      : c(one),
        iterations(fused_steps),
        drawn(c.shape, c.parts, random),
        held(Layout(c.shape, drawn.equation.boundaries)) {
    const Layout& layout = held.layout;
    cells = random.values<T>(c.shape.cells());
    if (c.fixed)
      for (std::size_t i = 0; i < cells.size(); ++i)
        fixed.push_back(static_cast<std::uint8_t>(random.below(5) == 0 ? 1 + random.below(255) : 0));
    begin = layout.first() + c.begin;
    end = layout.first() + (c.end == 0 ? layout.slices : c.end);
    const std::uint64_t around = iterations + c.ghosts;
    held.first = begin - std::min(begin, around);
    held.count = std::min(layout.numbers(), end + around) - held.first;
    RunSettings settings{layout, 1, true, {}, {}, true, {}, {}};
    set_equation<T>(settings, drawn.equation, {});
    held.formula = settings.formula;
    load_fields<T>(device, held, 0, settings.readers<T>());
    const SliceRange room{held.first, held.first + held.count};
    from = Array<T>(device, std::vector<T>(held.elements(), std::numeric_limits<T>::quiet_NaN()));
    to = Array<T>(device, std::vector<T>(held.elements(), T(-555)));
    for_pieces_of(layout, room, room.size(), [&](const SliceRange& piece) {
      upload_slices<T>(device, layout, slices_of(std::span<const T>(cells), layout, piece), from,
                       piece.begin - held.first);
    });
    if (!c.fixed) return;
    held.fixed = Array<std::uint8_t>(device, held.elements());
    settings.fixed_cells = fixed;
    upload_fixed(device, settings, held.first, held.count, held.fixed);
  }

  std::vector<T> relaxed(unsigned times) const {
    return genocl_reference::relax<T>(c.shape, drawn.equation, cells, times, fixed);
  }

  /// The number of wrong elements of `to`: the halo must be valid, padding and other slices unchanged.
  std::size_t wrong() const {
    const Layout& layout = held.layout;
    const std::vector<T> wanted = relaxed(iterations), found = to.download();
    std::size_t wrong = 0;
    for (std::uint64_t slice = 0; slice < held.count; ++slice)
      for (std::uint64_t row = 0; row < layout.held_rows(); ++row)
        for (std::uint64_t x = 0; x < layout.pitch; ++x) {
          const std::uint64_t number = held.first + slice;
          T expected = T(-555);
          if (number >= begin && number < end && x < layout.held_width()) {
            const std::uint64_t w = c.shape.width, rows = layout.rows_per_slice;
            const std::uint64_t column = (x + layout.halo_columns * w - layout.halo_columns) % w;
            const std::uint64_t y = (row + layout.halo_rows * rows - layout.halo_rows) % rows;
            expected = wanted[(layout.in_grid(number) * rows + y) * w + column];
          }
          const T& cell = found[(slice * layout.held_rows() + row) * layout.pitch + x];
          wrong += std::memcmp(&cell, &expected, sizeof(T)) != 0;
        }
    return wrong;
  }
};

template <class T>
void check(const Device& device, const Plan& plan, const Case& c, unsigned iterations, Random& random) {
  if (sizeof(T) == sizeof(double) && !device.info().fp64) return;
  CAPTURE(to_string(device.family()));
  CAPTURE(to_string(plan.kernel));
  CAPTURE(plan.columns);
  CAPTURE(plan.rows);
  CAPTURE(plan.planes);
  CAPTURE(c.shape.text());
  CAPTURE(c.parts.text());
  CAPTURE(c.fixed);
  CAPTURE(c.begin);
  CAPTURE(c.end);
  CAPTURE(iterations);
  CAPTURE(sizeof(T));
  Sample<T> sample(device, c, iterations, random);
  sweep<T>(device, plan, sample.held, sample.from, sample.to, sample.begin - sample.held.first,
           sample.end - sample.held.first, iterations);
  CHECK(sample.wrong() == 0);
}

template <class T>
void check_change(const Device& device, const Case& c, Random& random, bool has_double) {
  CAPTURE(c.shape.text());
  CAPTURE(c.parts.text());
  Sample<T> sample(device, c, 1, random);
  const std::uint64_t rows_of_slice = sample.held.layout.rows_per_slice,
                      rows = (sample.end - sample.begin) * rows_of_slice;
  Array<T> max(device, rows);
  Array<double> squares(device, rows);
  sweep_with_change<T>(device, sample.held, sample.from, sample.to, sample.begin - sample.held.first,
                       sample.end - sample.held.first, max, squares, has_double);
  CHECK(sample.wrong() == 0);
  const std::vector<T> relaxed = sample.relaxed(1), found_max = max.download();
  const std::vector<double> found_squares = squares.download();
  for (std::uint64_t r = 0; r < rows; ++r) {
    const std::uint64_t slice = sample.held.layout.in_grid(sample.begin + r / rows_of_slice);
    const std::size_t row = (slice * rows_of_slice + r % rows_of_slice) * c.shape.width;
    double sums[64] = {};
    T most = 0;
    for (std::uint64_t x = 0; x < c.shape.width; ++x) {
      const T difference = relaxed[row + x] - sample.cells[row + x];
      most = std::max(most, std::abs(difference));
      sums[x % 64] += static_cast<double>(difference) * static_cast<double>(difference);
    }
    for (int step = 32; step > 0; step /= 2)
      for (int lane = 0; lane < step; ++lane) sums[lane] += sums[lane + step];
    REQUIRE(found_max[r] == most);
    REQUIRE(found_squares[r] == sums[0]);
  }
}

template <class Check>
void in_both_families(Check&& check) {
  for (const KernelFamily family : genocl_test::families_under_test()) check(device_under_test().with_family(family));
}

Plan naive() { return {.kernel = Kernel::naive}; }
Plan rolling(unsigned columns, unsigned rows, unsigned planes = 0) {
  return {.kernel = Kernel::rolling, .fused_steps = 16, .group = 1, .columns = columns, .rows = rows, .planes = planes};
}
Plan blocked(unsigned columns, unsigned rows = 1) {
  return {.kernel = Kernel::blocked, .fused_steps = 1, .group = 1, .columns = columns, .rows = rows};
}
Plan streaming(unsigned fused_steps, unsigned group, unsigned columns, unsigned rows, unsigned planes = 0) {
  return {.kernel = Kernel::stream,
          .fused_steps = fused_steps,
          .group = group,
          .columns = columns,
          .rows = rows,
          .planes = planes};
}
Plan local(unsigned columns, unsigned rows, unsigned planes = 0) {
  return {.kernel = Kernel::local, .columns = columns, .rows = rows, .planes = planes};
}
Plan strip(unsigned group, unsigned columns, unsigned rows, unsigned planes = 0) {
  return {.kernel = Kernel::strip, .group = group, .columns = columns, .rows = rows, .planes = planes};
}

constexpr Parts all_open{.weights = true, .source = true, .boundaries = 3};
/// No side is fixed: the first cell of the array also changes, and no cell precedes it.
constexpr Parts no_flux{.weights = true, .source = true, .boundaries = 1};
constexpr Parts layers{.source = true, .damping = true, .coefficients = true, .boundaries = 3};

}  // namespace

TEST_CASE("tiny: jacobi equation: every kernel with weights, a source, coefficients and open sides") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 70);
  in_both_families([&](const Device& device) {
    check<float>(device, naive(), {{5, 4, 1}, all_open}, 1, random);
    check<float>(device, naive(), {{4, 3, 4}, layers, true}, 1, random);
    check_change<float>(device, {{5, 4, 1}, layers}, random, device.info().fp64);
    check_change<float>(device, {{4, 3, 4}, all_open}, random, false);
  });
  const Device& device = device_under_test();
  check<float>(device, rolling(64, 12), {{9, 7, 1}, all_open, true}, 2, random);
  check<float>(device, rolling(64, 3, 8), {{4, 5, 6}, layers}, 2, random);
  check<float>(device, rolling(64, 12), {{9, 7, 1}, no_flux}, 2, random);
  check<float>(device, rolling(64, 3, 8), {{70, 3, 3}, no_flux}, 1, random);
  check<float>(device, blocked(64), {{9, 5, 1}, layers}, 1, random);
  check<float>(device, blocked(64), {{70, 5, 1}, no_flux}, 1, random);
  check<float>(device, blocked(64, 2), {{4, 5, 4}, all_open}, 1, random);
  check<float>(device, local(4, 4), {{5, 4, 1}, all_open}, 1, random);
  check<float>(device, local(4, 4, 3), {{4, 3, 3}, layers}, 1, random);
  check<float>(device, strip(8, 1, 2), {{5, 4, 1}, layers}, 1, random);
  check<float>(device, strip(8, 1, 2, 2), {{4, 3, 3}, all_open}, 1, random);
  check<float>(device, streaming(2, 8, 1, 4), {{9, 7, 1}, all_open}, 2, random);
  check<float>(device, streaming(1, 8, 1, 4), {{5, 5, 1}, layers, true}, 1, random);
  check<float>(device, streaming(1, 64, 1, 2, 3), {{4, 3, 4}, no_flux}, 1, random);
}

TEST_CASE("jacobi equation: the oracle's bits with the kernels of one iteration") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 71);
  bool fixed = false;  // half of the programs: compiling them is what takes long
  for (const Parts& parts : random.some_of(genocl_test::every_part(), 10)) {
    fixed = !fixed;
    in_both_families([&](const Device& device) {
      check<double>(device, naive(), {{83, 21, 1}, parts, fixed}, 1, random);
      check<float>(device, naive(), {{20, 7, 9}, parts, fixed, 2, 6}, 1, random);
    });
    const Device& device = device_under_test();
    check<double>(device, local(16, 16), {{83, 21, 1}, parts, fixed, 3, 19}, 1, random);
    check<float>(device, local(16, 4, 4), {{20, 7, 9}, parts, fixed}, 1, random);
    check<double>(device, strip(64, 2, 8), {{133, 21, 1}, parts, fixed}, 1, random);
    check<float>(device, strip(64, 4, 4, 5), {{70, 7, 9}, parts, fixed, 1, 9}, 1, random);
    check<double>(device, blocked(64), {{133, 21, 1}, parts, fixed}, 1, random);
    check<float>(device, blocked(64, 3), {{70, 7, 9}, parts, fixed, 0, 5}, 1, random);
  }
}

TEST_CASE("jacobi equation: the change of each row, in its order") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 72);
  for (const Parts& parts : random.some_of(genocl_test::every_part(), 10))
    in_both_families([&](const Device& device) {
      check_change<float>(device, {{200, 9, 1}, parts, true}, random, false);
      if (device.info().fp64) check_change<double>(device, {{70, 5, 6}, parts, false, 1, 5}, random, true);
    });
}

TEST_CASE("jacobi equation: rolling, with few and many fused steps") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 73);
  const Device& device = device_under_test();
  bool fixed = true;
  for (const Parts& parts : random.some_of(genocl_test::every_part(), 10)) {
    fixed = !fixed;
    for (unsigned iterations = 1 + static_cast<unsigned>(random.below(3)); iterations <= 16; iterations += 3) {
      // Grids of a few cells, which halo slices go round several times, and of several tiles.
      const std::uint64_t width = 3 + random.below(150), height = 16 + random.below(60);
      check<double>(device, rolling(64, 64), {{width, height, 1}, parts, fixed}, iterations, random);
      check<float>(device, rolling(64, 16), {{width, 40, 1}, parts, fixed, 5, 23}, iterations, random);
      if (iterations > 6) continue;
      check<float>(device, rolling(64, 4, 16), {{width / 2 + 3, 3 + height / 6, 21}, parts, fixed}, iterations, random);
      check<double>(device, rolling(64, 5, 8), {{9, 12, 20}, parts, fixed, 3, 14, 1}, iterations, random);
    }
  }
}

TEST_CASE("jacobi equation: stream, with columns, fused steps and ends of every kind") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 74);
  const Device& device = device_under_test();
  unsigned turn = 0;
  for (const Parts& parts : random.some_of(genocl_test::every_part(), 10)) {
    const bool fixed = ++turn % 2 == 0;
    const unsigned fused_steps = 1 + turn % 5;
    const unsigned deep = 1 + turn % 3;
    // Half of the programs each: compiling them is what takes long.
    if (turn % 4 < 2) {
      check<float>(device, streaming(fused_steps, 64, 1 + static_cast<unsigned>(random.below(4)), 11),
                   {{111, 37, 1}, parts, fixed}, fused_steps, random);
      check<float>(device, streaming(deep, 64, 2, 4, 5), {{70, 15, 11}, parts, fixed}, deep, random);
    } else {
      check<double>(device, streaming(3, 64, 3, 0), {{3 + turn, 20, 1}, parts, !fixed}, 3, random);
      check<double>(device, streaming(2, 128, 1, 2, 0), {{20, 11, 9}, parts, !fixed, 2, 7}, 2, random);
    }
    check<float>(device, streaming(2, 64, 2, 7), {{171, 30, 1}, parts, fixed, 4, 21, turn % 3}, 2, random);
    check<float>(device, streaming(1, 128, 2, 4, 5), {{70, 15, 5}, parts, true}, 1, random);
  }
}

TEST_CASE("jacobi equation: the plans that are chosen") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 75);
  in_both_families([&](const Device& device) {
    for (const Shape& shape : {Shape{300, 90, 1}, Shape{70, 40, 30}})
      for (const Parts& parts : {Parts{.weights = true, .source = true}, layers}) {
        const Plan plan = choose_plan(device, Layout(shape), sizeof(float), Kernel::automatic, 0,
                                      {.source = parts.source, .coefficients = parts.coefficients});
        CHECK(plan.fused_steps > 1);
        check<float>(device, plan, {shape, parts}, plan.fused_steps, random);
      }
  });
}
