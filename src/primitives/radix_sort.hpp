// The radix sorts behind primitives::sort, on untyped buffers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/sort.hpp"
#include "runtime/defines.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {

/// A sort of `count` > 0 keys of key_bytes (1, 2, 4 or 8), each with a value of value_bytes (4 or 8; 0: none), by at
/// least one bit, [first_bit, last_bit).
struct SortTask {
  std::uint64_t count = 0;
  unsigned key_bytes = 4;
  unsigned value_bytes = 0;
  unsigned first_bit = 0, last_bit = 32;
  detail::KeyKind kind = detail::KeyKind::unsigned_integer;
  bool descending = false;

  unsigned bits() const noexcept { return last_bit - first_bit; }
  std::uint64_t key_array_bytes() const noexcept { return count * key_bytes; }
  bool has_values() const noexcept { return value_bytes != 0; }
  std::uint64_t value_array_bytes() const noexcept { return count * value_bytes; }
  unsigned item_bytes() const noexcept { return key_bytes + value_bytes; }
  /// Size of a key in registers and in local memory.
  unsigned register_bytes() const noexcept { return key_bytes == 8 ? 8 : 4; }
  /// The larger of a key and a value in registers.
  unsigned largest_bytes() const noexcept { return value_bytes == 8 ? 8 : register_bytes(); }
  /// True if kernels map keys to unsigned integers of the same order.
  bool encodes() const noexcept { return kind != detail::KeyKind::unsigned_integer || descending; }
};

/// The defines of cl/primitives/sort_keys.clh. `encodes`: false for keys that are unsigned integers already.
runtime::Defines key_defines(std::size_t key_bytes, detail::KeyKind kind, bool descending);
inline runtime::Defines key_defines(const SortTask& task, bool encodes = true) {
  return encodes ? key_defines(task.key_bytes, task.kind, task.descending)
                 : key_defines(task.key_bytes, detail::KeyKind::unsigned_integer, false);
}

/// Keys and values. Without values the keys are passed in their place, since OpenCL takes no null buffer.
struct SortBuffers {
  cl::Buffer keys, values;
};

// ---- gpu kernels

/// Work-group size, items per work-item, register limit on NVIDIA (0: none), states read at once during look-back.
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
  /// 64-bit offsets: from 2^30 items on, or earlier in tests.
  bool wide = false;
};

/// True if the device's limits allow the smallest tile.
bool can_sort_on_gpu(const Device& device);
GpuTuning gpu_tuning(const Device& device, const SortTask& task);
/// Without the second pair of buffers.
runtime::ScratchSize gpu_scratch(const Device& device, const SortTask& task, const GpuTuning& tuning);
/// Enqueues the sort. True if the result is in `other`; false if it is in `items`. `from`: the buffers that have the
/// items, which do not change; then the result is in `items`.
bool sort_on_gpu(const Device& device, const SortTask& task, const GpuTuning& tuning, const SortBuffers& items,
                 const SortBuffers& other, const SortBuffers* from = nullptr);
/// The number of passes. Each pass moves all items once.
unsigned gpu_passes(const SortTask& task);

// ---- cpu kernels

struct CpuTuning {
  /// Number of groups of one item; more than threads, since PoCL distributes groups unevenly.
  unsigned workers = 2;
  /// Number of ranges of items that the workers take.
  unsigned ranges = 1;
  /// Up to this count one worker sorts all.
  std::uint64_t small_count = 0;
  /// Larger arrays are first distributed to buckets by their highest digit of this width.
  unsigned bucket_bits = 10;
  /// Maximum bucket size; if exceeded, the whole array is sorted digit by digit.
  std::uint64_t bucket_capacity = 0;
  bool wide = false;
};

CpuTuning cpu_tuning(const Device& device, const SortTask& task);
runtime::ScratchSize cpu_scratch(const Device& device, const SortTask& task, const CpuTuning& tuning);
/// Sorts into `items`; waits for the device. `from`: the buffers that have the items, which do not change; null:
/// `items`.
void sort_on_cpu(const Device& device, const SortTask& task, const CpuTuning& tuning, const SortBuffers& items,
                 const SortBuffers* from = nullptr);

}  // namespace genocl::primitives
