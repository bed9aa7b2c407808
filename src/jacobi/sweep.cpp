#include "jacobi/sweep.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "genocl/error.hpp"
#include "genocl/jacobi/solve.hpp"
#include "jacobi/launch.hpp"
#include "runtime/launch.hpp"
#include "runtime/names.hpp"
#include "runtime/platform.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {

using runtime::ceil_div;
using runtime::round_up;

namespace {

constexpr runtime::Names<Kernel, 7> names = {{{Kernel::automatic, "auto"},
                                              {Kernel::naive, "naive"},
                                              {Kernel::local, "local"},
                                              {Kernel::blocked, "blocked"},
                                              {Kernel::strip, "strip"},
                                              {Kernel::stream, "stream"},
                                              {Kernel::rolling, "rolling"}}};

}  // namespace

std::string_view to_string(Kernel kernel) noexcept { return runtime::name_of(names, kernel); }

Kernel kernel_named(std::string_view name) { return runtime::value_named(names, "kernel", name); }

Kernel KernelsByType::of(DeviceType type, Kernel otherwise) const noexcept {
  const Kernel own = type == DeviceType::cpu           ? cpu
                     : type == DeviceType::gpu         ? gpu
                     : type == DeviceType::accelerator ? accelerator
                                                       : Kernel::automatic;
  return own == Kernel::automatic ? otherwise : own;
}

namespace {

// Plans for GPUs, measured on an H200 (16384 x 16384, 4000 x 4000, 512^3, 256^3). Other devices use the same shapes as
// far as their work-groups and local memory allow.

/// The masks of fixed rows have 32 bits, one for each fused step, and more steps were not faster anywhere.
constexpr unsigned max_flat_steps = 16;

/// `wanted` work-items, or the largest power of two below that the device supports.
unsigned items(const Device& device, unsigned wanted) { return runtime::group_size(device, {}, wanted); }

/// Throws InputError for a tile that does not fit a work-group.
Plan local_plan(const Device& device, bool is_3d, std::size_t element, const LocalTile& tile) {
  if (tile != LocalTile{}) {
    const std::uint64_t cells = std::uint64_t{tile.columns} * tile.rows;
    const std::uint64_t fitting =
        std::min<std::uint64_t>(device.info().max_work_group_size, device.info().local_memory / element);
    if (cells > fitting)
      throw InputError("a tile of " + std::to_string(tile.columns) + "x" + std::to_string(tile.rows) + ": " +
                       std::to_string(cells) + " work-items; expected at most " + std::to_string(fitting) + " on " +
                       device.info().name);
    return {.kernel = Kernel::local, .columns = tile.columns, .rows = tile.rows};
  }
  if (!is_3d) return {.kernel = Kernel::local, .columns = 16, .rows = items(device, 256) / 16};
  return {.kernel = Kernel::local, .columns = items(device, 256) / 16, .rows = 4, .planes = 4};
}

Plan strip_plan(const Device& device, bool is_3d, std::size_t element) {
  if (is_3d) return {.kernel = Kernel::strip, .group = items(device, 256), .columns = 2, .rows = 4, .planes = 8};
  return {.kernel = Kernel::strip, .group = items(device, 256), .columns = element == 8 ? 2u : 4u, .rows = 3};
}

/// Two dimensions: local memory holds both edges of every fused step, twice. Three columns an item need a third less
/// local memory than two; with four, too few items fit the registers. G updates/s on the H200, 16384 x 16384, by fused
/// steps, 8 / 12 (double) and 12 / 14 (float): 2 columns 1,390 / 1,480 and 2,050 / -, 3 columns 1,550 / 1,660 and 2,500
/// / 2,760.
///
/// A source stays in registers while its row passes the fused steps: half as many registers more. Double then fits 12
/// steps of 2 columns (about 220 registers, two groups a unit as without a source) but not of 3, and float 11 of 3
/// (about 170, three groups). Memory alone bounds double at 12 steps of 24 bytes a cell by 2,120 G updates/s.
Plan stream_flat_plan(const Device& device, std::size_t element, unsigned max_fused_steps, bool source) {
  Plan plan{.kernel = Kernel::stream, .group = items(device, 128), .columns = source && element == 8 ? 2u : 3u};
  const unsigned best = element == 8 ? 12 : source ? 11 : 14;
  plan.fused_steps = std::min(max_fused_steps != 0 ? max_fused_steps : best, max_flat_steps);
  const auto bytes = [&] { return std::uint64_t{4} * plan.fused_steps * plan.group * element; };
  if (bytes() > device.info().local_memory) plan.group = 64;
  while (plan.fused_steps > 1 && bytes() > device.info().local_memory) --plan.fused_steps;
  return plan;
}

/// Three dimensions: rows of a patch in local memory. With PTX the first and the last suffice (cl/jacobi/stream_3d.cl).
unsigned shared_rows(const Device& device, unsigned rows) { return device.has_ptx() ? std::min(rows, 2u) : rows; }

/// Three dimensions: local memory holds a tile of every fused step. Two groups of 256 items with 128 registers fill a
/// compute unit of the H200.
///
/// With PTX one group of 384 items with 168 registers and four steps is faster, although fewer groups hide less
/// latency: larger tiles repeat less at their edges. G updates/s on the H200, 512^3, by group x columns x rows / steps,
/// double and float: 256 x 2 x 2 / 3 430, 256 x 2 x 4 / 3 848; 384 x 2 x 3 / 4 491, 384 x 2 x 5 / 4 966; 512 x 2 x
/// 4 / 4 (two barriers a plane) 955. Weights of each cell, and a source in double, need more registers
/// than that leaves.
Plan stream_solid_plan(const Device& device, std::size_t element, unsigned max_fused_steps, const Formula& formula) {
  const bool large =
      device.has_ptx() && items(device, 512) == 512 && !formula.coefficients && !(formula.source && element == 8);
  Plan plan{.kernel = Kernel::stream, .group = large ? 384 : items(device, 256), .columns = 2};
  plan.rows = element == 8 ? (large ? 3 : 2) : (large ? 5 : 4);
  plan.fused_steps = std::min(max_fused_steps != 0 ? max_fused_steps : large ? 4u : 3u, 4u);
  const auto bytes = [&] {
    return std::uint64_t{plan.fused_steps} * plan.group * plan.columns * shared_rows(device, plan.rows) * element;
  };
  while (plan.fused_steps > 2 && bytes() > device.info().local_memory) --plan.fused_steps;
  while (plan.group > 64 && bytes() > device.info().local_memory) plan.group /= 2;
  while (plan.fused_steps > 1 && bytes() > device.info().local_memory) --plan.fused_steps;
  // A tile must be higher than its margins, or no row of it is valid.
  const unsigned tile_rows = plan.group / 32 * plan.rows;
  plan.fused_steps = std::min(plan.fused_steps, (tile_rows - 1) / 2);
  return plan;
}

/// Rows of a block fit the level-1 cache of a core, in 3D the level-2 cache. Devices that are not the host's CPU get
/// the sizes of common ones.
Plan blocked_plan(const Device& device, const Layout& layout, std::size_t element) {
  constexpr platform::CacheSizes common{.level1_data = 32 << 10, .level2 = 512 << 10};
  platform::CacheSizes sizes = common;
  if (device.info().type == DeviceType::cpu) {
    const platform::CacheSizes own = platform::cache_sizes();
    if (own.level1_data != 0) sizes.level1_data = own.level1_data;
    if (own.level2 != 0) sizes.level2 = own.level2;
  }
  const bool is_3d = layout.shape.three_dimensional();
  const unsigned rows = is_3d ? 32 : 1;
  return {.kernel = Kernel::blocked,
          .group = 1,
          .columns = blocked_columns(is_3d ? sizes.level2 : sizes.level1_data, element, rows),
          .rows = rows};
}

/// Bytes of a row of a tile. In 2D 8 rows and their 2 neighbours fit a level-1 cache (48 KiB). In 3D the slices of all
/// iterations, 16 of 44 rows, fit a level-2 cache (2 MiB).
constexpr unsigned row_bytes = 4096, row_bytes_3d = 2048;

Plan rolling_plan(const Layout& layout, std::size_t element, unsigned max_fused_steps) {
  Plan plan{.kernel = Kernel::rolling, .group = 1};
  const bool is_3d = layout.shape.three_dimensional();
  // In 2D memory still takes a quarter of the time at 16. In 3D 6 is 5 to 8% faster than 4, and 8 is no faster.
  const unsigned best = is_3d ? 6 : 16;
  plan.fused_steps = max_fused_steps == 0 ? best : std::min(max_fused_steps, best);
  plan.columns = static_cast<unsigned>((is_3d ? row_bytes_3d : row_bytes) / element);
  plan.rows = is_3d ? 32 : 512;
  plan.planes = is_3d ? 128 : 0;
  return plan;
}

}  // namespace

unsigned blocked_columns(std::uint64_t cache_bytes, std::size_t element, unsigned rows) {
  constexpr unsigned rows_in_use = 4;
  const std::uint64_t columns = cache_bytes / (std::uint64_t{rows_in_use} * rows * element);
  return static_cast<unsigned>(
      std::clamp<std::uint64_t>(columns / column_alignment * column_alignment, column_alignment, 1 << 20));
}

Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel,
                 unsigned max_fused_steps, const Formula& formula, const LocalTile& tile) {
  if (kernel == Kernel::automatic)
    kernel = device.tuning().relaxation_family == KernelFamily::cpu ? Kernel::rolling : Kernel::stream;
  const bool is_3d = layout.shape.three_dimensional();
  switch (kernel) {
    case Kernel::blocked:
      return blocked_plan(device, layout, element);
    case Kernel::rolling:
      return rolling_plan(layout, element, max_fused_steps);
    case Kernel::local:
      return local_plan(device, is_3d, element, tile);
    case Kernel::strip:
      return strip_plan(device, is_3d, element);
    case Kernel::stream:
      return is_3d ? stream_solid_plan(device, element, max_fused_steps, formula)
                   : stream_flat_plan(device, element, max_fused_steps, formula.source);
    default:
      return {.kernel = Kernel::naive, .group = items(device, 256), .columns = 64};
  }
}

namespace {

// Kernel::stream: several iterations in one pass (cl/jacobi/stream.cl, stream_3d.cl).
//
// Plan, 2D: group, columns of an item (1 to 4), rows of the range of a group (0: chosen to fill the device).
// Plan, 3D: group (of 32 items a row), columns and rows of an item, planes of the range of a group (0: likewise).

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

/// Tiles of `size` cells that overlap by twice the margin and cover `count`; the first begins and the last ends at a
/// side, without a margin.
std::uint64_t overlapping_tiles(std::uint64_t count, std::uint64_t size, std::uint64_t margin) {
  return count <= size ? 1 : ceil_div(count - 2 * margin, size - 2 * margin);
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
  const std::uint64_t across = overlapping_tiles(a.held.layout.held_width(), tile_columns, margin);
  const std::uint64_t down = overlapping_tiles(a.held.layout.held_rows(), tile_rows, a.fused_steps);
  const std::uint64_t planes = a.end - a.begin;
  const std::uint64_t words = std::uint64_t{2} * a.fused_steps * plan.columns * plan.rows * sizeof(T) / 4;
  const std::uint64_t tall = plan.planes != 0 ? plan.planes
                                              : walk_height(a.device, resident_groups(plan.group, words), across * down,
                                                            planes, a.fused_steps);
  const std::uint64_t tile_bytes =
      tile_columns * (plan.group / items_across) * shared_rows(a.device, plan.rows) * a.fused_steps * sizeof(T);
  defines.set("ITEMS_ACROSS", items_across).set("ROWS", plan.rows);
  defines.set("TILE_BUFFERS", 2 * tile_bytes <= a.device.info().local_memory ? 2 : 1);
  cell_kernel(a, "jacobi/stream_3d.cl", "stream_3d", defines, static_cast<std::uint32_t>(across),
              static_cast<std::uint32_t>(down), static_cast<std::uint32_t>(tall))
      .run(across * down * ceil_div(planes, tall), plan.group, sweep_bytes(a));
}

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

// Kernel::rolling: several iterations in one pass, their last slices in the cache (cl/jacobi/rolling.cl). Plan: fused
// steps; columns of a tile; its rows (2D), or its rows in a plane and its planes (3D). Tiles have fewer rows (2D) or
// planes if there are too few to keep every core busy.

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

}  // namespace

template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned fused_steps) {
  const SweepArguments<T> arguments{device, plan, held, from, to, begin, end, fused_steps};
  const std::uint64_t halo[] = {held.layout.halo_columns, held.layout.halo_rows};
  for (const std::uint64_t one : halo)
    if (one != 0 && fused_steps > one)
      throw InputError(std::to_string(fused_steps) + " iterations in a sweep of a periodic grid; expected at most " +
                       std::to_string(one));
  switch (plan.kernel) {
    case Kernel::automatic:
    case Kernel::naive:
      sweep_naive(arguments);
      break;
    case Kernel::local:
      sweep_local(arguments);
      break;
    case Kernel::strip:
      sweep_strip(arguments);
      break;
    case Kernel::stream:
      sweep_stream(arguments);
      break;
    case Kernel::blocked:
      sweep_blocked(arguments);
      break;
    case Kernel::rolling:
      sweep_rolling(arguments);
      break;
  }
  refresh_halo(device, held, to, begin, end);
}

template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                    std::uint64_t, unsigned);
template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                    std::uint64_t, unsigned);

// The halo of periodic directions, after a sweep (cl/jacobi/halo.cl).

template <class T>
void refresh_halo(const Device& device, const HeldSlices& held, Array<T>& cells, std::uint64_t begin,
                  std::uint64_t end) {
  const Layout& layout = held.layout;
  if (!layout.has_cell_halo()) return;
  const std::uint64_t halo =
      2 * (layout.halo_columns * layout.held_rows() + layout.halo_rows * layout.shape.width) * (end - begin);
  const std::uint64_t count = runtime::uses_cpu_kernels(device) ? (end - begin) * layout.held_rows() : halo;
  runtime::Defines defines = cell_defines<T>(held);
  set_halo(defines, layout);
  runtime::launch_items(device, "jacobi/halo.cl", "refresh_halo", defines,
                        {.items = count, .bytes = 2 * halo * sizeof(T), .least = 64}, cells,
                        static_cast<std::uint32_t>(layout.held_width()), static_cast<std::uint32_t>(layout.held_rows()),
                        static_cast<std::uint32_t>(layout.pitch), static_cast<std::uint32_t>(begin), count);
}

template void refresh_halo(const Device&, const HeldSlices&, Array<float>&, std::uint64_t, std::uint64_t);
template void refresh_halo(const Device&, const HeldSlices&, Array<double>&, std::uint64_t, std::uint64_t);

template <class T>
void sweep_with_change(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                       std::uint64_t begin, std::uint64_t end, Array<T>& max, Array<double>& squares, bool has_double) {
  constexpr unsigned lanes_of_row = 64;
  const std::uint64_t rows = (end - begin) * held.layout.rows_per_slice;
  const std::uint64_t bytes = sweep_bytes<T>(held, begin, end) + rows * (sizeof(T) + sizeof(double));
  runtime::Defines defines = cell_defines<T>(held);
  defines.set("HAS_DOUBLE", has_double ? 1 : 0).set("CHANGE_LANES", lanes_of_row);
  if (held.layout.has_cell_halo()) set_halo(defines, held.layout);
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, rows, 1, 1);
    defines.set("ONLY_CPU", 1);
    cell_kernel<T>(device, "jacobi/change.cl", "change_cpu", defines, held, from, to, begin, end, max, squares,
                   shares.share)
        .run(shares.workers, 1, bytes);
    refresh_halo(device, held, to, begin, end);
    return;
  }
  const unsigned size = runtime::group_size(device);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  cell_kernel<T>(device, "jacobi/change.cl", "change_gpu", defines, held, from, to, begin, end, max, squares)
      .run(ceil_div(rows, size / lanes_of_row), size, bytes);
  refresh_halo(device, held, to, begin, end);
}

template void sweep_with_change(const Device&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                                std::uint64_t, Array<float>&, Array<double>&, bool);
template void sweep_with_change(const Device&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                                std::uint64_t, Array<double>&, Array<double>&, bool);

template <class T>
T ChangeMeter<T>::measure(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                          std::uint64_t begin, std::uint64_t end, std::span<double> squares) {
  const std::uint64_t rows = squares.size();
  if (row_max_.size() < rows) {
    row_max_ = Array<T>(device, rows);
    row_squares_ = Array<double>(device, rows);
    max_.resize(rows);
  }
  sweep_with_change(device, held, from, to, begin, end, row_max_, row_squares_, has_double_ && device.info().fp64);
  row_max_.download(std::span(max_).first(rows));
  row_squares_.download(squares);
  return *std::max_element(max_.begin(), max_.begin() + static_cast<std::ptrdiff_t>(rows));
}

Change change_of(double max, std::span<const double> squares) {
  double sum = 0;
  for (const double square : squares) sum += square;
  if (std::isnan(sum)) max = sum;
  return {max, std::sqrt(sum)};
}

template class ChangeMeter<float>;
template class ChangeMeter<double>;

}  // namespace genocl::jacobi
