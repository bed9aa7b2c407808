// Access to the private members of Device and Array, for the library alone.
#pragma once

#include <memory>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/device.hpp"

namespace genocl::runtime {

struct DeviceAccess {
  static DeviceCore& core(const Device& device) noexcept { return *device.core_; }
  static const std::shared_ptr<DeviceQueue>& shared_queue(const Device& device) noexcept { return device.queue_; }
  static DeviceQueue& queue(const Device& device) noexcept { return *device.queue_; }
};

/// What all copies of a Device share: its context, programs, profile.
inline DeviceCore& core_of(const Device& device) noexcept { return DeviceAccess::core(device); }
/// The device's queue, with its scratch and staging memory.
inline DeviceQueue& queue_of(const Device& device) noexcept { return DeviceAccess::queue(device); }

struct MemoryAccess {
  template <class T>
  static const DeviceMemory& base(const Array<T>& array) noexcept {
    return array;
  }
  template <class T>
  static Memory& memory(Array<T>& array) noexcept {
    return static_cast<DeviceMemory&>(array).memory_;
  }
  template <class T>
  static Array<T> unchecked(const Device& device, const cl::Buffer& buffer, std::size_t size) {
    return Array<T>(device, buffer, size);
  }
  static bool may_swap(const DeviceMemory& memory, const Device& device) noexcept {
    return memory.memory_.owned && !memory.taken_.load(std::memory_order_relaxed) && memory.device_ &&
           *memory.device_ == device;
  }
  static const cl::Buffer& buffer(const DeviceMemory& memory) noexcept { return memory.lent_buffer(); }
  /// Null for an array without memory.
  static const Device* device(const DeviceMemory& memory) noexcept {
    return memory.device_ ? &*memory.device_ : nullptr;
  }
};

/// The array's buffer, for the length of a call.
template <class T>
const cl::Buffer& buffer_of(const Array<T>& array) noexcept {
  return MemoryAccess::buffer(MemoryAccess::base(array));
}

/// True if the array may be given another buffer that was filled on this device's queue. That requires memory of the
/// array's own, on this queue, whose handle no caller has taken. A caller's handle keeps the old memory in use, and the
/// pool would hand that memory to later calls.
template <class T>
bool may_swap_memory(const Array<T>& array, const Device& device) noexcept {
  return MemoryAccess::may_swap(MemoryAccess::base(array), device);
}
template <class T>
void swap_memory(Array<T>& array, Memory& other) noexcept {
  std::swap(MemoryAccess::memory(array), other);
}

/// Array<T>::adopt() without checks; the caller must not touch elements past the buffer's end. For placeholders that
/// are swapped immediately, and for tests of size checks.
template <class T>
Array<T> unchecked_array(const Device& device, const cl::Buffer& buffer, std::size_t size) {
  return MemoryAccess::unchecked<T>(device, buffer, size);
}

}  // namespace genocl::runtime
