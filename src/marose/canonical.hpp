// Method::canonical has these tables:
//   "first"     [key]: the first entry of a key, and of the next; canonical_keys() + 1 of them
//   "positions" [entry]: of the seed's first base in the segment's text, ascending within a key
//   "contexts"  [entry]: see cl/marose/canonical.clh
#pragma once

#include <cstdint>
#include <functional>

#include "marose/pipeline.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// How many keys there are, at most 10 * 2^28. The weight is at most 16.
std::uint64_t canonical_keys(unsigned weight);

/// Where the bases of a mask are: what kernels gather, and in which order.
struct Runs {
  unsigned count = 0;
  std::uint64_t first = 0, first_high = 0, length = 0, length_high = 0;
};
/// Gives the runs of set bits among the first `span` of `bits`; there are at most 16.
Runs runs_of(std::uint64_t bits, unsigned span);

/// A mask with what is beside it: the layout of contexts.
struct ContextLayout {
  unsigned side = 0;       ///< bases beside the seed's span, on either side
  unsigned bases = 0;      ///< of the context, at most 16
  std::uint64_t bits = 0;  ///< bit i: whether base i of the extended window belongs to the context
  unsigned extended = 0;   ///< bases of the extended window
};
ContextLayout context_layout(const SeedMask& mask);

/// Sets SEED_... alone, and with SIDE, CONTEXT_... and KEYS for a mask that is a palindrome.
runtime::Defines seed_defines(const SeedMask& mask);
runtime::Defines canonical_defines(const SeedMask& mask);

/// How the tables of `canonical` are built.
struct CanonicalBuild {
  bool with_contexts = true;  ///< without, that table is left out
  /// Seeds with more Ns than that are left out; an N counts as the base that the packed text has in its place.
  unsigned most_unknown = 0;
  /// Bytes of device memory that building may take, the tables with them; 0: what is free. The memory that the largest
  /// 1/64 of the keys needs is taken even so.
  std::uint64_t memory = 0;
  /// Called after every range of keys, which may be all, with the share of the entries that are done; never without
  /// one.
  std::function<void(double)> progress = {};
};

/// Sorts the positions by key, in O(n): all at once where the memory allows, else one range of keys after the other,
/// with the same result. Throws CapacityError, and what `progress` throws.
Tables build_canonical(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                       const CanonicalBuild& build = {});

/// Bytes of the tables of a text of so many bases with a seed each, and of the text.
std::uint64_t canonical_bytes(const SeedMask& mask, bool with_contexts, std::uint64_t bases);

/// The bases of the longest text of which build_canonical() makes the tables in `memory` bytes, the text with them; 0
/// where there are none.
std::uint64_t longest_canonical(const Device& device, const SeedMask& mask, bool with_contexts, std::uint64_t memory);

/// Words of a record of "buckets" that suit so many entries: 8, 16, 32; 0 where look-ups gain nothing.
unsigned bucket_words(const SeedMask& mask, std::uint64_t entries);

/// For map_canonical_gpu with substitutions: makes segment.buckets, a record for each key of its first entry and the
/// contexts of the first entries, so that a look-up reads one place of memory: [key][bucket_words()], and one record
/// more. Made in no time from the other tables. Nothing happens where it does not pay, takes more than `most_bytes` or
/// finds no memory, and for other methods and kernels for CPUs.
void add_buckets(const Device& device, DeviceSegment& segment, std::uint64_t most_bytes);

// How map_canonical_gpu lays out its work. The defaults suit; this is for tests and benchmarks.

struct GpuTuning {
  unsigned group_size = 0;       ///< work-items, a power of two from 64 up
  unsigned lanes = 0;            ///< work-items that share a look-up: 1, 2, 4 or 8
  unsigned items_per_lane = 0;   ///< look-ups that they do at a time: a power of two, at most `lanes`
  std::uint32_t items = 0;       ///< look-ups of a group, about
  bool use_buckets = true;       ///< DeviceSegment::buckets, where they are there
  std::uint64_t chunk_room = 0;  ///< hits (of 8 bytes) there is room for at first; what does not fit is mapped again
  std::uint32_t order_room = 0;  ///< hits of a group that are sorted in local memory, a power of two
};

Verified map_canonical_gpu(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                           const PlanTable& plans, StrandBits strands, const GpuTuning& tuning);

}  // namespace genocl::marose
