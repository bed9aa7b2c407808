// Sorts by a caller's comparison: words by their number of set bits. The sort is stable.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  namespace primitives = genocl::primitives;
  const genocl::Device device = genocl::Device::pick();
  genocl::Array<std::uint32_t> words(device, std::vector<std::uint32_t>{7, 8, 0xff, 1, 6});
  genocl::Array<std::uint32_t> numbers(device, 5);
  primitives::iota(device, numbers);
  primitives::merge_sort(device, words, numbers, primitives::Comparison("popcount(a) < popcount(b)"));

  std::cout << "fewest bits: word " << numbers.download()[0] << "\n";
  const bool right = words.download() == std::vector<std::uint32_t>{8, 1, 6, 7, 0xff} &&
                     numbers.download() == std::vector<std::uint32_t>{1, 3, 4, 0, 2};
  return right ? 0 : 1;
}
