// Copies between host and device, and within a device. All offsets and sizes are in bytes; all work goes to the
// device's queue.
#pragma once

#include <cstddef>

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

/// Throws InputError where [first, first + count) is not within [0, size).
void check_range(const char* what, std::size_t first, std::size_t count, std::size_t size);

/// Page-locked host memory of at least `bytes` bytes, mapped; `memory` is what it lies in.
void* map_host(const Device& device, std::size_t bytes, Memory& memory);
void unmap_host(const Device& device, const Memory& memory, void* pointer) noexcept;

}  // namespace genocl::runtime
