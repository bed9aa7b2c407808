// The forms of the `cpu` finder of losses, for tests and comparisons.
#pragma once

#include "pwm/steps.hpp"
#include "runtime/defines.hpp"

namespace genocl::pwm {

/// `defines`: of cl/pwm/find/loss_cpu.cl. BYTE_SHUFFLE = 0 is the form for every compiler, 32 the one for AVX2.
std::unique_ptr<Finder> make_loss_finder_cpu(const Device& device, std::span<const Target> targets,
                                             const runtime::Defines& defines);

/// Those by default: the portable form on a device without vendor paths.
runtime::Defines loss_cpu_defines(const Device& device);

}  // namespace genocl::pwm
