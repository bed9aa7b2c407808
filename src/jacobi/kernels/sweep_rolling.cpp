// Kernel::rolling: several iterations in one pass, their last slices in the cache (cl/jacobi/kernels/rolling.cl). Plan:
// levels; columns of a tile; its rows (2D), or its rows in a plane and its planes (3D). Rows (2D) and planes are made
// fewer where there are too few tiles to keep every core busy.
#include "jacobi/kernels/cpu.hpp"
#include "jacobi/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::jacobi {
namespace {

using runtime::ceil_div;
using runtime::round_up;

/// What is cut into tiles, and how.
struct Tiles {
  std::uint32_t columns = 0, rows = 0, slices = 0;
  std::uint64_t count = 0;

  template <class T>
  Tiles(const SweepArguments<T>& a, std::uint64_t cores) {
    const Layout& layout = a.held.layout;
    const bool solid = layout.shape.three_dimensional();
    columns = static_cast<std::uint32_t>(std::min(round_up(std::max(a.plan.columns, 1u), column_alignment),
                                                  round_up(layout.held_width(), column_alignment)));
    rows = solid ? static_cast<std::uint32_t>(std::clamp<std::uint64_t>(a.plan.rows, 1, layout.held_rows())) : 1;
    const std::uint64_t across = ceil_div(layout.held_width(), columns) * ceil_div(layout.held_rows(), rows);
    // Tiles are taken in turn; the last ones end at different times, by a tile's work at most. A tile costs
    // `levels` slices more than it makes.
    constexpr std::uint64_t tiles_per_core = 4, least = 4;
    const std::uint64_t wanted = ceil_div(a.end - a.begin, std::max<std::uint64_t>(1, tiles_per_core * cores / across));
    slices = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(std::max<std::uint64_t>(wanted, least * a.levels), 1,
                                                                  std::max(solid ? a.plan.planes : a.plan.rows, 1u)));
    count = across * ceil_div(a.end - a.begin, slices);
  }
};

/// A worker's buffer is described in elements.
struct Buffer {
  std::uint32_t slots = 0, row = 0, lead = 0;
  std::uint64_t slice = 0;

  Buffer(const Tiles& tiles, bool solid, unsigned levels, unsigned block, unsigned lanes, std::size_t element) {
    // A tile starts wider than it ends, by whole vectors, and one more is read. In 2D each iteration lies a vector
    // before the last one.
    const std::uint64_t wider = round_up(levels, lanes);
    slots = 2 * levels + block;
    lead = static_cast<std::uint32_t>(wider + lanes + (solid ? 0 : levels * lanes));
    // Behind the tile come a vector that sticks out and its neighbour. Rows that are made together lie 448 bytes apart
    // modulo 4096: a core takes a load for the store of another row where those are the same.
    const std::uint64_t page = (solid ? 64 : 4096) / element, apart = (solid ? 64 : 448) / element;
    row = static_cast<std::uint32_t>(round_up(lead + tiles.columns + wider + 2 * lanes, page) + apart);
    slice = row * (solid ? tiles.rows + 2ull * levels : 1);
  }
};

/// Slices that are made at a time. On two cores 8 rows are 15% faster than 4 and 60% than 1 (AVX-512: 32 registers), on
/// 16 cores that share a memory no slower; planes need more registers.
constexpr unsigned rows_at_a_time = 8, planes_at_a_time = 4;

}  // namespace

template <class T>
void sweep_rolling(const SweepArguments<T>& a) {
  const bool solid = a.held.layout.shape.three_dimensional();
  const std::uint64_t cores = std::max(1u, a.device.info().compute_units);
  const Tiles tiles(a, cores);
  const std::uint64_t workers = std::min(tiles.count, cores);
  const unsigned lanes = vector_lanes<T>(a.device), block = solid ? planes_at_a_time : rows_at_a_time;
  const Buffer buffer(tiles, solid, a.levels, block, lanes, sizeof(T));
  const runtime::Scratch buffers(a.device, workers * buffer.slots * buffer.slice * sizeof(T));
  const runtime::Scratch taken(a.device, sizeof(std::uint32_t));
  const std::uint32_t none = 0;
  runtime::fill(a.device, taken.buffer(), &none, sizeof none, sizeof none);

  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_CPU", 1).set("LANES", lanes).set("BLOCK", block);
  defines.set("PAST_CACHE", goes_past_cache<T>(a.device, a.held) ? 1 : 0);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/rolling.cl", "rolling", defines), workers, 1, a.held,
                  a.from, a.to, a.begin, a.end, sweep_bytes<T>(a.held, a.begin, a.end), buffers, taken,
                  static_cast<std::uint32_t>(a.levels), tiles.columns, tiles.rows, tiles.slices, buffer.slots,
                  buffer.slice, buffer.row, buffer.lead);
}

template void sweep_rolling(const SweepArguments<float>&);
template void sweep_rolling(const SweepArguments<double>&);

}  // namespace genocl::jacobi
