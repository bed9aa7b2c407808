// Half words' lists that a device makes and counts, against those of the host.
#include <limits>

#include "pwm/cases.hpp"
#include "pwm/word_count.hpp"

namespace {

using genocl::pwm::ScoreMatrix;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;

/// Lists made and counted on the device, however short, against those of the host.
void check_on_device(const genocl::Device& device, const ScoreMatrix& matrix, Random& random) {
  using genocl::pwm::Background;
  using genocl::pwm::FixedPoint;
  using genocl::pwm::WordCount;
  const FixedPoint fixed = genocl::pwm::fixed_point(matrix);
  const WordCount<std::uint64_t> host(matrix, fixed, Background());
  const WordCount<std::uint64_t> there(matrix, fixed, Background(), &device, 0);
  CHECK(there.total() == host.total());
  for (unsigned k = 0; k < 3; ++k) {
    const std::uint64_t rank = random() % host.total();
    const std::int64_t q = host.quantile(rank, true).q;
    CHECK(there.quantile(rank, true).q == q);
    CHECK(there.sum_at_least(q) == host.sum_at_least(q));
    CHECK(there.sum_at_least(q + 1) == host.sum_at_least(q + 1));
    const auto found = there.scores_between(q - 2 * fixed.doubt, q + 2 * fixed.doubt);
    const auto expected = host.scores_between(q - 2 * fixed.doubt, q + 2 * fixed.doubt);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].score == expected[i].score);
      CHECK(found[i].weight == expected[i].weight);
    }
  }
}

}  // namespace

TEST_CASE("tiny: pwm half words and tail counts on the device") {
  Random random(5);
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    check_on_device(variant.device, random_matrix(random, 5), random);
  }
}

TEST_CASE("pwm p-values: counted on the device as on the host") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const double never = -std::numeric_limits<double>::infinity();
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1, 2, 7, 12, 15}) {
      CAPTURE(length);
      check_on_device(variant.device, random_matrix(random, length), random);
      check_on_device(variant.device, random_matrix(random, length, 10), random);
      check_on_device(variant.device, random_matrix(random, length, 1), random);
    }
    check_on_device(
        variant.device,
        ScoreMatrix("never", "", {{1.0, never, 0.5, never}, {0.25, 2.0, never, 0.0}, {never, 3.0, 3.0, 1.0}}), random);
    check_on_device(variant.device, random_matrix(random, 19), random);
  }
}
