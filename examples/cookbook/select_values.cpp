// Keeps the values whose flag is set. An exclusive scan of the flags gives their positions in the result.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  const genocl::Device device = genocl::Device::pick();
  const std::vector<std::uint32_t> numbers{7, 8, 9, 10, 11}, marks{1, 0, 1, 1, 0};
  const genocl::Array<std::uint32_t> values(device, numbers), flags(device, marks);
  genocl::Array<std::uint32_t> kept(device, numbers.size()), positions(device, numbers.size());

  const std::uint64_t count = genocl::primitives::select(device, values, flags, kept);
  genocl::primitives::exclusive_scan(device, flags, positions);

  std::vector<std::uint32_t> first(count);
  kept.download(first);
  const bool right = first == std::vector<std::uint32_t>{7, 9, 10} &&
                     positions.download() == std::vector<std::uint32_t>{0, 1, 1, 2, 3} &&
                     genocl::primitives::sum(device, flags) == count;
  std::cout << count << " values kept:";
  for (const std::uint32_t value : first) std::cout << ' ' << value;
  std::cout << "\n";
  return right ? 0 : 1;
}
