// The steps of mapping a batch of reads against one segment, one function each.
#pragma once

#include "marose/device_state.hpp"

namespace genocl::marose {

/// Everything about a segment that a step needs.
struct DeviceSegment {
  DeviceReference reference;
  Method method = Method::canonical;
  SeedMask mask = SeedMask::solid(10);
  unsigned neighbourhood = 0;
  std::shared_ptr<const void> host;  ///< What the tables lie in, where that is memory of the host's.
  Tables tables;
  /// See add_buckets() in canonical.hpp. Of the device, not of the index; empty where it does not pay.
  Array<std::uint32_t> buckets;
};

/// Which strands of the reads are looked for: bit 0 forward, bit 1 reverse.
using StrandBits = std::uint32_t;
constexpr StrandBits both_strands = 3;

// index

/// Builds those of `list`, `binary`, `phf`, `bitmap`, `offset`. Throws InputError for a seed and a neighbourhood that
/// the method cannot hold (weight + neighbourhood above 16 for `bitmap`, ...) and CapacityError.
Tables build_published(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                       unsigned neighbourhood, Method method);

// seed: count, scan, write: no limit on the candidates

Candidates find_candidates_canonical(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands);
/// Serves `list`, `binary`, `phf`, `bitmap`, `offset`.
Candidates find_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands);

// verify: sort, unique, then the exact Hamming distance, or a banded edit distance as a filter

Verified verify(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                Candidates&& candidates);

/// [key]: whether it is the first of those alike; the `count` keys are sorted.
Array<std::uint8_t> flag_first(const Device& device, Span<const std::uint64_t> keys, std::uint64_t count);

// seed and verify at once, for `canonical`: the fast ways

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands);
Verified map_canonical_cpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands);

/// The way that suits the index and the device's family.
Verified find(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
              StrandBits strands);

// resolve: from diagonals to hits. Hamming: as they are. Levenshtein: ends and starts, see Hit.

DeviceHits resolve(const Device& device, const DeviceSegment& segment, const ReadBatch& batch, const PlanTable& plans,
                   Verified&& verified);

}  // namespace genocl::marose
