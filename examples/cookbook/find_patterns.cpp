// An index of a text: how often patterns occur in it, and where. It can be kept in a file.
#include <algorithm>
#include <cstdint>
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
  overlap::Occurrences found = index.locate(patterns);
  std::sort(found.positions.begin(), found.positions.begin() + 3);  // of "at"
  return index.count(patterns) == std::vector<std::uint32_t>{3, 2, 0} && found.positions[0] == 5 &&
                 found.positions[2] == 20
             ? 0
             : 1;
}
