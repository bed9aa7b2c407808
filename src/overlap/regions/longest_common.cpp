// The longest texts of two sets: the greatest LCP of two neighbours in the suffix array that are not of one set.
#include <array>

#include "genocl/overlap/regions.hpp"
#include "genocl/primitives/reduce.hpp"
#include "overlap/regions/regions_members.hpp"
#include "overlap/regions/regions_pieces.hpp"
#include "overlap/regions/regions_steps.hpp"
#include "overlap/text/coded_text.hpp"
#include "overlap/text/host_text_state.hpp"
#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

std::vector<CommonRegion> common(const Text& text, std::uint64_t first_records, std::uint64_t second_records,
                                 const RegionOptions& options) {
  const Stages stages(options.progress, text.size());
  const Text::State& state = text.state();
  const std::uint64_t border = state.begins[first_records];
  if (border == 0 || border == text.size()) {
    stages.reach(1);
    return {};
  }
  const Sorting sorting(text, "longest common regions", bytes_of_common, stages);
  const Regions regions = common_of_text(sorting.sorted(), static_cast<std::uint32_t>(border));
  std::vector<CommonRegion> result = common_regions(regions, state.begins, first_records, second_records);
  stages.reach(1);
  return result;
}

std::vector<CommonRegion> common(std::span<const Device> devices, const HostText& text, std::uint64_t first_records,
                                 std::uint64_t second_records, const RegionOptions& options) {
  const HostText::State& state = text.state();
  const std::uint64_t border = state.begins[first_records];
  if (border == 0 || border == text.size()) return {};
  return common_regions(common_in_pieces(devices, text, border, options), state.begins, first_records, second_records);
}

}  // namespace

Regions common_of_text(const SortedText& sorted, std::uint32_t border) {
  const Device& device = sorted.device();
  const std::uint64_t size = sorted.size();
  if (size == 0) return {};
  std::uint32_t length = 0;
  {
    runtime::ScratchArray<std::uint32_t> values(device, size);
    runtime::launch_items(device, "overlap/regions/regions.cl", "crossings", {}, {.items = size, .bytes = 12 * size},
                          sorted.positions, border, sorted.lcp, values, size);
    length = primitives::maximum(device, values);
  }
  if (length == 0) return {};
  const Members both = members_of_both(sorted, members(sorted, length), border, length);
  return {length, positions_of_intervals(sorted, both, length)};
}

std::vector<CommonRegion> longest_common(std::span<const Device> devices, const SequenceSet& a, const SequenceSet& b,
                                         bool reverse_complement, const RegionOptions& options) {
  const SequenceSet reversed = reverse_complement ? b.reverse_complement() : SequenceSet(b.alphabet());
  const std::array<const SequenceSet*, 3> sets = {&a, &b, &reversed};
  const unsigned bits = bits_for(symbols_of(a.alphabet(), options.letters).size());
  const std::uint64_t size = size_of(sets);
  if (const Device* const device = device_for_whole(devices, size, bits, bytes_of_common, options))
    return common(Text::separated(*device, sets, options.letters), a.size(), b.size(), options);
  return common(devices, HostText::separated(sets, {.letters = options.letters}), a.size(), b.size(), options);
}
std::vector<CommonRegion> longest_common(const Device& device, const SequenceSet& a, const SequenceSet& b,
                                         bool reverse_complement, const RegionOptions& options) {
  return longest_common(std::span(&device, 1), a, b, reverse_complement, options);
}

std::vector<CommonRegion> longest_common(std::span<const Device> devices, ByteStrings a, ByteStrings b,
                                         const RegionOptions& options) {
  std::vector<std::span<const std::uint8_t>> all(a.begin(), a.end());
  all.insert(all.end(), b.begin(), b.end());
  if (const Device* const device = device_for_whole(devices, size_of(ByteStrings(all)), 8, bytes_of_common, options))
    return common(Text::separated(*device, all), a.size(), b.size(), options);
  return common(devices, HostText::separated(all), a.size(), b.size(), options);
}
std::vector<CommonRegion> longest_common(const Device& device, ByteStrings a, ByteStrings b,
                                         const RegionOptions& options) {
  return longest_common(std::span(&device, 1), a, b, options);
}

}  // namespace genocl::overlap
