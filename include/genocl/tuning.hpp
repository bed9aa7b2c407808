// What a machine's owner has measured once, kept for later runs.
#pragma once

#include <optional>

#include "genocl/device.hpp"
#include "genocl/export.hpp"

namespace genocl {

/// What is otherwise guessed by a device's type.
struct Tuning {
  KernelFamily family = KernelFamily::group;  ///< the one whose kernels are faster

  friend bool operator==(const Tuning&, const Tuning&) = default;
};

/// What is known of a device without a measurement: lanes on a CPU, group elsewhere.
GENOCL_EXPORT Tuning default_tuning(const DeviceInfo& device);

/// What store_tuning() has kept for a device of that name, by that driver in that version; no value where it has
/// nothing, where what is there is damaged or by another version of the library, and with GENOCL_TUNING=off. Every
/// Device asks for it when it is opened; GENOCL_VARIANT goes before it.
GENOCL_EXPORT std::optional<Tuning> stored_tuning(const DeviceInfo& device);

/// Keeps it in a file beside the compiled kernels (GENOCL_CACHE_DIR, else genocl in XDG_CACHE_HOME or in ~/.cache),
/// which appears whole or not at all. Returns whether it can be read back: there may be no such folder.
GENOCL_EXPORT bool store_tuning(const DeviceInfo& device, const Tuning& tuning);

}  // namespace genocl
