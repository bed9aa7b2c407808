// Scores of pairs, against the scalar oracle.
#include "genocl/pairwise/pairs.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "genocl/error.hpp"
#include "pairwise/cases.hpp"
#include "pairwise/tiles.hpp"
#include "reference/align.hpp"

namespace {

using namespace genocl;
using namespace genocl::pairwise;
using genocl_test::Random;
using genocl_test::test_seed;
using pairwise_test::mutated;
using pairwise_test::Pairs;
using pairwise_test::random_codes;
using pairwise_test::repeated;

using Sequence = std::vector<Code>;

void check_scores(const Device& device, const Pairs& pairs, const PairOptions& options) {
  const std::vector<std::int32_t> scores = score_pairs(device, pairs.a, pairs.b, options);
  REQUIRE(scores.size() == pairs.a.size());
  for (std::size_t i = 0; i < scores.size(); ++i) {
    CAPTURE(i);
    CAPTURE(pairs.a.length(i));
    CAPTURE(pairs.b.length(i));
    CHECK(scores[i] == genocl_reference::local_score(pairs.a[i], pairs.b[i], options.matrix, options.gap));
  }
}

constexpr GapPenalty gap_pairs[] = {{11, 1}, {0, 1}, {5, 2}, {100, 0}, {0, 15}, {16'000, 0}, {1, 15'999}};

}  // namespace

TEST_CASE("tiny: pairwise scores of pairs") {
  for (const pairwise_test::Variant& variant : pairwise_test::variants()) {
    CAPTURE(variant.name);
    Pairs pairs;
    pairs.add({1, 2, 3, 4, 5, 6, 7}, {9, 1, 2, 3, 5, 6, 7, 8});
    pairs.add({0}, {0});
    pairs.add({}, {0, 1});
    check_scores(variant.device, pairs, {});
  }
}

TEST_CASE("pairwise: scores of pairs equal the oracle's") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    for (const GapPenalty& gap : gap_pairs) {
      CAPTURE(gap.open);
      CAPTURE(gap.extend);
      Pairs pairs;
      for (int i = 0; i < 60; ++i) {
        const Sequence query = random_codes(random, 1 + random() % 300, 27);
        pairs.add(query, i % 3 == 0 ? random_codes(random, 1 + random() % 300, 27)
                                    : mutated(random, query, 2 + static_cast<unsigned>(random() % 20), 27));
      }
      const Sequence unit = random_codes(random, 1 + random() % 9);
      pairs.add(repeated(unit, 70), repeated(unit, 45));
      pairs.add({}, {});
      pairs.add({3}, {});
      pairs.add({3}, {3});
      pairs.add(Sequence(40, 4), Sequence(50, 17));  // nothing that scores
      check_scores(variant.device, pairs, {.gap = gap});
    }
  }
}

TEST_CASE("pairwise: scores of pairs around the borders of tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const TileShape shape = tile_shape(variant.device);
    Pairs pairs;
    for (const std::size_t m : {shape.rows - 1, shape.rows, shape.rows + 1, 2 * shape.rows, 2 * shape.rows + 1})
      for (const std::size_t n :
           {shape.columns - 1, shape.columns, shape.columns + 1, 3 * shape.columns, 3 * shape.columns + 2}) {
        const Sequence longer = random_codes(random, std::max(m, n));
        Sequence query = longer, subject = mutated(random, longer, 12);
        query.resize(m);
        subject.resize(n, 3);
        pairs.add(query, subject);
      }
    check_scores(variant.device, pairs, {});
    check_scores(variant.device, pairs, {.gap = {0, 1}});
  }
}

TEST_CASE("pairwise: long pairs are cut into jobs along anti-diagonals") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const TileShape shape = tile_shape(variant.device);
    Pairs pairs;
    const Sequence query = random_codes(random, 4 * shape.rows + random() % 300);
    const std::size_t n = shape.min_cut_cells / query.size() + 1000;
    Sequence subject = mutated(random, query, 9);
    const Sequence rest = random_codes(random, n);
    subject.insert(subject.begin(), rest.begin(), rest.end());
    pairs.add(query, subject);
    pairs.add(subject, query);
    pairs.add(random_codes(random, 100), random_codes(random, 150));
    check_scores(variant.device, pairs, {});
    check_scores(variant.device, pairs, {.gap = {2, 0}});
  }
}

TEST_CASE("pairwise: scores of pairs beyond 16 bits") {
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    Pairs pairs;
    // W W scores 11: 6,500 of them are beyond 65,535, 3,100 beyond 32,767; shorter than a tile, and longer.
    const Code w = encode(Alphabet::protein, "W").front();
    for (const std::size_t length : {2'970, 2'980, 5'930, 5'960, 6'500})
      pairs.add(Sequence(length, w), Sequence(length, w));
    Sequence gapped(6'400, w);
    gapped.insert(gapped.begin() + 3'000, 500, 4);
    pairs.add(Sequence(6'400, w), gapped);
    check_scores(variant.device, pairs, {});
    Pairs dna(Alphabet::dna);
    dna.add(Sequence(900, 2), Sequence(1000, 2));
    check_scores(variant.device, dna, {.matrix = Matrix::dna(127, -127), .gap = {5, 2}});
  }
}

TEST_CASE("pairwise: scores of DNA pairs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    Pairs pairs(Alphabet::dna);
    for (int i = 0; i < 40; ++i) {
      const Sequence query = random_codes(random, 1 + random() % 900, i % 2 == 0 ? 4 : 15);
      pairs.add(query, mutated(random, query, 3 + static_cast<unsigned>(i), 4));
    }
    check_scores(variant.device, pairs, {.matrix = Matrix::dna(), .gap = {5, 2}});
  }
}

TEST_CASE("pairwise: pairs in several batches and on several devices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Pairs pairs;
  for (int i = 0; i < 100; ++i) {
    const Sequence query = random_codes(random, 1 + random() % 1500);
    pairs.add(query, mutated(random, query, 10));
  }
  std::uint64_t done = 0;
  PairOptions options{.border_bytes = 20'000};
  options.progress = [&](const ProgressState& state) {
    CHECK(state.items_done >= done);
    done = state.items_done;
    return true;
  };
  check_scores(pairwise_test::test_device(), pairs, options);
  std::uint64_t cells = 0;
  for (std::size_t i = 0; i < pairs.a.size(); ++i) cells += pairs.a.length(i) * pairs.b.length(i);
  CHECK(done == cells);
  const std::vector<Device> devices = {pairwise_test::test_device(), pairwise_test::test_device().with_own_queue()};
  CHECK(score_pairs(devices, pairs.a, pairs.b) == score_pairs(devices.front(), pairs.a, pairs.b));
  options.progress = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(score_pairs(devices, pairs.a, pairs.b, options), Cancelled);
  CHECK(score_pairs(devices, SequenceSet(Alphabet::protein), SequenceSet(Alphabet::protein)).empty());
}

TEST_CASE("pairwise: wrong pairs are refused") {
  const Device& device = pairwise_test::test_device();
  Pairs pairs;
  pairs.add({1, 2}, {1, 2});
  CHECK_THROWS_AS(score_pairs(device, pairs.a, SequenceSet(Alphabet::protein)), InputError);
  CHECK_THROWS_AS(score_pairs(device, pairs.a, pairs.b, {.gap = {0, 0}}), InputError);
  CHECK_THROWS_AS(score_pairs(device, pairs.a, pairs.b, {.gap = {-1, 2}}), InputError);
  CHECK_THROWS_AS(score_pairs(device, pairs.a, pairs.b, {.matrix = Matrix::dna()}), InputError);
  CHECK_THROWS_AS(align_pairs(device, pairs.a, pairs.b, {.gap = {0, 0}}), InputError);
  SequenceSet longest(Alphabet::protein);
  longest.append("long", Sequence((std::size_t{1} << 24) + 1, 0));
  CHECK_THROWS_WITH_AS(score_pairs(device, pairs.a, longest), doctest::Contains("16777216"), InputError);
}
