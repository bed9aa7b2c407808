// Copies between host and device, and within a device. All offsets and sizes are in bytes; all work goes to the
// device's queue.
#pragma once

#include <cstddef>
#include <memory>

#include "genocl/array.hpp"
#include "genocl/device.hpp"

namespace genocl::runtime {

/// A buffer of at least `bytes` bytes, not initialised. Gives the scratch of the queue back where that is what is
/// missing. Throws CapacityError.
Memory allocate(const Device& device, std::size_t bytes);

/// Returns when `from` may be changed again.
void upload(const Device& device, const cl::Buffer& to, std::size_t offset, const void* from, std::size_t bytes);
/// Returns when `to` is filled.
void download(const Device& device, const cl::Buffer& from, std::size_t offset, void* to, std::size_t bytes);
/// The copy is enqueued only.
void copy(const Device& device, const cl::Buffer& from, std::size_t from_offset, const cl::Buffer& to,
          std::size_t to_offset, std::size_t bytes);
/// Fills the first `bytes` bytes with copies of a pattern of 1, 2, 4, 8, 16, ... 128 bytes. Enqueued only.
void fill(const Device& device, const cl::Buffer& buffer, const void* pattern, std::size_t pattern_bytes,
          std::size_t bytes);

/// The bytes of `size` elements. Throws CapacityError where they are more than a size can say.
std::size_t bytes_of(const Device& device, std::size_t size, std::size_t element_bytes);

/// A handle of the caller's, kept.
std::shared_ptr<const cl::Buffer> shared_handle(const Device& device, const cl::Buffer& buffer);

/// Bytes of a buffer.
struct BufferRange {
  const cl::Buffer& buffer;
  std::size_t offset = 0, bytes = 0;
};
/// Whether two ranges have a byte in common; sub-buffers are looked up in their parents.
bool share_memory(const BufferRange& a, const BufferRange& b);

/// Whether memory of one device is memory for the other.
bool same_context(const Device& a, const Device& b) noexcept;
/// Throws InputError for a buffer of another context than the device's; a null one is none of any.
void check_context(const Device& device, const cl::Buffer& buffer);
[[noreturn]] void refuse_context(const Device& device);

/// Throws InputError where [first, first + count) is not within [0, size).
void check_range(const char* what, std::size_t first, std::size_t count, std::size_t size);

/// Page-locked host memory of at least `bytes` bytes, mapped; `memory` is what it lies in.
void* map_host(const Device& device, std::size_t bytes, Memory& memory);
void unmap_host(const Device& device, const Memory& memory, void* pointer) noexcept;

}  // namespace genocl::runtime
