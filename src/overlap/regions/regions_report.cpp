#include "overlap/regions/regions_report.hpp"

#include <algorithm>

#include "overlap/text/sorted_text.hpp"

namespace genocl::overlap {

std::vector<SharedRegion> shared_regions(const Regions& regions, const std::vector<std::uint64_t>& begins) {
  Locator locator(begins);
  std::vector<SharedRegion> result;
  result.reserve(regions.positions.size());
  for (const std::vector<std::uint64_t>& positions : regions.positions) {
    SharedRegion region{.length = regions.length};
    region.occurrences.reserve(positions.size());
    for (const std::uint64_t position : positions) {
      const std::uint64_t record = locator.record(position);
      if (region.occurrences.empty() || region.occurrences.back().record != record) ++region.records;
      region.occurrences.push_back({record, position - locator.begin(record), false});
    }
    result.push_back(std::move(region));
  }
  std::sort(result.begin(), result.end(),
            [](const SharedRegion& a, const SharedRegion& b) { return a.occurrences.front() < b.occurrences.front(); });
  return result;
}

std::vector<CommonRegion> common_regions(const Regions& regions, const std::vector<std::uint64_t>& begins,
                                         std::uint64_t first_records, std::uint64_t second_records) {
  Locator locator(begins);
  std::vector<CommonRegion> result;
  result.reserve(regions.positions.size());
  for (const std::vector<std::uint64_t>& positions : regions.positions) {
    CommonRegion region{.length = regions.length};
    for (const std::uint64_t position : positions) {
      std::uint64_t record = locator.record(position);
      const std::uint64_t within = position - locator.begin(record), length = locator.length(record);
      if (record < first_records) {
        region.in_first.push_back({record, within, false});
        continue;
      }
      record -= first_records;
      if (record < second_records)
        region.in_second.push_back({record, within, false});
      else
        region.in_second.push_back({record - second_records, length - within - regions.length, true});
    }
    if (!std::is_sorted(region.in_second.begin(), region.in_second.end()))
      std::sort(region.in_second.begin(), region.in_second.end());
    result.push_back(std::move(region));
  }
  std::sort(result.begin(), result.end(),
            [](const CommonRegion& a, const CommonRegion& b) { return a.in_first.front() < b.in_first.front(); });
  return result;
}

}  // namespace genocl::overlap
