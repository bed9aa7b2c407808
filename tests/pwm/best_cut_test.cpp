// Where words are cut, and what letters of a column are one.
#include "pwm/halves.hpp"

#include <limits>
#include <vector>

#include "pwm/cases.hpp"

using namespace genocl::pwm;

TEST_CASE("pwm best cut: the longer list is as short as can be, within the limits") {
  const std::vector<double> even(6, 4);
  CHECK(best_cut(even, 0, 6).at == 3);
  CHECK(best_cut(even, 0, 6).sums == 64);
  CHECK(best_cut(even, 4, 6).at == 4);
  CHECK(best_cut(even, 4, 6).sums == 256);
  // Four states have a list of ends each, unless there are no ends.
  CHECK(best_cut(even, 1, 6, 4).at == 3);
  CHECK(best_cut(even, 1, 6, 4).sums == 256);
  CHECK(best_cut(std::vector<double>{4, 1}, 1, 2, 16).at == 2);
  CHECK(best_cut(std::vector<double>{4, 1}, 1, 2, 16).sums == 4);
  const std::vector<double> uneven = {4, 1, 1, 4, 4};
  CHECK(best_cut(uneven, 0, 5).at == 1);
  CHECK(best_cut(uneven, 0, 5).sums == 16);
}

TEST_CASE("pwm best cut: letters that score alike count once but in a Markov model") {
  const double never = -std::numeric_limits<double>::infinity();
  const ScoreMatrix matrix("m", "", {{1, 1, 1, 1}, {1, 2, 3, never}, {0, 0, 1, 1}});
  const FixedPoint fixed = fixed_point(matrix);
  CHECK(best_cut(fixed, 0).sums == 3);
  CHECK(best_cut(fixed, 1).at == 2);
  CHECK(best_cut(fixed, 1).sums == 16);
}

TEST_CASE("pwm letter classes: the first letter stands for those of its score") {
  constexpr std::int64_t impossible = FixedPoint::impossible;
  const LetterClasses letters = letter_classes<double>({0.5, 2, 0.5, 0.5}, {5, 20, 5, impossible});
  REQUIRE(letters.count == 2);
  CHECK(letters.classes[0].add == 5);
  CHECK(letters.classes[0].letter == 0);
  CHECK(letters.classes[0].times == 2);
  CHECK(letters.classes[1].add == 20);
  CHECK(letters.classes[1].letter == 1);
  CHECK(letters.classes[1].times == 1);
  // Scores that round to one Q are two classes by score, and one by Q.
  const std::array<std::int64_t, 4> q = {7, 7, 8, impossible};
  CHECK(letter_classes<double>({0.5, 0.5000001, 1, 0}, q).count == 3);
  CHECK(letter_classes(q, q).count == 2);
}
