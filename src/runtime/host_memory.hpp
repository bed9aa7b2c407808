// How much memory the host still has for this process.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

/// What stands for a limit that is not known, or not there.
inline constexpr std::uint64_t no_limit = ~std::uint64_t{0};

/// Bytes that this process can still take: the least of what the kernel has available, what the process's control
/// groups leave it, and what its own limits (ulimit -v, -d) leave it. `no_limit` where none of them is known. A look at
/// a moment: others take memory, too. `root`: where /proc and /sys are, for tests.
std::uint64_t available_host_memory(const std::filesystem::path& root = "/");

/// Throws CapacityError when `bytes` are more than `available`.
void check_host_memory(const std::string& what_for, std::uint64_t bytes,
                       std::uint64_t available = available_host_memory());

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
