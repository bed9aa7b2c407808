// What the library takes a device to be that nobody has measured: one row for each kind. This is the place to change
// what `genocl-devices --tune` has shown to be better on all devices of a kind.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "genocl/device.hpp"
#include "genocl/tuning.hpp"

namespace genocl::runtime {

struct KindOfDevice {
  std::string_view name;           ///< what people call it
  std::optional<DeviceType> type;  ///< of any type where there is none
  std::string_view vendor;         ///< part of the vendor's name; any vendor where it is empty
  Tuning tuning;
};

/// A device is of the first kind that its type and its vendor's name agree with.
inline constexpr std::array<KindOfDevice, 3> kinds_of_device = {{
    {"CPU",
     DeviceType::cpu,
     "",
     // On PoCL 5.0, two cores, a copy with 4 workers a unit kept 1.6 of them busy, with 32 and four streams 1.8;
     // PoCL 3.1 on a quiet machine fills both either way. Why it does not on 5.0 is not known.
     // The share: a Xeon's core does 1.8 G updates of double a second.
     {.family = KernelFamily::lanes,
      .search_family = KernelFamily::lanes,
      .relaxation_family = KernelFamily::lanes,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = false,
      .share = 1800}},
    {"AMD GPU",
     DeviceType::gpu,
     "Advanced Micro Devices",
     // Its instructions on two values of 16 bits are within a compiler's reach.
     {.family = KernelFamily::group,
      .search_family = KernelFamily::group,
      .relaxation_family = KernelFamily::group,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = true,
      .share = 5000}},
    {"GPU, and what is neither",
     std::nullopt,
     "",
     // The share: an H200 does 7.2 G updates of double a unit, and most GPUs less.
     {.family = KernelFamily::group,
      .search_family = KernelFamily::group,
      .relaxation_family = KernelFamily::group,
      .workers_per_unit = 32,
      .groups_per_unit = 8,
      .group_size = 256,
      .packed_scores = false,
      .share = 5000}},
}};

/// No value unless it is what to_string() makes of a Tuning within bounds, to the letter.
std::optional<Tuning> parse_tuning(std::string_view text);

/// Throws InputError that names the first value out of bounds.
void check_tuning(const Tuning& tuning);

}  // namespace genocl::runtime
