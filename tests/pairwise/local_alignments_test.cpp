// The best alignments of a pair that share no pair of letters: equal to the scalar oracle's in every field.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "genocl/error.hpp"
#include "genocl/pairwise/pairs.hpp"
#include "pairwise/cases.hpp"
#include "pairwise/host_pair.hpp"
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

constexpr GapPenalty gap_pairs[] = {{11, 1}, {0, 1}, {5, 2}, {1, 0}, {100, 0}, {0, 15}};

/// Pairs with several alignments each: repeats, domains in another order, chance alone.
Pairs repeats(Random& random, Alphabet alphabet, unsigned letters) {
  Pairs pairs(alphabet);
  const auto unit = random_codes(random, 20, letters);
  pairs.add(repeated(unit, 3), repeated(unit, 2));
  pairs.add(unit, repeated(mutated(random, unit, 6, letters), 4));
  for (int i = 0; i < 12; ++i) {
    const auto first = random_codes(random, 10 + random() % 40, letters);
    const auto second = random_codes(random, 10 + random() % 40, letters);
    auto query = first, subject = mutated(random, second, 8, letters);
    query.insert(query.end(), second.begin(), second.end());
    const auto turned = mutated(random, first, 8, letters);
    subject.insert(subject.end(), turned.begin(), turned.end());
    pairs.add(query, subject);
  }
  for (int i = 0; i < 6; ++i)
    pairs.add(random_codes(random, 1 + random() % 80, letters), random_codes(random, 1 + random() % 300, letters));
  pairs.add({}, unit);
  pairs.add(unit, {});
  pairs.add({0}, {0});
  pairs.add(std::vector<Code>(60, Code{1}), std::vector<Code>(50, Code{1}));
  return pairs;
}

}  // namespace

TEST_CASE("pairwise host pair: the alignment of the oracle, with pairs of letters that are taken and without") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int repeat = 0; repeat < 200; ++repeat) {
    const unsigned letters = repeat % 2 == 0 ? 4 : 20;
    const auto query = random_codes(random, 1 + random() % 60, letters);
    const auto subject =
        repeat % 3 == 0 ? mutated(random, query, 5, letters) : random_codes(random, 1 + random() % 400, letters);
    const GapPenalty gap = gap_pairs[random() % std::size(gap_pairs)];
    const Matrix& matrix = blosum62();
    genocl_reference::LetterPairs taken;
    UsedPairs used;
    for (int turn = 0; turn < 3; ++turn) {
      CAPTURE(repeat);
      CAPTURE(turn);
      const Alignment expected = genocl_reference::local_alignment(query, subject, matrix, gap, taken);
      const Alignment found = align_on_host(query, subject, HostScoring(matrix, gap), matrix, used);
      CHECK(found == expected);
      used.add(found);
      taken.clear();
      for (const UsedPairs::LetterPair& pair : used.pairs()) taken.insert({pair.row, pair.column});
    }
  }
}

TEST_CASE("pairwise host pair: pairs of several blocks have the oracle's alignments") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int repeat = 0; repeat < 12; ++repeat) {
    // Copies of one unit, more or less changed: alignments overlap in rows and columns, and cross many blocks.
    const unsigned letters = repeat % 2 == 0 ? 4 : 20;
    const auto unit = random_codes(random, 20 + random() % 90, letters);
    const auto repeats_of_unit = [&](std::size_t copies) {
      std::vector<Code> all = random_codes(random, random() % 70, letters);
      for (std::size_t copy = 0; copy < copies; ++copy)
        std::ranges::copy(mutated(random, unit, 2 + static_cast<unsigned>(random() % 12), letters),
                          std::back_inserter(all));
      return all;
    };
    const auto query = repeats_of_unit(2 + random() % 5), subject = repeats_of_unit(1 + random() % 7);
    const GapPenalty gap = gap_pairs[random() % std::size(gap_pairs)];
    const HostScoring scoring(blosum62(), gap);
    const auto expected = genocl_reference::local_alignments(query, subject, blosum62(), gap, 30, 25);
    REQUIRE(!expected.empty());
    std::vector<Alignment> found{align_on_host(query, subject, scoring, blosum62())};
    std::ranges::move(next_alignments(query, subject, scoring, blosum62(), found.front(), 29, 25),
                      std::back_inserter(found));
    CAPTURE(repeat);
    CHECK(found == expected);
  }
}

TEST_CASE("pairwise host pair: scores of any size are the oracle's") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int repeat = 0; repeat < 400; ++repeat) {
    const unsigned letters = 2 + static_cast<unsigned>(random() % 19);
    const auto query = random_codes(random, random() % 200, letters);
    const auto subject = repeat % 4 == 0 ? mutated(random, query, 4 + static_cast<unsigned>(random() % 30), letters)
                                         : random_codes(random, random() % 200, letters);
    const GapPenalty gap = gap_pairs[random() % std::size(gap_pairs)];
    HostScoring scoring(blosum62(), gap);
    const std::int32_t scale = repeat % 3 == 0 ? 32 : 1;  // then most scores of similar sequences need 32 bits
    for (std::int32_t& score : scoring.pairs) score *= scale;
    scoring.gap_first *= scale;
    scoring.gap_extend *= scale;
    CAPTURE(gap.open);
    CAPTURE(gap.extend);
    CAPTURE(scale);
    CHECK(score_on_host(query, subject, scoring) ==
          scale * genocl_reference::local_score(query, subject, blosum62(), gap));
  }
  // Just within what 16 bits hold, and just beyond.
  const Code w = protein::encode('W');
  for (const std::size_t length : {90u, 91u, 92u, 93u, 94u, 1000u}) {
    HostScoring scoring(blosum62(), {11, 1});
    for (std::int32_t& score : scoring.pairs) score *= 32;
    const std::vector<Code> text(length, w);
    CHECK(score_on_host(text, text, scoring) == static_cast<std::int32_t>(length) * 11 * 32);
  }
}

TEST_CASE("pairwise local alignments: the best ones that share no pair of letters, of proteins and DNA") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const bool dna : {false, true}) {
    const Pairs pairs = repeats(random, dna ? Alphabet::dna : Alphabet::protein, dna ? 4 : 20);
    LocalOptions options;
    if (dna) options.pairs.matrix = Matrix::dna();
    options.most = 6;
    options.min_score = 8;
    for (const GapPenalty& gap : gap_pairs) {
      options.pairs.gap = gap;
      for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
        CAPTURE(variant.name);
        const auto found = local_alignments(variant.device, pairs.a, pairs.b, options);
        REQUIRE(found.size() == pairs.a.size());
        std::size_t several = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
          CAPTURE(i);
          const auto expected = genocl_reference::local_alignments(pairs.a[i], pairs.b[i], options.pairs.matrix, gap,
                                                                   options.most, options.min_score);
          CHECK(found[i] == expected);
          several += found[i].size() > 1 ? 1 : 0;
          std::set<std::pair<std::size_t, std::size_t>> seen;
          for (const Alignment& one : found[i]) {
            CHECK(score_of(one, pairs.a[i], pairs.b[i], options.pairs.matrix, gap) == one.score);
            UsedPairs used;
            used.add(one);
            for (const UsedPairs::LetterPair& pair : used.pairs()) CHECK(seen.insert({pair.row, pair.column}).second);
          }
        }
        CHECK(several > 5);
      }
    }
  }
}

TEST_CASE("pairwise local alignments: how many, and wrong arguments") {
  Random random(11);
  const Pairs pairs = repeats(random, Alphabet::protein, 20);
  const Device& device = pairwise_test::test_device();
  const auto best = align_pairs(device, pairs.a, pairs.b);
  const auto one = local_alignments(device, pairs.a, pairs.b, {.pairs = {}, .most = 1});
  const auto all = local_alignments(device, pairs.a, pairs.b, {.pairs = {}, .most = 1000});
  for (std::size_t i = 0; i < best.size(); ++i) {
    CHECK(one[i].size() == (best[i].score > 0 ? 1 : 0));
    if (best[i].score > 0) CHECK(one[i].front() == best[i]);
    REQUIRE(all[i].size() >= one[i].size());
    CHECK(std::ranges::is_sorted(all[i], std::ranges::greater{}, &Alignment::score));
  }
  CHECK(local_alignments(device, pairs.a, pairs.b, {.pairs = {}, .most = 5, .min_score = 1 << 20}).front().empty());
  CHECK_THROWS_AS(local_alignments(device, pairs.a, pairs.b, {.pairs = {}, .most = 0}), InputError);
}
