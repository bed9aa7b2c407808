#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "genocl/error.hpp"
#include "genocl/pwm/p_value.hpp"
#include "pwm/cases.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using genocl::pwm::Background;
using genocl::pwm::Distribution;
using genocl::pwm::PValueMethod;
using genocl::pwm::PValueOptions;
using genocl::pwm::ScoreMatrix;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;

PValueOptions bucket_options(unsigned slices, unsigned buckets, bool paper = false) {
  PValueOptions options;
  options.method = PValueMethod::bucket;
  options.slices = slices;
  options.buckets = buckets;
  options.paper_convention = paper;
  return options;
}

/// The bounds hold the true tail at every edge, and a word is nowhere further off than the error that is reported.
void check_distribution(const Distribution& found, const ScoreMatrix& matrix, unsigned slices, unsigned buckets) {
  REQUIRE(found.edge.size() == buckets + 1);
  const double width = (found.edge.back() - found.edge.front()) / buckets;
  const unsigned levels =
      static_cast<unsigned>(std::bit_width(std::min<std::size_t>(slices, matrix.length()) - 1));  // ceil(log2 N)
  CHECK(found.error == doctest::Approx((1 + levels) * width));
  std::vector<double> scores;
  genocl_reference::every_word(matrix, Background(), [&](auto, double score, double) { scores.push_back(score); });
  std::sort(scores.begin(), scores.end());
  const auto tail = [&](double score) {
    return static_cast<double>(scores.end() - std::lower_bound(scores.begin(), scores.end(), score)) /
           static_cast<double>(scores.size());
  };
  const double hair = 1e-9 * (1 + std::fabs(found.edge.front()) + std::fabs(found.edge.back()));
  bool holds = true, near = true;
  for (std::size_t i = 0; i < found.edge.size(); ++i) {
    holds = holds && found.low[i] <= tail(found.edge[i] - hair) * (1 + 1e-9);
    holds = holds && found.high[i] >= tail(found.edge[i] + hair) * (1 - 1e-9);
    // The distribution's own P is that of a score at most `error` further on.
    near = near && found.low[i] >= tail(found.edge[i] + found.error * (1 + 1e-3) + hair) * (1 - 1e-9);
  }
  CHECK(holds);
  CHECK(near);
  CHECK(found.low[0] == doctest::Approx(1));
}

}  // namespace

TEST_CASE("tiny: pwm bucket, all words of a short matrix") {
  Random random(3);
  const ScoreMatrix matrix = random_matrix(random, 5);
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    check_distribution(genocl::pwm::distribution(variant.device, matrix, bucket_options(2, 8)), matrix, 2, 8);
  }
}

TEST_CASE("pwm bucket: within its error of all words") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1, 2, 4, 7, 9})
      for (const unsigned slices : {1, 2, 3, 4})
        for (const unsigned buckets : {1, 7, 100}) {
          CAPTURE(length);
          CAPTURE(slices);
          CAPTURE(buckets);
          const ScoreMatrix matrix = random_matrix(random, length, random() % 2 != 0 ? 4 : 0);
          const Distribution found = genocl::pwm::distribution(variant.device, matrix, bucket_options(slices, buckets));
          check_distribution(found, matrix, slices, buckets);
        }
  }
}

TEST_CASE("pwm bucket: more words than one item, both families alike") {
  Random random(test_seed());
  const ScoreMatrix matrix = random_matrix(random, 21);
  std::vector<Distribution> found;
  for (const auto& variant : pwm_test::variants())
    found.push_back(genocl::pwm::distribution(variant.device, matrix, bucket_options(2, 3600)));
  for (const Distribution& other : found) {
    CHECK(other.low == found[0].low);
    CHECK(other.high == found[0].high);
  }
  CHECK(found[0].low[0] == doctest::Approx(1));
}

TEST_CASE("pwm bucket: p-values and thresholds hold the exact ones") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const genocl::Device& device = pwm_test::test_device();
  for (unsigned round = 0; round < 20; ++round) {
    const ScoreMatrix matrix = random_matrix(random, 6 + random() % 6);
    const double span = matrix.highest() - matrix.lowest();
    for (const double part : {-0.1, 0.2, 0.5, 0.9, 1.1}) {
      const double score = matrix.lowest() + part * span;
      const genocl::pwm::PValue exact = genocl::pwm::p_value(device, matrix, score);
      const genocl::pwm::PValue found = genocl::pwm::p_value(device, matrix, score, bucket_options(3, 500));
      CHECK(found.low <= exact.low * (1 + 1e-9));
      CHECK(found.high >= exact.high * (1 - 1e-9));
      CHECK_FALSE(found.exact);
    }
    for (const bool paper : {false, true}) {
      const genocl::pwm::Threshold found = genocl::pwm::threshold(device, matrix, 1e-2, bucket_options(2, 500, paper));
      const genocl::pwm::Threshold exact = genocl::pwm::threshold(device, matrix, 1e-2);
      CHECK(std::fabs(found.score - exact.score) <= 4 * span / 500 + 0.1 * span);
      CHECK((paper ? found.p.low >= 1e-2 : found.p.low <= 1e-2));
    }
  }
}

TEST_CASE("pwm bucket: what is refused") {
  Random random(1);
  const genocl::Device& device = pwm_test::test_device();
  const ScoreMatrix matrix = random_matrix(random, 50);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(0, 10)), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(4, 0)), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(2, 10)), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(4, 1u << 17)), genocl::InputError);
  PValueOptions options = bucket_options(4, 10);
  options.background = Background({0.3, 0.2, 0.2, 0.3});
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, options), genocl::InputError);
}
