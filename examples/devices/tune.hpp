// Measures what the library otherwise guesses of a device.
#pragma once

#include <ostream>
#include <string>

#include "genocl/device.hpp"

namespace program {

/// Runs operations of the library with the kernels of either family, takes the family whose times have the smaller
/// geometric mean (that of the device's type, unless the other one gains a tenth), keeps it for all later runs and
/// returns what was measured as text: lines of tab-separated values, with what the device is in lines with '#'. Says on
/// `log` what it is at. A family whose kernels the device cannot run has no times.
std::string tune(const genocl::Device& device, std::ostream& log);

}  // namespace program
