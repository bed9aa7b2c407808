// Temporary device memory: taken from what the queue has kept of earlier calls, given back to it at the end of the
// scope. Reuse is safe because everything on the queue runs in order.
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

  /// Exchanges the memory with that of an array on which only work of this queue is pending.
  template <class T>
  void swap_memory(Array<T>& array) noexcept {
    runtime::swap_memory(array, memory_);
  }

 private:
  void swap(Scratch& other) noexcept;

  std::shared_ptr<DeviceQueue> queue_;
  Memory memory_;
};

/// Throws CapacityError when `bytes` in one buffer is more than the device allows. Call it before any work starts.
void check_capacity(const Device& device, const char* what_for, std::uint64_t largest_buffer, std::uint64_t total);

/// Tells the bytes that work on this device may plan with now: what nobody has taken, and scratch that is kept without
/// being in use, by its queue and by those that nobody has. What other programs take is not known to OpenCL.
std::uint64_t usable_memory(const Device& device);

/// Gives back what usable_memory() counts beside free memory, when the queue has done what is pending.
void release_unused_scratch(const Device& device);

/// All work on it must be in the device's queue.
template <class T>
class ScratchArray : public Array<T> {
 public:
  ScratchArray() = default;
  ScratchArray(const Device& device, std::size_t size) : scratch_(device, std::max<std::size_t>(size, 1) * sizeof(T)) {
    // No view of the memory stays behind: it would keep sorts from exchanging buffers.
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
