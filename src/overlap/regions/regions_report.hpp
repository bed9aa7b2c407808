// Regions as positions of a text, and as what callers get.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/overlap/regions.hpp"

namespace genocl::overlap {

/// Texts of one length, and where each stands, ascending.
struct Regions {
  std::uint64_t length = 0;
  std::vector<std::vector<std::uint64_t>> positions;
};

/// The regions' occurrences, and the records they stand in; by first occurrence.
std::vector<SharedRegion> shared_regions(const Regions& regions, const std::vector<std::uint64_t>& begins);

/// The first `first_records` records are of one set, the next `second_records` of the other, and what follows are the
/// reverse complements of those.
std::vector<CommonRegion> common_regions(const Regions& regions, const std::vector<std::uint64_t>& begins,
                                         std::uint64_t first_records, std::uint64_t second_records);

}  // namespace genocl::overlap
