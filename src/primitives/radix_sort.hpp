// The radix sorts behind primitives::sort, on untyped buffers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {

/// What to sort: `count` > 0 keys of key_bytes (4 or 8), each with a 4-byte value or none, by bits [first_bit,
/// last_bit), at least one.
struct SortTask {
  std::uint64_t count = 0;
  unsigned key_bytes = 4;
  bool has_values = false;
  unsigned first_bit = 0, last_bit = 32;

  unsigned bits() const noexcept { return last_bit - first_bit; }
  std::uint64_t key_array_bytes() const noexcept { return count * key_bytes; }
  std::uint64_t value_array_bytes() const noexcept { return has_values ? count * 4 : 0; }
  unsigned item_bytes() const noexcept { return key_bytes + (has_values ? 4 : 0); }
};

/// Adds up scratch memory, one entry for each buffer.
struct SortScratch {
  std::uint64_t largest = 0, total = 0;

  std::uint64_t add(std::uint64_t bytes) noexcept {
    total += bytes;
    if (bytes > largest) largest = bytes;
    return bytes;
  }
};

/// Keys and their values, the keys standing in for values where there are none (OpenCL takes no null buffer).
struct SortBuffers {
  cl::Buffer keys, values;
};

/// The other half of the ping-pong between two sets of buffers.
struct SortSpare {
  runtime::Scratch keys, values;
};

// ---- group: for GPUs

/// Work-items of a group, items of each, the limit of registers on NVIDIA (0: none), states read at once when looking
/// back.
struct TileShape {
  unsigned group_size = 256, items = 20, registers = 0, window = 4;

  unsigned tile() const noexcept { return group_size * items; }
};

enum class GpuSortMethod {
  count_scan_scatter,  ///< any device, any size
  onesweep,            ///< groups must make progress side by side; fewer than 2^30 items
};

struct GpuTuning {
  GpuSortMethod method = GpuSortMethod::count_scan_scatter;
  TileShape shape;
  /// Offsets of 64 bits: from 2^30 items on, or earlier for a test.
  bool wide = false;
};

/// Whether the device's limits leave room for the smallest tile.
bool can_sort_on_gpu(const Device& device);
GpuTuning gpu_tuning(const Device& device, const SortTask& task);
SortScratch gpu_scratch(const Device& device, const SortTask& task, const GpuTuning& tuning);
/// Enqueues the sort; true when the result is in `spare` (made by the call), false when it is in `items`.
bool sort_on_gpu(const Device& device, const SortTask& task, const GpuTuning& tuning, const SortBuffers& items,
                 SortSpare& spare);

// ---- lanes: for CPUs

struct CpuTuning {
  /// Groups of one item; more than threads, since PoCL hands groups out unevenly.
  unsigned workers = 2;
  /// Into how many ranges the items are cut for the workers to take.
  unsigned ranges = 1;
  /// Up to here one worker sorts all.
  std::uint64_t small_count = 0;
  /// Larger arrays are brought into buckets by their highest digit first, of so many bits.
  unsigned bucket_bits = 10;
  /// No bucket may have more items; when one would, the whole array is sorted digit by digit.
  std::uint64_t bucket_room = 0;
  bool wide = false;
};

CpuTuning cpu_tuning(const Device& device, const SortTask& task);
SortScratch cpu_scratch(const SortTask& task, const CpuTuning& tuning);
/// Sorts in place; waits for the device.
void sort_on_cpu(const Device& device, const SortTask& task, const CpuTuning& tuning, const SortBuffers& items);

}  // namespace genocl::primitives
