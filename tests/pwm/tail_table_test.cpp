// P-values from tables, thresholds from lists of words, against all words and against words counted in halves.
#include "genocl/pwm/tail_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "pwm/p_value.hpp"
#include "pwm/scores.hpp"
#include "pwm/tail_table.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

Background some_background(Random& random, unsigned order) {
  if (order == 0) {
    std::array<double, 4> f{};
    double sum = 0;
    for (double& one : f) sum += one = random.between(0.1, 1);
    for (double& one : f) one /= sum;
    return Background(f);
  }
  SequenceSet text(Alphabet::dna);
  text.append("text", pwm_test::random_codes(random, 3000, 4));
  // Skewed: some words come more often.
  std::vector<Code> more;
  for (int i = 0; i < 500; ++i)
    for (const unsigned code : {1u, 1u, 0u, 3u}) more.push_back(static_cast<Code>(code));
  text.append("more", more);
  return Background::of(text, order, false);
}

std::vector<PValueOptions> all_options(Random& random) {
  std::vector<PValueOptions> all(1);
  for (unsigned order = 0; order < 3; ++order)
    for (const Strands strands : {Strands::forward, Strands::reverse, Strands::both}) {
      PValueOptions options;
      options.background = some_background(random, order);
      options.strands = strands;
      all.push_back(options);
    }
  return all;
}

/// The probability of a word of a strand, from first principles: the product of its letters' conditional probabilities.
double probability(const Background& background, std::span<const Code> word) {
  const unsigned order = background.order();
  double p = 1;
  std::uint32_t before = 0;
  const std::uint32_t mask = (1u << 2 * order) - 1;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (i + 1 == order) p = background.start(before << 2 | word[i]);
    if (i >= order) p *= background.conditional(before, word[i]);
    before = (before << 2 | word[i]) & mask;
  }
  return p;
}

double probability(const PValueOptions& options, std::span<const Code> word) {
  const double forward = probability(options.background, word);
  const double reverse = probability(options.background.reverse_complement(), word);
  return options.strands == Strands::forward   ? forward
         : options.strands == Strands::reverse ? reverse
                                               : (forward + reverse) / 2;
}

TEST_CASE("tables of short matrices have what all words say") {
  Random random(test_seed());
  for (std::size_t length = 3; length <= 7; ++length)
    for (const unsigned steps : {0u, 4u})
      for (const PValueOptions& options : all_options(random)) {
        const ScoreMatrix matrix = pwm_test::random_matrix(random, length, steps);
        std::vector<std::pair<double, double>> words;  // score, probability
        std::vector<Code> word(length);
        for (std::uint32_t number = 0; number < 1u << (2 * length); ++number) {
          for (std::size_t i = 0; i < length; ++i) word[i] = static_cast<Code>(number >> (2 * i) & 3);
          words.emplace_back(matrix.score(word), probability(options, word));
        }
        std::ranges::sort(words, std::greater<>());
        const double threshold = words[words.size() / 5].first;
        const TailTable table(matrix, threshold, options);
        CHECK(table.exact());
        double sum = 0;
        for (std::size_t i = 0; i < words.size() && words[i].first >= threshold; ++i) {
          sum += words[i].second;
          if (i + 1 < words.size() && words[i + 1].first == words[i].first) continue;
          const PValue p = table(words[i].first);
          CAPTURE(length);
          CAPTURE(steps);
          CAPTURE(options.background.order());
          CAPTURE(static_cast<int>(options.strands));
          CHECK(p.exact);
          CHECK(p.low <= sum * (1 + 1e-12));
          CHECK(p.high >= sum * (1 - 1e-12));
          CHECK(p.high - p.low <= 1e-11 * sum);
          // Nothing scores between two words.
          CHECK(table(std::nextafter(words[i].first, 1e300)).high < p.high);
        }
        CHECK(table(words[0].first + 1).high == 0);
        const PValue below = table(std::nextafter(threshold, -1e300));
        CHECK(below.high == 1);
        CHECK(below.low == table(threshold).low);
      }
}

TEST_CASE("tables of bounds hold the P-values of words counted in halves") {
  const Device& device = pwm_test::test_device();
  Random random(test_seed());
  const std::vector<PValueOptions> choices = all_options(random);
  std::vector<double> widths;
  int with_bounds = 0;
  for (int round = 0; round < 20; ++round) {
    const std::size_t length = 12 + random.below(7);
    const ScoreMatrix matrix = pwm_test::random_matrix(random, length, round % 5 == 0 ? 8 : 0);
    const PValueOptions& options = choices[static_cast<std::size_t>(round) % choices.size()];
    const std::vector<double> ps = {1e-2};
    const double threshold = pwm::thresholds(std::span(&device, 1), std::span(&matrix, 1), ps, options)[0][0].score;
    const TailTable table(matrix, threshold, options);
    with_bounds += table.exact() ? 0 : 1;  // under some backgrounds few words are as probable as that
    CHECK(table.bytes() < std::uint64_t{2} << 20);
    std::vector<double> scores = {threshold, matrix.highest()};
    while (scores.size() < 30) {
      // Words near the best one, which are rare.
      std::vector<Code> word;
      for (const auto& column : matrix.columns())
        word.push_back(static_cast<Code>(
            random.below(4) == 0 ? random.below(4)
                                 : static_cast<std::uint64_t>(std::ranges::max_element(column) - column.begin())));
      if (const double score = matrix.score(word); score >= threshold) scores.push_back(score);
    }
    const auto exact = p_values(std::span(&device, 1), std::span(&matrix, 1), std::span(&scores, 1), options)[0];
    for (std::size_t i = 0; i < scores.size(); ++i) {
      const PValue p = table(scores[i]);
      CAPTURE(length);
      CAPTURE(scores[i]);
      CHECK(p.low <= exact[i].high);
      CHECK(p.high >= exact[i].low);
      widths.push_back((p.high - p.low) / p.high);
    }
  }
  CHECK(with_bounds >= 10);
  // Where single words weigh much, bounds next to them are far apart.
  std::ranges::sort(widths);
  CHECK(widths[widths.size() / 2] < 0.005);
  CHECK(widths[widths.size() * 9 / 10] < 0.03);
}

TEST_CASE("bounds of coarse grids also hold, in new memory and in that of other tables") {
  Random random(test_seed());
  DeficitTable::Memory memory;
  for (int round = 0; round < 40; ++round) {
    const ScoreMatrix matrix = pwm_test::random_matrix(random, 1 + random.below(7), 0);
    const FixedPoint fixed = fixed_point(matrix);
    const Background background = some_background(random, static_cast<unsigned>(random.below(3)));
    const std::int64_t depth = largest_deficit(fixed) / static_cast<std::int64_t>(1 + random.below(3));
    const std::uint64_t cells = 2 + random.below(300);
    DeficitTable::Memory none;
    DeficitTable table(fixed, background, depth, cells, memory);
    const DeficitTable in_new_memory(fixed, background, depth, cells, none);
    for (std::int64_t deficit = 0; deficit <= depth; deficit += std::max<std::int64_t>(1, depth / 97)) {
      CHECK(table.low(deficit) == in_new_memory.low(deficit));
      CHECK(table.high(deficit) == in_new_memory.high(deficit));
    }
    const std::vector<Background> backgrounds = {background};
    const auto words = top_words(matrix, fixed, backgrounds, depth, 1u << 20);
    REQUIRE(words);
    for (std::size_t i = 0; i < words->score.size(); ++i) {
      const std::int64_t deficit = fixed.highest() - fixed.maybe_at_least(words->score[i]);
      if (deficit > depth) continue;
      CHECK(table.high(deficit) >= words->weight[i] * (1 - 1e-12));
      CHECK(table.low(fixed.highest() - fixed.surely_at_least(words->score[i])) <= words->weight[i] * (1 + 1e-12));
    }
    std::move(table).release(memory);
  }
}

TEST_CASE("thresholds from lists are those of words counted in halves") {
  const Device& device = pwm_test::test_device();
  Random random(test_seed());
  const std::vector<PValueOptions> choices = all_options(random);
  int listed = 0;
  for (int round = 0; round < 120; ++round) {
    const std::size_t length = 2 + random.below(11);
    const ScoreMatrix matrix = pwm_test::random_matrix(random, length, round % 4 == 0 ? 4 : 0);
    const PValueOptions& options = choices[static_cast<std::size_t>(round) % choices.size()];
    const std::vector<Background> backgrounds = backgrounds_of(options);
    const std::vector<double> ps = {1e-3, random.between(0, 1e-2), 1e-5};
    for (const bool paper : {false, true}) {
      const auto found = listed_thresholds(matrix, ps, backgrounds, paper);
      if (!found) continue;
      ++listed;
      const auto wanted = backgrounds.size() == 1
                              ? certified_thresholds(device, matrix, ps, backgrounds[0], paper)
                              : certified_average_thresholds(device, matrix, ps, backgrounds[0], backgrounds[1], paper);
      for (std::size_t i = 0; i < ps.size(); ++i) {
        CAPTURE(length);
        CAPTURE(ps[i]);
        CAPTURE(paper);
        const Threshold &a = (*found)[i], &b = wanted[i];
        CHECK(a.none == b.none);
        CHECK(a.score == b.score);
        CHECK(a.p.exact);
        CHECK(a.p.words == b.p.words);
        CHECK(std::abs(a.p.high - b.p.high) <= 1e-10 * b.p.high);
      }
    }
  }
  CHECK(listed > 200);
}

TEST_CASE("tables at the ends: no threshold, all words, none, impossible letters, one column, 128 columns") {
  Random random(test_seed());
  const ScoreMatrix matrix = pwm_test::random_matrix(random, 5);
  const double nothing = std::numeric_limits<double>::quiet_NaN(), least = -std::numeric_limits<double>::infinity();
  CHECK(TailTable(matrix, nothing)(1).high == 1);
  CHECK(TailTable(matrix, nothing)(1).low == 0);
  const TailTable all(matrix, least);
  CHECK(all(least).low == 1);
  CHECK(all(matrix.lowest()).words == 1024);
  CHECK(TailTable(matrix, matrix.highest() + 1)(matrix.highest() + 1).high == 0);
  const ScoreMatrix impossible("x", "", {{1, least, least, 0}, {0, 1, least, least}, {2, 2, 2, least}});
  const TailTable few(impossible, 1);
  CHECK(few(4).words == 3);
  CHECK(few(2).words == 12);
  const ScoreMatrix one("one", "", {{0, 1, 2, 3}});
  CHECK(TailTable(one, 2)(3).low == 0.25);
  const ScoreMatrix longest = pwm_test::random_matrix(random, 128);
  const TailTable long_table(longest, longest.highest() - 20);
  CHECK(long_table(longest.highest()).high < 1e-60);
  CHECK(long_table(longest.highest()).high >= std::pow(0.25, 128));
  CHECK(long_table(longest.highest() - 20).low > long_table(longest.highest() - 10).high);
  PValueOptions bucket;
  bucket.method = PValueMethod::bucket;
  CHECK_THROWS_AS(TailTable(matrix, 0, bucket), InputError);
  const std::vector<double> two = {1, 2};
  CHECK_THROWS_AS(tail_tables(std::span(&matrix, 1), two), InputError);
  int calls = 0;
  PValueOptions cancelled;
  cancelled.progress = [&](const ProgressState&) { return ++calls < 1; };
  const std::vector<double> thresholds = {1};
  CHECK_THROWS_AS(tail_tables(std::span(&matrix, 1), thresholds, cancelled), Cancelled);
}

}  // namespace
