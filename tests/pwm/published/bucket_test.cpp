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
void check_distribution(const Distribution& found, const ScoreMatrix& matrix, unsigned slices, unsigned buckets,
                        const Background& background = Background()) {
  REQUIRE(found.edge.size() == buckets + 1);
  const double width = (found.edge.back() - found.edge.front()) / buckets;
  const unsigned levels =
      static_cast<unsigned>(std::bit_width(std::min<std::size_t>(slices, matrix.length()) - 1));  // ceil(log2 N)
  CHECK(found.error == doctest::Approx((1 + levels) * width));
  std::map<double, double> tails;  // [score]: P of at least it
  genocl_reference::every_word(matrix, background, [&](auto, double score, double p) { tails[score] += p; });
  double sum = 0;
  for (auto one = tails.rbegin(); one != tails.rend(); ++one) one->second = sum += one->second;
  const auto tail = [&](double score) {
    const auto found_tail = tails.lower_bound(score);
    return found_tail == tails.end() ? 0.0 : found_tail->second;
  };
  const double weighted = background.uniform() ? 1e-9 : 1e-5;  // products of floats
  const double hair = 1e-9 * (1 + std::fabs(found.edge.front()) + std::fabs(found.edge.back()));
  bool holds = true, near = true;
  for (std::size_t i = 0; i < found.edge.size(); ++i) {
    holds = holds && found.low[i] <= tail(found.edge[i] - hair) * (1 + 1e-9);
    holds = holds && found.high[i] >= tail(found.edge[i] + hair) * (1 - 1e-9);
    // The distribution's own P is that of a score at most `error` further on.
    near = near && found.low[i] >= tail(found.edge[i] + found.error * (1 + 1e-3) + hair) * (1 - weighted) - 1e-12;
  }
  CHECK(holds);
  CHECK(near);
  CHECK(found.low[0] == doctest::Approx(1));
}

}  // namespace

TEST_CASE("tiny: pwm bucket, all words of a short matrix") {
  Random random(3);
  const ScoreMatrix matrix = random_matrix(random, 5);
  const Background weighted({0.4, 0.1, 0.2, 0.3});
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    PValueOptions options = bucket_options(2, 8);
    check_distribution(genocl::pwm::distribution(variant.device, matrix, options), matrix, 2, 8);
    options.background = weighted;
    check_distribution(genocl::pwm::distribution(variant.device, matrix, options), matrix, 2, 8, weighted);
    PValueOptions serialised = bucket_options(2, 8);
    serialised.serialised_buckets = true;
    check_distribution(genocl::pwm::distribution(variant.device, matrix, serialised), matrix, 2, 8);
  }
}

TEST_CASE("pwm bucket: serialised increments count the same words") {
  Random random(test_seed());
  for (const auto& variant : pwm_test::variants())
    for (const std::size_t length : {1, 6, 9}) {
      const ScoreMatrix matrix = random_matrix(random, length);
      for (const unsigned buckets : {1u, 50u, 3600u}) {
        PValueOptions options = bucket_options(1, buckets);
        const Distribution expected = genocl::pwm::distribution(variant.device, matrix, options);
        options.serialised_buckets = true;
        const Distribution found = genocl::pwm::distribution(variant.device, matrix, options);
        CHECK(found.low == expected.low);
        CHECK(found.high == expected.high);
      }
    }
}

TEST_CASE("pwm bucket: letters that are not equally frequent, on each strand and both") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Background background({0.45, 0.05, 0.2, 0.3});
  for (const auto& variant : pwm_test::variants())
    for (const std::size_t length : {1, 4, 8})
      for (const unsigned slices : {1, 3}) {
        CAPTURE(variant.name);
        CAPTURE(length);
        const ScoreMatrix matrix = random_matrix(random, length, random() % 2 != 0 ? 4 : 0);
        PValueOptions options = bucket_options(slices, 90);
        options.background = background;
        check_distribution(genocl::pwm::distribution(variant.device, matrix, options), matrix, slices, 90, background);
        const double score = matrix.lowest() + 0.6 * (matrix.highest() - matrix.lowest());
        for (const genocl::Strands strands :
             {genocl::Strands::forward, genocl::Strands::reverse, genocl::Strands::both}) {
          options.strands = strands;
          PValueOptions certified = options;
          certified.method = PValueMethod::certified;
          if (std::isfinite(score)) {
            const auto exact = genocl::pwm::p_value(variant.device, matrix, score, certified);
            const auto found = genocl::pwm::p_value(variant.device, matrix, score, options);
            CHECK(found.low <= exact.high * (1 + 1e-9));
            CHECK(found.high >= exact.low * (1 - 1e-9));
          }
          // The certified P of the threshold's score is at least that of the distribution.
          const auto threshold = genocl::pwm::threshold(variant.device, matrix, 0.05, options);
          const auto at = genocl::pwm::p_value(variant.device, matrix, threshold.score, certified);
          CHECK(threshold.p.low <= at.high * (1 + 1e-9));
          CHECK(threshold.p.high >= at.low * (1 - 1e-9));
          const auto tail = genocl::pwm::distribution(variant.device, matrix, options);
          CHECK(tail.low[0] == doctest::Approx(1));
          CHECK(threshold.p.low == doctest::Approx(*std::lower_bound(tail.low.begin(), tail.low.end(), threshold.p.low,
                                                                     [](double a, double b) { return a > b; })));
        }
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

TEST_CASE("pwm bucket: invalid arguments") {
  Random random(1);
  const genocl::Device& device = pwm_test::test_device();
  const ScoreMatrix matrix = random_matrix(random, 50);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(0, 10)), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(4, 0)), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(2, 10)), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::distribution(device, matrix, bucket_options(4, 1u << 17)), genocl::InputError);
  PValueOptions options = bucket_options(4, 10);
  options.background = Background::parse(
      "A 0.3\nC 0.2\nG 0.2\nT 0.3\nAA 0.09\nAC 0.06\nAG 0.06\nAT 0.09\nCA 0.06\n"
      "CC 0.04\nCG 0.04\nCT 0.06\nGA 0.06\nGC 0.04\nGG 0.04\nGT 0.06\nTA 0.09\n"
      "TC 0.06\nTG 0.06\nTT 0.09\n",
      "test");
  CHECK_THROWS_WITH_AS(genocl::pwm::distribution(device, matrix, options),
                       "bucket with a Markov background of order 1; expected order 0, or the method certified",
                       genocl::InputError);
}
