// Suffix arrays of real genomes, of plain ones and of sets of nearly equal ones, against a linear check on the host.
// Runs in the deep set: it takes half a minute.
#include "genocl/overlap/suffix_array.hpp"

#include <array>
#include <string>

#include "overlap/cases.hpp"
#include "overlap_data/real_texts.hpp"
#include "reference/overlap/suffix_array.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

void check(const overlap::Text& text, const Expected& expected, overlap::Algorithm algorithm, const char* finished_by) {
  const overlap::SuffixArray suffixes(text, {.algorithm = algorithm});
  if (finished_by != nullptr) CHECK(suffixes.report().finished_by == finished_by);
  CHECK_FALSE(reference::first_error(expected.bytes, expected.separated, suffixes.download()).has_value());
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
