// Puts plans into the memory of a device.
#pragma once

#include <span>

#include "marose/on_device.hpp"

namespace genocl::marose {

/// All plans are of one model and one mask. Throws InputError when they are not.
PlanTable make_plan_table(const Device& device, std::span<const Plan> plans);

}  // namespace genocl::marose
