#include "genocl/pwm/p_value.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>
#include <string>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "pwm/p_value.hpp"
#include "pwm/word_count.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using genocl::pwm::Background;
using genocl::pwm::PValue;
using genocl::pwm::PValueOptions;
using genocl::pwm::ScoreMatrix;
using genocl::pwm::Threshold;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;
using pwm_test::test_device;

/// Scores of all words, highest first: words and probability at or above each.
struct Tail {
  double score = 0, p = 0;
  std::uint64_t words = 0;
};
std::vector<Tail> tails(const ScoreMatrix& matrix, const Background& background) {
  std::map<double, Tail, std::greater<>> by_score;
  genocl_reference::every_word(matrix, background, [&](auto, double score, double p) {
    Tail& tail = by_score[score];
    tail.p += p;
    ++tail.words;
  });
  std::vector<Tail> all;
  Tail sum;
  for (const auto& [score, tail] : by_score) {
    sum = {score, sum.p + tail.p, sum.words + tail.words};
    all.push_back(sum);
  }
  return all;
}

Tail tail_at(const std::vector<Tail>& tails, double score) {
  Tail found{score, 0, 0};
  for (const Tail& tail : tails)
    if (tail.score >= score) found = tail;
  return found;
}

/// MEME's format, of words that are not equally frequent.
Background markov(unsigned order) {
  std::string text;
  const double single[] = {0.1, 0.4, 0.2, 0.3};
  const std::string letters = "ACGT";
  const auto twist = [](unsigned a, unsigned b) { return 1 + 0.8 * ((a * 3 + b * 5) % 7 / 6.0 - 0.5); };
  std::vector<std::pair<std::string, double>> words = {{"", 1.0}};
  for (unsigned k = 0; k <= order; ++k) {
    std::vector<std::pair<std::string, double>> longer;
    double sum = 0;
    for (const auto& [word, p] : words)
      for (unsigned x = 0; x < 4; ++x) {
        const unsigned last = word.empty() ? x : static_cast<unsigned>(letters.find(word.back()));
        longer.emplace_back(word + letters[x], p * single[x] * twist(last, x));
        sum += longer.back().second;
      }
    for (auto& [word, p] : longer) {
      p /= sum;
      char line[64];
      std::snprintf(line, sizeof line, "%s %.17g\n", word.c_str(), p);
      text += line;
    }
    words = std::move(longer);
  }
  return Background::parse(text, "test");
}

void check_p(const PValue& found, const Tail& expected, bool uniform) {
  CAPTURE(found.low);
  CAPTURE(found.high);
  CAPTURE(expected.p);
  CHECK(found.exact);
  CHECK(found.low <= expected.p * (1 + 1e-12));
  CHECK(found.high >= expected.p * (1 - 1e-12));
  CHECK(found.high - found.low <= 1e-9 * found.high);
  CHECK(found.words.has_value() == uniform);
  if (uniform) CHECK(found.words.value_or(0) == expected.words);
}

/// All that is exact, against all words.
void check_matrix(const ScoreMatrix& matrix, const Background& background, Random& random) {
  const std::vector<Tail> all = tails(matrix, background);
  const bool uniform = background.order() == 0 && background.uniform();
  PValueOptions options;
  options.background = background;
  // At scores of words, slightly above and below, and between words.
  std::vector<double> scores = {all.front().score, all.back().score, 1e300, -1e300};
  for (unsigned k = 0; k < 12; ++k) {
    const double score = all[random() % all.size()].score;
    for (const double near : {score, std::nextafter(score, 1e9), std::nextafter(score, -1e9)}) scores.push_back(near);
  }
  const std::vector<PValue> values =
      genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), std::span(&scores, 1), options)[0];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CAPTURE(scores[i]);
    check_p(values[i], tail_at(all, scores[i]), uniform);
  }

  std::vector<double> ps = {1, 0.5, 0.1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-300};
  if (uniform)  // P of words themselves: "at most" and "at least" are decided without rounding
    for (unsigned k = 0; k < 6; ++k) ps.push_back(all[random() % all.size()].p);
  for (const bool paper : {false, true}) {
    options.paper_convention = paper;
    const std::vector<Threshold> thresholds =
        genocl::pwm::thresholds(std::span(&test_device(), 1), std::span(&matrix, 1), ps, options)[0];
    for (std::size_t i = 0; i < ps.size(); ++i) {
      CAPTURE(ps[i]);
      CAPTURE(paper);
      const Threshold& found = thresholds[i];
      const Tail* expected = nullptr;
      for (const Tail& tail : all) {
        if (!paper && tail.p <= ps[i] * (1 + 1e-12)) expected = &tail;
        if (paper && expected == nullptr && tail.p >= ps[i] * (1 - 1e-12)) expected = &tail;
      }
      CHECK(found.none == (expected == nullptr));
      if (found.none || expected == nullptr) continue;
      CHECK(found.score == expected->score);
      check_p(found.p, *expected, uniform);
    }
  }
}

}  // namespace

TEST_CASE("pwm p-values: certified ones are those of all words, random scores") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9}) {
    CAPTURE(length);
    check_matrix(random_matrix(random, length), Background(), random);
  }
}

TEST_CASE("pwm p-values: scores that tie") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // Quarters never round; tenths and thirds do, so that words that tie on paper differ in their last bits.
  for (const unsigned steps : {1, 4, 10, 3}) {
    CAPTURE(steps);
    check_matrix(random_matrix(random, 7, steps), Background(), random);
    check_matrix(random_matrix(random, 8, steps), Background(), random);
  }
  check_matrix(ScoreMatrix("zero", "", {5, {0.0, 0.0, 0.0, 0.0}}), Background(), random);
  check_matrix(ScoreMatrix("tenth", "", {8, {0.1, 0.2, 0.3, -0.1}}), Background(), random);
}

TEST_CASE("pwm p-values: letters of other frequencies, and Markov backgrounds") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {3, 4, 6, 8}) {
    CAPTURE(length);
    check_matrix(random_matrix(random, length), Background({0.3, 0.2, 0.15, 0.35}), random);
    check_matrix(random_matrix(random, length, 10), Background({0.3, 0.2, 0.15, 0.35}), random);
    check_matrix(random_matrix(random, length), markov(1), random);
    check_matrix(random_matrix(random, length), markov(2), random);
    check_matrix(random_matrix(random, length, 10), markov(2), random);
  }
}

TEST_CASE("pwm p-values: words shorter than the background's order") {
  const Background background = markov(2);
  const ScoreMatrix matrix("one", "", {{3.0, 2.0, 1.0, 0.0}});
  PValueOptions options;
  options.background = background;
  double first_is_a_or_c = 0;
  for (std::uint32_t word = 0; word < 8; ++word) first_is_a_or_c += background.start(word);
  CHECK(genocl::pwm::p_value(test_device(), matrix, 2.0, options).low == doctest::Approx(first_is_a_or_c));
}

TEST_CASE("pwm p-values: letters that never occur") {
  const double never = -std::numeric_limits<double>::infinity();
  const ScoreMatrix matrix("never", "",
                           {{1.0, never, 0.5, never}, {0.25, 2.0, never, 0.0}, {never, never, never, 1.0}});
  const PValue all = genocl::pwm::p_value(test_device(), matrix, -1e300);
  CHECK(all.words == 6);  // of 64
  CHECK(genocl::pwm::p_value(test_device(), matrix, never).words == 64);
  const Threshold least = genocl::pwm::threshold(test_device(), matrix, 1);
  CHECK(least.score == 1.5);
  CHECK(least.p.words == 6);
  const Threshold paper = genocl::pwm::threshold(
      test_device(), matrix, 0.5, PValueOptions{.background = {}, .paper_convention = true, .progress = {}});
  CHECK(paper.score == never);
  CHECK(genocl::pwm::threshold(test_device(), matrix, 1 / 65.0).none);
  CHECK(genocl::pwm::threshold(test_device(), matrix, 1 / 64.0).score == 4.0);
}

TEST_CASE("pwm p-values: words counted beyond what can be enumerated") {
  // A word of 20 letters scores how many of them match: binomial counts.
  const ScoreMatrix matrix("matches", "", {20, {1.0, 0.0, 0.0, 0.0}});
  std::vector<std::uint64_t> words(22);
  std::uint64_t choose = 1, others = std::uint64_t{1};
  for (unsigned mismatches = 0; mismatches <= 20; ++mismatches) {
    words[20 - mismatches] = words[21 - mismatches] + choose * others;
    choose = choose * (20 - mismatches) / (mismatches + 1);
    others *= 3;
  }
  for (unsigned matches = 0; matches <= 20; ++matches) {
    CAPTURE(matches);
    CHECK(genocl::pwm::p_value(test_device(), matrix, matches).words == words[matches]);
    const double p = std::ldexp(static_cast<double>(words[matches]), -40);
    CHECK(genocl::pwm::threshold(test_device(), matrix, p).score == matches);
  }
}

TEST_CASE("pwm p-values: tables bound what cannot be counted") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const ScoreMatrix matrix = random_matrix(random, 40);
  double last = 1;
  for (const double part : {0.3, 0.5, 0.6, 0.7, 0.8}) {
    const PValue p =
        genocl::pwm::p_value(test_device(), matrix, matrix.lowest() + part * (matrix.highest() - matrix.lowest()));
    CHECK_FALSE(p.exact);
    CHECK(p.low <= p.high);
    CHECK(p.low <= last);
    CHECK(p.high - p.low <= 0.05 * p.high);
    last = p.high;
  }
  for (const double p : {1e-3, 1e-5, 1e-9}) {
    const Threshold threshold = genocl::pwm::threshold(test_device(), matrix, p);
    CHECK(threshold.p.high <= p);
    CHECK(threshold.p.low >= 0.95 * p);
    const Threshold paper = genocl::pwm::threshold(
        test_device(), matrix, p, PValueOptions{.background = {}, .paper_convention = true, .progress = {}});
    CHECK(paper.p.low >= p);
    CHECK(paper.p.high <= 1.05 * p);
  }
}

TEST_CASE("pwm p-values: bounds of tables hold the exact ones, 1,000 random matrices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Background uniform, uneven({0.3, 0.2, 0.15, 0.35}), first = markov(1), second = markov(2);
  unsigned violated = 0, wide = 0;
  for (unsigned round = 0; round < 1000; ++round) {
    const ScoreMatrix matrix = random_matrix(random, 1 + random() % 12, round % 4 == 0 ? 5 : 0);
    const Background& background = *std::array{&uniform, &uneven, &first, &second}[random() % 4];
    const genocl::pwm::FixedPoint fixed = genocl::pwm::fixed_point(matrix);
    const genocl::pwm::WordCount<double> words(matrix, fixed, background);
    const genocl::pwm::ScoreTables tables(fixed, background, std::uint64_t{1} << (8 + random() % 8));
    for (unsigned k = 0; k < 5; ++k) {
      std::vector<genocl::Code> word = pwm_test::random_codes(random, matrix.length());
      const double score =
          k < 3 ? matrix.score(word) : matrix.lowest() + (k - 2) / 3.0 * (matrix.highest() - matrix.lowest());
      const double exact = words.at_least(score);
      const PValue p = tables.p_value(score);
      violated += p.low > exact * (1 + 1e-12) || p.high < exact * (1 - 1e-12) ? 1 : 0;
      wide += p.high - p.low > 0.5 ? 1 : 0;
    }
  }
  CHECK(violated == 0);
  CHECK(wide < 1000);  // of 5,000: they say something
}

TEST_CASE("pwm p-values: many scores at once, as one by one") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {6, 13}) {
    for (const Background& background : {Background(), markov(1)}) {
      const ScoreMatrix matrix = random_matrix(random, length, 10);
      std::vector<double> scores;
      for (unsigned k = 0; k < 40; ++k) scores.push_back(matrix.score(pwm_test::random_codes(random, length)));
      scores.push_back(matrix.highest());
      scores.push_back(scores.front());
      PValueOptions options;
      options.background = background;
      const auto together =
          genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), std::span(&scores, 1), options)[0];
      for (std::size_t i = 0; i < scores.size(); ++i) {
        const PValue alone = genocl::pwm::p_value(test_device(), matrix, scores[i], options);
        CHECK(together[i].words == alone.words);
        // Bounds of rounding differ with the order in which words are added up.
        CHECK(together[i].low == doctest::Approx(alone.low).epsilon(1e-9));
        CHECK(together[i].high == doctest::Approx(alone.high).epsilon(1e-9));
        CHECK(together[i].low <= alone.high);
        CHECK(alone.low <= together[i].high);
      }
    }
  }
}

TEST_CASE("pwm p-values: a distribution holds the true tail") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (unsigned round = 0; round < 100; ++round) {
    const ScoreMatrix matrix = random_matrix(random, 1 + random() % 6, round % 2 != 0 ? 10 : 0);
    const Background background = round % 3 == 0 ? markov(1) : Background();
    const std::vector<Tail> all = tails(matrix, background);
    PValueOptions options;
    options.background = background;
    options.buckets = 40;
    const genocl::pwm::Distribution found = genocl::pwm::distribution(test_device(), matrix, options);
    REQUIRE(found.edge.size() == 40);
    bool holds = true;
    for (std::size_t i = 0; i < found.edge.size(); ++i) {
      const double p = tail_at(all, found.edge[i]).p;
      holds = holds && found.low[i] <= p * (1 + 1e-12) && p * (1 - 1e-12) <= found.high[i];
    }
    CHECK(holds);
  }
}

TEST_CASE("pwm p-values: whole collections, in order") {
  Random random(7);
  std::vector<ScoreMatrix> matrices;
  std::vector<std::vector<double>> scores;
  for (unsigned i = 0; i < 20; ++i) {
    matrices.push_back(random_matrix(random, 1 + i % 6));
    scores.push_back({0.0, static_cast<double>(i)});
  }
  const std::vector<genocl::Device> devices(2, test_device());
  const auto values = genocl::pwm::p_values(devices, matrices, scores);
  REQUIRE(values.size() == 20);
  for (unsigned i = 0; i < 20; ++i)
    for (unsigned j = 0; j < 2; ++j)
      CHECK(values[i][j].words == tail_at(tails(matrices[i], Background()), scores[i][j]).words);
}

TEST_CASE("pwm p-values: invalid arguments") {
  const ScoreMatrix matrix("m", "", {{1.0, 0.0, 0.0, 0.0}});
  for (const double p : {0.0, -0.1, 1.5, std::nan("")})
    CHECK_THROWS_AS(genocl::pwm::threshold(test_device(), matrix, p), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::p_value(test_device(), matrix, std::nan("")), genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::p_values({}, std::span(&matrix, 1), std::vector<std::vector<double>>{{1.0}}),
                  genocl::InputError);
  CHECK_THROWS_AS(genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), {}), genocl::InputError);
}
