// Host memory: the amount available to this process, and views of it for CPU devices.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/platform.hpp"
#include "runtime/transfer.hpp"

namespace genocl::runtime {

/// A limit that is unknown or absent.
inline constexpr std::uint64_t no_limit = platform::unlimited;

/// Bytes that this process can still allocate: the minimum of the available memory of the system, the limits of the
/// process's control groups, and its resource limits (ulimit -v, -d). `no_limit` if none is known. A snapshot: other
/// processes allocate also. `root`: the folder of /proc and /sys, for tests.
std::uint64_t available_host_memory(const std::filesystem::path& root = "/");

/// Throws CapacityError if `bytes` exceeds `available`.
void check_host_memory(const std::string& what_for, std::uint64_t bytes,
                       std::uint64_t available = available_host_memory());

/// True if the device is a CPU whose buffers are in host memory, unless GENOCL_MAP=off.
bool computes_in_host_memory(const Device& device);

/// A read-only buffer over the given bytes. Null if the device would copy them or rejects them.
cl::Buffer buffer_of_host(const Device& device, std::span<const std::byte> bytes);

/// A read-only array over host memory, without a copy; it does not count against the device's memory. Empty if the
/// device does not support that. `host` must outlive the array.
template <class T>
std::optional<Array<T>> view_of_host(const Device& device, std::span<const T> host) {
  const cl::Buffer buffer = buffer_of_host(device, std::as_bytes(host));
  if (buffer() == nullptr) return std::nullopt;
  return MemoryAccess::borrow<T>(device, {shared_handle(device, buffer), host.size_bytes(), false}, host.size());
}

}  // namespace genocl::runtime
