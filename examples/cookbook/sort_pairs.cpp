// Sorts keys on the default device, and values with them: stable, by the given bits alone.
#include <cstdint>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  const genocl::Device device = genocl::Device::pick();
  const std::vector<std::uint32_t> numbers{0x0503, 0x0301, 0x0902, 0x0300}, places{0, 1, 2, 3};
  genocl::Array<std::uint32_t> keys(device, numbers), values(device, places);
  // The low byte does not count: 0x0301 stays before 0x0300.
  genocl::primitives::sort(device, keys, values, {.first_bit = 8, .last_bit = 16});
  return values.download() == std::vector<std::uint32_t>{1, 3, 0, 2} ? 0 : 1;
}
