#include "jacobi/kernels/sweep.hpp"

#include <string>

#include "genocl/error.hpp"

namespace genocl::jacobi {
namespace {

template <class T>
void sweep_by_kernel(const SweepArguments<T>& arguments) {
  switch (arguments.plan.kernel) {
    case Kernel::automatic:
    case Kernel::naive:
      return sweep_naive(arguments);
    case Kernel::local:
      return sweep_local(arguments);
    case Kernel::strip:
      return sweep_strip(arguments);
    case Kernel::stream:
      return sweep_stream(arguments);
    case Kernel::blocked:
      return sweep_blocked(arguments);
    case Kernel::rolling:
      return sweep_rolling(arguments);
  }
}

}  // namespace

Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel, unsigned most_levels,
                 bool source) {
  if (kernel == Kernel::automatic)
    kernel = device.tuning().relaxation_family == KernelFamily::cpu ? Kernel::rolling : Kernel::stream;
  return kernel == Kernel::blocked || kernel == Kernel::rolling
             ? choose_cpu_plan(device, layout, element, kernel, most_levels)
             : choose_gpu_plan(device, layout, element, kernel, most_levels, source);
}

template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned levels) {
  const SweepArguments<T> arguments{device, plan, held, from, to, begin, end, levels};
  const std::uint64_t ghosts[] = {held.layout.ghost_columns, held.layout.ghost_rows};
  for (const std::uint64_t one : ghosts)
    if (one != 0 && levels > one)
      throw InputError(std::to_string(levels) + " iterations in a sweep of a periodic grid; expected at most " +
                       std::to_string(one));
  sweep_by_kernel(arguments);
  refresh_ghosts(device, held, to, begin, end);
}

template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                    std::uint64_t, unsigned);
template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                    std::uint64_t, unsigned);

}  // namespace genocl::jacobi
