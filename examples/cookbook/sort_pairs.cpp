// Sorts keys with their values by some bits of the keys. The sort is stable.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  const genocl::Device device = genocl::Device::pick();
  const std::vector<std::uint32_t> numbers{0x0503, 0x0301, 0x0902, 0x0300}, positions{0, 1, 2, 3};
  genocl::Array<std::uint32_t> keys(device, numbers), values(device, positions);
  // The low byte is not compared: 0x0301 stays before 0x0300.
  genocl::primitives::sort(device, keys, values, {.first_bit = 8, .last_bit = 16});
  const std::vector<std::uint32_t> order = values.download();
  std::cout << "order of the keys:";
  for (const std::uint32_t index : order) std::cout << ' ' << index;
  std::cout << "\n";
  return order == std::vector<std::uint32_t>{1, 3, 0, 2} ? 0 : 1;
}
