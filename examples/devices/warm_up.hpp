// Compiles the kernels of the programs in advance.
#pragma once

#include <ostream>

#include "genocl/device.hpp"

namespace program {

/// Runs every topic on a few artificial data, so that the driver, or genocl's own cache, stores the compiled kernels of
/// the programs' default settings for later runs. The first time it takes a minute on a CPU. Writes its progress to
/// `log`.
void warm_up(const genocl::Device& device, std::ostream& log);

}  // namespace program
