// Plans for GPUs, from measurements on an H200 (16384 x 16384, 4000 x 4000, 512^3, 256^3); other devices get the same
// shapes where their work-groups and local memory allow them.
#include <algorithm>

#include "jacobi/kernels/sweep.hpp"
#include "runtime/launch.hpp"

namespace genocl::jacobi {
namespace {

/// The levels' masks of kept rows have 32 bits, and more levels did not pay anywhere.
constexpr unsigned most_flat_levels = 16;

/// `wanted` work-items, or the largest power of two below that the device allows.
unsigned items(const Device& device, unsigned wanted) { return runtime::group_size(device, {}, wanted); }

Plan local_plan(const Device& device, bool solid) {
  if (!solid) return {.kernel = Kernel::local, .columns = 16, .rows = items(device, 256) / 16};
  return {.kernel = Kernel::local, .columns = items(device, 256) / 16, .rows = 4, .planes = 4};
}

Plan strip_plan(const Device& device, bool solid, std::size_t element) {
  if (solid) return {.kernel = Kernel::strip, .group = items(device, 256), .columns = 2, .rows = 4, .planes = 8};
  return {.kernel = Kernel::strip, .group = items(device, 256), .columns = element == 8 ? 2u : 4u, .rows = 3};
}

/// Two dimensions: both edges of every level lie in local memory, twice. Three columns an item ask a third less of
/// local memory than two, and with four too few items fit the registers. G updates/s on the H200, 16384 x 16384, by
/// levels, 8 / 12 (double) and 12 / 14 (float): 2 columns 1,390 / 1,480 and 2,050 / -, 3 columns 1,550 / 1,660 and
/// 2,500 / 2,760.
///
/// A source of each cell stays in registers while its row goes through the levels, half as many again: double then has
/// room for 12 levels of 2 columns (some 220 registers, two groups a unit as without a source) but not of 3, and float
/// for 11 of 3 (some 170, three groups). By the bytes alone 12 levels of 24 bytes a cell bound double by 2,120 G
/// updates/s.
Plan stream_flat_plan(const Device& device, std::size_t element, unsigned most_levels, bool source) {
  Plan plan{.kernel = Kernel::stream, .group = items(device, 128), .columns = source && element == 8 ? 2u : 3u};
  const unsigned best = element == 8 ? 12 : source ? 11 : 14;
  plan.levels = std::min(most_levels != 0 ? most_levels : best, most_flat_levels);
  const auto bytes = [&] { return std::uint64_t{4} * plan.levels * plan.group * element; };
  if (bytes() > device.info().local_memory) plan.group = 64;
  while (plan.levels > 1 && bytes() > device.info().local_memory) --plan.levels;
  return plan;
}

/// Three dimensions: a tile of every level lies in local memory. Two groups of 256 items with 128 registers fill a
/// compute unit of the H200; fewer but larger tiles there are slower.
Plan stream_solid_plan(const Device& device, std::size_t element, unsigned most_levels) {
  Plan plan{.kernel = Kernel::stream, .group = items(device, 256), .columns = 2, .rows = element == 8 ? 2u : 4u};
  plan.levels = std::min(most_levels != 0 ? most_levels : 3u, 4u);
  const auto bytes = [&] { return std::uint64_t{plan.levels} * plan.group * plan.columns * plan.rows * element; };
  while (plan.levels > 2 && bytes() > device.info().local_memory) --plan.levels;
  while (plan.group > 64 && bytes() > device.info().local_memory) plan.group /= 2;
  while (plan.levels > 1 && bytes() > device.info().local_memory) --plan.levels;
  // A tile must be higher than its margins, or nothing of it is right.
  const unsigned tile_rows = plan.group / 32 * plan.rows;
  plan.levels = std::min(plan.levels, (tile_rows - 1) / 2);
  return plan;
}

}  // namespace

Plan choose_gpu_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                     unsigned most_levels, bool source) {
  const bool solid = layout.shape.three_dimensional();
  switch (kernel) {
    case Kernel::local:
      return local_plan(device, solid);
    case Kernel::strip:
      return strip_plan(device, solid, element);
    case Kernel::stream:
      return solid ? stream_solid_plan(device, element, most_levels)
                   : stream_flat_plan(device, element, most_levels, source);
    default:
      return {.kernel = Kernel::naive, .group = items(device, 256), .columns = 64};
  }
}

}  // namespace genocl::jacobi
