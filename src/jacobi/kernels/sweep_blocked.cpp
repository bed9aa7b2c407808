// Kernel::blocked: one iteration, by blocks that stay in the cache (cl/jacobi/kernels/blocked.cl). Plan: columns of a
// block; in 3D also its rows.
#include "jacobi/kernels/cpu.hpp"
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

template <class T>
void sweep_blocked(const SweepArguments<T>& a) {
  const Layout& layout = a.held.layout;
  // The paper gives each core one part; here each has several, so that a core that is interrupted does not hold up the
  // rest: an eighth of what elements without tiles are shared out to.
  const runtime::Shares shares = runtime::share_out(a.device, {}, a.end - a.begin, 1, 1, 8);
  const auto columns = static_cast<std::uint32_t>(runtime::round_up(std::max(a.plan.columns, 1u), column_alignment));
  const auto rows = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(a.plan.rows, 1, layout.held_rows()));
  runtime::Defines defines = cell_defines<T>(a.held);
  defines.set("ONLY_CPU", 1).set("LANES", vector_lanes<T>(a.device)).set("BLOCK", 1);
  defines.set("PAST_CACHE", goes_past_cache<T>(a.device, a.held) ? 1 : 0);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/kernels/blocked.cl", "blocked", defines), shares.workers, 1, a.held,
                  a.from, a.to, a.begin, a.end, sweep_bytes<T>(a.held, a.begin, a.end), columns, rows, shares.share);
}

template void sweep_blocked(const SweepArguments<float>&);
template void sweep_blocked(const SweepArguments<double>&);

}  // namespace genocl::jacobi
