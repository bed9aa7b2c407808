// Launching a kernel of independent items (cl/common/items.clh) in the device's family.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "genocl/device.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::pwm {

/// The kernel's last parameter is its share. `bytes`: read and written.
template <class... Arguments>
void launch_items(const Device& device, std::string_view file, std::string_view name, runtime::Defines defines,
                  std::uint64_t items, std::uint64_t bytes, const Arguments&... arguments) {
  if (primitives::uses_lanes(device)) {
    const primitives::Shares shares = primitives::share_out(device, {}, items, 1, 256);
    defines.set("ONLY_LANES", 1);
    runtime::Kernel(device, file, name, defines).args(arguments..., shares.share).run(shares.workers, 1, bytes);
  } else {
    const unsigned size = primitives::group_size(device, {}, 256);
    const auto groups = static_cast<std::size_t>(
        std::clamp<std::uint64_t>(primitives::ceil_div(items, size), 1, std::uint64_t{1} << 20));
    defines.set("ONLY_GROUP", 1).set("GROUP_SIZE", size);
    runtime::Kernel(device, file, name, defines)
        .args(arguments..., std::uint64_t{groups} * size)
        .run(groups, size, bytes);
  }
}

}  // namespace genocl::pwm
