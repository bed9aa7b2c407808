// Launches of cl/primitives/merge.cl, for merge(), the set operations and merge_sort().
#pragma once

#include <cstddef>
#include <cstdint>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"

namespace genocl::primitives {

/// Keys and values of a sorted range. Without values: a null buffer.
struct KeysAndValues {
  cl::Buffer keys, values;
};

/// The comparison and the types of a merge.
struct MergeKind {
  ExpressionSource source;             ///< with the comparison
  std::size_t key_bytes, value_bytes;  ///< value_bytes: 0 without values

  /// Throws InputError for a comparison without text, and for double of a caller's comparison on a device without fp64.
  MergeKind(const Device& device, const char* function, const Comparison& comparison, ElementType type,
            std::size_t value_size);

  std::uint64_t item_bytes() const noexcept { return key_bytes + value_bytes; }
  /// HAS_VALUES and VALUE.
  runtime::Defines defines() const;
};

/// Work-groups of the `gpu` kernels of merge.cl and merge_sort.cl.
struct MergeTile {
  unsigned group_size, items;  ///< items: results of a work-item

  std::uint64_t size() const noexcept { return std::uint64_t{group_size} * items; }
};
/// The tile for small arrays, which keeps all work-items busy.
MergeTile small_merge_tile(const Device& device, const LaunchTuning& tuning);
/// The tile for `count` elements. It needs less than 32 KiB of local memory.
MergeTile merge_tile(const Device& device, std::uint64_t count, const MergeKind& kind, const LaunchTuning& tuning);

/// What a set operation, with `gpu` kernels, takes from a merge of its ranges: a flag for each element, or, if
/// merges_sets_in_one_pass(), the elements of the set instead of all.
struct SetOutput {
  int operation = 0;                  ///< SET_OPERATION of set_operations.clh; 0: a merge
  const cl::Buffer* flags = nullptr;  ///< a byte for each merged element: whether the set has it
  const cl::Buffer* total = nullptr;  ///< not null: the results are the set's elements, and this is their number
  std::uint64_t capacity = 0;         ///< with `total`: elements that the results have memory for
};

bool merges_sets_in_one_pass(const Device& device, const LaunchTuning& tuning);
/// Merges two ranges of `first_count` and count - first_count > 0 elements together.
void merge_ranges(const Device& device, const MergeKind& kind, const KeysAndValues& first, std::uint64_t first_count,
                  const KeysAndValues& second, std::uint64_t count, const KeysAndValues& results,
                  const LaunchTuning& tuning, const SetOutput& set = {});
/// Merges each two neighbouring runs of `run` elements. `run`: with `gpu` kernels a multiple of merge_tile() of
/// `count`.
void merge_runs(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
                std::uint64_t run, const KeysAndValues& results, const LaunchTuning& tuning);

// ---- In merge_sort.cpp

/// True if merges move values of this size; 0: no values.
bool moves_values_of(std::size_t value_bytes);
/// Sorts at most small_merge_tile() elements, with `gpu` kernels, in one launch. `to` may be `items`.
void sort_tile(const Device& device, const MergeKind& kind, const KeysAndValues& items, std::uint64_t count,
               const KeysAndValues& to, const LaunchTuning& tuning = {});

}  // namespace genocl::primitives
