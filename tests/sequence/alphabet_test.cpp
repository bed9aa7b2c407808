#include <doctest/doctest.h>

#include <bit>
#include <set>

#include "genocl/error.hpp"
#include "genocl/sequence.hpp"
#include "reference/sequence.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::Code;
using genocl::InputError;
namespace dna = genocl::dna;
namespace protein = genocl::protein;

// What callers and kernels rely on as fixed numbers.
static_assert(dna::encode('A') == 0 && dna::encode('C') == 1 && dna::encode('G') == 2 && dna::encode('T') == 3);
static_assert(dna::encode('u') == 3 && dna::encode('n') == dna::unknown && dna::decode(dna::unknown) == 'N');
static_assert(protein::encode('A') == 0 && protein::encode('V') == 19 && protein::decode(protein::unknown) == 'X');
static_assert(genocl::alphabet_size(Alphabet::dna) == 15 && genocl::alphabet_size(Alphabet::protein) == 27);
static_assert(genocl::alphabet_size(Alphabet::bytes) == 256);

TEST_CASE("every byte as a DNA letter") {
  std::set<Code> codes;
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const char letter = static_cast<char>(byte);
    const std::string bases = genocl_reference::iupac_bases(letter);
    const Code code = dna::encode(letter);
    if (bases.empty()) {
      CHECK(code == genocl::invalid_code);
      continue;
    }
    codes.insert(code);
    REQUIRE(code < dna::letters.size());
    CHECK(genocl_reference::iupac_bases(dna::decode(code)) == bases);
    CHECK(dna::is_base(code) == (bases.size() == 1));
    CHECK(std::popcount(static_cast<unsigned>(dna::bases_table[code])) == static_cast<int>(bases.size()));
    for (const char base : bases) CHECK((dna::bases_table[code] >> dna::encode(base) & 1) == 1);
    CHECK(dna::decode(dna::complement(code)) == genocl_reference::iupac_complement(letter));
    CHECK(dna::complement(dna::complement(code)) == code);
  }
  CHECK(codes.size() == dna::letters.size());
}

TEST_CASE("every byte as an amino acid") {
  std::set<Code> codes;
  for (int byte = 0; byte < 256; ++byte) {
    CAPTURE(byte);
    const char letter = static_cast<char>(byte);
    const Code code = protein::encode(letter);
    if (!genocl_reference::is_amino_acid(letter)) {
      CHECK(code == genocl::invalid_code);
      continue;
    }
    codes.insert(code);
    CHECK(protein::decode(code) == std::toupper(byte));
  }
  CHECK(codes.size() == protein::letters.size());
}

TEST_CASE("codes that are none decode to a question mark") {
  CHECK(dna::decode(15) == '?');
  CHECK(dna::decode(genocl::invalid_code) == '?');
  CHECK(protein::decode(27) == '?');
  CHECK(dna::complement(15) == genocl::invalid_code);
  CHECK(dna::complement(200) == genocl::invalid_code);
}

TEST_CASE("encode and decode any length") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (std::size_t length = 0; length < 200; ++length) {
    CAPTURE(length);
    const std::string bases = random.text(length, "ACGTacgt");
    const std::string nucleotides = random.dna(length);
    const std::string acids = random.text(length, protein::letters);
    std::string upper = bases;
    for (char& c : upper) c = static_cast<char>(std::toupper(c));
    CHECK(genocl::decode(Alphabet::dna, genocl::encode(Alphabet::dna, bases)) == upper);
    CHECK(genocl::decode(Alphabet::dna, genocl::encode(Alphabet::dna, nucleotides)) == nucleotides);
    CHECK(genocl::decode(Alphabet::protein, genocl::encode(Alphabet::protein, acids)) == acids);
    for (std::size_t i = 0; i < length; ++i) {
      const std::vector<Code> codes = genocl::encode(Alphabet::dna, nucleotides);
      REQUIRE(codes[i] == dna::encode(nucleotides[i]));
    }
  }
}

TEST_CASE("bytes stay what they are") {
  std::string all(256, ' ');
  for (int byte = 0; byte < 256; ++byte) all[static_cast<std::size_t>(byte)] = static_cast<char>(byte);
  const std::vector<Code> codes = genocl::encode(Alphabet::bytes, all);
  for (std::size_t byte = 0; byte < 256; ++byte) CHECK(codes[byte] == byte);
  CHECK(genocl::decode(Alphabet::bytes, codes) == all);
}

TEST_CASE("the first letter outside the alphabet is found wherever it is") {
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein}) {
    for (std::size_t length = 1; length < 140; ++length) {
      for (const std::size_t at : {std::size_t{0}, length / 2, length - 1}) {
        CAPTURE(length);
        CAPTURE(at);
        std::string letters(length, 'A');
        letters[at] = '?';
        letters.back() = '?';
        std::vector<Code> codes(length);
        CHECK(genocl::encode(alphabet, letters, codes) == at);
        CHECK(codes[at] == genocl::invalid_code);
        CHECK(codes.back() == genocl::invalid_code);
        if (at > 0) CHECK(codes[0] == 0);
      }
    }
  }
}

TEST_CASE("encode says which letter is wrong") {
  CHECK_THROWS_WITH_AS(genocl::encode(Alphabet::dna, "ACGJ"),
                       "letter 4: 'J' is not a DNA letter; expected A, C, G, T, U, N or another IUPAC nucleotide code",
                       InputError);
  CHECK_THROWS_WITH_AS(genocl::encode(Alphabet::protein, std::string_view("MK\0V", 4)),
                       "letter 3: byte 0x00 is not a protein letter; expected an amino acid (A to Z or *)", InputError);
  std::vector<Code> small(2);
  CHECK_THROWS_AS(genocl::encode(Alphabet::dna, "ACG", small), InputError);
}

TEST_CASE("reverse complement") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (std::size_t length = 0; length < 80; ++length) {
    const std::string letters = random.text(length, dna::letters);
    const std::vector<Code> codes = genocl::encode(Alphabet::dna, letters);
    std::vector<Code> apart(length);
    dna::reverse_complement(codes, apart);
    CHECK(genocl::decode(Alphabet::dna, apart) == genocl_reference::reverse_complement(letters));
    std::vector<Code> in_place = codes;
    dna::reverse_complement(in_place, in_place);
    CHECK(in_place == apart);
  }
  std::vector<Code> two(2), three(3);
  CHECK_THROWS_AS(dna::reverse_complement(two, three), InputError);
}
