// Merges sorted keys, and computes union, intersection and difference of sorted ranges.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  const genocl::Device device = genocl::Device::pick();
  const genocl::Array<std::uint32_t> first(device, std::vector<std::uint32_t>{2, 4, 4, 9});
  const genocl::Array<std::uint32_t> second(device, std::vector<std::uint32_t>{1, 4, 7});
  genocl::Array<std::uint32_t> merged(device, 7);
  primitives::merge(device, first, second, merged);

  genocl::Array<std::uint32_t> results(device, 7);
  const std::uint64_t either = primitives::set_union(device, first, second, results);
  const std::uint64_t both = primitives::set_intersection(device, first, second, results);
  const std::uint64_t only_first = primitives::set_difference(device, first, second, results);
  const std::vector<std::uint32_t> difference = results.download();

  std::cout << either << " in either, " << both << " in both, " << only_first << " in the first only\n";
  const bool right = merged.download() == std::vector<std::uint32_t>{1, 2, 4, 4, 4, 7, 9} && either == 6 && both == 1 &&
                     only_first == 3 && difference[0] == 2 && difference[1] == 4 && difference[2] == 9;
  return right ? 0 : 1;
}
