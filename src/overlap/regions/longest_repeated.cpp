// The longest texts that stand at two places: the greatest LCP of all.
#include <array>

#include "genocl/overlap/regions.hpp"
#include "genocl/primitives/reduce.hpp"
#include "overlap/regions/regions_members.hpp"
#include "overlap/regions/regions_steps.hpp"

namespace genocl::overlap {
namespace {

std::vector<SharedRegion> repeated(const Text& text, const RegionOptions& options) {
  const Stages stages(options.progress, text.size());
  if (text.size() == 0) return {};
  const Sorting sorting(text, "longest repeated regions", bytes_of_repeated, stages);
  std::vector<SharedRegion> result = shared_regions(repeated_of_text(sorting.sorted()), text.state().begins);
  stages.reach(1);
  return result;
}

}  // namespace

Regions repeated_of_text(const SortedText& sorted) {
  if (sorted.size() == 0) return {};
  const std::uint32_t length = primitives::maximum(sorted.device(), sorted.lcp);
  if (length == 0) return {};
  return {length, positions_of_intervals(sorted, members(sorted, length), length)};
}

std::vector<SharedRegion> longest_repeated(const Device& device, const SequenceSet& records,
                                           const RegionOptions& options) {
  const std::array<const SequenceSet*, 1> sets = {&records};
  return repeated(Text::separated(device, sets, options.letters), options);
}

std::vector<SharedRegion> longest_repeated(const Device& device, ByteStrings records, const RegionOptions& options) {
  return repeated(Text::separated(device, records), options);
}

}  // namespace genocl::overlap
