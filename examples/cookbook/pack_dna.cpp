// Packs DNA to 2 bits a base, 32 bases a word. Other letters are kept as runs.
#include <iostream>

#include "genocl/genocl.hpp"

int main() {
  const auto codes = genocl::encode(genocl::Alphabet::dna, "ACGTNNNNACGTACGTACGTACGTACGTACGTACGTACGTACGT");
  const genocl::PackedDna packed{codes};
  std::cout << packed.size() << " bases in " << packed.words().size() << " words, " << packed.runs().size()
            << " run of other letters\n";
  const genocl::PackedDna reverse = packed.reverse_complement();
  const bool right = packed.unpack() == codes && packed.is_ambiguous(0, 5) && !packed.is_ambiguous(8, 32) &&
                     genocl::dna::decode(reverse[0]) == 'A' && reverse.reverse_complement() == packed &&
                     packed.window(8) == packed.window(12);  // 32 bases from any position
  return right ? 0 : 1;
}
