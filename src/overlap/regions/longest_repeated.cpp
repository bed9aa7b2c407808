// The longest texts that stand at two places: the greatest LCP of all.
#include <array>

#include "genocl/overlap/regions.hpp"
#include "genocl/primitives/reduce.hpp"
#include "overlap/regions/regions_members.hpp"
#include "overlap/regions/regions_pieces.hpp"
#include "overlap/regions/regions_steps.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/host_text_state.hpp"

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

std::vector<SharedRegion> repeated(std::span<const Device> devices, const HostText& text,
                                   const RegionOptions& options) {
  return shared_regions(repeated_in_pieces(devices, text, options), text.state().begins);
}

}  // namespace

Regions repeated_of_text(const SortedText& sorted) {
  if (sorted.size() == 0) return {};
  const std::uint32_t length = primitives::maximum(sorted.device(), sorted.lcp);
  if (length == 0) return {};
  return {length, positions_of_intervals(sorted, members(sorted, length), length)};
}

std::vector<SharedRegion> longest_repeated(std::span<const Device> devices, const SequenceSet& records,
                                           const RegionOptions& options) {
  const std::array<const SequenceSet*, 1> sets = {&records};
  const unsigned bits = bits_for(symbols_of(records.alphabet(), options.letters).size());
  const std::uint64_t size = size_of(sets);
  if (const Device* const device = device_for_whole(devices, size, bits, bytes_of_repeated, options))
    return repeated(Text::separated(*device, sets, options.letters), options);
  return repeated(devices, HostText::separated(sets, {.letters = options.letters}), options);
}
std::vector<SharedRegion> longest_repeated(const Device& device, const SequenceSet& records,
                                           const RegionOptions& options) {
  return longest_repeated(std::span(&device, 1), records, options);
}

std::vector<SharedRegion> longest_repeated(std::span<const Device> devices, ByteStrings records,
                                           const RegionOptions& options) {
  if (const Device* const device = device_for_whole(devices, size_of(records), 8, bytes_of_repeated, options))
    return repeated(Text::separated(*device, records), options);
  return repeated(devices, HostText::separated(records), options);
}
std::vector<SharedRegion> longest_repeated(const Device& device, ByteStrings records, const RegionOptions& options) {
  return longest_repeated(std::span(&device, 1), records, options);
}

}  // namespace genocl::overlap
