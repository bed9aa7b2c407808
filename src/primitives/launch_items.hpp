// Launching a kernel of independent items (cl/common/items.clh) in the device's family.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "genocl/device.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::primitives {

/// The kernel's last parameter is its share. `least`: a `lanes` worker with fewer items is not worth its launch.
/// `bytes`: read and written.
struct ItemLaunch {
  std::uint64_t items = 0, bytes = 0, least = 256;
};
template <class... Arguments>
void launch_items(const Device& device, std::string_view file, std::string_view name, runtime::Defines defines,
                  const ItemLaunch& launch, const Arguments&... arguments) {
  if (uses_lanes(device)) {
    const Shares shares = share_out(device, {}, launch.items, 1, launch.least);
    defines.set("ONLY_LANES", 1);
    runtime::Kernel(device, file, name, defines).args(arguments..., shares.share).run(shares.workers, 1, launch.bytes);
  } else {
    const unsigned size = group_size(device, {}, 256);
    const auto groups =
        static_cast<std::size_t>(std::clamp<std::uint64_t>(ceil_div(launch.items, size), 1, std::uint64_t{1} << 20));
    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size);
    runtime::Kernel(device, file, name, defines)
        .args(arguments..., std::uint64_t{groups} * size)
        .run(groups, size, launch.bytes);
  }
}

}  // namespace genocl::primitives
