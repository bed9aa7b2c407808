// Computes the suffix array and the LCP array of a text.
#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const std::string_view word = "banana";
  const std::vector<std::uint8_t> bytes(word.begin(), word.end());
  const overlap::SuffixArray suffixes(Device::pick(), bytes);
  const overlap::Lcp lcp(suffixes);
  const std::vector<std::uint32_t> positions = suffixes.download(), lengths = lcp.download();
  for (std::size_t i = 0; i < positions.size(); ++i)
    std::cout << (i == 0 ? "" : ", ") << word.substr(positions[i]) << ' ' << positions[i] << ' ' << lengths[i];
  std::cout << "\n";  // suffix, position, common prefix with the previous one
  return positions == std::vector<std::uint32_t>{5, 3, 1, 0, 4, 2} &&
                 lengths == std::vector<std::uint32_t>{0, 1, 3, 0, 0, 2}
             ? 0
             : 1;
}
