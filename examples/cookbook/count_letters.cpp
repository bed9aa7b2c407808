// Counts letters on the device with a histogram of the low bits of 32-bit keys.
#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  const genocl::Device device = genocl::Device::pick();
  std::vector<std::uint32_t> codes;
  for (const char letter : std::string_view("GATTACAGATTACA")) codes.push_back(genocl::dna::encode(letter));
  const genocl::Array<std::uint32_t> keys(device, codes);
  genocl::Array<std::uint32_t> counts(device, 4);  // A, C, G, T: bits 0 and 1
  genocl::primitives::histogram(device, keys, counts, {.first = 0, .count = 2});
  const std::vector<std::uint32_t> result = counts.download();
  std::cout << "A " << result[0] << ", C " << result[1] << ", G " << result[2] << ", T " << result[3] << "\n";
  return result == std::vector<std::uint32_t>{6, 2, 2, 4} ? 0 : 1;
}
