// Cells on their way between the host and a device, with and without halo slices.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "device_under_test.hpp"
#include "jacobi/partition.hpp"
#include "random.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::jacobi;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

/// Slices [0, slices) go to slice `to` and back, and stand there as to_device_layout has them.
template <class T>
void check_there_and_back(const Device& device, const Layout& layout, std::uint64_t to, std::uint64_t slices,
                          Random& random) {
  constexpr T other = 77;
  std::vector<T> before(slices * layout.rows_per_slice * layout.shape.width), after(before.size());
  for (T& cell : before) cell = static_cast<T>(random.between(1, 100));
  Array<T> array(device, (to + slices + 1) * layout.slice());
  array.fill(other);
  upload_slices<T>(device, layout, before, array, to);
  download_slices<T>(device, layout, array, to, after);
  CHECK(before == after);

  std::vector<T> held(slices * layout.slice(), other);
  to_device_layout<T>(layout, before, held);
  std::vector<T> expected(array.size(), other);
  std::ranges::copy(held, expected.begin() + static_cast<std::ptrdiff_t>(to * layout.slice()));
  CHECK(array.download() == expected);
  std::ranges::fill(after, T{});
  from_device_layout<T>(layout, held, after);
  CHECK(before == after);

  // Rows stand where the layout says, and their halo slices are the cells at the other end.
  std::uint64_t wrong = 0;
  const std::uint64_t width = layout.shape.width, rows = layout.rows_per_slice;
  for (std::uint64_t slice = 0; slice < slices; ++slice)
    for (std::uint64_t row = 0; row < layout.held_rows(); ++row)
      for (std::uint64_t column = 0; column < layout.pitch; ++column) {
        const T cell = held[slice * layout.slice() + row * layout.pitch + column];
        const std::uint64_t own_row = (row + rows * layout.halo_rows - layout.halo_rows) % rows;
        const std::uint64_t own_column = (column + width * layout.halo_columns - layout.halo_columns) % width;
        const bool behind = column >= width + 2 * layout.halo_columns;
        wrong += cell != (behind ? T{} : before[(slice * rows + own_row) * width + own_column]) ? 1 : 0;
      }
  CHECK(wrong == 0);
}

}  // namespace

TEST_CASE("jacobi slices are uploaded and downloaded in the layout of the device") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device device = genocl_test::device_under_test();
  // More rows than a page-locked slot holds; rows that exceed a slot; copied as for a device with its own memory.
  const genocl_test::Environment copied("GENOCL_MAP", "off");
  const Device other = Device::pick();
  for (const Shape& shape : {Shape{3000, 1500, 1}, Shape{9, 9000, 5}, Shape{5000000, 3, 1}}) {
    const Layout layout(shape, {.left = BoundaryKind::periodic, .right = BoundaryKind::periodic});
    check_there_and_back<float>(other, layout, 1, layout.slices, random);
    check_there_and_back<std::uint8_t>(other, layout, 0, layout.slices - 1, random);
  }
  for (const Shape& shape : {Shape{37, 23, 1}, Shape{130, 9, 1}, Shape{11, 6, 7}, Shape{64, 16, 3}})
    for (const int periodic : {0, 1, 2}) {
      CAPTURE(shape.text());
      CAPTURE(periodic);
      Boundaries sides;
      if (periodic > 0) sides.left = sides.right = BoundaryKind::periodic;
      if (periodic > 1 && shape.three_dimensional()) sides.top = sides.bottom = BoundaryKind::periodic;
      const Layout layout(shape, sides);
      const std::uint64_t slices = 1 + random() % layout.slices, to = random() % 3;
      check_there_and_back<float>(device, layout, to, slices, random);
      if (device.info().fp64) check_there_and_back<double>(device, layout, to, slices, random);
    }
}
