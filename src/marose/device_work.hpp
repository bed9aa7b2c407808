// How reads are shared out to a device.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"

namespace genocl::marose {

struct DeviceWork {
  std::size_t reads = 0;  ///< at a time
  unsigned workers = 1;   ///< host threads, each with a queue of its own
  /// Bytes of device memory that what one worker maps at once may take, about; more reads or entries are gone through
  /// in parts.
  std::uint64_t bytes = 0;

  friend bool operator==(const DeviceWork&, const DeviceWork&) = default;
};

/// What suits a device of this family, whatever the others are. `holds_all`: all segments of the index stay on it;
/// otherwise every batch has them all brought in. `devices`: among which the host's `cores` are shared out. `free`:
/// bytes of device memory beside the index.
DeviceWork device_work(KernelFamily family, bool holds_all, std::size_t devices, unsigned cores, std::uint64_t free);

/// Reads whose strands take `words` words each that are mapped at once within so many bytes: at least one. Beside the
/// reads themselves these are what their windows cost and where they are looked up.
std::size_t reads_within(std::uint64_t bytes, std::size_t words);

/// Entries of look-ups that are glanced at together within so many bytes: at least 2^16.
std::uint64_t entries_within(std::uint64_t bytes);

}  // namespace genocl::marose
