// Compiles the kernels of the programs in advance.
#pragma once

#include <cstddef>
#include <ostream>

#include "genocl/device.hpp"

namespace program {

/// Runs every topic on a few artificial data, so that the driver, or genocl's own cache, stores the compiled kernels of
/// the programs' default settings for later runs. The parts run in as many processes as there are cores, because some
/// drivers compile one program of a process at a time. The first time it takes a minute on a CPU. Writes its progress
/// to `log`. Throws DeviceError if a process fails.
void warm_up(const genocl::Device& device, std::ostream& log);

/// What one of these processes does.
void warm_up_part(const genocl::Device& device, std::size_t part);

}  // namespace program
