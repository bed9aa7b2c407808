#include "jacobi/kernels/sweep.hpp"

namespace genocl::jacobi {

Plan choose_plan(const Device& device, const Layout& layout, std::size_t element, Kernel kernel, unsigned most_levels) {
  if (kernel == Kernel::automatic) kernel = device.family() == KernelFamily::lanes ? Kernel::rolling : Kernel::stream;
  return kernel == Kernel::blocked || kernel == Kernel::rolling
             ? choose_lanes_plan(device, layout, element, kernel, most_levels)
             : choose_group_plan(device, layout, element, kernel, most_levels);
}

template <class T>
void sweep(const Device& device, const Plan& plan, const HeldSlices& held, const Array<T>& from, Array<T>& to,
           std::uint64_t begin, std::uint64_t end, unsigned levels) {
  const SweepArguments<T> arguments{device, plan, held, from, to, begin, end, levels};
  switch (plan.kernel) {
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

template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<float>&, Array<float>&, std::uint64_t,
                    std::uint64_t, unsigned);
template void sweep(const Device&, const Plan&, const HeldSlices&, const Array<double>&, Array<double>&, std::uint64_t,
                    std::uint64_t, unsigned);

}  // namespace genocl::jacobi
