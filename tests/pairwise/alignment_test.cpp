// Alignments of pairs: equal to the scalar oracle's in every field.
#include "genocl/pairwise/alignment.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/pairwise/pairs.hpp"
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

using Sequence = std::vector<Code>;

void check_alignments(const Device& device, const Pairs& pairs, const PairOptions& options) {
  const std::vector<Alignment> found = align_pairs(device, pairs.a, pairs.b, options);
  REQUIRE(found.size() == pairs.a.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    CAPTURE(i);
    CAPTURE(pairs.a.length(i));
    CAPTURE(pairs.b.length(i));
    const Alignment expected = genocl_reference::local_alignment(pairs.a[i], pairs.b[i], options.matrix, options.gap);
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

Sequence joined(const Sequence& a, const Sequence& b) {
  Sequence all = a;
  all.insert(all.end(), b.begin(), b.end());
  return all;
}

constexpr GapPenalty gap_pairs[] = {{11, 1}, {0, 1}, {5, 2}, {1, 0}, {100, 0}, {0, 15}, {1, 15'999}};

}  // namespace

TEST_CASE("tiny: pairwise alignments of pairs") {
  for (const pairwise_test::Variant& variant : pairwise_test::variants()) {
    CAPTURE(variant.name);
    Pairs pairs;
    pairs.add({17, 2, 17, 4, 5, 17, 7, 17}, {9, 17, 2, 17, 5, 17, 7, 17});
    pairs.add({0}, {0});
    check_alignments(variant.device, pairs, {.gap = {1, 1}});
  }
}

TEST_CASE("pairwise: alignments equal the oracle's") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    for (const GapPenalty& gap : gap_pairs) {
      CAPTURE(gap.open);
      CAPTURE(gap.extend);
      Pairs pairs;
      for (int i = 0; i < 60; ++i) {
        // Few letters: many ties.
        const unsigned letters = i % 2 == 0 ? 27 : 3;
        const Sequence query = random_codes(random, 1 + random() % 300, letters);
        pairs.add(query, i % 5 == 0 ? random_codes(random, 1 + random() % 300, letters)
                                    : mutated(random, query, 2 + static_cast<unsigned>(random() % 20), letters));
      }
      pairs.add({}, {});
      pairs.add({3}, {});
      pairs.add({3}, {3});
      pairs.add(Sequence(40, 4), Sequence(50, 17));  // nothing that scores
      pairs.add(Sequence(150, 17), Sequence(400, 17));
      check_alignments(variant.device, pairs, {.gap = gap});
    }
  }
}

TEST_CASE("pairwise: alignments along the borders of tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const TileShape shape = tile_shape(variant.device);
    Pairs pairs;
    const Sequence text = random_codes(random, 2 * shape.rows + 3 * shape.columns);
    for (int row = -1; row <= 1; ++row)
      for (int column = -1; column <= 1; ++column) {
        // A gap in the one and in the other at a corner of tiles, and a path that goes through it.
        const auto i = static_cast<std::ptrdiff_t>(shape.rows) + row;
        const auto j = static_cast<std::ptrdiff_t>(shape.columns) + column;
        Sequence query(text.begin(), text.begin() + i + 200), subject(text.begin(), text.begin() + j + 200);
        pairs.add(query, subject);
        query.insert(query.begin() + i, 30, 4);
        pairs.add(query, text);
        subject.insert(subject.begin() + j, 300, 4);
        pairs.add(text, subject);
        pairs.add(Sequence(text.begin(), text.begin() + i), Sequence(text.begin(), text.begin() + i));
        pairs.add(Sequence(text.begin() + 7, text.begin() + 7 + j), text);
      }
    check_alignments(variant.device, pairs, {});
    check_alignments(variant.device, pairs, {.gap = {0, 1}});
    check_alignments(variant.device, pairs, {.gap = {20, 0}});
  }
}

TEST_CASE("pairwise: long gaps go across many tiles") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const Sequence left = random_codes(random, 400), right = random_codes(random, 500);
    const Sequence between = random_codes(random, 2500);
    Pairs pairs;
    pairs.add(joined(left, right), joined(joined(left, between), right));
    pairs.add(joined(joined(left, between), right), joined(left, right));
    check_alignments(variant.device, pairs, {.gap = {30, 0}});
    CHECK(align_pairs(variant.device, pairs.a, pairs.b, {.gap = {30, 0}}).front().columns() >= 3000);
    check_alignments(variant.device, pairs, {});
  }
}

TEST_CASE("pairwise: alignments within little memory") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    const TileShape shape = tile_shape(variant.device);
    Pairs pairs;
    const Sequence query = random_codes(random, std::clamp<std::size_t>(5 * shape.rows + 17, 2000, 3000));
    pairs.add(query, joined(random_codes(random, 333), mutated(random, query, 8)));
    pairs.add(joined(query, Sequence(query.begin(), query.begin() + 900)),
              joined(Sequence(query.begin() + 1500, query.end()), query));
    Sequence cut = query;
    cut.erase(cut.begin() + 300, cut.begin() + 1500);
    pairs.add(query, cut);
    pairs.add(cut, query);
    for (const std::uint64_t bytes : {1, 150'000, 600'000}) {
      CAPTURE(bytes);
      check_alignments(variant.device, pairs, {.border_bytes = bytes});
      check_alignments(variant.device, pairs, {.gap = {40, 0}, .border_bytes = bytes});
    }
  }
}

TEST_CASE("pairwise: alignments beyond 16 bits, and long ones cut into jobs") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    Pairs pairs;
    Sequence query = random_codes(random, 3000), subject = mutated(random, query, 15);
    pairs.add(query, subject);
    pairs.add(Sequence(1000, 17), Sequence(1100, 17));
    check_alignments(variant.device, pairs, {});
    Pairs dna(Alphabet::dna);
    for (Code& code : query) code %= 4;
    dna.add(query, mutated(random, query, 20, 4));
    check_alignments(variant.device, dna, {.matrix = Matrix::dna(), .gap = {5, 2}});
    check_alignments(variant.device, dna, {.matrix = Matrix::dna(127, -100), .gap = {500, 20}});
  }
}

TEST_CASE("pairwise: runs of an alignment") {
  const Sequence query = encode(Alphabet::protein, "MKVLAWWW"), subject = encode(Alphabet::protein, "KVIAGGWW");
  const Alignment alignment{.score = 0,
                            .query_begin = 1,
                            .query_end = 7,
                            .subject_begin = 0,
                            .subject_end = 7,
                            .runs = {{2, '='}, {1, 'X'}, {1, '='}, {2, 'D'}, {1, '='}, {1, 'I'}}};
  CHECK(alignment.columns() == 8);
  CHECK(alignment.cigar() == "2=1X1=2D1=1I");
  CHECK(alignment.cigar(true) == "4M2D1M1I");
  CHECK(Alignment{}.cigar().empty());
  CHECK(Alignment{}.columns() == 0);
  // K K 5, V V 4, L I 2, A A 4, W W 11; gaps of 2 and 1.
  CHECK(score_of(alignment, query, subject, blosum62(), {11, 1}) == 5 + 4 + 2 + 4 + 11 - 13 - 12);
  const auto refused = [&](Alignment wrong) {
    CHECK_THROWS_AS(score_of(wrong, query, subject, blosum62(), {11, 1}), InputError);
  };
  Alignment wrong = alignment;
  wrong.query_end = 8;
  refused(wrong);
  wrong = alignment;
  wrong.runs[0].operation = 'M';
  refused(wrong);
  wrong = alignment;
  wrong.runs[1].operation = '=';
  refused(wrong);
  wrong = alignment;
  wrong.runs.push_back({9, 'D'});
  refused(wrong);
  wrong = alignment;
  wrong.runs[4].length = 0;
  refused(wrong);
  wrong = alignment;
  wrong.subject_begin = 100;
  refused(wrong);
}
