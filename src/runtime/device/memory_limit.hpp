// What the library may take of a device's memory, and of it for one buffer.
#pragma once

#include <cstdint>
#include <string_view>

#include "genocl/device.hpp"

namespace genocl::runtime {

/// A number of bytes as users write it, with K, M, G or T (of 1024) behind it. Throws InputError, which names `what`.
std::uint64_t parse_bytes(std::string_view what, std::string_view text);

/// Changes what the driver has said where it is known to be otherwise (NVIDIA's gives buffers of any size that its
/// memory has, and says a quarter of it), and where GENOCL_DEVICE_MEMORY bounds what may be taken.
void limit_memory(DeviceInfo& info);

}  // namespace genocl::runtime
