// Kernel::stream: several iterations in one pass (cl/jacobi/stream.cl, stream_3d.cl).
//
// Plan, 2D: group, columns of an item (1 to 4), rows of the range of a group (0: chosen to fill the device).
// Plan, 3D: group (of 32 items a row), columns and rows of an item, planes of the range of a group (0: likewise).
#include "genocl/error.hpp"
#include "jacobi/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {

namespace {

using runtime::ceil_div;
using runtime::round_up;

/// Concurrent groups on a compute unit by the registers of an item: `words` of 32 bits for the fused steps, plus the
/// number observed for the rest on an H200. OpenCL does not report it; units of NVIDIA and AMD have 65,536.
std::uint64_t resident_groups(unsigned group, std::uint64_t words) {
  const std::uint64_t registers = words * 23 / 20 + 42;
  return std::max<std::uint64_t>(1, 65536 / (registers * group));
}

/// Slices of the range of a group, for `count` slices and `across` groups side by side. The groups fill the device in
/// whole waves, as long as the redundant work (`fused_steps` slices on each side, and the start) stays small.
std::uint64_t walk_height(const Device& device, std::uint64_t resident, std::uint64_t across, std::uint64_t count,
                          unsigned fused_steps) {
  const std::uint64_t slots = std::max(1u, device.info().compute_units) * resident;
  std::uint64_t best = count, least = ~std::uint64_t{0};
  for (std::uint64_t waves = 1; waves <= 16; ++waves) {
    const std::uint64_t walks = std::clamp<std::uint64_t>(waves * slots / across, 1, count);
    const std::uint64_t tall = ceil_div(count, walks);
    const std::uint64_t cost = ceil_div(across * ceil_div(count, tall), slots) * (tall + 2 * fused_steps + 4);
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
  const std::uint64_t margin = round_up(a.fused_steps, plan.columns);
  const std::uint64_t read = std::uint64_t{plan.group} * plan.columns;
  if (read <= 2 * margin)
    throw InputError("stream: a group reads " + std::to_string(read) + " columns; " + std::to_string(a.fused_steps) +
                     " iterations need more than " + std::to_string(2 * margin));
  const std::uint64_t across = ceil_div(a.held.layout.held_width(), read - 2 * margin), rows = a.end - a.begin;
  // Two rows of each fused step; with a source also its row, and three more in flight.
  const std::uint64_t held_rows =
      a.held.formula.source ? 3 * std::uint64_t{a.fused_steps} + 3 : std::uint64_t{2} * a.fused_steps;
  const std::uint64_t words = held_rows * plan.columns * sizeof(T) / 4;
  const std::uint64_t tall =
      plan.rows != 0 ? plan.rows
                     : walk_height(a.device, resident_groups(plan.group, words), across, rows, a.fused_steps);
  cell_kernel(a, "jacobi/stream.cl", "stream_2d", defines, static_cast<std::uint32_t>(across),
              static_cast<std::uint32_t>(tall))
      .run(across * ceil_div(rows, tall), plan.group, sweep_bytes(a));
}

template <class T>
void stream_solid(const SweepArguments<T>& a, runtime::Defines defines) {
  constexpr unsigned items_across = 32;
  const Plan& plan = a.plan;
  const std::uint64_t margin = round_up(a.fused_steps, plan.columns);
  const std::uint64_t tile_columns = std::uint64_t{items_across} * plan.columns;
  const std::uint64_t tile_rows = std::uint64_t{plan.group / items_across} * plan.rows;
  if (tile_columns <= 2 * margin || tile_rows <= 2 * a.fused_steps)
    throw InputError("stream: a tile of " + std::to_string(tile_columns) + " x " + std::to_string(tile_rows) +
                     " is too small for " + std::to_string(a.fused_steps) + " iterations");
  const std::uint64_t across = ceil_div(a.held.layout.held_width(), tile_columns - 2 * margin);
  const std::uint64_t down = ceil_div(a.held.layout.held_rows(), tile_rows - std::uint64_t{2} * a.fused_steps);
  const std::uint64_t planes = a.end - a.begin;
  const std::uint64_t words = std::uint64_t{2} * a.fused_steps * plan.columns * plan.rows * sizeof(T) / 4;
  const std::uint64_t tall = plan.planes != 0 ? plan.planes
                                              : walk_height(a.device, resident_groups(plan.group, words), across * down,
                                                            planes, a.fused_steps);
  const std::uint64_t tile_bytes = tile_columns * tile_rows * a.fused_steps * sizeof(T);
  defines.set("ITEMS_ACROSS", items_across).set("ROWS", plan.rows);
  defines.set("TILE_BUFFERS", 2 * tile_bytes <= a.device.info().local_memory ? 2 : 1);
  cell_kernel(a, "jacobi/stream_3d.cl", "stream_3d", defines, static_cast<std::uint32_t>(across),
              static_cast<std::uint32_t>(down), static_cast<std::uint32_t>(tall))
      .run(across * down * ceil_div(planes, tall), plan.group, sweep_bytes(a));
}

}  // namespace

template <class T>
void sweep_stream(const SweepArguments<T>& a) {
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_GPU", 1)
      .set("GROUP_SIZE", a.plan.group)
      .set("COLUMNS", a.plan.columns)
      .set("FUSED_STEPS", a.fused_steps);
  if (a.held.layout.shape.three_dimensional())
    stream_solid(a, defines);
  else
    stream_flat(a, defines);
}

template void sweep_stream(const SweepArguments<float>&);
template void sweep_stream(const SweepArguments<double>&);

// Kernel::strip: several slices for each work-item, in registers. Plan: group, columns of an item (1, 2, 4), slices of
// an item (`rows` in 2D, `planes` in 3D); in 3D `rows` of items in a group.

template <class T>
void sweep_strip(const SweepArguments<T>& a) {
  const Layout& layout = a.held.layout;
  const bool is_3d = layout.shape.three_dimensional();
  const Plan& plan = a.plan;
  const unsigned item_slices = is_3d ? plan.planes : plan.rows, item_rows = is_3d ? plan.rows : 1;
  const unsigned items_across = plan.group / item_rows;
  const std::uint64_t across = ceil_div(layout.held_width(), std::uint64_t{items_across} * plan.columns);
  const std::uint64_t down = is_3d ? ceil_div(layout.held_rows(), item_rows) : 1;
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_GPU", 1)
      .set("GROUP_SIZE", items_across * item_rows)
      .set("ITEMS_ACROSS", items_across)
      .set("COLUMNS", plan.columns)
      .set("STRIP_SLICES", item_slices);
  cell_kernel(a, "jacobi/strip.cl", "strip_slices", defines, static_cast<std::uint32_t>(across),
              static_cast<std::uint32_t>(down))
      .run(across * down * ceil_div(a.end - a.begin, item_slices), items_across * item_rows, sweep_bytes(a));
}

template void sweep_strip(const SweepArguments<float>&);
template void sweep_strip(const SweepArguments<double>&);

// Kernel::rolling: several iterations in one pass, their last slices in the cache (cl/jacobi/rolling.cl). Plan: fused
// steps; columns of a tile; its rows (2D), or its rows in a plane and its planes (3D). Tiles have fewer rows (2D) or
// planes if there are too few to keep every core busy.

namespace {

/// The tiles of a sweep.
struct Tiles {
  std::uint32_t columns = 0, rows = 0, slices = 0;
  std::uint64_t count = 0;

  template <class T>
  Tiles(const SweepArguments<T>& a, std::uint64_t cores) {
    const Layout& layout = a.held.layout;
    const bool is_3d = layout.shape.three_dimensional();
    columns = static_cast<std::uint32_t>(std::min(round_up(std::max(a.plan.columns, 1u), column_alignment),
                                                  round_up(layout.held_width(), column_alignment)));
    rows = is_3d ? static_cast<std::uint32_t>(std::clamp<std::uint64_t>(a.plan.rows, 1, layout.held_rows())) : 1;
    const std::uint64_t across = ceil_div(layout.held_width(), columns) * ceil_div(layout.held_rows(), rows);
    // Workers take tiles in turn and finish within the time of one tile. A tile computes `fused_steps` slices more than
    // it writes.
    constexpr std::uint64_t tiles_per_core = 4, least = 4;
    const std::uint64_t wanted = ceil_div(a.end - a.begin, std::max<std::uint64_t>(1, tiles_per_core * cores / across));
    slices = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
        std::max<std::uint64_t>(wanted, least * a.fused_steps), 1, std::max(is_3d ? a.plan.planes : a.plan.rows, 1u)));
    count = across * ceil_div(a.end - a.begin, slices);
  }
};

/// The layout of a worker's buffer, in elements.
struct Buffer {
  std::uint32_t slots = 0, row = 0, lead = 0;
  std::uint64_t slice = 0;

  Buffer(const Tiles& tiles, bool is_3d, unsigned fused_steps, unsigned block, unsigned lanes, std::size_t element) {
    // A tile starts wider than it ends, by whole vectors, and one more vector is read. In 2D each iteration is stored a
    // vector before the previous one.
    const std::uint64_t wider = round_up(fused_steps, lanes);
    slots = 2 * fused_steps + block;
    lead = static_cast<std::uint32_t>(wider + lanes + (is_3d ? 0 : fused_steps * lanes));
    // The tile is followed by a partial vector and its neighbour. Rows computed together are 448 bytes apart modulo
    // 4096: equal addresses modulo 4096 make a core mistake a load for the store of another row.
    const std::uint64_t page = (is_3d ? 64 : 4096) / element, apart = (is_3d ? 64 : 448) / element;
    row = static_cast<std::uint32_t>(round_up(lead + tiles.columns + wider + 2 * lanes, page) + apart);
    slice = row * (is_3d ? tiles.rows + 2ull * fused_steps : 1);
  }
};

/// Slices computed at a time. On two cores 8 rows are 15% faster than 4 and 60% faster than 1 (AVX-512: 32 registers),
/// and no slower on 16 cores that share a memory; planes need more registers.
constexpr unsigned rows_at_a_time = 8, planes_at_a_time = 4;

}  // namespace

template <class T>
void sweep_rolling(const SweepArguments<T>& a) {
  const bool is_3d = a.held.layout.shape.three_dimensional();
  const std::uint64_t cores = std::max(1u, a.device.info().compute_units);
  const Tiles tiles(a, cores);
  const std::uint64_t workers = std::min(tiles.count, cores);
  const unsigned lanes = vector_lanes<T>(a.device), block = is_3d ? planes_at_a_time : rows_at_a_time;
  const Buffer buffer(tiles, is_3d, a.fused_steps, block, lanes, sizeof(T));
  const runtime::Scratch buffers(a.device, workers * buffer.slots * buffer.slice * sizeof(T));
  const runtime::Scratch taken(a.device, sizeof(std::uint32_t));
  const std::uint32_t none = 0;
  runtime::fill(a.device, taken.buffer(), &none, sizeof none, sizeof none);

  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_CPU", 1).set("LANES", lanes).set("BLOCK", block);
  defines.set("PAST_CACHE", goes_past_cache<T>(a.device, a.held) ? 1 : 0);
  cell_kernel(a, "jacobi/rolling.cl", "rolling", defines, buffers, taken, static_cast<std::uint32_t>(a.fused_steps),
              tiles.columns, tiles.rows, tiles.slices, buffer.slots, buffer.slice, buffer.row, buffer.lead)
      .run(workers, 1, sweep_bytes(a));
}

template void sweep_rolling(const SweepArguments<float>&);
template void sweep_rolling(const SweepArguments<double>&);

}  // namespace genocl::jacobi
