// Kernel::naive: a work-item for each cell. Plan: group (256), columns of a group's tile (64).
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

using runtime::ceil_div;

template <class T>
void sweep_naive(const SweepArguments<T>& a) {
  const std::uint64_t rows = (a.end - a.begin) * a.held.layout.held_rows();
  runtime::Defines defines = cell_defines<T>(a.held);
  const std::uint64_t bytes = sweep_bytes<T>(a.held, a.begin, a.end);
  if (runtime::uses_cpu_kernels(a.device)) {
    const runtime::Shares shares = runtime::share_out(a.device, {}, rows, 1, 1);
    defines.set("ONLY_CPU", 1);
    launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/naive.cl", "naive_cpu", defines), shares.workers, 1,
                    a.held, a.from, a.to, a.begin, a.end, bytes, shares.share);
    return;
  }
  const unsigned columns = a.plan.columns != 0 ? a.plan.columns : 64;
  const unsigned size = std::max(columns, a.plan.group != 0 ? a.plan.group : runtime::group_size(a.device, {}, 256));
  const std::uint64_t across = ceil_div(a.held.layout.held_width(), columns);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("TILE_COLUMNS", columns);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/naive.cl", "naive_gpu", defines),
                  across * ceil_div(rows, size / columns), size, a.held, a.from, a.to, a.begin, a.end, bytes,
                  static_cast<std::uint32_t>(across));
}

template void sweep_naive(const SweepArguments<float>&);
template void sweep_naive(const SweepArguments<double>&);

}  // namespace genocl::jacobi
