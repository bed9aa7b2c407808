// Makes the FM-index of DNA records, stores it in a file, and finds the records and the positions of patterns.
#include <cstdint>
#include <iostream>
#include <string_view>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const Device device = Device::pick();
  SequenceSet records;
  records.append_letters("one", "ACGTACGTTTGACCA");
  records.append_letters("two", "TTGACGTAC");
  const overlap::SuffixArray suffixes(overlap::Text::separated(device, records));
  overlap::FmIndex(suffixes, {"one", "two"}).save("cookbook.fmx");

  const overlap::FmIndex index = overlap::FmIndex::open(device, "cookbook.fmx");
  const std::vector<std::string_view> patterns{"TTGAC", "CGTAC", "GGG"};
  const overlap::Occurrences found = index.locate(patterns);
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    std::cout << patterns[p] << ':';
    for (std::uint64_t i = found.begins[p]; i < found.begins[p + 1]; ++i) {
      const std::uint64_t record = index.record_of(found.positions[i]);
      std::cout << ' ' << index.names()[record] << ' ' << found.positions[i] - index.begins()[record];
    }
    std::cout << '\n';
  }
  return found.positions == std::vector<std::uint32_t>{8, 16, 1, 20} ? 0 : 1;
}
