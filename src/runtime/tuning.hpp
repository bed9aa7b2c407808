// Default tunings: one row for each kind of device without a stored measurement. Change a row if `genocl-devices
// --tune` proves another value better on all devices of the kind.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "genocl/device.hpp"
#include "genocl/tuning.hpp"

namespace genocl::runtime {

struct KindOfDevice {
  std::string_view name;           ///< common name
  std::optional<DeviceType> type;  ///< any type if empty
  std::string_view vendor;         ///< part of the vendor's name; any vendor if empty
  Tuning tuning;
};

/// A device belongs to the first kind whose type and vendor match.
inline constexpr std::array<KindOfDevice, 4> kinds_of_device = {{
    {"CPU",
     DeviceType::cpu,
     "",
     // PoCL 5.0, two cores: a copy with 4 workers per unit kept 1.6 cores busy; with 32 workers and four streams, 1.8.
     // PoCL 3.1 on a quiet machine uses both cores either way. The cause is unknown. Share: a Xeon core does 1.8 G
     // updates of doubles per second.
     {.family = KernelFamily::cpu,
      .search_family = KernelFamily::cpu,
      .relaxation_family = KernelFamily::cpu,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = false,
      .share = 1800}},
    {"AMD GPU",
     DeviceType::gpu,
     "Advanced Micro Devices",
     // The compiler can use the packed 16-bit instructions.
     {.family = KernelFamily::gpu,
      .search_family = KernelFamily::gpu,
      .relaxation_family = KernelFamily::gpu,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = true,
      .share = 5000}},
    {"accelerator",
     DeviceType::accelerator,
     "",
     // Many cores with vector units and caches, as Intel's MIC: `jacobi` runs its CPU kernels there. No such device has
     // been measured.
     {.family = KernelFamily::gpu,
      .search_family = KernelFamily::gpu,
      .relaxation_family = KernelFamily::cpu,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = false,
      .share = 5000}},
    {"GPU, and what is neither",
     std::nullopt,
     "",
     // Share: an H200 does 7.2 G updates of doubles per second and unit, most GPUs less.
     {.family = KernelFamily::gpu,
      .search_family = KernelFamily::gpu,
      .relaxation_family = KernelFamily::gpu,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = false,
      .share = 5000}},
}};

/// Parses a result of to_string(Tuning), also of version 0.1. Empty for any other text and for values out of bounds.
std::optional<Tuning> parse_tuning(std::string_view text);

/// Throws InputError that names the first value out of bounds.
void check_tuning(const Tuning& tuning);

}  // namespace genocl::runtime
