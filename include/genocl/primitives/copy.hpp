// Copies at the full speed of the device's memory.
#pragma once

#include <cstddef>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// to[i] = from[i] for all of `from`, by a kernel: on some devices (PoCL copies with one thread) faster than
/// Array::copy_from(), and what the other primitives' rates are measured against. Reads and writes each byte once. Does
/// not wait. Throws InputError when `to` is smaller than `from`, and when they share memory but are not
/// one buffer.
GENOCL_EXPORT void copy(const Device& device, const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes,
                        const Tuning& tuning = {});

/// Throws InputError where so many elements do not fit the array they go to. For the following alone.
GENOCL_EXPORT void check_copy(std::size_t from, std::size_t to);

template <class T>
void copy(const Device& device, const Array<T>& from, Array<T>& to, const Tuning& tuning = {}) {
  check_copy(from.size(), to.size());
  copy(device, runtime::LentBuffer::of(from), runtime::LentBuffer::of(to), from.bytes(), tuning);
}

}  // namespace genocl::primitives
