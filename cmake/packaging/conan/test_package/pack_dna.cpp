#include "genocl/sequence.hpp"
#include "genocl/version.hpp"

int main() {
  const auto codes = genocl::encode(genocl::Alphabet::dna, "GATTACA");
  return genocl::PackedDna{codes}.unpack() == codes ? 0 : 1;
}
