// Thresholds and counts of words against every word of up to 12 letters.
#include <cmath>
#include <limits>

#include "genocl/pwm/p_value.hpp"
#include "pwm/cases.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

/// What all words say of a score.
struct Truth {
  double score = 0;
  std::uint64_t above = 0, equal = 0;  ///< words that score more, and exactly so much
  double below = -std::numeric_limits<double>::infinity();
  std::uint64_t at_below = 0;  ///< words of the largest score below it
};

/// All 4^length words, letter by letter, so that a sum grows as ScoreMatrix::score() has it.
class AllWords {
 public:
  AllWords(const ScoreMatrix& matrix, std::vector<Truth>& truths) : matrix_(matrix), truths_(truths) { extend(0, 0); }

 private:
  void extend(std::size_t i, double sum) {
    if (i < matrix_.length()) {
      for (Code letter = 0; letter < 4; ++letter) extend(i + 1, sum + matrix_(i, letter));
      return;
    }
    for (Truth& truth : truths_) {
      if (sum > truth.score)
        ++truth.above;
      else if (sum == truth.score)
        ++truth.equal;
      else if (sum > truth.below)
        truth.below = sum, truth.at_below = 1;
      else if (sum == truth.below)
        ++truth.at_below;
    }
  }

  const ScoreMatrix& matrix_;
  std::vector<Truth>& truths_;
};

void check(const Device& device, const ScoreMatrix& matrix, Random& random) {
  const double ps[] = {1e-1, 1e-3, 1e-5};
  const std::vector<Threshold> thresholds =
      genocl::pwm::thresholds(std::span(&device, 1), std::span(&matrix, 1), ps)[0];
  std::vector<double> scores;
  for (int i = 0; i < 2; ++i) {
    const double score = matrix.score(pwm_test::random_codes(random, matrix.length()));
    for (const double near : {score, std::nextafter(score, 1e9)}) scores.push_back(near);
  }
  const std::vector<PValue> values =
      genocl::pwm::p_values(std::span(&device, 1), std::span(&matrix, 1), std::span(&scores, 1))[0];
  std::vector<Truth> truths;
  for (const double score : scores) truths.emplace_back().score = score;
  for (const Threshold& threshold : thresholds) truths.emplace_back().score = threshold.score;
  const AllWords all(matrix, truths);
  const double words = std::ldexp(1.0, 2 * static_cast<int>(matrix.length()));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CAPTURE(scores[i]);
    CHECK(values[i].exact);
    CHECK(values[i].words == truths[i].above + truths[i].equal);
  }
  for (std::size_t i = 0; i < thresholds.size(); ++i) {
    CAPTURE(ps[i]);
    const Truth& truth = truths[scores.size() + i];
    const auto wanted = static_cast<std::uint64_t>(std::floor(ps[i] * words));
    REQUIRE_FALSE(thresholds[i].none);
    CHECK(truth.equal > 0);
    CHECK(thresholds[i].p.words == truth.above + truth.equal);
    CHECK(truth.above + truth.equal <= wanted);
    // The next score that a word has is too probable.
    CHECK(truth.above + truth.equal + truth.at_below > wanted);
  }
}

}  // namespace

TEST_CASE("pwm p-values: every word of 10 to 12 letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    check(variant.device, pwm_test::random_matrix(random, 10), random);
    check(variant.device, pwm_test::random_matrix(random, 11, 100), random);
    // Random scores in one family, ones that tie in the other.
    check(variant.device, pwm_test::random_matrix(random, 12, variant.name == "cpu" ? 0 : 100), random);
  }
}
