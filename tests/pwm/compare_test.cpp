// How alike hits of two matrices are: exactly as every word of the union says, and within what bounds promise.
#include "genocl/pwm/compare.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "genocl/error.hpp"
#include "pwm/cases.hpp"
#include "pwm/compare.hpp"
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

constexpr double infinity = std::numeric_limits<double>::infinity();

const Background uneven(std::array{0.31, 0.22, 0.17, 0.3});

void check_within(const PValue& p, double truth) {
  CHECK(p.low <= truth * (1 + 1e-9) + 1e-15);
  CHECK(p.high >= truth * (1 - 1e-9) - 1e-15);
}

void check_overlaps(const std::vector<Overlap>& overlaps, const ScoreMatrix& a, double threshold_a,
                    const ScoreMatrix& b, double threshold_b, const Background& background, bool exact) {
  const int m = static_cast<int>(a.length()), n = static_cast<int>(b.length());
  REQUIRE(overlaps.size() == 2 * static_cast<std::size_t>(m + n + 1));
  std::size_t at = 0;
  for (const bool reverse : {false, true})
    for (int shift = -n; shift <= m; ++shift, ++at) {
      CAPTURE(shift);
      CAPTURE(reverse);
      const Overlap& found = overlaps[at];
      const auto truth = genocl_reference::overlap(a, threshold_a, b, threshold_b, shift, background, reverse);
      REQUIRE(found.shift == shift);
      REQUIRE(found.reverse == reverse);
      CHECK(found.union_length == static_cast<std::uint32_t>(std::max(m, shift + n) - std::min(0, shift)));
      check_within(found.both, truth.both);
      check_within(found.only_first, truth.first);
      check_within(found.only_second, truth.second);
      if (!exact) continue;
      CHECK(found.both.exact);
      CHECK(found.both.low == found.both.high);
      CHECK(found.only_first.high - found.only_first.low <= 1e-15);
      if (background.uniform()) {
        CHECK(found.both.words == truth.both_words);
        CHECK(found.only_first.words == truth.first_words);
        CHECK(found.only_second.words == truth.second_words);
      }
      const double all = truth.both + truth.first + truth.second;
      CHECK(found.similarity == doctest::Approx(all > 0 ? truth.both / all : 0).epsilon(1e-9));
    }
}

}  // namespace

TEST_CASE("tiny: pwm compare, by lists") {
  Random random(1);
  const ScoreMatrix a = random_matrix(random, 3, 2), b = random_matrix(random, 2, 2);
  for (const auto& variant : variants())
    for (const Background& background : {Background(), uneven}) {
      CAPTURE(variant.name);
      check_overlaps(compare(variant.device, a, -1, b, -1, {.background = background}), a, -1, b, -1, background,
                     has_exact_lists(variant.device, background));
    }
}

TEST_CASE("tiny: pwm compare, bounds and buckets") {
  Random random(2);
  const ScoreMatrix a = random_matrix(random, 2), b = random_matrix(random, 2);
  for (const auto& variant : variants())
    for (const Background& background : {Background(), uneven}) {
      CAPTURE(variant.name);
      const double truth = genocl_reference::overlap(a, -1, b, -1, 1, background).both;
      check_within(bound_joint(variant.device, {&a, -1}, {&b, -1}, 1, background, 16), truth);
      for (const unsigned slices : {1u, 2u, 3u})
        check_within(bucket_joint(variant.device, {&a, -1}, {&b, -1}, 1, background, slices, 8).both, truth);
    }
}

TEST_CASE("words that are hits: all of them, in order") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 20; ++round) {
    ScoreMatrix matrix = random_matrix(random, 1 + random() % 7, round % 2 == 0 ? 4 : 0);
    const double threshold = score_at(matrix, 0.3, random);
    std::vector<std::uint64_t> expected;
    for (std::uint64_t w = 0; w < std::uint64_t{1} << (2 * matrix.length()); ++w) {
      std::vector<Code> word(matrix.length());
      for (std::size_t i = 0; i < word.size(); ++i) word[i] = static_cast<Code>(w >> (2 * (word.size() - 1 - i)) & 3);
      if (matrix.score(word) >= threshold) expected.push_back(w);
    }
    CHECK(hit_words({&matrix, threshold}, 1 << 20).value() == expected);
    CHECK_FALSE(hit_words({&matrix, threshold}, expected.size() - 1).has_value());
  }
  Random other(test_seed());
  const ScoreMatrix long_one = random_matrix(other, 32);
  CHECK_FALSE(hit_words({&long_one, 0}, 10).has_value());
}

TEST_CASE("exact for unions as long as enumeration reaches") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 4; ++round) {
    const ScoreMatrix a = random_matrix(random, 1 + random() % 5, round % 2 == 0 ? 2 : 0);
    const ScoreMatrix b = random_matrix(random, 1 + random() % 4, round % 2 == 0 ? 2 : 0);
    const double share = round == 0 ? 0.5 : 0.1;
    const double threshold_a = score_at(a, share, random), threshold_b = score_at(b, share, random);
    for (const Background& background : {Background(), uneven})
      for (const auto& variant : drawn_variants()) {
        CAPTURE(variant.name);
        check_overlaps(compare(variant.device, a, threshold_a, b, threshold_b, {.background = background}), a,
                       threshold_a, b, threshold_b, background, has_exact_lists(variant.device, background));
      }
  }
}

TEST_CASE("a matrix and itself, no hits, every word a hit") {
  Random random(3);
  const Device device = variants()[0].device;
  const ScoreMatrix a = random_matrix(random, 4), b = random_matrix(random, 3);
  const auto same = compare(device, a, 0, a, 0);
  CHECK(same[4].similarity == 1);  // shift 0, forward
  for (const unsigned buckets : {0u, 2u, 40u})
    CHECK(compare(device, a, 0, a, 0, {.method = PValueMethod::bucket, .buckets = buckets})[4].similarity == 1);
  for (const double threshold : {-infinity, a.lowest() - 1, infinity, a.highest() + 1}) {
    CAPTURE(threshold);
    check_overlaps(compare(device, a, threshold, b, -2), a, threshold, b, -2, {}, true);
    for (const unsigned slices : {1u, 2u})
      check_overlaps(
          compare(device, a, threshold, b, -2, {.method = PValueMethod::bucket, .slices = slices, .buckets = 32}), a,
          threshold, b, -2, {}, false);
    const double truth = genocl_reference::overlap(a, threshold, b, -2, 1, {}).both;
    check_within(bound_joint(device, {&a, threshold}, {&b, -2}, 1, {}, 64), truth);
  }
}

TEST_CASE("letters that never are in a hit") {
  Random random(4);
  const Device device = variants()[0].device;
  const ScoreMatrix a("a", "", {{1, -infinity, 0.5, -1}, {-infinity, 1, -infinity, 0}, {0, 0, 0, 0}});
  const ScoreMatrix b = random_matrix(random, 3);
  check_overlaps(compare(device, a, 0.5, b, -1), a, 0.5, b, -1, {}, true);
  check_overlaps(compare(device, a, 0.5, b, -1, {.method = PValueMethod::bucket}), a, 0.5, b, -1, {}, false);
  for (int shift = -3; shift <= 3; ++shift)
    check_within(bound_joint(device, {&a, 0.5}, {&b, -1}, shift, {}, 64),
                 genocl_reference::overlap(a, 0.5, b, -1, shift, {}).both);
  const ScoreMatrix never("n", "", {{-infinity, -infinity, -infinity, -infinity}, {1, 0, 0, 0}});
  check_overlaps(compare(device, never, 0, b, -1), never, 0, b, -1, {}, true);
  CHECK(bound_joint(device, {&never, 0}, {&b, -1}, 0, {}, 64).high == 0);
}

TEST_CASE("bounds hold, and close with more bins") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 6; ++round) {
    const ScoreMatrix a = random_matrix(random, 2 + random() % 4), b = random_matrix(random, 2 + random() % 3);
    const double threshold_a = score_at(a, 0.1, random), threshold_b = score_at(b, 0.1, random);
    const Background background = round % 2 == 0 ? Background() : uneven;
    check_within(bound_single({&a, threshold_a}, background),
                 genocl_reference::overlap(a, threshold_a, b, infinity, 0, background).first);
    for (const auto& variant : drawn_variants())
      for (const int shift : {-2, 0, 1}) {
        CAPTURE(shift);
        CAPTURE(variant.name);
        const double truth = genocl_reference::overlap(a, threshold_a, b, threshold_b, shift, background).both;
        const PValue coarse = bound_joint(variant.device, {&a, threshold_a}, {&b, threshold_b}, shift, background, 16);
        const PValue fine = bound_joint(variant.device, {&a, threshold_a}, {&b, threshold_b}, shift, background, 400);
        check_within(coarse, truth);
        check_within(fine, truth);
        CHECK(fine.high - fine.low <= coarse.high - coarse.low + 1e-6);
        for (const unsigned slices : {1u, 2u, 3u, 4u})
          check_within(
              bucket_joint(variant.device, {&a, threshold_a}, {&b, threshold_b}, shift, background, slices, 24).both,
              truth);
      }
  }
}

TEST_CASE("matrices too long for lists: bounds around what their lists would say") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // 36 columns, 30 of them of no weight: hits are those of the six others, so lists of those tell the truth.
  const ScoreMatrix core = random_matrix(random, 6), b = random_matrix(random, 5);
  std::vector<std::array<double, 4>> columns(15);
  columns.insert(columns.end(), core.columns().begin(), core.columns().end());
  columns.resize(36);
  const ScoreMatrix a("long", "", columns);
  const double threshold_a = score_at(core, 0.05, random), threshold_b = score_at(b, 0.05, random);
  const Device device = variants()[0].device;
  const auto found = compare(device, a, threshold_a, b, threshold_b);
  const auto truth = compare(device, core, threshold_a, b, threshold_b);
  REQUIRE(found.size() == 2 * (36 + 5 + 1));
  for (const bool reverse : {false, true})
    for (int shift = -5; shift <= 6; ++shift) {
      CAPTURE(shift);
      const Overlap& one = found[static_cast<std::size_t>(shift + 15 + 5) + (reverse ? 42 : 0)];
      const Overlap& exact = truth[static_cast<std::size_t>(shift + 5) + (reverse ? 12 : 0)];
      REQUIRE(one.shift == shift + 15);
      REQUIRE(exact.shift == shift);
      CHECK_FALSE(one.both.exact);
      check_within(one.both, exact.both.low);
      check_within(one.only_first, exact.only_first.low);
      check_within(one.only_second, exact.only_second.low);
      CHECK(one.both.high - one.both.low <= exact.both.high + 1e-3);
    }
}

TEST_CASE("the best overlaps of two collections are those of each pair, on one device and two") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<ScoreMatrix> a, b;
  std::vector<double> thresholds_a, thresholds_b;
  for (int i = 0; i < 7; ++i) {
    a.push_back(random_matrix(random, 1 + random() % 8, i % 2 == 0 ? 2 : 0));
    thresholds_a.push_back(score_at(a.back(), 0.1, random));
  }
  for (int j = 0; j < 5; ++j) {
    b.push_back(j == 0 ? a[2].reverse_complement() : random_matrix(random, 1 + random() % 8));
    thresholds_b.push_back(j == 0 ? thresholds_a[2] : score_at(b.back(), 0.1, random));
  }
  const auto better = [](const Overlap& x, const Overlap& y) {
    if (x.similarity != y.similarity) return x.similarity > y.similarity;
    if (std::abs(x.shift) != std::abs(y.shift)) return std::abs(x.shift) < std::abs(y.shift);
    return x.shift != y.shift ? x.shift < y.shift : x.reverse < y.reverse;
  };
  for (const auto& variant : drawn_variants())
    for (const Background& background : {Background(), uneven}) {
      if (!has_exact_lists(variant.device, background)) continue;
      CAPTURE(variant.name);
      const std::vector<Device> one = {variant.device}, two = {variant.device, variant.device.with_own_queue()};
      const auto best = best_overlaps(one, a, thresholds_a, b, thresholds_b, {.background = background});
      const auto again = best_overlaps(two, a, thresholds_a, b, thresholds_b, {.background = background});
      REQUIRE(best.size() == a.size() * b.size());
      REQUIRE(again.size() == best.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t j = 0; j < b.size(); ++j) {
          const auto all =
              compare(variant.device, a[i], thresholds_a[i], b[j], thresholds_b[j], {.background = background});
          const Overlap& expected = *std::ranges::min_element(all, better);
          for (const Overlap& found : {best[i * b.size() + j], again[i * b.size() + j]}) {
            if (background.uniform()) {
              CHECK(found.shift == expected.shift);
              CHECK(found.reverse == expected.reverse);
              CHECK(found.similarity == expected.similarity);
              CHECK(found.both.words == expected.both.words);
            } else {
              // The sums are taken in another order, so two overlaps of one similarity may change places.
              CHECK(found.similarity == doctest::Approx(expected.similarity).epsilon(1e-10));
              const auto same_place = std::ranges::find_if(
                  all, [&](const Overlap& o) { return o.shift == found.shift && o.reverse == found.reverse; });
              REQUIRE(same_place != all.end());
              CHECK(found.similarity == doctest::Approx(same_place->similarity).epsilon(1e-10));
              CHECK(found.both.words == same_place->both.words);
            }
            CHECK(found.both.exact);
          }
        }
    }
}

TEST_CASE("what cannot be compared") {
  Random random(5);
  const Device device = variants()[0].device;
  const ScoreMatrix a = random_matrix(random, 4), b = random_matrix(random, 20);
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(compare(device, a, nan, b, 0), InputError);
  CHECK_THROWS_AS(compare(device, a, 0, b, nan), InputError);
  SequenceSet text;
  text.append_letters("r", "ACGTTGCAAC");
  CHECK_THROWS_AS(compare(device, a, 0, a, 0, {.background = Background::of(text, 1)}), InputError);
  CHECK(compare(device, a, 0, b, 0, {.method = PValueMethod::bucket, .buckets = 16}).size() == 2 * (4 + 20 + 1));
  CHECK_THROWS_AS(compare(device, a, 0, a, 0, {.method = PValueMethod::bucket, .buckets = 1}), InputError);
  CHECK_THROWS_AS(compare(device, a, 0, a, 0, {.method = PValueMethod::bucket, .buckets = 4000}), InputError);
  CHECK_THROWS_AS(compare(device, a, 0, b, 0, {.method = PValueMethod::bucket, .slices = 1, .buckets = 16}),
                  InputError);
  const std::vector<Device> devices = {device};
  const std::vector<ScoreMatrix> matrices = {a};
  const std::vector<double> one = {0}, none;
  CHECK_THROWS_AS(best_overlaps({}, matrices, one, matrices, one), InputError);
  CHECK_THROWS_AS(best_overlaps(devices, matrices, none, matrices, one), InputError);
  CHECK_THROWS_AS(best_overlaps(devices, matrices, one, matrices, none), InputError);
  CHECK(best_overlaps(devices, {}, {}, matrices, one).empty());
  CHECK_THROWS_AS(compare(device, b, b.lowest(), a, 0, {.progress = [](const ProgressState&) { return false; }}),
                  Cancelled);
}

TEST_CASE("pwm compare: similarities by buckets are within their bounds, and near the exact ones") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device device = variants()[0].device;
  for (int round = 0; round < 4; ++round) {
    const ScoreMatrix a = random_matrix(random, 5 + random() % 3), b = random_matrix(random, 4 + random() % 3);
    const double threshold_a = score_at(a, 0.05, random), threshold_b = score_at(b, 0.05, random);
    const auto exact = compare(device, a, threshold_a, b, threshold_b);
    const auto found = compare(device, a, threshold_a, b, threshold_b, {.method = PValueMethod::bucket});
    REQUIRE(found.size() == exact.size());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double pa = exact[i].both.low + exact[i].only_first.low, pb = exact[i].both.low + exact[i].only_second.low;
      const auto similarity = [&](double both) { return pa + pb > both ? both / (pa + pb - both) : 0; };
      CHECK(found[i].similarity >= similarity(found[i].both.low) * (1 - 1e-6) - 1e-9);
      CHECK(found[i].similarity <= similarity(std::min({found[i].both.high, pa, pb})) * (1 + 1e-6) + 1e-9);
      CHECK(std::abs(found[i].similarity - exact[i].similarity) < 0.1);
    }
  }
}

TEST_CASE("pwm compare: buckets are chosen by the columns, and too many operations are refused at once") {
  CHECK(buckets_for(8) == 1024);
  CHECK(buckets_for(20) == 1024);
  CHECK(buckets_for(30) <= 128);
  for (std::size_t columns = 1; columns <= 2 * ScoreMatrix::longest; ++columns) {
    const unsigned buckets = buckets_for(columns);
    CHECK(buckets >= 16);
    CHECK((buckets == 16 || bucket_operations(columns, slices_for(columns, buckets), buckets) <= 4e8));
  }
  Random random(9);
  const Device device = variants()[0].device;
  const ScoreMatrix a = random_matrix(random, 40);
  CHECK_THROWS_WITH_AS(compare(device, a, 0, a, 0, {.method = PValueMethod::bucket, .buckets = 2048}),
                       doctest::Contains("for unions of up to 80 columns: too many operations"), InputError);
}

TEST_CASE("pwm compare: the number of slices takes the least time and holds every union") {
  // Merges of 256^4 products cost more than any words that two slices can hold.
  for (const std::size_t columns : {2, 16, 17, 20, 26}) CHECK(slices_for(columns, 256) == 2);
  CHECK(slices_for(27, 256) == 3);
  CHECK(slices_for(40, 256) == 4);
  CHECK(slices_for(24, 8) > 2);  // 8^4 products are nothing
  for (std::size_t columns = 1; columns <= 2 * ScoreMatrix::longest; ++columns)
    for (const unsigned buckets : {2, 16, 256, 2048}) {
      const unsigned slices = slices_for(columns, buckets);
      CHECK(slices >= 2);
      CHECK(slices * max_slice_columns >= columns);
    }
}
