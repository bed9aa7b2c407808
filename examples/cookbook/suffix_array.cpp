// The suffix array of a text, and how far neighbours in it agree.
#include <cstdint>
#include <string_view>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const std::string_view word = "banana";
  const std::vector<std::uint8_t> bytes(word.begin(), word.end());
  const overlap::SuffixArray suffixes(Device::pick(), bytes);
  const overlap::Lcp lcp(suffixes);
  // a, ana, anana, banana, na, nana
  return suffixes.download() == std::vector<std::uint32_t>{5, 3, 1, 0, 4, 2} &&
                 lcp.download() == std::vector<std::uint32_t>{0, 1, 3, 0, 0, 2}
             ? 0
             : 1;
}
