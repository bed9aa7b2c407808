// Profiles made of alignments: the numbers that psiblast 2.12.0+ has printed.
#include "genocl/align/profile_making.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "genocl/error.hpp"

namespace {

using namespace genocl;
using namespace genocl::align;

/// Gaps inside, at both ends and in the query; X in the query and in others.
const std::vector<AlignedSequence> alignment = {
    {"query", "MEVKPKLYYFQGXGRMESIRWLLA"}, {"s0", "-----SWY---GRGVGRHLNPYLG"}, {"s1", "IEIKPCLYYFQGRGQMQSIRWLLA"},
    {"s2", "--VKPKLIYFQGRGGMESITWLLA"},    {"s3", "MEVKPKLYYFQGRGRMESIRWLLA"}, {"s4", "CEQKMKQ---MGEWRADVITWNMM"},
    {"s5", "------LYYFQGRGRMESKRWLL-"},    {"s6", "M---VKIYYFQGRGRMESIRWLKA"}, {"s7", "--VKPVLQYFVNRGRSESDGWLLA"},
    {"s8", "METKPKLYYFWGRGRMPSIRWLGA"}};

/// psiblast -in_msa ALIGNMENT -num_iterations 1 -comp_based_stats 0 -out_ascii_pssm
constexpr std::string_view expected =
    R"(            A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V   A   R   N   D   C   Q   E   G   H   I   L   K   M   F   P   S   T   W   Y   V
    1 M    -1  -2  -3  -3   6  -2  -3  -3  -2   2   1  -2   4  -1  -3  -2  -1  -2  -2   1    0   0   0   0  33   0   0   0   0  18   0   0  49   0   0   0   0   0   0   0  0.40 0.02
    2 E    -1   0   0   1  -3   2   5  -2   0  -3  -2   1  -2  -3  -1   0  -1  -2  -2  -2    1   1   1   1   0   1  82   1   0   1   2   1   0   1   1   1   1   0   1   1  0.55 0.01
    3 V     0  -1  -1  -1  -1   3   0  -2  -1   2   0   0   0  -1  -2  -1   1  -2  -1   2    1   1   1   1   0  29   1   1   0  12   1   1   0   1   1   1  12   0   0  37  0.14 0.01
    4 K    -1   2   0  -1  -3   1   1  -1  -1  -2  -2   5  -1  -3  -1   0  -1  -3  -2  -2    1   1   1   1   0   1   1   1   0   1   1  87   0   1   1   1   1   0   0   1  0.46 0.03
    5 P    -1  -2  -2  -2  -2  -1  -2  -3  -2   0   0  -1   3  -2   6  -1  -1  -3  -2   0    0   0   0   0   0   0   0   0   0   0   0   0  28   0  58   0   0   0   0  13  0.96 0.03
    6 K     0   1  -1  -1   3   0   0  -2  -1  -1  -2   4  -1  -3  -1   1   0  -3  -2   0    0   0   0   0   9   0   0   0   0   0   0  54   0   0   0  23   0   0   0  15  0.24 0.03
    7 L    -2  -1  -3  -3  -2   2  -1  -3  -2   1   3  -1   1   0  -3  -2  -1   7   0   0    0   0   0   0   0  22   0   0   0   7  50   0   0   0   0   0   0  21   0   0  0.44 0.04
    8 Y    -1  -1  -1  -2  -2   1  -1  -2   1   0  -1  -1  -1   2  -2  -1  -1   1   6  -1    2   1   1   1   0  14   1   2   0   9   2   1   0   1   1   2   1   0  57   1  0.40 0.03
    9 Y    -1  -1  -1  -1  -1  -1  -1  -1   1  -1  -1  -1  -1   2  -1  -1  -1   1   6  -1    3   2   2   2   1   2   3   3   1   2   4   2   1   2   2   3   3   1  58   3  0.38 0.02
   10 F    -1  -1  -1  -2  -1  -1  -1  -1  -1   0   0  -1   0   5  -1  -1  -1   1   2  -1    3   2   2   2   1   2   3   3   1   2   4   2   1  59   2   3   3   1   1   3  0.28 0.02
   11 Q    -1   0  -1  -1  -2   3   0  -2  -1   0   0   0   3  -1  -1  -1  -1   4  -1   1    2   1   1   1   0  36   1   2   0   1   2   1  22   1   1   1   1   8   1  15  0.20 0.03
   12 G     0  -2   2  -1  -3  -2  -2   6  -2  -4  -4  -2  -3  -3  -2   0  -2  -3  -3  -3    0   0  13   0   0   0   0  87   0   0   0   0   0   0   0   0   0   0   0   0  0.96 0.05
   13 X    -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1  -1    0  71   0   0   0   0  22   0   0   0   0   0   0   0   0   0   0   0   0   0  0.00     0.00
   14 G     0  -3  -1  -2  -3  -2  -3   5  -2  -4  -3  -2  -3  -2  -3  -1  -2   7  -1  -3    0   0   0   0   0   0   0  78   0   0   0   0   0   0   0   0   0  22   0   0  1.06 0.05
   15 R    -1   5  -1  -2  -3   1  -1   0  -1  -1  -2   1  -1  -3  -2  -1  -1  -3  -2   1    0  64   0   0   0   7   0   8   0   0   0   0   0   0   0   0   0   0   0  21  0.40 0.04
   16 M     2  -2  -1  -2  -1  -1  -2   2  -2   0   0  -1   4  -1  -2   1   0  -2  -2   0   22   0   0   0   0   0   0  21   0   0   0   0  44   0   0  13   0   0   0   0  0.22 0.04
   17 E    -1   2   0   3  -4   2   4  -2  -1  -3  -3   1  -2  -3   1   0  -1  -3  -2  -3    0  21   0  22   0   7  42   0   0   0   0   0   0   0   8   0   0   0   0   0  0.51 0.03
   18 S     0  -1   0  -1  -1   0  -1  -1   4  -1  -2  -1  -1  -2  -2   3   1  -3  -1   1    0   0   0   0   0   0   0   0  21   0   0   0   0   0   0  57   0   0   0  22  0.26 0.04
   19 I    -2  -2  -2   1  -2  -2  -2  -3  -3   4   2  -1   1  -1  -3  -2  -1  -3  -2   2    0   0   0  13   0   0   0   0   0  59  21   6   0   0   0   0   0   0   0   0  0.23 0.03
   20 R    -1   3   3  -1  -2   0  -1   1  -1  -2  -2   1  -2  -3  -2   0   2  -3  -2  -2    0  36  21   0   0   0   0  13   0   0   0   0   0   0   0   0  30   0   0   0  0.33 0.03
   21 W    -3  -3  -4  -4  -3  -2  -3  -3  -3  -3  -2  -3  -2   0   3  -3  -3  11   1  -3    0   0   0   0   0   0   0   0   0   0   0   0   0   0  21   0   0  79   0   0  2.07 0.09
   22 L    -2  -2   2  -2  -2  -2  -2  -3  -1   0   3  -2   1   1  -3  -2  -1  -1   3   0    0   0  22   0   0   0   0   0   0   0  57   0   0   0   0   0   0   0  21   0  0.25 0.03
   23 L    -1  -2  -3  -3  -2  -1  -2   0  -2   1   3  -1   3   0  -3  -2  -1  -2  -1   0    0   0   0   0   0   0   0   8   0   0  62   7  22   0   0   0   0   0   0   0  0.28 0.03
   24 A     3  -2  -2  -2  -1  -1  -2   2  -2  -1  -1  -1   2  -2  -2   0  -1  -3  -2  -1   56   0   0   0   0   0   0  23   0   0   0   0  22   0   0   0   0   0   0   0  0.29 0.03

)";

}  // namespace

TEST_CASE("align: a profile is that of psiblast") {
  const MadeProfile made = make_profile("made", alignment);
  const std::string text = made.ascii();
  CHECK(text.find("\n" + std::string(expected)) != std::string::npos);
  CHECK(text.ends_with("PSI Ungapped         0.1126     0.3153\nPSI Gapped           0.0345     0.2670\n"));
  // The text has no frequency ratios.
  Profile written = made.profile;
  CHECK(written.ratios().size() == 24);
  written.set_ratios({});
  CHECK(Profile::parse(text, "text", "made") == written);
  REQUIRE(made.profile.gapped());
  CHECK(made.profile.gapped()->lambda == doctest::Approx(0.267));
  CHECK(made.profile.size() == 24);
  CHECK(made.columns.size() == 24);
}

TEST_CASE("align: a profile in ASN.1 is the same when it is read") {
  for (const char* const name : {"made", "", "with \"quotes\" and {braces}, of two"}) {
    const MadeProfile made = make_profile(name, alignment, Matrix::named("BLOSUM45"), {14, 2});
    const std::string text = made.asn1();
    const Profile read = Profile::parse(text, "p.asn", name, Matrix::named("BLOSUM45"));
    CHECK(std::ranges::equal(read.letters(), made.profile.letters()));
    CHECK(std::ranges::equal(read.scores(), made.profile.scores()));
    REQUIRE(read.gapped());
    CHECK(read.gapped()->lambda == doctest::Approx(made.own_gapped.lambda).epsilon(1e-13));
    CHECK(read.gapped()->k == doctest::Approx(made.own_gapped.k).epsilon(1e-13));
    REQUIRE(read.ratios().size() == 24);
    for (std::size_t row = 0; row < 24; ++row)
      for (std::size_t a = 0; a < 20; ++a)
        CHECK(read.ratios()[row][a] == doctest::Approx(made.profile.ratios()[row][a]).epsilon(1e-12));
    CHECK(text.find("matrixName \"BLOSUM45\",\n      gapOpen 14,\n      gapExtend 2\n") != std::string::npos);
    CHECK((text.find("title") == std::string::npos) == (*name == 0));
  }
}

TEST_CASE("align: names in ASN.1 have visible ASCII characters only") {
  const std::string text = make_profile("t\xc3\xa9\t\"x\"~", alignment).asn1();
  CHECK(text.find("title \"t###\"\"x\"\"~\"\n") != std::string::npos);
}

TEST_CASE("align: what counts in a profile") {
  // Case does not, nor a sequence like the query, nor one like another.
  std::vector<AlignedSequence> more = alignment;
  for (char& letter : more[2].letters)
    if (letter >= 'A') letter = static_cast<char>(letter - 'A' + 'a');
  for (char& letter : more[3].letters)
    if (letter == '-') letter = '.';
  more.push_back({"like the query", alignment.front().letters});
  more.push_back({"like another", alignment[4].letters});
  CHECK(make_profile("made", more).ascii() == make_profile("made", alignment).ascii());
  // The query alone has the matrix's scores.
  const std::vector<AlignedSequence> alone = {{"q", "MKVLWHHDEE"}, {"same", "MKVLWHHDEE"}};
  const MadeProfile plain = make_profile("plain", alone);
  CHECK(plain.profile.letters().size() == 10);
  CHECK(plain.profile(4, protein::encode('W')) >= 10);
  CHECK(plain.columns[0].observed[0] == 0);
  // Another matrix, other scores.
  CHECK(make_profile("made", alignment, Matrix::named("PAM30"), {9, 1}).profile !=
        make_profile("made", alignment).profile);
}

TEST_CASE("align: alignments that make no profile") {
  const auto refuse = [](const std::vector<AlignedSequence>& sequences, const char* said,
                         const Matrix& matrix = blosum62(), const GapPenalty& gap = {}) {
    CHECK_THROWS_WITH_AS(make_profile("p", sequences, matrix, gap), doctest::Contains(said), InputError);
  };
  refuse({}, "an alignment of 0 sequences; expected 2 or more");
  refuse({{"a", "MKV"}}, "an alignment of 1 sequences");
  refuse({{"a", "MKV"}, {"b", "MK"}}, "sequence \"b\" of an alignment has 2 letters and gaps; expected 3");
  refuse({{"a", "MKV"}, {"b", "M1V"}}, "sequence \"b\" of an alignment, place 2: \"1\"; expected an amino acid");
  refuse({{"a", "---"}, {"b", "MKV"}}, "the first sequence of an alignment has no letters");
  refuse({{"a", "XXX"}, {"b", "MKV"}}, "has no amino acids");
  refuse(alignment, "one of NCBI's for proteins", Matrix::dna());
  refuse(alignment, "whose statistics are not known", blosum62(), {3, 3});
}
