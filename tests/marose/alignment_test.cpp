#include "genocl/marose/alignment.hpp"

#include <doctest/doctest.h>

#include "genocl/error.hpp"
#include "marose/edit_script.hpp"
#include "reference/marose/marose_alignment.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Code;
using namespace genocl::marose;

namespace {

std::vector<Code> codes(std::string_view letters) { return genocl::encode(genocl::Alphabet::dna, letters); }

std::string columns_of(const Alignment& alignment) {
  std::string columns;
  for (const auto& [operation, length] : alignment.runs)
    columns.append(length, std::string_view("=XID")[static_cast<std::size_t>(operation)]);
  return columns;
}

struct Aligned {
  std::string cigar, merged, tag;
  unsigned errors = 0;
};

Aligned aligned(std::string_view read, std::string_view text, unsigned errors) {
  Alignment alignment;
  edit_script(codes(read), codes(text), errors, alignment);
  std::string tag;
  append_mismatch_tag(alignment, codes(text), tag);
  return {alignment.cigar(false), alignment.cigar(true), tag, alignment.errors};
}

/// A copy with `changes` random edits.
std::string changed(genocl_test::RandomSequences& random, std::string text, unsigned changes, bool gaps) {
  for (unsigned i = 0; i < changes && !text.empty(); ++i) {
    const std::size_t at = random.below(text.size());
    switch (gaps ? random.below(4) : 0) {
      case 2:
        text.erase(at, 1);
        break;
      case 3:
        text.insert(at, random.text(1, "ACGT"));
        break;
      default:
        text[at] = random.text(1, "ACGTN")[0];
    }
  }
  return text;
}

}  // namespace

TEST_CASE("alignments written by hand") {
  CHECK(aligned("ACGT", "ACGT", 0).cigar == "4=");
  CHECK(aligned("ACGT", "ACGT", 0).tag == "4");
  CHECK(aligned("ACGT", "ACCT", 1).cigar == "2=1X1=");
  CHECK(aligned("ACGT", "ACCT", 1).merged == "4M");
  CHECK(aligned("ACGT", "ACCT", 1).tag == "2C1");
  CHECK(aligned("ANGT", "ANGT", 1).cigar == "1=1X2=");
  CHECK(aligned("ANGT", "ANGT", 1).tag == "1N2");
  CHECK(aligned("CCGT", "ACGA", 2).tag == "0A2A0");
  // Gaps as far left as they can be.
  CHECK(aligned("ACCCGT", "ACCGT", 1).cigar == "1=1I4=");
  CHECK(aligned("ACCCGT", "ACCGT", 1).tag == "5");
  CHECK(aligned("ACCGT", "ACCCGT", 1).cigar == "1=1D4=");
  CHECK(aligned("ACCGT", "ACCCGT", 1).tag == "1^C4");
  CHECK(aligned("GATTACA", "GATACA", 1).merged == "2M1I4M");
  // A mismatch right behind a deletion has a 0 before it.
  CHECK(aligned("AACCGGTTTTTT", "AACCAAAATTTTTT", 4).errors == 4);
  CHECK(aligned("AAAACTTTT", "AAAAGGATTTT", 3).tag == "4^GG0A4");
  CHECK(aligned("ACACACAC", "CACACACA", 8).cigar == "8X");
  // No gap where as many mismatches do.
  CHECK(aligned("ACACACAC", "CACACACA", 2).cigar == "1I7=1D");
  CHECK(aligned("AC", "CA", 2).cigar == "2X");
}

TEST_CASE("alignments are those of the whole table") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 3000; ++round) {
    const unsigned changes = static_cast<unsigned>(random.below(round % 50 == 0 ? 60 : 9));
    const std::size_t length = round % 200 == 0 ? 1000 : 1 + random.below(150);
    // Few letters and repeats make many ways of as few errors.
    const std::string text = random.text(length, round % 3 == 0 ? "AC" : round % 3 == 1 ? "ACGT" : "ACGTACGTNR");
    const std::string read = changed(random, text, changes, round % 5 != 0);
    CAPTURE(text);
    CAPTURE(read);
    const auto read_codes = codes(read), text_codes = codes(text);
    const unsigned distance = genocl_reference::edit_table(read_codes, text_codes, false).back().back();
    for (const unsigned bound : {distance, distance + 1, distance + 40}) {
      Alignment alignment;
      edit_script(read_codes, text_codes, bound, alignment);
      if (bound == distance) CHECK(columns_of(alignment) == genocl_reference::edit_columns(read_codes, text_codes));
      std::string tag;
      append_mismatch_tag(alignment, text_codes, tag);
      CHECK(tag == genocl_reference::mismatch_tag(columns_of(alignment), text_codes));
      CHECK(alignment.errors <= bound);
    }
    if (distance > 0) {
      Alignment alignment;
      CHECK_THROWS_AS(edit_script(read_codes, text_codes, distance - 1, alignment), genocl::InputError);
    }
  }
}
