// Output formats of a scan: exact lines.
#include "genocl/pwm/formats.hpp"

#include <doctest/doctest.h>

#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "genocl/pwm/scan.hpp"
#include "random.hpp"

using namespace genocl;
using namespace genocl::pwm;

namespace {

std::string line_of(Format format, const HitRow& row) {
  std::string text = "before\n";
  HitFormatter(format).append(row, text);
  REQUIRE(text.starts_with("before\n"));
  return text.substr(7);
}

}  // namespace

TEST_CASE("pwm: lines of hits") {
  const HitRow row{.motif_id = "M1;a=b",
                   .motif_alt_id = "x%y",
                   .sequence = "chr1",
                   .begin = 99,
                   .reverse = true,
                   .score = 7.5,
                   .word = "ACGT",
                   .p = 0.000123456,
                   .q = 0.04};
  CHECK(line_of(Format::tsv, row) == "M1;a=b\tx%y\tchr1\t100\t103\t-\t7.500000000\t0.000123\t0.04\tACGT\n");
  CHECK(line_of(Format::bed, row) == "chr1\t99\t103\tM1;a=b\t39\t-\n");
  CHECK(line_of(Format::gff3, row) ==
        "chr1\tgenocl-pwm\tnucleotide_motif\t100\t103\t7.500000000\t-\t.\t"
        "Name=M1%3Ba%3Db;Alias=x%25y;pvalue=0.000123;qvalue=0.04;sequence=ACGT\n");
}

TEST_CASE("pwm formats: scores and P-values have the digits of std::to_chars") {
  GENOCL_SHOW_SEED();
  genocl_test::Random random(genocl_test::test_seed());
  const auto check_row = [](double score, double p) {
    std::array<char, 800> text{};
    char* at = std::to_chars(text.data(), text.data() + 400, score, std::chars_format::fixed, 9).ptr;
    *at++ = '\t';
    at = std::to_chars(at, text.data() + text.size(), p, std::chars_format::general, 3).ptr;
    const std::string numbers(text.data(), at);
    CAPTURE(score);
    CAPTURE(p);
    REQUIRE(line_of(Format::tsv, {.motif_id = "m", .score = score, .word = "A", .p = p}) ==
            "m\t\t*\t1\t1\t+\t" + numbers + "\t\tA\n");
  };
  for (int i = 0; i < 200'000; ++i) {
    // Of all sizes; some with few bits, whose decimals may end in a half.
    double score = std::ldexp(random.between(-1, 1), static_cast<int>(random.below(80)) - 40);
    if (i % 4 == 0)
      score = std::ldexp(static_cast<double>(random.below(1 << 20)), -10 - static_cast<int>(random.below(12)));
    check_row(score, std::pow(10, random.between(-23, 0)));
  }
  // Halves of the last digit, and their neighbours.
  for (int exponent = 3; exponent < 22; ++exponent)
    for (int digits = 100; digits < 1000; ++digits) {
      double p = (digits + 0.5) * std::pow(10, -exponent - 2);
      for (int k = 0; k < 3; ++k, p = std::nextafter(p, 1)) check_row(digits * 1e-9 + 0.5e-9, p);
    }
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double score : {0.0, -0.0, -1e-12, 0.999999999499, 0.9999999995, 0.99999999951, 999'999'999.9999999, 1e9,
                             4.3e9, -4.3e9, 1e300, infinity, -infinity})
    for (const double p : {0.0, 1.0, 1e-4, 9.99e-5, 9.995e-5, 9.9999e-6, 1e-5, 1e-20, 1e-21, 1e-300})
      check_row(score, p);
}

TEST_CASE("pwm: lines without a name, a second id and a q-value") {
  const HitRow row{.motif_id = "m", .begin = 0, .score = -0.25, .word = "A", .p = 0};
  CHECK(line_of(Format::tsv, row) == "m\t\t*\t1\t1\t+\t-0.250000000\t0\t\tA\n");
  CHECK(line_of(Format::bed, row) == "*\t0\t1\tm\t1000\t+\n");
  CHECK(line_of(Format::gff3, row) ==
        "*\tgenocl-pwm\tnucleotide_motif\t1\t1\t-0.250000000\t+\t.\tName=m;pvalue=0;sequence=A\n");
  CHECK(HitFormatter(Format::bed).header().empty());
  CHECK(HitFormatter(Format::gff3).header() == "##gff-version 3\n");
  CHECK(HitFormatter(Format::tsv).header().starts_with("motif_id\tmotif_alt_id\tsequence_name\tstart\t"));
}

TEST_CASE("pwm: lines of the hits of a batch") {
  SequenceSet batch(Alphabet::dna);
  batch.append_letters("a", "TTACGT");
  batch.append_letters("b", "AACCCT");
  const std::vector<Motif> motifs = {{.id = "M0", .counts = {{1, 0, 0, 0}}},
                                     {.id = "M1", .alt_id = "alt", .counts = std::vector<std::array<double, 4>>(3)}};
  MotifHit hit;
  hit.hit = {.matrix = 1, .record = 8, .position = 2, .score = 1, .reverse = true};
  hit.p.low = 0.001;
  hit.p.high = 0.002;
  std::string text;
  HitFormatter(Format::tsv).append(batch, motifs, hit, text, 7);
  CHECK(text == "M1\talt\tb\t3\t5\t-\t1.000000000\t0.002\t\tGGG\n");
}

TEST_CASE("pwm: words of hits on both strands") {
  const std::vector<Code> record = encode(Alphabet::dna, "NNACCTGN");
  std::string word = "longer than the word";
  hit_word(record, 2, 5, false, word);
  CHECK(word == "ACCTG");
  hit_word(record, 2, 5, true, word);
  CHECK(word == "CAGGT");
}

TEST_CASE("pwm: parts of a sequence own each hit once") {
  // A sequence of 100 letters in parts [0, 60 + overlap) and [60, 100); words of 8 letters.
  const SourceInterval first{.sequence = 0, .begin = 0, .own = {0, 60}}, second{.sequence = 0, .begin = 60};
  for (std::uint64_t position = 0; position + 8 <= 100; ++position) {
    unsigned owners = 0;
    if (position + 8 <= 67 && first.owns({.matrix = 0, .record = 0, .position = position}, 8)) ++owners;
    if (position >= 60 && second.owns({.matrix = 0, .record = 1, .position = position - 60}, 8)) ++owners;
    CHECK(owners == 1);
  }
  // Regions [10, 40) and [30, 50): hits that end in the first one belong to it.
  const SourceInterval later{.sequence = 1, .begin = 30, .own = {40, 50}};
  CHECK_FALSE(later.owns({.matrix = 0, .record = 0, .position = 2}, 8));
  CHECK(later.owns({.matrix = 0, .record = 0, .position = 3}, 8));
}
