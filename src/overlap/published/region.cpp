// The last step of the published method: the length of the longest overlap region, from range minima of the LCP values.
#include <cstdint>

#include "genocl/primitives/reduce.hpp"
#include "genocl/primitives/scan.hpp"
#include "overlap/regions/regions.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {

std::uint32_t longest_crossing_published(const EnhancedSuffixArray& array, std::uint32_t border) {
  constexpr const char* file = "overlap/published/region.cl";
  const Device& device = array.device();
  const std::uint64_t size = array.size();
  const Rmq minima(device, array.lcp(), RmqStructure::bv1);
  runtime::ScratchArray<RangeQuery> ranges(device, size);
  {
    runtime::ScratchArray<std::uint32_t> first(device, size), second(device, size);
    runtime::launch_items(device, file, "mark_records", {}, {.items = size, .bytes = 12 * size}, array.positions(),
                          border, first, second, size);
    primitives::inclusive_max_scan(device, first, first);
    primitives::inclusive_max_scan(device, second, second);
    runtime::launch_items(device, file, "ranges_between", {}, {.items = size, .bytes = 20 * size}, array.positions(),
                          border, first, second, ranges, size);
  }
  runtime::ScratchArray<RangeMinimum> found(device, size);
  minima.minima(ranges, found);
  runtime::ScratchArray<std::uint32_t> lengths(device, size);
  runtime::launch_items(device, file, "lengths_of", {}, {.items = size, .bytes = 12 * size}, found, lengths, size);
  return primitives::maximum(device, lengths);
}

}  // namespace genocl::overlap
