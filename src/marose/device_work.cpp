#include "marose/device_work.hpp"

#include <algorithm>

namespace genocl::marose {

DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores) {
  if (!holds_all) return {.reads = std::size_t{1} << 20, .workers = 1};
  // A CPU's own cores do the mapping.
  if (family == KernelFamily::lanes) return {.reads = std::size_t{1} << 14, .workers = 2};
  const auto share = static_cast<unsigned>(cores / std::max<std::size_t>(1, devices));
  return {.reads = std::size_t{1} << 17, .workers = std::clamp(share, 2u, 16u)};
}

}  // namespace genocl::marose
