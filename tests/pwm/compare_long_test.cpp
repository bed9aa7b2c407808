// Matrices with too many hits to list: bounds against lists of small ones.
#include <doctest/doctest.h>

#include <algorithm>

#include "genocl/pwm/compare.hpp"
#include "pwm/cases.hpp"
#include "pwm/compare_long.hpp"
#include "reference/pwm/pwm_compare.hpp"

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;
using pwm_test::drawn_variants;
using pwm_test::has_exact_lists;
using pwm_test::random_matrix;
using pwm_test::score_at;
using pwm_test::variants;

namespace {

const Background uneven(std::array{0.31, 0.22, 0.17, 0.3});

struct Case {
  ScoreMatrix matrix, turned;
  double threshold;

  Case(ScoreMatrix of, double at) : matrix(std::move(of)), turned(matrix.reverse_complement()), threshold(at) {}
  Side side(bool reverse = false) const { return {reverse ? &turned : &matrix, threshold}; }
};

Case random_case(Random& random, std::size_t length, double share) {
  ScoreMatrix matrix = random_matrix(random, length);
  const double threshold = score_at(matrix, share, random) - 0.003;
  return {std::move(matrix), threshold};
}

void check_around(const PValue& bounds, double truth, double gap = 1) {
  CHECK(bounds.low <= truth * (1 + 1e-9) + 1e-15);
  CHECK(bounds.high >= truth * (1 - 1e-9) - 1e-15);
  CHECK(bounds.high - bounds.low <= gap);
}

/// Of a few letters one word, on the threshold, may be as much as the whole gap; most are not.
struct Gaps {
  double most = 0;
  std::size_t all = 0, wide = 0;
  void add(const PValue& bounds) {
    ++all;
    if (bounds.high - bounds.low > most) ++wide;
  }
  ~Gaps() { CHECK(10 * wide <= all); }
};

HitLists lists_of(const Device& device, const std::vector<Case>& cases, const Background& background) {
  std::vector<std::vector<std::uint64_t>> words;
  std::vector<std::uint32_t> lengths;
  for (const Case& one : cases) {
    const auto m = static_cast<std::uint32_t>(one.matrix.length());
    words.push_back(hit_words(one.side(), 1 << 20).value());
    words.push_back(turned_words(words.back(), m));
    lengths.insert(lengths.end(), {m, m});
  }
  std::vector<const std::vector<std::uint64_t>*> lists;
  for (const auto& list : words) lists.push_back(&list);
  return {device, lists, lengths, background};
}

}  // namespace

TEST_CASE("tiny: pwm compare, lists and long matrices") {
  Random random(11);
  const std::vector<Case> listed = {random_case(random, 2, 0.3), random_case(random, 4, 0.2)};
  const Case long_one = random_case(random, 2, 0.4);
  for (const auto& variant : variants())
    for (const Background& background : {Background(), uneven}) {
      if (!has_exact_lists(variant.device, background)) continue;
      const HitLists lists = lists_of(variant.device, listed, background);
      const Side sides[] = {long_one.side()};
      const LongJoin join(variant.device, lists, 1, sides, background);
      check_around(join.both(0, 2, 1),
                   genocl_reference::overlap(listed[1].matrix, listed[1].threshold, long_one.matrix, long_one.threshold,
                                             1, background)
                       .both,
                   0.3);
    }
}

TEST_CASE("tiny: pwm compare, collections") {
  Random random(13);
  const std::vector<ScoreMatrix> matrices = {random_matrix(random, 1, 2), random_matrix(random, 3, 2)};
  const std::vector<double> thresholds = {-1, 0};
  for (const auto& variant : variants())
    for (const Background& background : {Background(), uneven}) {
      if (!has_exact_lists(variant.device, background)) continue;
      const std::vector<Device> devices = {variant.device};
      const auto best = best_overlaps(devices, matrices, thresholds, matrices, thresholds, {.background = background});
      REQUIRE(best.size() == 4);
      const auto truth =
          genocl_reference::overlap(matrices[0], -1, matrices[1], 0, best[1].shift, background, best[1].reverse);
      check_around(best[1].both, truth.both, 1e-9);
    }
}

TEST_CASE("tiny: pwm compare, two long matrices") {
  Random random(12);
  const Case a = random_case(random, 2, 0.3), b = random_case(random, 1, 0.5);
  const Side of_a[] = {a.side()}, of_b[] = {b.side()};
  const std::uint32_t m[] = {2}, n[] = {1};
  for (const auto& variant : variants()) {
    const LongSides rows(variant.device, of_a, n, {}, pair_bins), columns(variant.device, of_b, m, {}, pair_bins);
    const auto pairs = join_pairs(variant.device, rows, 0, columns, {});
    REQUIRE(pairs[0].size() == 2);
    check_around(pairs[0][0], genocl_reference::overlap(a.matrix, a.threshold, b.matrix, b.threshold, 0, {}).both, 0.5);
  }
}

TEST_CASE("bounds of long matrices hold for every list at every place") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<Case> listed;
  for (const std::size_t length : {1, 2, 2, 3, 5, 6}) listed.push_back(random_case(random, length, 0.3));
  std::vector<Case> long_ones;
  for (const std::size_t length : {1, 3, 4, 4, 6}) long_ones.push_back(random_case(random, length, 0.3));
  std::vector<Side> sides;
  for (const Case& one : long_ones) sides.push_back(one.side());
  for (const auto& variant : drawn_variants())
    for (const Background& background : {Background(), uneven})
      for (const std::uint32_t step : {1u, 2u}) {
        if (!has_exact_lists(variant.device, background)) continue;
        CAPTURE(variant.name);
        const HitLists lists = lists_of(variant.device, listed, background);
        const LongJoin join(variant.device, lists, step, sides, background);
        Gaps gaps{0.01};
        for (std::size_t l = 0; l < long_ones.size(); ++l)
          for (std::uint64_t list = 0; list < lists.lists(); list += step) {
            const Case& one = listed[list / 2];
            const int m = static_cast<int>(long_ones[l].matrix.length()), n = static_cast<int>(one.matrix.length());
            // A list of reverse complements: the matrix is compared, and the other one is reverse complemented.
            for (int at = 1 - m; at < n; ++at) {
              CAPTURE(at);
              const double truth = genocl_reference::overlap(long_ones[l].matrix, long_ones[l].threshold, one.matrix,
                                                             one.threshold, -at, background, list % 2 == 1)
                                       .both;
              check_around(join.both(l, list, at), truth);
              gaps.add(join.both(l, list, at));
            }
          }
      }
}

TEST_CASE("bounds of two long matrices hold at every shift, and are near") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Gaps gaps{0.1};
  for (int round = 0; round < 3; ++round) {
    const Case a = random_case(random, 2 + random() % 4, 0.2);
    const std::vector<Case> bs = {random_case(random, 1 + random() % 5, 0.2), random_case(random, 3, 0.5)};
    const Background background = round == 1 ? uneven : Background();
    const Side of_a[] = {a.side()};
    const std::vector<Side> of_b = {bs[0].side(), bs[0].side(true), bs[1].side(), bs[1].side(true)};
    const std::uint32_t lengths_a[] = {static_cast<std::uint32_t>(a.matrix.length())};
    const std::vector<std::uint32_t> lengths_b = {static_cast<std::uint32_t>(bs[0].matrix.length()), 3};
    for (const auto& variant : drawn_variants()) {
      const LongSides rows(variant.device, of_a, lengths_b, background, pair_bins);
      const LongSides columns(variant.device, of_b, lengths_a, background, pair_bins);
      const auto pairs = join_pairs(variant.device, rows, 0, columns, background);
      REQUIRE(pairs.size() == 4);
      for (std::size_t j = 0; j < 4; ++j) {
        const Case& b = bs[j / 2];
        for (std::size_t i = 0; i < pairs[j].size(); ++i) {
          const int shift = static_cast<int>(i + 1) - static_cast<int>(b.matrix.length());
          const double truth =
              genocl_reference::overlap(a.matrix, a.threshold, b.matrix, b.threshold, shift, background, j % 2 == 1)
                  .both;
          check_around(pairs[j][i], truth);
          gaps.add(pairs[j][i]);
        }
      }
    }
  }
}

TEST_CASE("best overlaps of collections with long matrices are as good as the best there are") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<ScoreMatrix> matrices;
  std::vector<double> thresholds;
  // Of 11 columns more words than a collection's lists hold are hits; compare() lists them.
  for (const std::size_t length : {4, 11, 7}) {
    const Case one = random_case(random, length, length == 11 ? 0.36 : 0.1);
    matrices.push_back(one.matrix);
    thresholds.push_back(one.threshold);
  }
  const std::size_t count = matrices.size();
  std::vector<std::vector<Overlap>> all;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t j = 0; j < count; ++j)
      all.push_back(compare(pwm_test::test_device(), matrices[i], thresholds[i], matrices[j], thresholds[j]));
  for (const auto& variant : drawn_variants()) {
    const std::vector<Device> devices = {variant.device};
    const auto best = best_overlaps(devices, matrices, thresholds, matrices, thresholds);
    for (std::size_t pair = 0; pair < all.size(); ++pair) {
      CAPTURE(pair);
      const Overlap& found = best[pair];
      const auto most = std::ranges::max_element(all[pair], {}, &Overlap::similarity);
      const auto same = std::ranges::find_if(
          all[pair], [&](const Overlap& one) { return one.shift == found.shift && one.reverse == found.reverse; });
      REQUIRE(same != all[pair].end());
      CHECK(found.both.exact == (pair / count != 1 && pair % count != 1));
      check_around(found.both, same->both.low, 0.05);
      check_around(found.only_first, same->only_first.low, 0.05);
      CHECK(same->similarity >= most->similarity - 0.05);
      CHECK(found.similarity == doctest::Approx(same->similarity).epsilon(0.1));
    }
  }
}
