// Finds the longest regions that two sets of sequences have in common, with all their positions.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  SequenceSet a(Alphabet::dna), b(Alphabet::dna);
  a.append_letters("a1", "CCCCACGTTGCATGACCCC");
  b.append_letters("b1", "TTTTTTTTT");
  b.append_letters("b2", "GGACGTTGCATGAGG");
  const auto regions = overlap::longest_common(Device::pick(), a, b);
  for (const overlap::CommonRegion& region : regions)
    std::cout << region.length << " letters: " << a.letters(0).substr(region.in_first.front().position, region.length)
              << "\n";
  return regions.size() == 1 && regions[0].length == 11 && regions[0].in_second.front().record == 1 ? 0 : 1;
}
