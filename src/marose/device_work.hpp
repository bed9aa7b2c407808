// How reads are shared out to a device.
#pragma once

#include <cstddef>

#include "genocl/device.hpp"

namespace genocl::marose {

struct DeviceWork {
  std::size_t reads = 0;  ///< at a time
  unsigned workers = 1;   ///< host threads, each with a queue of its own

  friend bool operator==(const DeviceWork&, const DeviceWork&) = default;
};

/// What suits a device of this family, whatever the others are. `holds_all`: all segments of the index stay on it;
/// otherwise every batch has them all brought in. `devices`: among which the host's `cores` are shared out.
DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores);

}  // namespace genocl::marose
