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
  /// Scratch memory of the running call; null: the pool of the queue.
  static ScratchArena* arena(const Device& device) noexcept { return device.arena_; }
  /// The same device with scratch memory from `arena`, which must outlive it.
  static Device with_arena(const Device& device, ScratchArena* arena) {
    Device other = device;
    other.arena_ = arena;
    return other;
  }
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
  /// An array over memory that belongs to something else.
  template <class T>
  static Array<T> borrow(const Device& device, Memory memory, std::size_t size) {
    memory.owned = false;
    return Array<T>(device, std::move(memory), size);
  }
  /// An array over the memory of another one, which it keeps alive.
  template <class T>
  static Array<T> share(const Device& device, const Array<T>& array) {
    return borrow<T>(device, static_cast<const DeviceMemory&>(array).memory_, array.size());
  }
  /// An array of `size` uninitialised elements in the memory of `old`, if that is large enough, else in new memory.
  template <class T>
  static Array<T> reuse(const Device& device, Array<T> old, std::size_t size) {
    DeviceMemory& memory = old;
    if (can_reuse(device, old, size)) return Array<T>(device, std::move(memory.memory_), size);
    old = {};
    return Array<T>(device, size);
  }
  template <class T>
  static bool can_reuse(const Device& device, const Array<T>& old, std::size_t size) noexcept {
    const DeviceMemory& memory = old;
    return memory.memory_.owned && memory.device_ && *memory.device_ == device &&
           memory.memory_.bytes >= size * sizeof(T);
  }
  static const cl::Buffer& buffer(const DeviceMemory& memory) noexcept { return memory.buffer(); }
  /// Null for an array without memory.
  static const Device* device(const DeviceMemory& memory) noexcept {
    return memory.device_ ? &*memory.device_ : nullptr;
  }
};

/// The array's buffer.
template <class T>
const cl::Buffer& buffer_of(const Array<T>& array) noexcept {
  return MemoryAccess::buffer(MemoryAccess::base(array));
}

}  // namespace genocl::runtime
