// The library's way to what Device and Array keep from callers.
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
/// Gives its queue with the queue's scratch and staging memory.
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
  /// Null of an array that has no memory.
  static const Device* device(const DeviceMemory& memory) noexcept {
    return memory.device_ ? &*memory.device_ : nullptr;
  }
};

/// Gives the array's buffer for the length of a call.
template <class T>
const cl::Buffer& buffer_of(const Array<T>& array) noexcept {
  return MemoryAccess::buffer(MemoryAccess::base(array));
}

/// Whether the array may get another buffer, filled on this device's queue: it owns its own, which no caller has asked
/// for, and lives on that queue. A handle or a view that a caller has keeps its memory where it is: pooled, it would be
/// written through the view by later calls and read by them.
template <class T>
bool may_swap_memory(const Array<T>& array, const Device& device) noexcept {
  return MemoryAccess::may_swap(MemoryAccess::base(array), device);
}
template <class T>
void swap_memory(Array<T>& array, Memory& other) noexcept {
  std::swap(MemoryAccess::memory(array), other);
}

/// Does what Array<T>::adopt() does, but asks nothing of the buffer: no element may be touched that it does not have.
/// It serves what is exchanged for other memory at once, and tests of what is refused by its size alone.
template <class T>
Array<T> unchecked_array(const Device& device, const cl::Buffer& buffer, std::size_t size) {
  return MemoryAccess::unchecked<T>(device, buffer, size);
}

}  // namespace genocl::runtime
