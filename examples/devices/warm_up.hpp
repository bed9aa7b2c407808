// Compiles beforehand what the programs will need.
#pragma once

#include <ostream>

#include "genocl/device.hpp"

namespace program {

/// Runs every topic on a few made-up data, so that the device's driver (or genocl's own cache) keeps the compiled
/// kernels of the programs' default settings for the next run. Takes a CPU a minute the first time. Says on `log`
/// what it is at.
void warm_up(const genocl::Device& device, std::ostream& log);

}  // namespace program
