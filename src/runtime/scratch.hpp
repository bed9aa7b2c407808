// Temporary device memory from a pool of the queue, returned at the end of the scope. Reuse is safe since the queue
// executes in order.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"

namespace genocl::runtime {

/// A buffer over the bytes of a view; null if it is empty. Throws DeviceError if the view is not is_aligned().
cl::Buffer sub_buffer(const Device& device, const MemoryView& view);
/// The same for a caller's Span. Throws InputError for memory of another context and for an unaligned view.
cl::Buffer operand_buffer(const Device& device, const MemoryView& view);
/// True if a sub-buffer of the device can start at the view's offset.
bool is_aligned(const Device& device, const MemoryView& view);

/// Scratch memory that a caller hands to a call. Not thread-safe.
class ScratchArena {
 public:
  /// `memory` must outlive the arena.
  ScratchArena(const Device& device, Span<std::byte> memory);

  /// Bytes not in use, rounded down to the alignment.
  std::uint64_t free_bytes() const noexcept;
  /// A sub-buffer of at least `bytes` bytes. Throws CapacityError.
  Memory take(std::size_t bytes);
  void give(const Memory& memory) noexcept;

 private:
  struct Block {
    std::size_t offset, bytes;
    _cl_mem* handle;
  };

  const Device device_;
  MemoryView memory_;
  std::size_t alignment_;
  std::vector<Block> used_;
};

/// Sums scratch memory, one entry per buffer, as a ScratchArena places it.
class ScratchSize {
 public:
  explicit ScratchSize(const Device& device) : alignment_(device.info().buffer_alignment) {}

  ScratchSize& add(std::uint64_t bytes) noexcept {
    largest_ = std::max(largest_, bytes);
    total_ += (std::max<std::uint64_t>(bytes, 1) + alignment_ - 1) / alignment_ * alignment_;
    return *this;
  }
  std::uint64_t largest() const noexcept { return largest_; }
  std::uint64_t total() const noexcept { return total_; }

 private:
  std::uint64_t alignment_, largest_ = 0, total_ = 0;
};

/// Kernels leave zeroed scratch memory zero, so that later calls do not fill it again.
enum class ScratchContents { undefined, zero };

class Scratch {
 public:
  Scratch() = default;
  /// At least `bytes` bytes, not initialised. Throws CapacityError.
  Scratch(const Device& device, std::size_t bytes);
  /// `zero`: all bytes are 0 in queue order, and the work on the memory, enqueued before the end of the scope, must
  /// leave them 0.
  Scratch(const Device& device, std::size_t bytes, ScratchContents contents);
  Scratch(Scratch&& other) noexcept { swap(other); }
  Scratch& operator=(Scratch&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Scratch();

  const cl::Buffer& buffer() const noexcept { return *memory_.buffer; }
  std::size_t bytes() const noexcept { return memory_.bytes; }
  /// The first `size` elements.
  template <class T>
  Span<T> span(std::size_t size) const {
    return Span<T>(part_of({(*memory_.buffer)(), context_, 0, memory_.bytes}, 0, size * sizeof(T)));
  }
  const Memory& memory() const noexcept { return memory_; }

 private:
  void swap(Scratch& other) noexcept;

  std::shared_ptr<DeviceQueue> queue_;
  ScratchArena* arena_ = nullptr;
  _cl_context* context_ = nullptr;
  Memory memory_;
  ScratchContents contents_ = ScratchContents::undefined;
};

/// Throws CapacityError if `largest_buffer` exceeds the maximum allocation, or `total` the free memory. Call it before
/// any work starts.
void check_capacity(const Device& device, const char* what_for, std::uint64_t largest_buffer, std::uint64_t total);

/// Bytes that work on this device can plan with: free memory plus scratch memory not in use, of this queue and of idle
/// queues. Allocations of other programs are unknown to OpenCL.
std::uint64_t usable_memory(const Device& device);

/// Waits for the queue, then releases the scratch memory that usable_memory() counts.
void release_unused_scratch(const Device& device);

/// An array in scratch memory. Allocating anew costs a GPU as much as several launches. All work on it must be on the
/// device's queue.
template <class T>
class ScratchArray : private Scratch, public Array<T> {
 public:
  using Array<T>::buffer;
  using Array<T>::bytes;
  using Array<T>::span;

  ScratchArray() = default;
  ScratchArray(const Device& device, std::size_t size)
      : Scratch(device, std::max<std::size_t>(size, 1) * sizeof(T)),
        Array<T>(MemoryAccess::borrow<T>(device, Scratch::memory(), size)) {}
  ScratchArray(ScratchArray&&) noexcept = default;
  ScratchArray& operator=(ScratchArray&&) noexcept = default;
};

}  // namespace genocl::runtime
