// Moves elements by their numbers: gather and scatter, numbers of flagged elements, and a partition.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  using Words = std::vector<std::uint32_t>;
  const genocl::Device device = genocl::Device::pick();
  const genocl::Array<std::uint32_t> values(device, Words{10, 11, 12, 13, 14, 15});

  // The numbers of the flagged elements, and these elements.
  const genocl::Array<std::uint8_t> flags(device, std::vector<std::uint8_t>{0, 1, 0, 1, 1, 0});
  genocl::Array<std::uint32_t> indices(device, 3), picked(device, 3);
  primitives::select_indices(device, flags, indices);
  primitives::gather(device, values, indices, picked);

  // Back to their places in another array.
  genocl::Array<std::uint32_t> places(device, Words(6, 0));
  primitives::scatter(device, picked, indices, places);

  // Elements for which an expression is not 0, and the others.
  genocl::Array<std::uint32_t> even(device, 6), odd(device, 6);
  const std::uint64_t count = primitives::partition_copy(device, "x % 2 == 0", values, even, odd);

  for (const std::uint32_t value : picked.download()) std::cout << value << " ";
  std::cout << "are flagged, " << count << " of " << values.size() << " are even\n";
  return picked.download() == Words{11, 13, 14} && places.download() == Words{0, 11, 0, 13, 14, 0} && count == 3 &&
                 odd.download()[0] == 11
             ? 0
             : 1;
}
