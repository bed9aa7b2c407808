#include "overlap/suffix/check.hpp"
#include "runtime/launch.hpp"
#include "runtime/memory/scratch.hpp"

namespace genocl::overlap {

Array<std::uint32_t> inverse_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size) {
  runtime::check_capacity(device, "an inverse suffix array", size * 4, size * 4);
  Array<std::uint32_t> ranks(device, size);
  if (size != 0)
    runtime::launch_items(device, "overlap/suffix/inverse.cl", "inverse", {}, {.items = size, .bytes = size * 8},
                          positions, ranks, size);
  return ranks;
}

Array<std::uint32_t> inverse(const SuffixArray& suffixes) {
  return inverse_of(suffixes.device(), suffixes.positions(), suffixes.size());
}

}  // namespace genocl::overlap
