// Copies at the full speed of the device's memory.
#pragma once

#include <cstddef>
#include <string>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// to[i] = from[i] for all of `from`, by a kernel: on some devices (PoCL copies with one thread) faster than
/// Array::copy_from(), and what the other primitives' rates are measured against. Reads and writes each byte once. Does
/// not wait. Throws InputError when `to` is smaller than `from`.
GENOCL_EXPORT void copy(const Device& device, const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes,
                        const Tuning& tuning = {});

template <class T>
void copy(const Device& device, const Array<T>& from, Array<T>& to, const Tuning& tuning = {}) {
  if (from.size() > to.size())
    throw InputError("copy of " + std::to_string(from.size()) + " elements into an array of " +
                     std::to_string(to.size()));
  copy(device, from.buffer(), to.buffer(), from.bytes(), tuning);
}

}  // namespace genocl::primitives
