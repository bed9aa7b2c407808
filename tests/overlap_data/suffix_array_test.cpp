// Suffix arrays of real genomes, of plain ones and of sets of nearly equal ones, against a linear check on the host.
#include "genocl/overlap/suffix_array.hpp"

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "genocl/io/sequence_reader.hpp"
#include "overlap/cases.hpp"
#include "reference/overlap/suffix_array.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

/// Empty where the data is not.
SequenceSet dna_of(const std::string& name) {
  const char* const folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/dna/" + name;
  if (std::filesystem::exists(path)) return io::read_sequences(path);
  MESSAGE("left out: " << path << " is not there");
  return SequenceSet();
}

/// What the oracle compares: codes in the order of their letters, and breaks behind the records and at N.
struct Expected {
  Bytes bytes;
  std::vector<bool> broken;
};
Expected expected_of(const SequenceSet& set, bool separated) {
  Expected expected;
  for (std::size_t record = 0; record < set.size(); ++record) {
    for (const Code code : set[record]) {
      expected.bytes.push_back(static_cast<std::uint8_t>(dna::letters[code]));
      expected.broken.push_back(separated && code >= 4);
    }
    if (!separated) continue;
    expected.bytes.push_back(0);
    expected.broken.push_back(true);
  }
  return expected;
}

void check(const overlap::Text& text, const Expected& expected, overlap::Algorithm algorithm, const char* finished_by) {
  const overlap::SuffixArray suffixes(text, {.algorithm = algorithm});
  if (finished_by != nullptr) CHECK(suffixes.report().finished_by == finished_by);
  CHECK_FALSE(reference::first_error(expected.bytes, expected.broken, suffixes.download()).has_value());
}

void check_file(const std::string& name, const char* finished_by) {
  CAPTURE(name);
  const SequenceSet set = dna_of(name);
  if (set.size() == 0) return;
  const std::array<const SequenceSet*, 1> sets = {&set};
  for (const bool separated : {false, true}) {
    CAPTURE(separated);
    const Expected expected = expected_of(set, separated);
    for (const Variant& variant : variants()) {
      CAPTURE(variant.name);
      const overlap::Text text =
          separated ? overlap::Text::separated(variant.device, sets) : overlap::Text::concatenated(variant.device, set);
      check(text, expected, overlap::Algorithm::hybrid, finished_by);
      if (set.residues() < 2'000'000) check(text, expected, overlap::Algorithm::published, nullptr);
    }
  }
}

}  // namespace

TEST_CASE("suffix arrays of mitochondria") { check_file("MT-human.fa", nullptr); }
TEST_CASE("suffix arrays of human letters") {
  check_file("human_chr20_1Mb_z.fa.gz", nullptr);
  check_file("human_chr1_5k-55k.fa.gz", nullptr);
}
TEST_CASE("suffix arrays of E. coli") { check_file("ecoli_k12.fa.gz", "keys"); }
TEST_CASE("suffix arrays of haplotypes") { check_file("human_LPA_14haps.fa.gz", "phrases"); }
TEST_CASE("suffix arrays of virus genomes") { check_file("mers_all.fa.gz", "phrases"); }
