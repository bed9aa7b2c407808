// Device-to-device copy at full memory bandwidth.
#pragma once

#include <cstddef>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/primitives/tuning.hpp"

namespace genocl::primitives {

/// to[i] = from[i] for all elements of `from`, by a kernel. Faster than Array::copy_from() on some devices (PoCL copies
/// with one thread), and the reference for the other primitives' rates. Reads and writes each byte once. Does not wait.
/// Throws InputError if `to` is smaller than `from`, or if they overlap and are not the same buffer.
GENOCL_EXPORT void copy(const Device& device, const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes,
                        const Tuning& tuning = {});

/// Throws InputError if the elements do not fit the target. For the template below alone.
GENOCL_EXPORT void check_copy(std::size_t from, std::size_t to);

template <class T>
void copy(const Device& device, const Array<T>& from, Array<T>& to, const Tuning& tuning = {}) {
  check_copy(from.size(), to.size());
  copy(device, runtime::LentBuffer::of(from), runtime::LentBuffer::of(to), from.bytes(), tuning);
}

}  // namespace genocl::primitives
