// Matrices of 25 to 40 columns, whose words nobody can go through: bounds against counts in big integers.
#include <algorithm>
#include <cmath>

#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/tail_table.hpp"
#include "pwm/cases.hpp"
#include "reference/pwm/pwm_counts.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

struct LongCase {
  ScoreMatrix matrix;
  /// By score, the highest first: P of at least so much.
  std::vector<std::pair<double, double>> tail;
};

/// Scores are multiples of 1/unit, a power of two: sums of them are exact.
LongCase long_case(Random& random, std::size_t length, std::int64_t unit) {
  std::vector<std::array<double, 4>> scores;
  std::vector<std::vector<std::int64_t>> columns;
  for (std::size_t i = 0; i < length; ++i) {
    std::array<double, 4> column{};
    std::vector<std::int64_t>& integers = columns.emplace_back();
    // As log-odds have them: one letter is good, the others are worse and worse.
    const std::size_t best = random.below(4);
    for (std::size_t x = 0; x < 4; ++x) {
      const double score = x == best ? random.between(0, 2) : random.between(-5, 1);
      integers.push_back(static_cast<std::int64_t>(std::lround(score * static_cast<double>(unit))));
      column[x] = static_cast<double>(integers.back()) / static_cast<double>(unit);
    }
    scores.push_back(column);
  }
  LongCase result{{"long", "", std::move(scores)}, {}};
  const auto counts = genocl_reference::words_by_score(columns);
  genocl_reference::BigCount sum;
  for (auto one = counts.rbegin(); one != counts.rend(); ++one) {
    sum += one->second;
    result.tail.emplace_back(static_cast<double>(one->first) / static_cast<double>(unit), sum.share(length));
  }
  return result;
}

TEST_CASE("P-values and thresholds of 25 to 40 columns hold what counting in big integers says") {
  const Device& device = pwm_test::test_device();
  Random random(test_seed());
  for (const std::size_t length : {25, 28, 31, 32, 36, 40})
    for (const std::int64_t unit : {8, 64, 512}) {
      const LongCase c = long_case(random, length, unit);
      CAPTURE(length);
      CAPTURE(unit);
      REQUIRE(std::abs(c.tail.back().second - 1) < 1e-12);
      std::vector<double> scores;
      std::vector<double> truth;
      for (const double p : {1e-2, 1e-4, 1e-6, 1e-9, 1e-14, 0.0}) {
        const auto at = std::ranges::lower_bound(c.tail, p, {}, [](const auto& one) { return one.second; });
        const auto& one = at == c.tail.end() ? c.tail.front() : *at;
        scores.push_back(one.first);
        truth.push_back(one.second);
      }
      const auto values = p_values(std::span(&device, 1), std::span(&c.matrix, 1), std::span(&scores, 1))[0];
      const TailTable table(c.matrix, scores[0]);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        CAPTURE(scores[i]);
        for (const PValue& p : {values[i], table(scores[i])}) {
          CHECK(p.low <= truth[i] * (1 + 1e-12));
          CHECK(p.high >= truth[i] * (1 - 1e-12));
        }
      }
      const std::vector<double> ps = {1e-3, 1e-6, 1e-10};
      const auto thresholds = pwm::thresholds(std::span(&device, 1), std::span(&c.matrix, 1), ps)[0];
      for (std::size_t i = 0; i < ps.size(); ++i) {
        // The probability of the words that reach it, and of those that reach the next lower score.
        const auto below =
            std::ranges::find_if(c.tail, [&](const auto& one) { return one.first < thresholds[i].score; });
        REQUIRE(below != c.tail.begin());
        const double p = std::prev(below)->second;
        CHECK_FALSE(thresholds[i].none);
        CHECK(p <= ps[i]);
        CHECK(thresholds[i].p.low <= p * (1 + 1e-12));
        CHECK(thresholds[i].p.high >= p * (1 - 1e-12));
        // The bound is tight: words a little below it would be too many.
        const auto further = std::ranges::find_if(c.tail, [&](const auto& one) {
          return one.first < thresholds[i].score - 0.02 - 1.0 / static_cast<double>(unit);
        });
        REQUIRE(further != c.tail.end());
        CHECK(further->second > ps[i] * 0.98);
      }
    }
}

}  // namespace
