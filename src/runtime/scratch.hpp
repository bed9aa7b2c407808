// Temporary device memory from a pool of the queue, returned at the end of the scope. Reuse is safe since the queue
// executes in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "runtime/access.hpp"

namespace genocl::runtime {

class Scratch {
 public:
  Scratch() = default;
  /// At least `bytes` bytes, not initialised. Throws CapacityError.
  Scratch(const Device& device, std::size_t bytes);
  Scratch(Scratch&& other) noexcept { swap(other); }
  Scratch& operator=(Scratch&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Scratch();

  const cl::Buffer& buffer() const noexcept { return *memory_.buffer; }
  std::size_t bytes() const noexcept { return memory_.bytes; }

  /// Swaps the memory with that of an array whose pending work is all on this queue.
  template <class T>
  void swap_memory(Array<T>& array) noexcept {
    runtime::swap_memory(array, memory_);
  }

 private:
  void swap(Scratch& other) noexcept;

  std::shared_ptr<DeviceQueue> queue_;
  Memory memory_;
};

/// Throws CapacityError if `largest_buffer` exceeds the maximum allocation, or `total` the free memory. Call it before
/// any work starts.
void check_capacity(const Device& device, const char* what_for, std::uint64_t largest_buffer, std::uint64_t total);

/// Bytes that work on this device can plan with: free memory plus scratch memory not in use, of this queue and of idle
/// queues. Allocations of other programs are unknown to OpenCL.
std::uint64_t usable_memory(const Device& device);

/// Waits for the queue, then releases the scratch memory that usable_memory() counts.
void release_unused_scratch(const Device& device);

/// An array in pooled scratch memory. Allocating anew costs a GPU as much as several launches. All work on it must be
/// on the device's queue.
template <class T>
class ScratchArray : public Array<T> {
 public:
  ScratchArray() = default;
  ScratchArray(const Device& device, std::size_t size) : scratch_(device, std::max<std::size_t>(size, 1) * sizeof(T)) {
    // No view of the memory may remain: it would keep sorts from swapping buffers.
    array() = unchecked_array<T>(device, Array<T>().buffer(), size);
    scratch_.swap_memory(array());
  }
  ScratchArray(ScratchArray&& other) noexcept { *this = std::move(other); }
  ScratchArray& operator=(ScratchArray&& other) noexcept {
    std::swap(array(), other.array());
    std::swap(scratch_, other.scratch_);
    return *this;
  }
  ~ScratchArray() { scratch_.swap_memory(array()); }

 private:
  Array<T>& array() noexcept { return *this; }

  Scratch scratch_;
};

}  // namespace genocl::runtime
