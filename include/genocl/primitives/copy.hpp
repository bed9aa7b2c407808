// Device-to-device copy at full memory bandwidth.
#pragma once

#include "genocl/array.hpp"
#include "genocl/call.hpp"
#include "genocl/device.hpp"

namespace genocl::primitives {

namespace detail {
GENOCL_EXPORT void copy(const Device& device, const runtime::MemoryView& from, const runtime::MemoryView& to,
                        const Call& call);
}

/// to[i] = from[i] for all elements of `from`, by a kernel. Faster than Array::copy_from() on some devices (PoCL copies
/// with one thread), and the reference for the other primitives' rates. Reads and writes each byte once. Does not wait.
///
/// @param to  at least as many elements; those beyond from.size() keep their values
/// @throws InputError  if `to` is smaller than `from`, or if they overlap and are not the same elements
template <DeviceRange From, WritableRange To>
requires RangeOf<To, ElementOf<From>>
void copy(const Device& device, const From& from, To&& to, const Call& call = {}) {
  detail::copy(device, as_span(from).view(), as_span(to).view(), call);
}

}  // namespace genocl::primitives
