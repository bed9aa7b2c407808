// Kernel::stream: several iterations in one pass.
//
// Plan, 2D: group, columns of an item (1 to 4), rows of a group's walk (0: as they fill the device).
// Plan, 3D: group (of 32 items a row), columns and rows of an item's patch, planes of a group's walk (0: likewise).
#include "genocl/error.hpp"
#include "jacobi/launch.hpp"

namespace genocl::jacobi {
namespace {

using runtime::ceil_div;
using runtime::round_up;

/// Groups that a compute unit works on at a time, by the registers of an item: `words` of 32 bits for the levels, and
/// what the compiler was seen to need besides on an H200. OpenCL does not tell; units of NVIDIA and AMD have 65,536.
std::uint64_t resident_groups(unsigned group, std::uint64_t words) {
  const std::uint64_t registers = words * 23 / 20 + 42;
  return std::max<std::uint64_t>(1, 65536 / (registers * group));
}

/// Slices that a group walks along when `count` of them are asked for and `across` groups walk side by side: so many
/// that the groups fill the device in whole waves, as long as that does not make too much of what walks do twice
/// (`levels` slices on each side, and some time to start).
std::uint64_t walk_height(const Device& device, std::uint64_t resident, std::uint64_t across, std::uint64_t count,
                          unsigned levels) {
  const std::uint64_t slots = std::max(1u, device.info().compute_units) * resident;
  std::uint64_t best = count, least = ~std::uint64_t{0};
  for (std::uint64_t waves = 1; waves <= 16; ++waves) {
    const std::uint64_t walks = std::clamp<std::uint64_t>(waves * slots / across, 1, count);
    const std::uint64_t tall = ceil_div(count, walks);
    const std::uint64_t cost = ceil_div(across * ceil_div(count, tall), slots) * (tall + 2 * levels + 4);
    if (cost < least) {
      least = cost;
      best = tall;
    }
  }
  return best;
}

template <class T>
void stream_flat(const SweepArguments<T>& a, const runtime::Defines& defines) {
  const Plan& plan = a.plan;
  const std::uint64_t margin = round_up(a.levels, plan.columns);
  const std::uint64_t read = std::uint64_t{plan.group} * plan.columns;
  if (read <= 2 * margin)
    throw InputError("stream: a group reads " + std::to_string(read) + " columns; " + std::to_string(a.levels) +
                     " iterations need more than " + std::to_string(2 * margin));
  const std::uint64_t across = ceil_div(a.held.layout.held_width(), read - 2 * margin), rows = a.end - a.begin;
  // Of each level two rows, and where there is a source its row too, with three more that are on their way.
  const std::uint64_t held_rows = a.held.formula.source ? 3 * std::uint64_t{a.levels} + 3 : std::uint64_t{2} * a.levels;
  const std::uint64_t words = held_rows * plan.columns * sizeof(T) / 4;
  const std::uint64_t tall =
      plan.rows != 0 ? plan.rows : walk_height(a.device, resident_groups(plan.group, words), across, rows, a.levels);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/stream.cl", "stream_2d", defines),
                  across * ceil_div(rows, tall), plan.group, a.held, a.from, a.to, a.begin, a.end,
                  sweep_bytes<T>(a.held, a.begin, a.end), static_cast<std::uint32_t>(across),
                  static_cast<std::uint32_t>(tall));
}

template <class T>
void stream_solid(const SweepArguments<T>& a, runtime::Defines defines) {
  constexpr unsigned items_across = 32;
  const Plan& plan = a.plan;
  const std::uint64_t margin = round_up(a.levels, plan.columns);
  const std::uint64_t tile_columns = std::uint64_t{items_across} * plan.columns;
  const std::uint64_t tile_rows = std::uint64_t{plan.group / items_across} * plan.rows;
  if (tile_columns <= 2 * margin || tile_rows <= 2 * a.levels)
    throw InputError("stream: a tile of " + std::to_string(tile_columns) + " x " + std::to_string(tile_rows) +
                     " is too small for " + std::to_string(a.levels) + " iterations");
  const std::uint64_t across = ceil_div(a.held.layout.held_width(), tile_columns - 2 * margin);
  const std::uint64_t down = ceil_div(a.held.layout.held_rows(), tile_rows - std::uint64_t{2} * a.levels);
  const std::uint64_t planes = a.end - a.begin;
  const std::uint64_t words = std::uint64_t{2} * a.levels * plan.columns * plan.rows * sizeof(T) / 4;
  const std::uint64_t tall =
      plan.planes != 0 ? plan.planes
                       : walk_height(a.device, resident_groups(plan.group, words), across * down, planes, a.levels);
  const std::uint64_t room = tile_columns * tile_rows * a.levels * sizeof(T);
  defines.set("ITEMS_ACROSS", items_across).set("ROWS", plan.rows);
  defines.set("ROOMS", 2 * room <= a.device.info().local_memory ? 2 : 1);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/stream_3d.cl", "stream_3d", defines),
                  across * down * ceil_div(planes, tall), plan.group, a.held, a.from, a.to, a.begin, a.end,
                  sweep_bytes<T>(a.held, a.begin, a.end), static_cast<std::uint32_t>(across),
                  static_cast<std::uint32_t>(down), static_cast<std::uint32_t>(tall));
}

}  // namespace

template <class T>
void sweep_stream(const SweepArguments<T>& a) {
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", a.plan.group).set("COLUMNS", a.plan.columns).set("LEVELS", a.levels);
  if (a.held.layout.shape.three_dimensional())
    stream_solid(a, defines);
  else
    stream_flat(a, defines);
}

template void sweep_stream(const SweepArguments<float>&);
template void sweep_stream(const SweepArguments<double>&);

}  // namespace genocl::jacobi
