// Sums the distinct keys without waiting for their number, which stays on the device.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  const genocl::Device device = genocl::Device::pick();
  const genocl::Array<std::uint32_t> keys(device, std::vector<std::uint32_t>{3, 3, 4, 4, 4, 9});
  genocl::Array<std::uint32_t> distinct(device, keys.size()), total(device, 1);
  genocl::Array<std::uint64_t> count(device, 1);
  primitives::unique(device, keys, distinct, count);
  primitives::reduce(device, distinct, primitives::Operator::sum(), total, primitives::DeviceLength(count));

  const std::uint32_t sum = total.download()[0];
  std::cout << "sum of distinct keys: " << sum << "\n";
  return sum == 16 ? 0 : 1;
}
