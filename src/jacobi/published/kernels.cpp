// The published kernels: naive, local and blocked (Contassot-Vivier and Vialle, ParCo 2015).
//
// Kernel::naive: a work-item for each cell. Plan: group (256), columns of a group's tile (64).
#include "jacobi/launch.hpp"

#include <algorithm>

namespace genocl::jacobi {

using runtime::ceil_div;

template <class T>
void sweep_naive(const SweepArguments<T>& a) {
  const std::uint64_t rows = (a.end - a.begin) * a.held.layout.held_rows();
  runtime::Defines defines = cell_defines<T>(a.held);
  if (runtime::uses_cpu_kernels(a.device)) {
    const runtime::Shares shares = runtime::share_out(a.device, {}, rows, 1, 1);
    defines.set("ONLY_CPU", 1);
    cell_kernel(a, "jacobi/published/naive.cl", "naive_cpu", defines, shares.share)
        .run(shares.workers, 1, sweep_bytes(a));
    return;
  }
  const unsigned columns = a.plan.columns != 0 ? a.plan.columns : 64;
  const unsigned size = std::max(columns, a.plan.group != 0 ? a.plan.group : runtime::group_size(a.device, {}, 256));
  const std::uint64_t across = ceil_div(a.held.layout.held_width(), columns);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("TILE_COLUMNS", columns);
  cell_kernel(a, "jacobi/published/naive.cl", "naive_gpu", defines, static_cast<std::uint32_t>(across))
      .run(across * ceil_div(rows, size / columns), size, sweep_bytes(a));
}

template void sweep_naive(const SweepArguments<float>&);
template void sweep_naive(const SweepArguments<double>&);

// Kernel::local: the paper's Listing 3. Plan: columns, rows and, in 3D, planes of a group's tile including its edges;
// the group has one item for each cell.

template <class T>
void sweep_local(const SweepArguments<T>& a) {
  const Layout& layout = a.held.layout;
  const bool is_3d = layout.shape.three_dimensional();
  const Plan& plan = a.plan;
  const std::uint64_t slices = a.end - a.begin;
  const std::uint64_t across = ceil_div(layout.held_width(), plan.columns - 2);
  const std::uint64_t down = is_3d ? ceil_div(layout.held_rows(), plan.rows - 2) : 1;
  const std::uint64_t along = ceil_div(slices, (is_3d ? plan.planes : plan.rows) - 2);
  const unsigned planes = is_3d ? plan.planes : 1;
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_GPU", 1).set("TILE_COLUMNS", plan.columns).set("TILE_ROWS", plan.rows).set("TILE_PLANES", planes);
  cell_kernel(a, "jacobi/published/local.cl", "local_tiles", defines, static_cast<std::uint32_t>(across),
              static_cast<std::uint32_t>(down))
      .run(across * down * along, plan.columns * plan.rows * planes, sweep_bytes(a));
}

template void sweep_local(const SweepArguments<float>&);
template void sweep_local(const SweepArguments<double>&);

// Kernel::blocked: one iteration by blocks that stay in the cache (cl/jacobi/published/blocked.cl). Plan: columns of a
// block; in 3D also its rows.

template <class T>
void sweep_blocked(const SweepArguments<T>& a) {
  const Layout& layout = a.held.layout;
  // The paper gives each core one part. Here each has several, so that an interrupted core does not delay the others:
  // an eighth of the usual work of a worker.
  const runtime::Shares shares = runtime::share_out(a.device, {}, a.end - a.begin, 1, 1, 8);
  const auto columns = static_cast<std::uint32_t>(runtime::round_up(std::max(a.plan.columns, 1u), column_alignment));
  const auto rows = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(a.plan.rows, 1, layout.held_rows()));
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_CPU", 1).set("LANES", vector_lanes<T>(a.device)).set("BLOCK", 1);
  defines.set("PAST_CACHE", goes_past_cache<T>(a.device, a.held) ? 1 : 0);
  cell_kernel(a, "jacobi/published/blocked.cl", "blocked", defines, columns, rows, shares.share)
      .run(shares.workers, 1, sweep_bytes(a));
}

template void sweep_blocked(const SweepArguments<float>&);
template void sweep_blocked(const SweepArguments<double>&);

}  // namespace genocl::jacobi
