// The ghosts of periodic directions, after a sweep (cl/jacobi/kernels/ghosts.cl).
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

template <class T>
void refresh_ghosts(const Device& device, const HeldSlices& held, Array<T>& cells, std::uint64_t begin,
                    std::uint64_t end) {
  const Layout& layout = held.layout;
  if (!layout.has_ghosts()) return;
  const std::uint64_t ghosts =
      2 * (layout.ghost_columns * layout.held_rows() + layout.ghost_rows * layout.shape.width) * (end - begin);
  const std::uint64_t count = runtime::uses_cpu_kernels(device) ? (end - begin) * layout.held_rows() : ghosts;
  runtime::Defines defines = cell_defines<T>(held);
  set_ghosts(defines, layout);
  runtime::launch_items(device, "jacobi/kernels/ghosts.cl", "refresh_ghosts", defines,
                        {.items = count, .bytes = 2 * ghosts * sizeof(T), .least = 64}, cells,
                        static_cast<std::uint32_t>(layout.held_width()), static_cast<std::uint32_t>(layout.held_rows()),
                        static_cast<std::uint32_t>(layout.pitch), static_cast<std::uint32_t>(begin), count);
}

template void refresh_ghosts(const Device&, const HeldSlices&, Array<float>&, std::uint64_t, std::uint64_t);
template void refresh_ghosts(const Device&, const HeldSlices&, Array<double>&, std::uint64_t, std::uint64_t);

}  // namespace genocl::jacobi
