// Computes edit distances of pairs: of whole sequences, and of patterns anywhere in texts.
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  const Device device = Device::pick();
  SequenceSet patterns(Alphabet::dna), texts(Alphabet::dna);
  patterns.append_letters("a", "GATTACA");
  texts.append_letters("a", "GACTAA");
  patterns.append_letters("b", "GATTACA");
  texts.append_letters("b", "CCCCCGATTTACACCCCC");
  const std::vector<std::uint32_t> whole = pairwise::edit_distances(device, patterns, texts);
  const std::vector<std::uint32_t> within =
      pairwise::edit_distances(device, patterns, texts, {.free_subject_begin = true, .free_subject_end = true});
  std::cout << "whole: " << whole[0] << " and " << whole[1] << ", within: " << within[0] << " and " << within[1]
            << "\n";
  return whole == std::vector<std::uint32_t>{2, 11} && within == std::vector<std::uint32_t>{2, 1} ? 0 : 1;
}
