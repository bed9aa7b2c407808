// Copies between host and device, and within a device. Offsets and sizes are in bytes. All work is on the device's
// queue.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "genocl/array.hpp"
#include "genocl/device.hpp"

namespace genocl::runtime {

/// Allocates a buffer of at least `bytes` bytes, not initialised. Releases the queue's scratch memory if the allocation
/// fails otherwise. Throws CapacityError.
Memory allocate(const Device& device, std::size_t bytes);

/// Returns when `from` may be modified.
void upload(const Device& device, const cl::Buffer& to, std::size_t offset, const void* from, std::size_t bytes);
/// Returns when `to` is filled.
void download(const Device& device, const cl::Buffer& from, std::size_t offset, void* to, std::size_t bytes);
/// Copies rows [first, first + count) between the host and `there`, with a distance of `pitch` bytes.
using CopyRows = std::function<void(std::size_t first, std::size_t count, void* there)>;
/// Upload and download rows that differ between host and device: device memory has `rows` rows of `pitch` bytes from
/// `offset` on, and `copy_rows` converts them. It is called by several threads, once for each row; in an upload it
/// writes whole rows. Return when it is not called any more.
void upload_rows(const Device& device, const cl::Buffer& to, std::size_t offset, std::size_t pitch, std::size_t rows,
                 const CopyRows& copy_rows);
void download_rows(const Device& device, const cl::Buffer& from, std::size_t offset, std::size_t pitch,
                   std::size_t rows, const CopyRows& copy_rows);
/// Calls copy_rows for rows in host memory, with several threads: one copies about 10 GB/s, less than a bus.
void copy_rows_in_threads(void* memory, std::size_t pitch, std::size_t rows, const CopyRows& copy_rows);

/// Enqueues the copy; does not wait.
void copy(const Device& device, const cl::Buffer& from, std::size_t from_offset, const cl::Buffer& to,
          std::size_t to_offset, std::size_t bytes);
/// Fills the first `bytes` bytes with copies of a pattern of 1, 2, 4, 8, 16, 32, 64 or 128 bytes. Does not wait.
void fill(const Device& device, const cl::Buffer& buffer, const void* pattern, std::size_t pattern_bytes,
          std::size_t bytes);

/// The size in bytes of `size` elements. Throws CapacityError on overflow.
std::size_t bytes_of(const Device& device, std::size_t size, std::size_t element_bytes);

/// Retains a caller's buffer.
std::shared_ptr<const cl::Buffer> shared_handle(const Device& device, const cl::Buffer& buffer);

/// The parent of a sub-buffer and the offset in it, in bytes; else the buffer itself.
struct Root {
  _cl_mem* buffer = nullptr;
  std::size_t offset = 0;
};
Root root_of(_cl_mem* buffer);
/// True if two views overlap. Sub-buffers are resolved to their parents.
bool share_memory(const MemoryView& a, const MemoryView& b);

/// True if both devices have the same context.
bool same_context(const Device& a, const Device& b) noexcept;
/// Throws InputError for a buffer of another context than the device's. Accepts a null buffer.
void check_context(const Device& device, const cl::Buffer& buffer);
[[noreturn]] void refuse_context(const Device& device);

/// Throws InputError unless [first, first + count) is within [0, size).
void check_range(const char* what, std::size_t first, std::size_t count, std::size_t size);

/// Allocates and maps page-locked host memory of at least `bytes` bytes. `memory` receives the buffer that owns it.
void* map_host(const Device& device, std::size_t bytes, Memory& memory);
void unmap_host(const Device& device, const Memory& memory, void* pointer) noexcept;

}  // namespace genocl::runtime
