// P-values and thresholds of each strand where a word and its reverse complement are not equally probable.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>

#include "genocl/pwm/p_value.hpp"
#include "pwm/cases.hpp"
#include "random.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::turned;

const std::array<double, 4> uneven = {0.3, 0.2, 0.1, 0.4};

/// Scores the word of which every letter is an A, 1 a letter.
ScoreMatrix all_a(std::size_t length) {
  return {"A" + std::to_string(length), "", std::vector<std::array<double, 4>>(length, {1, 0, 0, 0})};
}

/// A text whose words of `order` letters at its beginning and its end are the same, so that it is a stationary model:
/// a word of any length is as probable read from either end.
SequenceSet round_text(Random& random, unsigned order) {
  std::vector<Code> codes;
  for (int i = 0; i < 3000; ++i) {
    const auto dice = random() % 10;
    codes.push_back(static_cast<Code>(dice < 4 ? 0 : dice < 6 ? 1 : dice < 7 ? 2 : 3));
    if (codes.size() > 2 && random() % 4 == 0) codes.back() = codes[codes.size() - 2];
  }
  for (unsigned i = 0; i < order; ++i) codes.push_back(codes[i]);
  SequenceSet text;
  text.append("round", codes);
  return text;
}

Background background_of(Random& random, unsigned order) {
  return order == 0 ? Background(uneven) : Background::of(round_text(random, order), order, false);
}

/// By score, the highest first: how probable words of it are on either strand. The reverse strand's words are what
/// stands in the text turned round, by the text's own background.
using Truth = std::map<double, std::array<double, 2>, std::greater<>>;

Truth truth_of(const ScoreMatrix& matrix, const Background& background) {
  Truth truth;
  genocl_reference::every_word(matrix, background, [&](std::span<const Code> word, double score, double p) {
    truth[score][0] += p;
    truth[matrix.score(turned(word))][1] += p;
  });
  return truth;
}

double weight_of(const std::array<double, 2>& both, Strands strands) {
  if (strands == Strands::both) return (both[0] + both[1]) / 2;
  return both[strands == Strands::forward ? 0 : 1];
}

void check_against(const Truth& truth, const Device& device, const ScoreMatrix& matrix, const PValueOptions& options) {
  std::vector<double> scores, tails;
  double tail = 0;
  for (const auto& [score, both] : truth) {
    scores.push_back(score);
    tails.push_back(tail += weight_of(both, options.strands));
  }
  const std::span<const Device> devices(&device, 1);
  const std::span<const ScoreMatrix> matrices(&matrix, 1);
  const std::vector<PValue> values = p_values(devices, matrices, std::span(&scores, 1), options)[0];
  REQUIRE(values.size() == scores.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CAPTURE(scores[i]);
    CHECK(values[i].exact);
    CHECK(values[i].low <= tails[i] * (1 + 1e-12));
    CHECK(values[i].high >= tails[i] * (1 - 1e-12));
    CHECK(values[i].high - values[i].low <= 1e-9 * tails[i]);
  }
  // Between two words' probabilities, so that rounding decides nothing: no sum of products of round frequencies.
  std::vector<double> ps = {1.012345678901e-3, 0.02031712345678, 0.1033912345678, 0.3041112345678, 0.9057312345678};
  for (std::size_t i = 0; i + 1 < tails.size() && i < 4; ++i)
    if (tails[i + 1] > tails[i] * 1.001) ps.push_back((tails[i] + tails[i + 1]) / 2);
  const std::vector<Threshold> found = thresholds(devices, matrices, ps, options)[0];
  for (std::size_t k = 0; k < ps.size(); ++k) {
    CAPTURE(ps[k]);
    std::size_t fit = 0;  // scores with P of at most p
    while (fit < tails.size() && tails[fit] <= ps[k]) ++fit;
    CHECK(found[k].none == (fit == 0));
    CHECK(found[k].score == scores[fit == 0 ? 0 : fit - 1]);
    CHECK(found[k].p.high == doctest::Approx(tails[fit == 0 ? 0 : fit - 1]).epsilon(1e-9));
  }
  PValueOptions paper = options;
  paper.paper_convention = true;
  const std::vector<Threshold> largest = thresholds(devices, matrices, ps, paper)[0];
  for (std::size_t k = 0; k < ps.size(); ++k) {
    CAPTURE(ps[k]);
    std::size_t enough = 0;  // the first score with P of at least p
    while (enough + 1 < tails.size() && tails[enough] < ps[k]) ++enough;
    CHECK(largest[k].score == scores[enough]);
  }
}

}  // namespace

TEST_CASE("pwm: the background of the other strand") {
  const Background other = Background(uneven).reverse_complement();
  CHECK(other.frequencies() == std::array<double, 4>{0.4, 0.1, 0.2, 0.3});
  CHECK(other == Background(std::array<double, 4>{0.4, 0.1, 0.2, 0.3}));
  CHECK(other.reverse_complement() == Background(uneven));
  CHECK(Background().reverse_complement() == Background());
  Random random(77);
  for (unsigned order = 0; order <= 2; ++order) {
    CAPTURE(order);
    const SequenceSet text = round_text(random, 0);
    const Background forward = Background::of(text, order, false), both = Background::of(text, order, true);
    CHECK(both.reverse_complement() == both);
    CHECK_FALSE(forward.reverse_complement() == forward);
    const Background expected = Background::of(text.reverse_complement(), order, false);
    const Background found = forward.reverse_complement();
    CHECK(found.order() == order);
    for (std::uint32_t before = 0; before < 1u << (2 * order); ++before) {
      CHECK(found.start(before) == doctest::Approx(expected.start(before)));
      for (Code letter = 0; letter < 4; ++letter)
        CHECK(found.conditional(before, letter) == doctest::Approx(expected.conditional(before, letter)));
    }
    for (std::size_t letter = 0; letter < 4; ++letter)
      CHECK(found.frequencies()[letter] == doctest::Approx(expected.frequencies()[letter]));
  }
}

TEST_CASE("pwm p-values: AAAAAAAA on either strand") {
  const Device& device = pwm_test::test_device();
  const ScoreMatrix matrix = all_a(8);
  PValueOptions options;
  options.background = Background(uneven);
  CHECK(p_value(device, matrix, 8, options).high == doctest::Approx(std::pow(0.3, 8)));  // 6.6e-5
  options.strands = Strands::reverse;
  CHECK(p_value(device, matrix, 8, options).high == doctest::Approx(std::pow(0.4, 8)));  // 6.6e-4
  CHECK(threshold(device, matrix, 1e-4, options).none);
  options.strands = Strands::both;
  CHECK(p_value(device, matrix, 8, options).high == doctest::Approx((std::pow(0.3, 8) + std::pow(0.4, 8)) / 2));
  CHECK(threshold(device, matrix, 1e-4, options).none);
  options.strands = Strands::forward;
  CHECK(threshold(device, matrix, 1e-4, options).score == 8);
}

TEST_CASE("pwm p-values: both strands of every word") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (unsigned order = 0; order <= 2; ++order)
    // The oracle knows no words that are shorter than the order.
    for (std::size_t length = std::max(1u, order); length <= 6; ++length)
      for (const unsigned steps : {0u, 3u}) {
        CAPTURE(order);
        CAPTURE(length);
        CAPTURE(steps);
        const ScoreMatrix matrix = pwm_test::random_matrix(random, length, steps);
        PValueOptions options;
        options.background = background_of(random, order);
        const Truth truth = truth_of(matrix, options.background);
        for (const Strands strands : {Strands::forward, Strands::reverse, Strands::both}) {
          CAPTURE(static_cast<int>(strands));
          options.strands = strands;
          for (const auto& variant : pwm_test::drawn_variants()) {
            CAPTURE(variant.name);
            check_against(truth, variant.device, matrix, options);
          }
        }
      }
}

TEST_CASE("pwm p-values: bounds of long words on either strand") {
  Random random(5);
  const Device& device = pwm_test::test_device();
  for (unsigned order = 0; order <= 1; ++order) {
    CAPTURE(order);
    const ScoreMatrix matrix = pwm_test::random_matrix(random, 30);
    const ScoreMatrix other = matrix.reverse_complement();
    PValueOptions options;
    options.background = background_of(random, order);
    std::array<PValue, 3> found;
    for (const double share : {0.45, 0.6, 0.75}) {
      const double score = matrix.lowest() + share * (matrix.highest() - matrix.lowest());
      for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse}) {
        options.strands = strands;
        found[static_cast<std::size_t>(strands)] = p_value(device, matrix, score, options);
        CHECK(found[static_cast<std::size_t>(strands)].low <= found[static_cast<std::size_t>(strands)].high);
        CHECK(found[static_cast<std::size_t>(strands)].high > 0);
      }
      // The same words, told by the text's own background and the turned matrix: both bounds hold the truth.
      options.strands = Strands::forward;
      const PValue same = p_value(device, other, score, options);
      CHECK(found[2].low <= same.high * (1 + 1e-9));
      CHECK(same.low <= found[2].high * (1 + 1e-9));
      CHECK(found[0].low == doctest::Approx((found[1].low + found[2].low) / 2));
      CHECK(found[0].high == doctest::Approx((found[1].high + found[2].high) / 2));
    }
    const std::vector<double> ps = {1e-2, 1e-4, 1e-7};
    for (const Strands strands : {Strands::both, Strands::forward, Strands::reverse})
      for (const bool paper : {false, true}) {
        options.strands = strands;
        options.paper_convention = paper;
        const auto thresholds_found = thresholds(device, {&matrix, 1}, ps, options)[0];
        for (std::size_t i = 0; i < ps.size(); ++i) {
          const Threshold& one = thresholds_found[i];
          CHECK_FALSE(one.none);
          const double step = 1e-3 * (matrix.highest() - matrix.lowest());
          if (paper) {
            CHECK(one.p.low >= ps[i]);
            CHECK(p_value(device, matrix, one.score + step, options).low < ps[i]);
          } else {
            CHECK(one.p.high <= ps[i]);
            CHECK(p_value(device, matrix, one.score - step, options).high > ps[i]);
          }
        }
      }
  }
}

TEST_CASE("pwm distribution: the average of both strands") {
  Random random(6);
  const Device& device = pwm_test::test_device();
  const ScoreMatrix matrix = pwm_test::random_matrix(random, 5, 4);
  PValueOptions options;
  options.background = Background(uneven);
  options.buckets = 50;
  const Truth truth = truth_of(matrix, options.background);
  for (const Strands strands : {Strands::forward, Strands::reverse, Strands::both}) {
    options.strands = strands;
    const Distribution found = distribution(device, matrix, options);
    REQUIRE(found.edge.size() == 50);
    for (std::size_t i = 0; i < found.edge.size(); ++i) {
      double tail = 0;
      for (const auto& [score, both] : truth)
        if (score >= found.edge[i]) tail += weight_of(both, strands);
      CHECK(found.low[i] <= tail * (1 + 1e-9));
      CHECK(found.high[i] >= tail * (1 - 1e-9));
    }
  }
}
