#include "pwm/word_count.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <span>

#include "genocl/pwm/background.hpp"
#include "genocl/pwm/p_value.hpp"
#include "pwm/cases.hpp"
#include "pwm/halves.hpp"
#include "reference/pwm/pwm.hpp"

namespace {

using genocl::pwm::Background;
using genocl::pwm::fixed_point;
using genocl::pwm::FixedPoint;
using genocl::pwm::many_tails;
using genocl::pwm::PValue;
using genocl::pwm::PValueOptions;
using genocl::pwm::ScoreMatrix;
using genocl::pwm::WordCount;
using genocl::pwm::WordModel;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::random_matrix;
using pwm_test::test_device;

/// Of words that follow each other with different frequencies.
Background first_order() {
  return Background::parse(
      "A 0.3\nC 0.2\nG 0.2\nT 0.3\n"
      "AA 0.12\nAC 0.05\nAG 0.06\nAT 0.07\nCA 0.06\nCC 0.05\nCG 0.02\nCT 0.07\n"
      "GA 0.06\nGC 0.05\nGG 0.05\nGT 0.04\nTA 0.06\nTC 0.05\nTG 0.07\nTT 0.12\n",
      "test");
}

/// [score]: words at or above it and their probability, of all scores of words.
struct Tail {
  std::uint64_t words = 0;
  double p = 0;
};
std::map<double, Tail> tails(const ScoreMatrix& matrix, const Background& background) {
  std::map<double, Tail> all;
  genocl_reference::every_word(matrix, background, [&](auto, double score, double p) {
    ++all[score].words;
    all[score].p += p;
  });
  Tail sum;
  for (auto one = all.rbegin(); one != all.rend(); ++one) {
    sum = {sum.words + one->second.words, sum.p + one->second.p};
    one->second = sum;
  }
  return all;
}

/// Of many scores, unsorted and some twice, against all words.
void check(const ScoreMatrix& matrix, const Background& background, std::vector<double> scores,
           const std::map<double, Tail>& all) {
  PValueOptions options;
  options.background = background;
  const std::vector<PValue> found =
      genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), std::span(&scores, 1), options)[0];
  REQUIRE(found.size() == scores.size());
  const bool counted = background.order() == 0 && background.uniform();
  unsigned wrong = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const auto at = all.lower_bound(scores[i]);
    const Tail expected = at == all.end() ? Tail{} : at->second;
    bool right = found[i].exact && found[i].low <= expected.p * (1 + 1e-12) &&
                 found[i].high >= expected.p * (1 - 1e-12) && found[i].high - found[i].low <= 1e-9 * found[i].high &&
                 found[i].words.has_value() == counted;
    if (counted) {
      const double p = std::ldexp(static_cast<double>(expected.words), -2 * static_cast<int>(matrix.length()));
      right = right && found[i].words == expected.words && found[i].low == p && found[i].high == p;
    }
    wrong += right ? 0 : 1;
  }
  CHECK(wrong == 0);
}

void check_all_scores(Random& random, const ScoreMatrix& matrix, const Background& background) {
  const std::map<double, Tail> all = tails(matrix, background);
  std::vector<double> attained;
  for (const auto& [score, tail] : all) attained.push_back(score);
  std::shuffle(attained.begin(), attained.end(), random);
  const auto with_neighbours = [&](std::size_t count) {
    std::vector<double> scores = {1e300, matrix.highest() + 1, matrix.lowest() - 1, -1e300};
    for (std::size_t i = 0; i < std::min(count, attained.size()); ++i)
      for (const double score : {attained[i], std::nextafter(attained[i], 1e9), std::nextafter(attained[i], -1e9)})
        scores.push_back(score);
    scores.push_back(attained[0]);
    std::shuffle(scores.begin(), scores.end(), random);
    return scores;
  };
  check(matrix, background, with_neighbours(2), all);
  check(matrix, background, with_neighbours(1000), all);
  check(matrix, background, {attained[0]}, all);
  // The highest ones only, as of hits: most half words are in none of them.
  std::vector<double> top;
  for (auto one = all.rbegin(); one != all.rend() && top.size() < 60; ++one) top.push_back(one->first);
  check(matrix, background, top, all);
  attained.resize(std::min<std::size_t>(attained.size(), 5000));
  check(matrix, background, attained, all);
}

std::vector<double> random_scores(Random& random, const ScoreMatrix& matrix, unsigned count, double from) {
  std::vector<double> scores;
  while (scores.size() < count) {
    const auto part = from + (1 - from) * static_cast<double>(random() >> 11) / 9007199254740992.0;
    scores.push_back(matrix.lowest() + part * (matrix.highest() - matrix.lowest()));
  }
  std::sort(scores.begin(), scores.end());
  scores.erase(std::unique(scores.begin(), scores.end()), scores.end());
  return scores;
}

}  // namespace

TEST_CASE("pwm many tails: all scores of all words") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {1, 2, 3, 4, 5, 6, 7, 8, 9})
    for (const unsigned steps : {0, 3, 4, 10}) {  // quarters never round, so that words of equal sums are one
      CAPTURE(length);
      CAPTURE(steps);
      check_all_scores(random, random_matrix(random, length, steps), Background());
    }
  check_all_scores(random, ScoreMatrix("tenth", "", {9, {0.1, 0.2, 0.3, -0.1}}), Background());
}

TEST_CASE("pwm many tails: all scores of words of 10 to 12 letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {10, 11, 12}) {
    CAPTURE(length);
    const ScoreMatrix matrix =
        random_matrix(random, length, length > 10 ? 5 : 0);  // 4^12 sums would be too many to keep
    const std::map<double, Tail> all = tails(matrix, Background());
    std::vector<double> some;
    for (const auto& [score, tail] : all)
      if (random() % (all.size() / 400 + 1) == 0) some.push_back(score);
    for (auto one = all.rbegin(); one != all.rend() && some.size() < 1200; ++one) some.push_back(one->first);
    check(matrix, Background(), some, all);
  }
}

TEST_CASE("pwm many tails: letters of other frequencies and a Markov background") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {1, 2, 3, 6, 8})
    for (const unsigned steps : {0, 4, 10}) {
      CAPTURE(length);
      CAPTURE(steps);
      check_all_scores(random, random_matrix(random, length, steps), Background({0.3, 0.2, 0.15, 0.35}));
      check_all_scores(random, random_matrix(random, length, steps), first_order());
    }
}

TEST_CASE("pwm many tails: letters that never occur, and everything") {
  const double never = -std::numeric_limits<double>::infinity();
  const ScoreMatrix matrix("never", "",
                           {{1.0, never, 0.5, never}, {0.25, 2.0, never, 0.1}, {never, never, never, 1.0}});
  Random random(3);
  const std::vector<double> scores = {never, 1.7, -1e300, 4.0, 3.5, 2.25, 1.0, never, 5.0};
  const std::vector<PValue> found =
      genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), std::span(&scores, 1))[0];
  const std::uint64_t expected[] = {64, 5, 6, 1, 2, 3, 6, 64, 0};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CAPTURE(i);
    CHECK(found[i].words == expected[i]);
  }
}

TEST_CASE("pwm many tails: as counted one by one, words of up to 18 letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t length : {14, 16, 18}) {
    CAPTURE(length);
    const ScoreMatrix matrix = random_matrix(random, length, length == 16 ? 20 : 0);
    const FixedPoint fixed = fixed_point(matrix);
    const std::vector<double> scores = random_scores(random, matrix, 30, length == 14 ? 0 : 0.7);
    const WordCount<std::uint64_t> one_by_one(matrix, fixed, Background());
    const auto found = many_tails(matrix, fixed, WordModel<std::uint64_t>(Background(), length), scores);
    REQUIRE(found.has_value());
    for (std::size_t i = 0; i < scores.size(); ++i) CHECK(found->weight[i] == one_by_one.at_least(scores[i]));
  }
}

TEST_CASE("pwm many tails: many words tie with each score") {
  // Columns alike, of scores that round: words that tie on paper are near each other's score, more than are looked at
  // in the longer one. How many words have how often which letter is known without them.
  for (const std::size_t length : {12, 22}) {
    CAPTURE(length);
    const ScoreMatrix matrix("alike", "", {length, {0.1, 0.7, 0.1, 0.1}});
    const FixedPoint fixed = fixed_point(matrix);
    std::vector<double> scores;  // between those of words
    std::vector<std::uint64_t> expected;
    std::uint64_t choose = 1, others = 1, words = 0;
    for (std::size_t c = length; c + 6 > length; --c) {
      words += choose * others;
      expected.push_back(words);
      scores.push_back(0.1 * static_cast<double>(length) + 0.6 * static_cast<double>(c) - 0.3);
      choose = choose * c / (length - c + 1);
      others *= 3;
    }
    const std::vector<PValue> found =
        genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), std::span(&scores, 1))[0];
    for (std::size_t i = 0; i < scores.size(); ++i) CHECK(found[i].words == expected[i]);
  }
}

TEST_CASE("pwm many tails: longer words than can be counted get bounds all the same") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const ScoreMatrix matrix = random_matrix(random, 40);
  const std::vector<double> scores = random_scores(random, matrix, 10, 0.3);
  const std::vector<PValue> found =
      genocl::pwm::p_values(std::span(&test_device(), 1), std::span(&matrix, 1), std::span(&scores, 1))[0];
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CHECK_FALSE(found[i].exact);
    CHECK(found[i].low <= found[i].high);
    if (i > 0) CHECK(found[i].low <= found[i - 1].high);
  }
}
