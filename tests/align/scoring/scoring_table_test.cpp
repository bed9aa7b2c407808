#include "align/scoring/scoring_table.hpp"

#include <doctest/doctest.h>

#include <vector>

using namespace genocl;
using align::Matrix;

namespace {

int score(const Matrix& matrix, char a, char b) { return matrix(protein::encode(a), protein::encode(b)); }

}  // namespace

TEST_CASE("align scoring table: letters that score alike share a class") {
  const auto all = align::make_scoring_table(align::blosum62(), {}, {});
  CHECK(all.classes() == 25);  // U scores as C and O as X
  CHECK(all.class_of[protein::encode('U')] == all.class_of[protein::encode('C')]);
  CHECK(all.class_of[protein::encode('O')] == all.class_of[protein::encode('X')]);
  std::vector<std::uint64_t> counts(27, 0);
  counts[protein::encode('L')] = counts[protein::encode('W')] = 1;
  const auto few = align::make_scoring_table(align::blosum62(), {}, counts);
  CHECK(few.classes() == 2);
  for (const char letter : {'L', 'W'})
    CHECK(few.score(protein::encode('L'), few.class_of[protein::encode(letter)]) ==
          score(align::blosum62(), 'L', letter));
  CHECK(few.score(0, few.pad()) == -128);
  CHECK(align::make_scoring_table(Matrix::dna(), {}, {}).classes() == 15);  // each ambiguity code has its own scores
}
