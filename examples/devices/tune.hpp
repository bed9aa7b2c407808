// Measures what the library otherwise guesses of a device.
#pragma once

#include <ostream>
#include <string>

#include "genocl/device.hpp"

namespace program {

/// Times operations of the library with several values of each field of genocl::Tuning, one field after the other, and
/// takes another value than the shipped one where the geometric mean of its times is less by a tenth, twice. Keeps what
/// was chosen for all later runs, and returns what was measured as text: lines of tab-separated values, with what the
/// device is and what was chosen in lines with '#'. Says on `log` what it is at. What the device cannot run has no
/// time. Throws DeviceError where it runs neither family of kernels.
std::string tune(const genocl::Device& device, std::ostream& log);

}  // namespace program
