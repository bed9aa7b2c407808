// One iteration that also measures how much it changed each row.
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

using runtime::ceil_div;

template <class T>
void sweep_with_change(const Device& device, const HeldSlices& held, const Array<T>& from, Array<T>& to,
                       std::uint64_t begin, std::uint64_t end, Array<T>& max, Array<double>& squares, bool has_double) {
  constexpr unsigned lanes_of_row = 64;
  const std::uint64_t rows = (end - begin) * held.layout.rows_per_slice;
  const std::uint64_t bytes = sweep_bytes<T>(held, begin, end) + rows * (sizeof(T) + sizeof(double));
  runtime::Defines defines = cell_defines<T>(held);
  defines.set("HAS_DOUBLE", has_double ? 1 : 0).set("CHANGE_LANES", lanes_of_row);
  if (held.layout.has_ghosts()) set_ghosts(defines, held.layout);
  if (runtime::uses_cpu_kernels(device)) {
    const runtime::Shares shares = runtime::share_out(device, {}, rows, 1, 1);
    defines.set("ONLY_CPU", 1);
    launch_cells<T>(runtime::Kernel(device, "jacobi/kernels/change.cl", "change_cpu", defines), shares.workers, 1, held,
                    from, to, begin, end, bytes, max, squares, shares.share);
    refresh_ghosts(device, held, to, begin, end);
    return;
  }
  const unsigned size = runtime::group_size(device);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size);
  launch_cells<T>(runtime::Kernel(device, "jacobi/kernels/change.cl", "change_gpu", defines),
                  ceil_div(rows, size / lanes_of_row), size, held, from, to, begin, end, bytes, max, squares);
  refresh_ghosts(device, held, to, begin, end);
}

template void sweep_with_change(const Device&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                                std::uint64_t, Array<float>&, Array<double>&, bool);
template void sweep_with_change(const Device&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                                std::uint64_t, Array<double>&, Array<double>&, bool);

}  // namespace genocl::jacobi
