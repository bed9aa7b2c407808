// The steps of mapping a batch of reads against one segment.
#pragma once

#include "marose/device_state.hpp"
#include "marose/read_batches.hpp"

namespace genocl::marose {

/// A segment with its text and tables.
struct DeviceSegment {
  DeviceReference reference;
  Method method = Method::canonical;
  SeedMask mask = SeedMask::solid(10);
  unsigned neighbourhood = 0;
  std::shared_ptr<const void> host;  ///< owner of the tables if they are in host memory
  Tables tables;
  /// See add_buckets() in canonical.hpp: built for the device, not part of the index; empty if it does not pay.
  Array<std::uint32_t> buckets;
};

/// Strands that are searched: bit 0 forward, bit 1 reverse.
using StrandBits = std::uint32_t;
constexpr StrandBits both_strands = 3;

// index

/// Builds the tables of `list`, `binary`, `phf`, `bitmap` or `offset`. Throws InputError for a seed and a
/// neighbourhood that the method does not support (weight + neighbourhood above 16 for `bitmap`, ...), and
/// CapacityError.
Tables build_published(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                       unsigned neighbourhood, Method method);

// Seeding by count, scan and write: the number of candidates is not limited.

Candidates find_candidates_canonical(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands);
/// For `list`, `binary`, `phf`, `bitmap` and `offset`.
Candidates find_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands);

// Verification: sorts, removes duplicates, then computes the exact Hamming distance, or a banded edit distance as a
// filter.

Verified verify(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                Candidates&& candidates);

/// [key]: whether it differs from the key before. The `count` keys are sorted.
Array<std::uint8_t> flag_first(const Device& device, Span<const std::uint64_t> keys, std::uint64_t count);

// Seeding and verification in one step, for `canonical`.

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands);
Verified map_canonical_cpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands);

/// Seeding and verification for the index and the device's kernel family.
Verified find(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
              StrandBits strands);

// From diagonals to hits. Hamming: the diagonals themselves. Levenshtein: ends and starts, see Hit.

DeviceHits resolve(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                   Verified&& verified);

}  // namespace genocl::marose
