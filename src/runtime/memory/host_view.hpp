// Arrays over memory of the host's, for devices that compute in it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

/// Whether the device is a CPU whose buffers lie in the host's memory, and GENOCL_MAP=off does not deny it.
bool computes_in_host_memory(const Device& device);

/// A buffer that is those bytes, to be read only; a null one where the device would copy them, or does not take them.
cl::Buffer buffer_of_host(const Device& device, std::span<const std::byte> bytes);

/// Elements of the host's as an array that is not copied, and does not count against the device's memory; nothing where
/// the device cannot have that. No kernel may write to it, and `host` has to stay longer than the array.
template <class T>
std::optional<Array<T>> view_of_host(const Device& device, std::span<const T> host) {
  const cl::Buffer buffer = buffer_of_host(device, std::as_bytes(host));
  if (buffer() == nullptr) return std::nullopt;
  return Array<T>::adopt(device, buffer, host.size());
}

}  // namespace genocl::runtime
