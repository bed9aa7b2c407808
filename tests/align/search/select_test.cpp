// The best scores of each query against a sort on the host.
#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "align/cases.hpp"
#include "align/pipeline.hpp"
#include "genocl/error.hpp"

namespace {

using namespace genocl::align;
using genocl_test::Random;
using genocl_test::test_seed;
using Scores = std::vector<std::int32_t>;

std::vector<Candidate> expected(const std::int32_t* scores, std::uint32_t count, std::int32_t cutoff, std::size_t top) {
  Scores sorted(scores, scores + count);
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  const std::int32_t least = std::max(cutoff, top < count ? sorted[top - 1] : 0);
  std::vector<Candidate> found;
  for (std::uint32_t s = 0; s < count; ++s)
    if (scores[s] >= least) found.push_back({s, scores[s]});
  return found;
}

void check(const align_test::Variant& variant, const Scores& scores, const Scores& cutoffs, std::size_t top) {
  CAPTURE(variant.name);
  CAPTURE(top);
  const auto count = static_cast<std::uint32_t>(scores.size() / cutoffs.size());
  CAPTURE(count);
  const DeviceScores on_device(variant.device, std::span<const std::int32_t>(scores));
  const auto found = select_top(variant.device, on_device, count, cutoffs, top);
  REQUIRE(found.size() == cutoffs.size());
  for (std::size_t q = 0; q < cutoffs.size(); ++q) {
    CAPTURE(q);
    const auto wanted = expected(scores.data() + q * count, count, cutoffs[q], top);
    REQUIRE(found[q].size() == wanted.size());
    CHECK(std::equal(wanted.begin(), wanted.end(), found[q].begin(), [](const Candidate& a, const Candidate& b) {
      return a.subject == b.subject && a.score == b.score;
    }));
  }
}

/// Mostly small, as real scores are, some of any size.
Scores random_scores(Random& random, std::size_t size, bool wide) {
  Scores scores(size);
  for (std::int32_t& score : scores) {
    score = static_cast<std::int32_t>(20 + random() % 60);
    if (wide || random() % 50 == 0) score = static_cast<std::int32_t>((random() & 0x7fffffff) >> random() % 31);
  }
  return scores;
}

}  // namespace

TEST_CASE("tiny: align select") {
  const Scores scores = {5, 9, 300, 9, 0, 70'000, 1, 1, 1, 2, 2, 0};
  for (const auto& variant : align_test::variants()) {
    check(variant, scores, {1, 1}, 2);
    check(variant, scores, {1, 2}, 6);
  }
}

TEST_CASE("align select: sizes, tops and cutoffs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& variant : align_test::drawn_variants())
    for (const std::uint32_t count : {1u, 2u, 63u, 64u, 65u, 1'000u, 16'384u, 16'385u, 50'001u})
      for (const std::uint32_t queries : {1u, 3u, 20u}) {
        const Scores scores = random_scores(random, std::size_t{count} * queries, queries == 3);
        for (const std::size_t top : {std::size_t{1}, std::size_t{10}, std::size_t{count / 2 + 1}, std::size_t{count},
                                      std::size_t{count} + 5, std::numeric_limits<std::size_t>::max()}) {
          Scores cutoffs(queries);
          for (std::int32_t& cutoff : cutoffs) cutoff = static_cast<std::int32_t>(random() % 100);
          cutoffs.back() = 0;
          check(variant, scores, cutoffs, top);
        }
      }
}

TEST_CASE("align select: ties, extremes, nothing") {
  constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
  for (const auto& variant : align_test::drawn_variants()) {
    check(variant, Scores(20'000, 7), {1, 8, 7, -5}, 3);
    check(variant, Scores(3'000, 0), {0, 1}, 3);
    Scores scores(40'000, most);
    check(variant, scores, {1, most}, 10);
    scores[17] = most - 1;
    scores[39'999] = 0;
    check(variant, scores, {1, 1}, 19'999);
    check(variant, scores, {1, 1}, 20'000);
    const DeviceScores on_device(variant.device, std::span<const std::int32_t>(scores));
    CHECK(select_top(variant.device, on_device, 40'000, {}, 5).empty());
    const auto none = select_top(variant.device, on_device, 40'000, Scores{1}, 0);
    CHECK((none.size() == 1 && none[0].empty()));
    CHECK_THROWS_AS(select_top(variant.device, on_device, 40'000, Scores{1, 1}, 5), genocl::InputError);
  }
}
