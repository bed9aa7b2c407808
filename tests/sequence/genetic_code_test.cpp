#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/sequence/genetic_code.hpp"
#include "random.hpp"

using namespace genocl;

namespace {

std::string translated(std::string_view dna, Frame frame, int id = 1) {
  return decode(Alphabet::protein, translate(encode(Alphabet::dna, dna), frame, GeneticCode(id)));
}

std::vector<Code> random_bases(genocl_test::Random& random, std::size_t length) {
  std::vector<Code> bases(length);
  for (Code& base : bases) base = static_cast<Code>(random() % 4);
  return bases;
}

/// All codons in the order of NCBI's tables.
std::string all_codons() {
  std::string codons;
  for (const char a : {'T', 'C', 'A', 'G'})
    for (const char b : {'T', 'C', 'A', 'G'})
      for (const char c : {'T', 'C', 'A', 'G'}) codons.append({a, b, c});
  return codons;
}

}  // namespace

TEST_CASE("genetic codes: the tables of NCBI's gc.prt") {
  // What blastx 2.12.0 -query_gencode prints for all codons; 32, which it lacks, as on NCBI's page.
  struct {
    int id;
    const char* differences;  ///< from the standard code: codon and amino acid
  } const known[] = {
      {1, ""},
      {2, "AGA* AGG* ATAM TGAW"},
      {3, "ATAM CTTT CTCT CTAT CTGT TGAW"},
      {4, "TGAW"},
      {5, "AGAS AGGS ATAM TGAW"},
      {6, "TAAQ TAGQ"},
      {9, "AAAN AGAS AGGS TGAW"},
      {10, "TGAC"},
      {11, ""},
      {12, "CTGS"},
      {13, "AGAG AGGG ATAM TGAW"},
      {14, "AAAN AGAS AGGS TAAY TGAW"},
      {15, "TAGQ"},
      {16, "TAGL"},
      {21, "TGAW ATAM AGAS AGGS AAAN"},
      {22, "TCA* TAGL"},
      {23, "TTA*"},
      {24, "AGAS AGGK TGAW"},
      {25, "TGAG"},
      {26, "CTGA"},
      {27, "TAAQ TAGQ TGAW"},
      {28, "TAAQ TAGQ TGAW"},
      {29, "TAAY TAGY"},
      {30, "TAAE TAGE"},
      {31, "TAAE TAGE TGAW"},
      {32, "TAGW"},
      {33, "TAAY TGAW AGAS AGGK"},
  };
  const std::string codons = all_codons();
  const std::string standard = "FFLLSSSSYY**CC*WLLLLPPPPHHQQRRRRIIIMTTTTNNKKSSRRVVVVAAAADDEEGGGG";
  std::vector<int> ids;
  for (const auto& one : known) {
    CAPTURE(one.id);
    ids.push_back(one.id);
    std::string expected = standard;
    const std::string differences = one.differences;
    for (std::size_t i = 0; i < differences.size(); i += 5)
      for (std::size_t codon = 0; codon < 64; ++codon)
        if (codons.substr(3 * codon, 3) == differences.substr(i, 3)) expected[codon] = differences[i + 3];
    CHECK(translated(codons, 1, one.id) == expected);
    CHECK(GeneticCode(one.id).id() == one.id);
    CHECK(!GeneticCode(one.id).name().empty());
  }
  CHECK(GeneticCode::ids() == ids);
  CHECK(GeneticCode(2).name() == "Vertebrate Mitochondrial");
  for (const int wrong : {-1, 0, 7, 8, 17, 20, 34, 1000})
    CHECK_THROWS_WITH_AS(GeneticCode{wrong}, doctest::Contains("expected 1, 2, 3"), InputError);
}

TEST_CASE("translation: codons with several bases") {
  // As blastx 2.12.0 scores them: X unless all bases agree, also where a letter for two amino acids exists.
  CHECK(translated("GGNCTNYTGYTAMGRTGATRRTAR", 1) == "GLLLR*X*");
  CHECK(translated("RATSARMTTNNNANNGCN", 1) == "XXXXXA");
  CHECK(translated("TGATRA", 1, 2) == "WX");
  CHECK(translated("NCCCATRATC", -1) == "DXG");
}

TEST_CASE("translation: frames, ranges and positions") {
  genocl_test::Random random(genocl_test::test_seed());
  const GeneticCode code(11);
  for (std::size_t length = 0; length < 40; ++length) {
    const std::vector<Code> dna = random_bases(random, length);
    std::vector<Code> reversed(length);
    dna::reverse_complement(dna, reversed);
    for (const Frame frame : frames_of(Strands::both)) {
      CAPTURE(length);
      CAPTURE(int{frame});
      const std::size_t first = static_cast<std::size_t>(std::abs(frame)) - 1;
      const std::vector<Code>& strand = frame > 0 ? dna : reversed;
      std::vector<Code> expected;
      for (std::size_t i = first; i + 3 <= length; i += 3)
        expected.push_back(code(strand[i], strand[i + 1], strand[i + 2]));
      const std::vector<Code> whole = translate(dna, frame, code);
      CHECK(whole == expected);
      CHECK(translated_length(length, frame) == expected.size());
      if (expected.empty()) continue;
      const std::size_t begin = random() % expected.size(), end = begin + random() % (expected.size() - begin) + 1;
      std::vector<Code> part(end - begin);
      translate(dna, frame, code, begin, part);
      CHECK(std::equal(part.begin(), part.end(), expected.begin() + static_cast<std::ptrdiff_t>(begin)));
      // The nucleotides of the part alone translate to it.
      const Interval range = nucleotides_of(frame, begin, end, length);
      CHECK(range.end - range.begin == 3 * part.size());
      const auto letters = std::span(dna).subspan(range.begin, range.end - range.begin);
      CHECK(translate(letters, frame > 0 ? Frame{1} : Frame{-1}, code) == part);
      std::vector<Code> beyond(expected.size() - begin + 1);
      CHECK_THROWS_AS(translate(dna, frame, code, begin, beyond), InputError);
    }
  }
  CHECK(frames_of(Strands::forward).size() == 3);
  CHECK(frames_of(Strands::reverse).front() == -1);
  for (const Frame wrong : {Frame{0}, Frame{4}, Frame{-4}}) {
    CHECK_THROWS_AS(translate(std::vector<Code>(9), wrong, code), InputError);
    CHECK_THROWS_AS(translate(std::vector<Code>{}, wrong, code), InputError);
  }
}
