// Indexes a text, stores the index in a file, and finds the number and the positions of patterns.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const Device device = Device::pick();
  const std::string_view word = "the cat sat on the mat";
  const std::vector<std::uint8_t> bytes(word.begin(), word.end());
  overlap::SuffixIndex(overlap::SuffixArray(device, bytes)).save("cookbook.sfx");

  const overlap::SuffixIndex index = overlap::SuffixIndex::open(device, "cookbook.sfx");
  const std::vector<std::string_view> patterns{"at", "the", "dog"};
  const std::vector<std::uint32_t> counts = index.count(patterns);
  overlap::Occurrences found = index.locate(patterns);
  std::sort(found.positions.begin(), found.positions.begin() + counts[0]);  // of "at"
  std::cout << counts[0] << " times \"at\":";
  for (std::uint32_t i = 0; i < counts[0]; ++i) std::cout << ' ' << found.positions[i];
  std::cout << "; " << counts[1] << " times \"the\", " << counts[2] << " times \"dog\"\n";
  return counts == std::vector<std::uint32_t>{3, 2, 0} && found.positions[0] == 5 && found.positions[2] == 20 ? 0 : 1;
}
