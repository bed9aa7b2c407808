// Measures launch parameters that the library otherwise derives from the type of a device.
#pragma once

#include <ostream>
#include <string>

#include "genocl/device.hpp"

namespace program {

/// Times operations of the library with several values of each field of genocl::Tuning, one field after another.
/// Replaces the default value if the geometric mean of the times is lower by a tenth, twice. Stores the selected values
/// for later runs. Returns the measurements as lines of tab-separated values; lines with '#' describe the device and
/// the selected values. Writes its progress to `log`. Operations that the device cannot run have no time. Throws
/// DeviceError if the device runs neither family of kernels.
std::string tune(const genocl::Device& device, std::ostream& log);

}  // namespace program
