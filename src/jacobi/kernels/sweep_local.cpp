// Kernel::local: the paper's Listing 3. Plan: columns, rows and, in 3D, planes of a group's tile, its edges included:
// as many items.
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

using runtime::ceil_div;

template <class T>
void sweep_local(const SweepArguments<T>& a) {
  const Layout& layout = a.held.layout;
  const bool solid = layout.shape.three_dimensional();
  const Plan& plan = a.plan;
  const std::uint64_t slices = a.end - a.begin;
  const std::uint64_t across = ceil_div(layout.held_width(), plan.columns - 2);
  const std::uint64_t down = solid ? ceil_div(layout.held_rows(), plan.rows - 2) : 1;
  const std::uint64_t along = ceil_div(slices, (solid ? plan.planes : plan.rows) - 2);
  const unsigned planes = solid ? plan.planes : 1;
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_GPU", 1).set("TILE_COLUMNS", plan.columns).set("TILE_ROWS", plan.rows).set("TILE_PLANES", planes);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/local.cl", "local_tiles", defines), across * down * along,
                  plan.columns * plan.rows * planes, a.held, a.from, a.to, a.begin, a.end,
                  sweep_bytes<T>(a.held, a.begin, a.end), static_cast<std::uint32_t>(across),
                  static_cast<std::uint32_t>(down));
}

template void sweep_local(const SweepArguments<float>&);
template void sweep_local(const SweepArguments<double>&);

}  // namespace genocl::jacobi
