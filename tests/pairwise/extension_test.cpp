// Extension from a pair of letters: the best alignment that contains it, against cells without a limit.
#include "pairwise/extension.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "pairwise/path.hpp"
#include "random.hpp"

using namespace genocl;
using namespace genocl::pairwise;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

std::vector<Code> random_dna(Random& random, std::size_t length) {
  std::vector<Code> codes(length);
  for (Code& code : codes) code = static_cast<Code>(random.below(4));
  return codes;
}

/// The score of the best path from the corner of two sequences to anywhere, by all three matrices of Gotoh.
std::int32_t best_from_corner(std::span<const Code> a, std::span<const Code> b, const Matrix& matrix,
                              const GapPenalty& gap) {
  constexpr std::int32_t low = -1'000'000;
  const std::size_t columns = b.size() + 1;
  std::vector<std::int32_t> h(columns * (a.size() + 1), low), e = h, f = h;
  std::int32_t best = h[0] = 0;
  for (std::size_t i = 0; i <= a.size(); ++i)
    for (std::size_t j = 0; j <= b.size(); ++j) {
      const std::size_t at = i * columns + j;
      if (j > 0) e[at] = std::max(e[at - 1] - gap.extend, h[at - 1] - gap.first());
      if (i > 0) f[at] = std::max(f[at - columns] - gap.extend, h[at - columns] - gap.first());
      if (i > 0 && j > 0) h[at] = h[at - columns - 1] + matrix(a[i - 1], b[j - 1]);
      h[at] = std::max({h[at], e[at], f[at]});
      if (i == 0 && j == 0) h[at] = 0;
      best = std::max(best, h[at]);
    }
  return best;
}

std::vector<Code> turned(std::span<const Code> codes) { return {codes.rbegin(), codes.rend()}; }

}  // namespace

TEST_CASE("pairwise extension: the best alignment that contains a pair of letters") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Matrix matrix = Matrix::dna(2, -3);
  for (int round = 0; round < 200; ++round) {
    const GapPenalty gap{static_cast<int>(random.below(7)), static_cast<int>(1 + random.below(3))};
    const HostScoring scoring(matrix, gap);
    const std::vector<Code> query = random_dna(random, 1 + random.below(61));
    std::vector<Code> subject = random_dna(random, 1 + random.below(61));
    if (random.below(2) == 1)
      subject.insert(subject.begin() + static_cast<long>(subject.size() / 2), query.begin(), query.end());
    const Pivot pivot{random.below(query.size()), random.below(subject.size())};
    const Alignment found = extend(query, subject, pivot, scoring, matrix, 100'000);
    const std::span<const Code> q(query), s(subject);
    CHECK(found.score ==
          matrix(query[pivot.query], subject[pivot.subject]) +
              best_from_corner(turned(q.first(pivot.query)), turned(s.first(pivot.subject)), matrix, gap) +
              best_from_corner(q.subspan(pivot.query + 1), s.subspan(pivot.subject + 1), matrix, gap));
    CHECK(score_of(found, query, subject, matrix, gap) == found.score);
    UsedPairs pairs;
    pairs.add(found);
    const UsedPairs::LetterPair own{static_cast<std::uint32_t>(pivot.subject), static_cast<std::uint32_t>(pivot.query)};
    CHECK(std::ranges::binary_search(pairs.pairs(), own));
    // With a limit no path is better; without the pairs of the path another one is taken.
    const Alignment limited = extend(query, subject, pivot, scoring, matrix, 5);
    CHECK(limited.score <= found.score);
    CHECK(score_of(limited, query, subject, matrix, gap) == limited.score);
    UsedPairs others;
    const Alignment next = extend(query, subject, pivot, scoring, matrix, 100'000, pairs);
    others.add(next);
    for (const auto& pair : others.pairs()) CHECK((pair == own || !std::ranges::binary_search(pairs.pairs(), pair)));
    CHECK(score_of(next, query, subject, matrix, gap) == next.score);
  }
}

TEST_CASE("pairwise extension: a path whose score falls by more than the limit is not followed") {
  const Matrix matrix = Matrix::dna(2, -3);
  const GapPenalty gap{5, 2};
  // 10 matches, 4 mismatches, 10 matches.
  const std::vector<Code> query(24, 0);
  std::vector<Code> subject(24, 0);
  std::fill(subject.begin() + 10, subject.begin() + 14, Code{1});
  const HostScoring scoring(matrix, gap);
  CHECK(extend(query, subject, {2, 2}, scoring, matrix, 12).score == 28);
  CHECK(extend(query, subject, {2, 2}, scoring, matrix, 11).score == 20);
  const Alignment whole = extend(query, subject, {2, 2}, scoring, matrix, 12);
  CHECK(whole.query_end == 24);
  CHECK(deepest_drop(whole, {2, 2}, query, subject, scoring) == 12);
  CHECK(deepest_drop(whole, {20, 20}, query, subject, scoring) == 12);
  const Pivot pivot = pivot_of(whole, query, subject, scoring);
  CHECK(pivot.query == pivot.subject);
  CHECK(pivot.query < 24);
}
