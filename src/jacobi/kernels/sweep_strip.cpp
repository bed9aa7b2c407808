// Kernel::strip: several slices for each work-item, in registers. Plan: group, columns of an item (1, 2, 4), slices of
// an item (`rows` in 2D, `planes` in 3D); in 3D `rows` of items in a group.
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

using runtime::ceil_div;

template <class T>
void sweep_strip(const SweepArguments<T>& a) {
  const Layout& layout = a.held.layout;
  const bool solid = layout.shape.three_dimensional();
  const Plan& plan = a.plan;
  const unsigned item_slices = solid ? plan.planes : plan.rows, item_rows = solid ? plan.rows : 1;
  const unsigned items_across = plan.group / item_rows;
  const std::uint64_t across = ceil_div(layout.held_width(), std::uint64_t{items_across} * plan.columns);
  const std::uint64_t down = solid ? ceil_div(layout.held_rows(), item_rows) : 1;
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_GPU", 1)
      .set("GROUP_SIZE", items_across * item_rows)
      .set("ITEMS_ACROSS", items_across)
      .set("COLUMNS", plan.columns)
      .set("STRIP_SLICES", item_slices);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/strip.cl", "strip_slices", defines),
                  across * down * ceil_div(a.end - a.begin, item_slices), items_across * item_rows, a.held, a.from,
                  a.to, a.begin, a.end, sweep_bytes<T>(a.held, a.begin, a.end), static_cast<std::uint32_t>(across),
                  static_cast<std::uint32_t>(down));
}

template void sweep_strip(const SweepArguments<float>&);
template void sweep_strip(const SweepArguments<double>&);

}  // namespace genocl::jacobi
