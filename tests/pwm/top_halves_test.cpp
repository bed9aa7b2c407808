// Halves of the words that reach a bound, against all words.
#include "pwm/halves.hpp"

#include <algorithm>
#include <random>

#include "pwm/cases.hpp"
#include "random.hpp"

using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;

TEST_CASE("pwm top halves: every word at or above the bound, once, and no half that is in none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const double ends_per_beginning : {0.01, 1.0, 100.0}) {
    const ScoreMatrix matrix = random_matrix(random, 8);
    const FixedPoint fixed = fixed_point(matrix);
    const std::int64_t bound = fixed.highest() - (fixed.highest() - fixed.lowest()) / 4;
    const TopHalves<std::uint64_t> halves(matrix, fixed, WordModel<std::uint64_t>(Background(), 8), bound,
                                          ends_per_beginning, 1 << 20);
    std::uint64_t expected = 0, found = 0;
    for (unsigned word = 0; word < 1u << 16; ++word) {
      std::int64_t q = 0;
      for (std::size_t i = 0; i < 8; ++i) q += fixed.columns[i][word >> 2 * i & 3];
      expected += q >= bound ? 1 : 0;
    }
    const std::vector<std::int64_t>&left = halves.left[0].sum, &right = halves.right[0].sum;
    for (const std::int64_t a : left)
      for (const std::int64_t b : right) found += a + b >= bound ? 1 : 0;
    CHECK(found == expected);
    CHECK(left.front() + right.back() >= bound);
    CHECK(left.back() + right.front() >= bound);
    CHECK(std::is_sorted(left.begin(), left.end()));
    CHECK(std::is_sorted(right.begin(), right.end()));
  }
}
