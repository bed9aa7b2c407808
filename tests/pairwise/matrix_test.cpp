#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "genocl/error.hpp"
#include "genocl/pairwise/scoring.hpp"

using namespace genocl;
using pairwise::GapPenalty;
using pairwise::Matrix;

namespace {

int score(const Matrix& matrix, char a, char b) { return matrix(protein::encode(a), protein::encode(b)); }

std::string complaint(const std::string& text, Alphabet alphabet = Alphabet::protein) {
  try {
    Matrix::parse(text, "m", alphabet);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

const std::string dna_table =
    "# a comment\n   A  C  G  T  N\nA  5 -4 -4 -4 -2\nC -4  5 -4 -4 -2\nG -4 -4  5 -4 -2\n"
    "T -4 -4 -4  5 -2\nN -2 -2 -2 -2 -1\n";

}  // namespace

TEST_CASE("pairwise matrices: NCBI's tables equal its files") {
  const char* const data = std::getenv("GENOCL_TEST_DATA");
  const std::filesystem::path folder = std::filesystem::path(data != nullptr ? data : "../shared/data") / "matrices";
  if (!std::filesystem::exists(folder)) {
    MESSAGE("left out: no folder " << folder.string());
    return;
  }
  for (const std::string& name : Matrix::names()) {
    CAPTURE(name);
    std::ifstream in(folder / name);
    REQUIRE(in.is_open());
    std::stringstream text;
    text << in.rdbuf();
    const Matrix file = Matrix::parse(text.str(), (folder / name).string());
    CHECK(file == Matrix::named(name));
    CHECK(file.symmetric());
  }
}

TEST_CASE("pairwise matrices: known scores and letters without a row") {
  const Matrix& matrix = pairwise::blosum62();
  CHECK(matrix.name() == "BLOSUM62");
  CHECK(score(matrix, 'W', 'W') == 11);
  CHECK(score(matrix, 'A', 'R') == -1);
  CHECK(score(matrix, 'I', 'J') == 3);
  CHECK(score(matrix, 'X', 'X') == -1);
  CHECK(score(matrix, 'U', 'C') == 9);
  CHECK(score(matrix, 'O', '*') == -4);
  CHECK(score(matrix, 'U', 'O') == score(matrix, 'C', 'X'));
  CHECK(matrix.highest() == 11);
  CHECK(matrix.lowest() == -4);
  CHECK(Matrix::named("pam30").lowest() == -17);
  CHECK_THROWS_AS(Matrix::named("BLOSUM61"), InputError);
}

TEST_CASE("pairwise matrices: DNA") {
  const Matrix matrix = Matrix::dna(2, -3);
  CHECK(matrix(0, 0) == 2);
  CHECK(matrix(0, 3) == -3);
  CHECK(matrix(dna::unknown, dna::unknown) == -2);
  CHECK(matrix.alphabet() == Alphabet::dna);
  CHECK_THROWS_AS(Matrix::dna(0, -1), InputError);
  CHECK_THROWS_AS(Matrix::dna(1, 1), InputError);
  CHECK_THROWS_AS(Matrix::dna(128, -1), InputError);
  const Matrix file = Matrix::parse(dna_table, "m", Alphabet::dna);
  CHECK(file(0, 0) == 5);
  CHECK(file(dna::encode('R'), 0) == -2);
  CHECK(file(dna::encode('R'), dna::encode('Y')) == -1);
}

TEST_CASE("pairwise matrices: files that are wrong") {
  CHECK(complaint("").find("no matrix") != std::string::npos);
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = dna_table;
    text.replace(text.find(from), from.size(), to);
    return text;
  };
  CHECK(complaint(dna_table, Alphabet::dna).empty());
  CHECK(complaint(with("T -4 -4 -4  5 -2\n", ""), Alphabet::dna) == "m: no row for 'T'");
  CHECK(complaint(with("T -4", "G -4"), Alphabet::dna) == "m:6: two rows for 'G'");
  CHECK(complaint(with("C  G  T", "C  C  T"), Alphabet::dna) == "m:2: two columns for 'C'");
  CHECK(complaint(with("C  G  T", "C  ?  T"), Alphabet::dna) == "m:2: \"?\"; expected a letter of the DNA alphabet");
  CHECK(complaint(with("A  5", "A 128"), Alphabet::dna) == "m:3: \"128\"; expected a whole number from -127 to 127");
  CHECK(complaint(with("A  5", "A 5.5"), Alphabet::dna) == "m:3: \"5.5\"; expected a whole number from -127 to 127");
  CHECK(complaint(with("A  5", "A 99999999999"), Alphabet::dna).find("whole number") != std::string::npos);
  CHECK(complaint(with("A  5", "A"), Alphabet::dna) == "m:3: 4 scores; expected 5");
  CHECK(complaint(with("N -2 -2 -2 -2 -1", "R -2 -2 -2 -2 -1"), Alphabet::dna) ==
        "m:7: a row for 'R', which has no column");
  CHECK(complaint("  A C\nA 1 1\nC 1 1\n", Alphabet::dna) == "m: no column for 'G'");
  CHECK(complaint("  A C G T\nA 1 1 1 1\nC 1 1 1 1\nG 1 1 1 1\nT 1 1 1 1\n", Alphabet::dna) ==
        "m: it lacks letters of the alphabet; expected a row and a column 'N' to stand for them");
}

TEST_CASE("pairwise gap penalties: both conventions") {
  CHECK(GapPenalty::from_first(12, 1) == GapPenalty{11, 1});
  CHECK(GapPenalty{11, 1}.first() == 12);
  CHECK_THROWS_AS(GapPenalty::from_first(1, 2), InputError);
  CHECK_THROWS_AS((GapPenalty{-1, 2}.check()), InputError);
  CHECK_THROWS_AS((GapPenalty{1, -1}.check()), InputError);
  CHECK_THROWS_AS((GapPenalty{0, 0}.check()), InputError);
  CHECK_THROWS_AS((GapPenalty{16'000, 1}.check()), InputError);
  CHECK_NOTHROW((GapPenalty{0, 1}.check()));
}
