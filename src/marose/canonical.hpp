// Method::canonical has these tables:
//   "first"     [key]: the first entry of a key, and of the next; canonical_keys() + 1 of them
//   "positions" [entry]: of the seed's first base in the segment's text, ascending within a key
//   "contexts"  [entry]: see cl/marose/canonical.clh
#pragma once

#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "genocl/primitives.hpp"
#include "marose/pipeline.hpp"
#include "runtime/defines.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {

/// Number of keys, at most 10 * 2^28. The weight is at most 16.
std::uint64_t canonical_keys(unsigned weight);

/// Runs of bases of a mask, in the order in which kernels gather them.
struct Runs {
  unsigned count = 0;
  std::uint64_t first = 0, first_high = 0, length = 0, length_high = 0;
};
/// Runs of set bits among the first `span` of `bits`, at most 16.
Runs runs_of(std::uint64_t bits, unsigned span);

/// Layout of the context of a seed: the bases that the mask leaves out, and bases on either side of it.
struct ContextLayout {
  unsigned side = 0;       ///< bases on either side of the seed's span
  unsigned bases = 0;      ///< of the context, at most 16
  std::uint64_t bits = 0;  ///< bit i: base i of the extended window belongs to the context
  unsigned extended = 0;   ///< bases of the extended window
};
ContextLayout context_layout(const SeedMask& mask);

/// Defines of kernels that read seeds: SEED_... alone, or also SIDE, CONTEXT_... and KEYS for a palindromic mask.
runtime::Defines seed_defines(const SeedMask& mask);
runtime::Defines canonical_defines(const SeedMask& mask);

/// As primitives::exclusive_scan(). On a CPU device the host scans up to 65,536 numbers, and the call waits: compiling
/// the kernels takes longer.
///
/// @param sums  of the size of `numbers`
template <class Sum>
void scan_numbers(const Device& device, const Array<std::uint32_t>& numbers, Array<Sum>& sums) {
  constexpr std::size_t few_numbers = std::size_t{1} << 16;
  if (!runtime::uses_cpu_kernels(device) || numbers.size() > few_numbers)
    return primitives::exclusive_scan(device, numbers, sums);
  const std::vector<std::uint32_t> all = numbers.download();
  std::vector<Sum> before(all.size());
  std::exclusive_scan(all.begin(), all.end(), before.begin(), Sum{0});
  sums.upload(before);
}

/// Options of build_canonical().
struct CanonicalBuild {
  bool with_contexts = true;  ///< false: no table "contexts"
  /// Seeds with more Ns are omitted. An N counts as the base that the packed text contains in its place.
  unsigned max_unknown = 0;
  /// Maximum device memory in bytes, including the tables; 0: free memory. Exceeded if the largest 1/64 of the keys
  /// needs more.
  std::uint64_t memory = 0;
  /// Called after every range of keys (possibly one) with the fraction of entries that are done; not called without
  /// entries.
  std::function<void(double)> progress = {};
};

/// Sorts the positions by key in O(n): at once if memory allows, otherwise by ranges of keys, with the same result.
/// Throws CapacityError, and exceptions of `progress`.
Tables build_canonical(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                       const CanonicalBuild& build = {});

/// Bytes of the text of `bases` bases and of its tables, if a seed begins at each base.
std::uint64_t canonical_bytes(const SeedMask& mask, bool with_contexts, std::uint64_t bases);

/// Longest text, in bases, for which build_canonical() needs at most `memory` bytes, including the text; 0 if none.
std::uint64_t longest_canonical(const Device& device, const SeedMask& mask, bool with_contexts, std::uint64_t memory);

/// Words of a record of DeviceSegment::buckets for this number of entries: 8, 16 or 32; 0 if records gain nothing.
unsigned bucket_words(const SeedMask& mask, std::uint64_t entries);

/// Makes segment.buckets for map_canonical_gpu with substitutions: one record for each key, with its first entry and
/// the contexts of the first entries, so that a look-up reads one place of memory. Layout: [key][bucket_words()], and
/// one more record. Its time is negligible. Does nothing if buckets do not pay, need more than `max_bytes` or do not
/// fit, nor for other methods and CPU kernels.
void add_buckets(const Device& device, DeviceSegment& segment, std::uint64_t max_bytes);

// Launch parameters of map_canonical_gpu, for tests and benchmarks; 0: automatic.

struct GpuTuning {
  unsigned group_size = 0;           ///< work-items, a power of two from 64 up
  unsigned lanes = 0;                ///< work-items for each look-up: 1, 2, 4 or 8
  unsigned items_per_lane = 0;       ///< look-ups at a time: a power of two, at most `lanes`
  std::uint32_t items = 0;           ///< approximate look-ups for each group
  bool use_buckets = true;           ///< use DeviceSegment::buckets if they exist
  std::uint64_t chunk_capacity = 0;  ///< initial, in hits of 8 bytes; mapping repeats with more if they do not fit
  std::uint32_t order_capacity = 0;  ///< hits of a group that are sorted in local memory, a power of two
};

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands, const GpuTuning& tuning);

}  // namespace genocl::marose
