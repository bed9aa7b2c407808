// Aligns two sequences globally and prints the score, the identities and the CIGAR string.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  using namespace genocl;
  SequenceSet queries(Alphabet::dna), subjects(Alphabet::dna);
  queries.append_letters("q", "ACGTACGTACGT");
  subjects.append_letters("s", "ACGTACGACGT");
  const pairwise::PairOptions options{
      .matrix = pairwise::Matrix::dna(2, -3), .gap = {.open = 5, .extend = 2}, .mode = pairwise::PairMode::global};
  const auto alignments = pairwise::align_pairs(Device::pick(), queries, subjects, options);
  const pairwise::Alignment& one = alignments.front();
  std::cout << "score " << one.score << ", " << one.identities << " of " << one.columns() << " columns equal, "
            << one.cigar() << "\n";
  // 11 matches and a gap of one letter.
  return one.score == 11 * 2 - (5 + 2) && one.identities == 11 ? 0 : 1;
}
