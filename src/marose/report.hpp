// From hits as a device gives them to what is said of each read.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "genocl/marose/mapper.hpp"
#include "marose/device_state.hpp"

namespace genocl::marose {

struct RawHit {
  std::uint32_t read = 0;  ///< among those of the range that is mapped
  std::uint16_t errors = 0;
  std::uint16_t length = 0;
  std::uint64_t position = 0;  ///< in the whole text
  Strand strand = Strand::forward;
};

/// Downloads. `which` numbers the batch's reads in the set, of which the range begins at `first`. With `owned_only`
/// hits that end in what another segment owns are left to that.
void append_hits(const DeviceHits& found, const Segment& segment, bool owned_only, std::span<const std::uint32_t> which,
                 std::size_t first, std::vector<RawHit>& hits);

/// Sorts, counts and picks. `summaries` has an entry for each read, filled in as far as the plan says. `contigs`: where
/// they begin in the text, and its end.
Hits report_hits(std::vector<RawHit>& hits, std::vector<ReadSummary>&& summaries, const Report& report,
                 std::span<const std::uint64_t> contigs);

void append(Hits& all, Hits&& more);

// The order in which hits of a read are given out.

/// Fewest errors first, then by place.
inline auto hit_order(const Hit& hit) {
  return std::tie(hit.errors, hit.reference, hit.position, hit.strand, hit.length);
}

}  // namespace genocl::marose
