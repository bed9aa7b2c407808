// Score matrices: sums in the documented order, the other strand, log-odds, and invalid arguments.
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

constexpr double infinity = std::numeric_limits<double>::infinity();

}  // namespace

TEST_CASE("pwm score matrix: sums and the other strand") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int i = 0; i < 50; ++i) {
    const ScoreMatrix matrix = pwm_test::random_matrix(random, 1 + random() % 128);
    const ScoreMatrix reverse = matrix.reverse_complement();
    REQUIRE(reverse.length() == matrix.length());
    const std::vector<Code> word = pwm_test::random_codes(random, matrix.length());
    double sum = 0, reverse_sum = 0;
    for (std::size_t k = 0; k < word.size(); ++k) {
      sum += matrix(k, word[k]);
      // What the matrix gives the complement of the letter, from the end on.
      reverse_sum += matrix(word.size() - 1 - k, static_cast<Code>(3 - word[k]));
    }
    CHECK(matrix.score(word) == sum);
    CHECK(reverse.score(word) == reverse_sum);
    CHECK(matrix.lowest() <= sum);
    CHECK(matrix.highest() >= sum);
    CHECK(reverse.reverse_complement() == matrix);
  }
  const ScoreMatrix small("id", "alt", {{1, 2, 3, -infinity}, {0, -1, 4, 2}});
  CHECK(small.highest() == 7);
  CHECK(small.lowest() == -infinity);
  CHECK(small.reverse_complement() == ScoreMatrix("id", "alt", {{2, 4, -1, 0}, {-infinity, 3, 2, 1}}));
}

TEST_CASE("pwm score matrix: invalid arguments") {
  CHECK_THROWS_AS(ScoreMatrix("a", "", {}), InputError);
  CHECK_THROWS_AS(ScoreMatrix("a", "", {{0, 0, std::numeric_limits<double>::quiet_NaN(), 0}}), InputError);
  CHECK_THROWS_AS(ScoreMatrix("a", "", {{0, 0, infinity, 0}}), InputError);
  CHECK_THROWS_AS(ScoreMatrix("a", "", std::vector<std::array<double, 4>>(129)), InputError);
  CHECK(ScoreMatrix("a", "", std::vector<std::array<double, 4>>(128)).length() == 128);

  const Motif motif{"m", "", {{1, 2, 3, 4}}, 0};
  CHECK_THROWS_AS(log_odds(motif, {.pseudocount = -1}), InputError);
  CHECK_THROWS_AS(log_odds(motif, {.pseudocount = infinity}), InputError);
  CHECK_THROWS_AS(log_odds(motif, {.base = 1}), InputError);
  CHECK_THROWS_AS(log_odds({"m", "", {{1, -2, 3, 4}}, 0}), InputError);
  CHECK_THROWS_AS(log_odds({"m", "", {{0, 0, 0, 0}}, 0}), InputError);
  CHECK_THROWS_AS(log_odds({"m", "", {}, 0}), InputError);
  CHECK_THROWS_WITH_AS(log_odds({"long", "", std::vector<std::array<double, 4>>(129, {1, 1, 1, 1}), 0}),
                       doctest::Contains("long has 129 columns; at most 128"), InputError);
}

TEST_CASE("pwm score matrix: log-odds") {
  const Motif motif{"MA1", "name", {{3, 0, 1, 0}, {0.5, 0.5, 7, 2}}, 0};
  const ScoreMatrix bits = log_odds(motif);
  CHECK(bits.id() == "MA1");
  CHECK(bits.alt_id() == "name");
  // (3 + 0.25) / 5 / 0.25 and so on
  CHECK(bits(0, 0) == doctest::Approx(std::log2(2.6)));
  CHECK(bits(0, 1) == doctest::Approx(std::log2(0.2)));
  CHECK(bits(1, 2) == doctest::Approx(std::log2(7.25 / 11 / 0.25)));
  const Background skewed(std::array<double, 4>{0.3, 0.2, 0.2, 0.3});
  const ScoreMatrix nats = log_odds(motif, {.pseudocount = 2, .base = 2.718281828459045, .background = skewed});
  CHECK(nats(0, 0) == doctest::Approx(std::log(3.6 / 6 / 0.3)));
  CHECK(nats(1, 1) == doctest::Approx(std::log(0.9 / 12 / 0.2)));
  const ScoreMatrix none = log_odds(motif, {.pseudocount = 0});
  CHECK(none(0, 1) == -infinity);
  CHECK(none(0, 0) == doctest::Approx(std::log2(3.0)));
}
