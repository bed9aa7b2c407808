// Chains of anchors against the same rules without trees, and maximal segments against their definition.
#include "overlap/genomes/chain.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "overlap/genomes/assemble.hpp"
#include "random.hpp"

using namespace genocl::overlap;
using genocl_test::Random;
using genocl_test::rounds;
using genocl_test::test_seed;

namespace {

constexpr double impossible = -1e300;

/// Anchors on some diagonals, sorted and distinct. Some overlap.
std::vector<Anchor> random_anchors(Random& random, std::size_t count, std::uint64_t range) {
  std::set<Anchor> anchors;
  while (anchors.size() < count) {
    const std::uint64_t reference = random.below(range), shift = random.below(3) * (range / 5);
    anchors.insert({reference, reference + shift + random.below(6), 5 + random.below(40)});
  }
  return {anchors.begin(), anchors.end()};
}

double link(const Anchor& before, const Anchor& after, std::uint64_t max_gap) {
  if (before.reference >= after.reference || before.query >= after.query) return impossible;
  const double x = static_cast<double>(after.reference) - static_cast<double>(before.reference + before.length),
               y = static_cast<double>(after.query) - static_cast<double>(before.query + before.length);
  if (std::max(x, y) > static_cast<double>(max_gap)) return impossible;
  const double overlap = std::max({0.0, -x, -y}), difference = std::fabs(x - y), nearest = std::min(x, y);
  if (overlap >= static_cast<double>(after.length)) return impossible;
  return static_cast<double>(after.length) - overlap - 0.01 * std::max(0.0, nearest) - 0.05 * difference -
         0.5 * std::log2(difference + 1);
}

/// The best score of a chain by all pairs of anchors, or by the distant predecessor of each alone.
double best_score(const std::vector<Anchor>& anchors, std::uint64_t max_gap, bool all) {
  std::vector<double> score;
  double best = 0;
  for (std::size_t i = 0; i < anchors.size(); ++i) {
    const Anchor& after = anchors[i];
    score.push_back(static_cast<double>(after.length));
    double best_key = impossible, best_link = impossible;
    std::uint64_t best_end = 0;
    for (std::size_t j = 0; j < i; ++j) {
      const Anchor& before = anchors[j];
      const double linked = score[j] + link(before, after, max_gap);
      if (all) score[i] = std::max(score[i], linked);
      if (before.reference_end() > after.reference || before.query_end() > after.query) continue;
      if (before.reference_end() + max_gap < after.reference || before.query_end() + max_gap < after.query) continue;
      const double key = score[j] + 0.01 * static_cast<double>(before.reference_end() + before.query_end());
      // Of equal ones, the first by the end in the query, then by number.
      if (key > best_key || (key == best_key && before.query_end() < best_end)) {
        best_key = key;
        best_link = linked;
        best_end = before.query_end();
      }
    }
    score[i] = std::max(score[i], best_link);
    best = std::max(best, score[i]);
  }
  return best;
}

void check_chains(const std::vector<Anchor>& anchors, const std::vector<Chain>& chains, const ChainOptions& options) {
  std::set<std::uint32_t> used;
  double last = 1e300;
  for (const Chain& chain : chains) {
    CHECK(chain.score <= last);
    last = chain.score;
    double score = static_cast<double>(anchors[chain.anchors.front()].length);
    for (std::size_t k = 0; k < chain.anchors.size(); ++k) {
      CHECK(used.insert(chain.anchors[k]).second);
      if (k > 0) score += link(anchors[chain.anchors[k - 1]], anchors[chain.anchors[k]], options.max_gap);
    }
    CHECK(chain.score == doctest::Approx(score));
  }
}

/// Appends the segments of [begin, end): the best one, shortest of equals, between those before and behind it.
void best_segments(const std::vector<std::int64_t>& scores, std::size_t begin, std::size_t end,
                   std::vector<Segment>& found) {
  Segment best;
  std::int64_t highest = 0;
  for (std::size_t i = begin; i < end; ++i) {
    std::int64_t sum = 0;
    for (std::size_t j = i; j < end; ++j) {
      sum += scores[j];
      if (sum > highest || (sum == highest && sum > 0 && j + 1 - i < best.end - best.begin))
        highest = sum, best = {i, j + 1};
    }
  }
  if (highest == 0) return;
  best_segments(scores, begin, best.begin, found);
  found.push_back(best);
  best_segments(scores, best.end, end, found);
}

}  // namespace

TEST_CASE("tiny: overlap chains of few anchors") {
  CHECK(chains_of({}, {}).empty());
  const std::vector<Anchor> anchors{{0, 0, 40}, {60, 61, 40}, {90, 500, 30}, {95, 96, 30}};
  const std::vector<Chain> chains = chains_of(anchors, {.min_letters = 20});
  REQUIRE(chains.size() == 2);
  CHECK(chains[0].anchors == std::vector<std::uint32_t>{0, 1, 3});
  CHECK(chains[0].score == doctest::Approx(40 + 40 - 0.2 - 0.05 - 0.5 + 25));
  CHECK(chains[1].anchors == std::vector<std::uint32_t>{2});
  CHECK(chains_of(anchors, {.min_letters = 106}).empty());
}

TEST_CASE("overlap chains: predecessors nearby and far away") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 301);
  for (unsigned round = 0; round < rounds(200); ++round) {
    const std::vector<Anchor> anchors = random_anchors(random, 1 + random.below(64), 100 + random.below(6000));
    ChainOptions options{.max_gap = 10 + random.below(2000), .min_letters = 1};
    const std::vector<Chain> near = chains_of(anchors, options);
    check_chains(anchors, near, options);
    CHECK(near.front().score == doctest::Approx(best_score(anchors, options.max_gap, true)));
    options.max_predecessors = 0;
    const std::vector<Chain> far = chains_of(anchors, options);
    check_chains(anchors, far, options);
    CHECK(far.front().score == doctest::Approx(best_score(anchors, options.max_gap, false)));
  }
}

TEST_CASE("overlap maximal segments without a drop") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 302);
  for (unsigned round = 0; round < rounds(400); ++round) {
    std::vector<std::int64_t> scores(random.below(40));
    for (std::int64_t& score : scores) score = static_cast<std::int64_t>(random.below(21)) - 11;
    const auto max_drop = static_cast<std::int64_t>(random.below(60));
    std::vector<Segment> expected;
    std::int64_t sum = 0, highest = 0;
    std::size_t begin = 0;
    for (std::size_t i = 0; i <= scores.size(); ++i) {
      if (i < scores.size()) highest = std::max(highest, sum += scores[i]);
      if (i < scores.size() && highest - sum <= max_drop) continue;
      best_segments(scores, begin, std::min(i + 1, scores.size()), expected);
      begin = i + 1;
      highest = sum;
    }
    CAPTURE(max_drop);
    CHECK(maximal_segments(scores, max_drop) == expected);
  }
}
