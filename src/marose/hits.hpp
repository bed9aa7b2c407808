// Hits of reads: downloaded, sorted, counted and selected.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "marose/device_state.hpp"

namespace genocl::marose {

/// Maximum number of elements that a CPU device leaves to the host, which sorts them in less than 1 ms: compiling the
/// kernels takes some tenths of a second.
constexpr std::uint64_t few_elements = 8192;

struct RawHit {
  std::uint32_t read = 0;  ///< index within the mapped range
  std::uint16_t errors = 0;
  std::uint16_t length = 0;
  std::uint64_t position = 0;  ///< in the concatenated contigs
  Strand strand = Strand::forward;

  friend bool operator==(const RawHit&, const RawHit&) = default;
};

/// Downloads hits.
///
/// @param owned_only  skips hits that end in the own range of another segment
/// @param which       [read of the batch]: its number in the set
/// @param first       number of the first read of the mapped range
void append_hits(const DeviceHits& found, const Segment& segment, bool owned_only, std::span<const std::uint32_t> which,
                 std::size_t first, std::vector<RawHit>& hits);

/// The reads of a batch on the host.
struct HostReads {
  const SequenceSet& set;
  std::span<const std::uint32_t> which;  ///< [read of the batch]: its number in the set
  std::span<const std::uint32_t> plan;   ///< [read of the batch]: its plan
  std::size_t first = 0;                 ///< number of the first read of the mapped range
};

/// The same as append_hits(resolve(...)) for Levenshtein errors, on the host. A region takes it some 10 us; the kernels
/// of resolve() take a CPU two seconds to compile.
///
/// @param verified    as for resolve()
/// @param owned_only  as for append_hits()
void append_hits_on_host(const Verified& verified, const ReferenceView& reference, const Segment& segment,
                         bool owned_only, const HostReads& reads, std::span<const Plan> plans,
                         std::vector<RawHit>& hits);

/// Sorts, counts and selects hits.
///
/// @param summaries  one for each read, with the fields that the plan sets
/// @param contigs    begins of the contigs in the text, and its end
Hits report_hits(std::vector<RawHit>& hits, std::vector<ReadSummary>&& summaries, const Report& report,
                 std::span<const std::uint64_t> contigs);

/// @param reads  number of reads that `all` will have in the end, if known: memory is then allocated once
void append(Hits& all, Hits&& more, std::size_t reads = 0);

/// Order of the hits of a read: errors, then contig, position, strand, length.
inline auto hit_order(const Hit& hit) {
  return std::tie(hit.errors, hit.reference, hit.position, hit.strand, hit.length);
}

}  // namespace genocl::marose
