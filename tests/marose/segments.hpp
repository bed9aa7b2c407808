// Shared by tests of single steps: a small reference as one segment on a device, packed reads, and downloads.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/sequence.hpp"
#include "marose/canonical.hpp"
#include "marose/pipeline.hpp"
#include "reference/marose/marose_diagonals.hpp"

namespace marose_test {

/// The contigs of a reference that is written in letters.
inline genocl::SequenceSet contigs_of(const genocl_reference::PlainReference& reference) {
  genocl::SequenceSet contigs;
  for (std::size_t i = 0, begin = 0; i < reference.ends.size(); begin = reference.ends[i++])
    contigs.append_letters("c", std::string_view(reference.text).substr(begin, reference.ends[i] - begin));
  return contigs;
}

/// All contigs as one segment, still without tables.
inline genocl::marose::DeviceSegment whole_segment(const genocl::Device& device, const genocl::SequenceSet& contigs,
                                                   const genocl::marose::SeedMask& mask) {
  const genocl::PackedDna packed(contigs);
  genocl::marose::DeviceSegment segment;
  segment.mask = mask;
  segment.reference =
      genocl::marose::upload_reference(device, packed, {.length = packed.size(), .own = {0, packed.size()}});
  return segment;
}

/// The same with the tables of method `canonical`.
inline genocl::marose::DeviceSegment canonical_segment(const genocl::Device& device, const genocl::SequenceSet& contigs,
                                                       const genocl::marose::SeedMask& mask) {
  genocl::marose::DeviceSegment segment = whole_segment(device, contigs, mask);
  segment.tables = genocl::marose::build_canonical(device, segment.reference, mask);
  return segment;
}

/// All reads of a set; plan_of[i] is the plan of read i.
inline genocl::marose::ReadBatch pack_all(const genocl::Device& device, const genocl::SequenceSet& reads,
                                          std::span<const std::uint32_t> plan_of) {
  std::vector<std::uint32_t> which(reads.size());
  std::iota(which.begin(), which.end(), 0u);
  return genocl::marose::pack_reads(device, reads, which, plan_of);
}

struct HitLists {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> values;  ///< all 0 if not requested

  static unsigned read(std::uint64_t key) { return static_cast<unsigned>(key >> 33); }
  static unsigned strand(std::uint64_t key) { return static_cast<unsigned>(key >> 32 & 1); }
  static std::int64_t diagonal(std::uint64_t key) {
    return static_cast<std::int64_t>(key & 0xffffffffu) - genocl::marose::diagonal_bias;
  }
};

inline HitLists download(const genocl::marose::Verified& verified, bool with_values) {
  HitLists lists{std::vector<std::uint64_t>(verified.count), std::vector<std::uint32_t>(verified.count)};
  if (verified.count == 0) return lists;
  verified.keys.download(std::span(lists.keys));
  if (with_values) verified.values.download(std::span(lists.values));
  return lists;
}

}  // namespace marose_test
