// Sorts keys and their values in device memory.
#include <cstdint>
#include <genocl/genocl.hpp>
#include <iostream>
#include <vector>

int main() {
  const genocl::Device device = genocl::Device::pick();
  const std::vector<std::uint32_t> key_list{30, 10, 20}, value_list{3, 1, 2};
  genocl::Array<std::uint32_t> keys(device, key_list), values(device, value_list);
  genocl::primitives::sort(device, keys, values);
  for (const std::uint32_t value : values.download()) std::cout << value << '\n';
}
