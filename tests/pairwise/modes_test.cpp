// Global and semi-global scores and alignments of pairs: equal to the scalar oracle's in every field.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/pairwise/pairs.hpp"
#include "pairwise/cases.hpp"
#include "pairwise/tiles.hpp"
#include "reference/align_modes.hpp"

namespace {

using namespace genocl;
using namespace genocl::pairwise;
using genocl_test::Random;
using genocl_test::test_seed;
using pairwise_test::mutated;
using pairwise_test::Pairs;
using pairwise_test::random_codes;

using Sequence = std::vector<Code>;

void check_modes(const Device& device, const Pairs& pairs, PairOptions options) {
  const std::vector<std::int32_t> scores = score_pairs(device, pairs.a, pairs.b, options);
  const std::vector<Alignment> found = align_pairs(device, pairs.a, pairs.b, options);
  REQUIRE(found.size() == pairs.a.size());
  FreeEnds free = options.free;
  if (options.mode == PairMode::global) free = {false, false, false, false};
  const std::string ends = std::string(free.query_begin ? "qb " : "") + (free.query_end ? "qe " : "") +
                           (free.subject_begin ? "sb " : "") + (free.subject_end ? "se" : "");
  CAPTURE(ends);
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CAPTURE(pairs.a.length(i));
    CAPTURE(pairs.b.length(i));
    const Alignment expected =
        genocl_reference::end_to_end_alignment(pairs.a[i], pairs.b[i], options.matrix, options.gap, free);
    CHECK(scores[i] == expected.score);
    CHECK(found[i].score == expected.score);
    CHECK(found[i].query_begin == expected.query_begin);
    CHECK(found[i].query_end == expected.query_end);
    CHECK(found[i].subject_begin == expected.subject_begin);
    CHECK(found[i].subject_end == expected.subject_end);
    CHECK(found[i].cigar() == expected.cigar());
    CHECK(found[i] == expected);
    CHECK(score_of(found[i], pairs.a[i], pairs.b[i], options.matrix, options.gap) == found[i].score);
  }
}

/// Global, and semi-global with every choice of free ends.
void check_all_modes(const Device& device, const Pairs& pairs, PairOptions options) {
  options.mode = PairMode::global;
  check_modes(device, pairs, options);
  options.mode = PairMode::semi_global;
  for (unsigned bits = 0; bits < 16; ++bits) {
    options.free = {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0, (bits & 8) != 0};
    check_modes(device, pairs, options);
  }
}

Pairs with_empty_ones(Alphabet alphabet) {
  Pairs pairs(alphabet);
  pairs.add({}, {});
  pairs.add({3}, {});
  pairs.add({}, {3, 2, 1});
  pairs.add({3}, {3});
  pairs.add({3}, {2});
  return pairs;
}

constexpr GapPenalty gap_pairs[] = {{11, 1}, {0, 1}, {0, 4}, {5, 2}, {1, 0}, {100, 0}, {1, 15'999}};

}  // namespace

TEST_CASE("tiny: pairwise global and semi-global pairs") {
  for (const pairwise_test::Variant& variant : pairwise_test::variants()) {
    CAPTURE(variant.name);
    Pairs pairs = with_empty_ones(Alphabet::protein);
    pairs.add({17, 2, 17, 4, 5, 17, 7, 17}, {9, 17, 2, 17, 5, 17, 7, 17});
    check_modes(variant.device, pairs, {.gap = {1, 1}, .mode = PairMode::global});
    check_modes(variant.device, pairs, {.gap = {1, 1}, .mode = PairMode::semi_global});
  }
}

TEST_CASE("pairwise: global and semi-global alignments equal the oracle's") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    for (const GapPenalty& gap : gap_pairs) {
      CAPTURE(gap.open);
      CAPTURE(gap.extend);
      Pairs pairs = with_empty_ones(Alphabet::protein);
      for (int i = 0; i < 24; ++i) {
        // Few letters: many ties.
        const unsigned letters = i % 2 == 0 ? 27 : 3;
        const Sequence query = random_codes(random, 1 + random() % 200, letters);
        Sequence subject = mutated(random, query, 2 + static_cast<unsigned>(random() % 20), letters);
        if (i % 3 == 0)
          subject.erase(subject.begin(), subject.begin() + static_cast<std::ptrdiff_t>(subject.size() / 2));
        if (i % 5 == 0) subject = random_codes(random, 1 + random() % 300, letters);
        if (i % 2 == 0)
          pairs.add(query, subject);
        else
          pairs.add(subject, query);
      }
      pairs.add(Sequence(40, 4), Sequence(50, 17));  // nothing that scores
      check_all_modes(variant.device, pairs, {.gap = gap});
    }
  }
}

TEST_CASE("pairwise: global alignments with unit costs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Pairs pairs = with_empty_ones(Alphabet::dna);
  for (int i = 0; i < 20; ++i) {
    const Sequence query = random_codes(random, random() % 150, 4);
    pairs.add(query, mutated(random, query, 5, 4));
  }
  const PairOptions options{.matrix = Matrix::unit_costs(Alphabet::dna), .gap = {0, 1}};
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    check_all_modes(variant.device, pairs, options);
  }
  PairOptions global = options;
  global.mode = PairMode::global;
  const std::vector<std::int32_t> scores = score_pairs(pairwise_test::test_device(), pairs.a, pairs.b, global);
  for (std::size_t i = 0; i < scores.size(); ++i)
    CHECK(-scores[i] ==
          static_cast<std::int32_t>(genocl_reference::edit_distance(pairs.a[i], pairs.b[i], false, false)));
  CHECK_THROWS_AS(Matrix::unit_costs(Alphabet::bytes), InputError);
}

TEST_CASE("pairwise: global and semi-global alignments around the borders of tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const TileShape shape = tile_shape(variant.device);
    Pairs pairs;
    for (const std::size_t m : {shape.rows - 1, shape.rows, shape.rows + 1, 2 * shape.rows + 1})
      for (const std::size_t n : {shape.columns - 1, shape.columns, shape.columns + 1, 3 * shape.columns + 2}) {
        const Sequence longer = random_codes(random, std::max(m, n));
        Sequence query = longer, subject = mutated(random, longer, 12);
        query.resize(m);
        subject.resize(n, 3);
        pairs.add(query, subject);
      }
    for (const GapPenalty& gap : {GapPenalty{11, 1}, GapPenalty{0, 3}}) {
      check_modes(variant.device, pairs, {.gap = gap, .mode = PairMode::global});
      check_modes(variant.device, pairs, {.gap = gap, .mode = PairMode::semi_global});
      check_modes(variant.device, pairs,
                  {.gap = gap, .mode = PairMode::semi_global, .free = {false, false, true, true}});
      check_modes(variant.device, pairs,
                  {.gap = gap, .mode = PairMode::semi_global, .free = {true, false, false, true}});
    }
  }
}

TEST_CASE("pairwise: long global pairs are cut, and aligned in little memory") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const TileShape shape = tile_shape(variant.device);
    Pairs pairs;
    const Sequence query = random_codes(random, 4 * shape.rows + random() % 300);
    Sequence subject = mutated(random, query, 9);
    const Sequence rest = random_codes(random, shape.min_cut_cells / query.size() + 500);
    subject.insert(subject.begin(), rest.begin(), rest.end());
    pairs.add(query, subject);
    pairs.add(subject, query);
    for (const std::uint64_t bytes : {std::uint64_t{0}, std::uint64_t{100'000}}) {
      check_modes(variant.device, pairs, {.mode = PairMode::global, .border_bytes = bytes});
      // Values far apart within a strip: 32 bits.
      check_modes(variant.device, pairs, {.gap = {3, 40}, .mode = PairMode::global, .border_bytes = bytes});
      check_modes(variant.device, pairs, {.mode = PairMode::semi_global, .border_bytes = bytes});
      check_modes(variant.device, pairs,
                  {.mode = PairMode::semi_global, .free = {false, true, true, false}, .border_bytes = bytes});
    }
  }
}

TEST_CASE("pairwise: pairs whose global scores might not fit are refused") {
  const Device& device = pairwise_test::test_device();
  Pairs pairs;
  pairs.add(Sequence(70'000, 1), Sequence(70'000, 1));
  const PairOptions options{.gap = {0, 16'000}, .mode = PairMode::global};
  CHECK_THROWS_WITH_AS(score_pairs(device, pairs.a, pairs.b, options), doctest::Contains("pair 1 (a0, b0)"),
                       InputError);
  CHECK_THROWS_AS(align_pairs(device, pairs.a, pairs.b, options), InputError);
}
