// Kernel::stream: several iterations in one pass. Plan, 2D: group, columns of an item (1, 2, 4), rows of a group's
// strip.
#include "genocl/error.hpp"
#include "jacobi/launch.hpp"

namespace genocl::jacobi {

using primitives::ceil_div;
using primitives::round_up;

template <class T>
void sweep_stream(const SweepArguments<T>& a) {
  const Plan& plan = a.plan;
  const std::uint64_t margin = round_up(a.iterations, plan.columns),
                      read = std::uint64_t{plan.planes == 32 ? 32 : plan.group} * plan.columns;
  if (read <= 2 * margin) throw InputError("a group of " + std::to_string(read) + " columns is too narrow");
  const std::uint64_t across = ceil_div(a.strip.layout.shape.width, read - 2 * margin);
  runtime::Defines defines = cell_defines<T>(a.strip);
  defines.set("ONLY_GROUP", 1)
      .set("GROUP_SIZE", plan.group)
      .set("COLUMNS", plan.columns)
      .set("DEPTH", a.iterations)
      .set("STREAM_WARPS", plan.planes == 32 ? 1 : 0);
  launch_cells<T>(runtime::Kernel(a.device, "jacobi/stream.cl", "stream_2d", defines),
                  ceil_div(across * ceil_div(a.end - a.begin, plan.rows), plan.planes == 32 ? plan.group / 32 : 1),
                  plan.group, a.strip, a.from, a.to, a.begin, a.end, pass_bytes<T>(a.strip, a.begin, a.end),
                  static_cast<std::uint32_t>(across), static_cast<std::uint32_t>(plan.rows));
}

template void sweep_stream(const SweepArguments<float>&);
template void sweep_stream(const SweepArguments<double>&);

}  // namespace genocl::jacobi
