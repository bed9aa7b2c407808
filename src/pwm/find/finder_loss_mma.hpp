// `loss` on NVIDIA's matrix units (cl/pwm/find/loss_mma.cl), for twelve targets and more.
#pragma once

#include <memory>

#include "pwm/steps.hpp"

namespace genocl::pwm {

/// Null where the device does not have them (before compute capability 8.0); device.has_ptx() is the caller's to see
/// to.
std::unique_ptr<Finder> make_loss_finder_mma(const Device& device, std::span<const Target> targets);

}  // namespace genocl::pwm
