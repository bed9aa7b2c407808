// Ungapped alignments, and the proof that no gap can raise their score, against banded alignment.
#include "marose/extend.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <vector>

#include "random.hpp"

namespace {

using namespace genocl;
using namespace genocl::marose;
using genocl_test::Random;
using genocl_test::test_seed;

using Sequence = std::vector<Code>;

std::int32_t column_score(Code a, Code b, const pairwise::DnaScoring& s) {
  if (!dna::is_base(a) || !dna::is_base(b)) return -s.ambiguous;
  return a == b ? s.match : -s.mismatch;
}

/// The highest total over all parts of the query.
std::int32_t best_total(const Sequence& query, std::span<const Code> text, const pairwise::DnaScoring& s) {
  std::int32_t best = 0;
  for (std::size_t begin = 0; begin < query.size(); ++begin) {
    std::int32_t total = begin == 0 ? s.end_bonus : 0;
    for (std::size_t end = begin; end < query.size(); ++end) {
      total += column_score(query[end], text[end], s);
      best = std::max(best, total + (end + 1 == query.size() ? s.end_bonus : 0));
    }
  }
  return best;
}

PackedBases packed(std::span<const Code> codes) {
  PackedBases bases;
  bases.set(codes);
  return bases;
}

/// By packed bases where the letters allow it, as callers do.
UngappedAlignment best_ungapped(std::span<const Code> query, std::span<const Code> window, std::int64_t first,
                                const pairwise::DnaScoring& scoring, std::vector<std::uint32_t>& mismatches) {
  const auto at = static_cast<std::size_t>(first);
  const PackedBases packed_query = packed(query), packed_window = packed(window);
  const UngappedAlignment by_letters = align_ungapped(query, window.subspan(at, query.size()), scoring);
  if (!packed_query.bases_only() || !packed_window.bases_only()) return by_letters;
  const UngappedAlignment found = align_ungapped(packed_query, packed_window, at, scoring, mismatches);
  CHECK(found == by_letters);
  return found;
}

struct Drawn {
  Sequence window, query;
  std::int64_t first = 0;
};

/// A read with a few differences from its place, in a text that is random, of one unit again and again, or of few
/// letters.
Drawn draw(Random& random) {
  Drawn drawn;
  const std::size_t length = 30 + random.below(130);
  const std::uint64_t kind = random.below(3);
  const Sequence unit = random.values_below<Code>(1 + random.below(12), 4);
  drawn.first = static_cast<std::int64_t>(random.below(70));
  const std::size_t size = static_cast<std::size_t>(drawn.first) + length + random.below(70);
  for (std::size_t i = 0; i < size; ++i)
    drawn.window.push_back(kind == 0 || (kind == 1 && random.below(40) == 0) ? static_cast<Code>(random.below(4))
                           : kind == 1                                       ? unit[i % unit.size()]
                                                                             : static_cast<Code>(random.below(2)));
  drawn.query.assign(drawn.window.begin() + drawn.first,
                     drawn.window.begin() + drawn.first + static_cast<std::ptrdiff_t>(length));
  for (std::uint64_t k = random.below(5); k > 0; --k) {
    // Near an end more often than elsewhere.
    const std::size_t at = random.below(3) == 0 ? random.below(8) : random.below(length);
    drawn.query[random.below(2) == 0 ? at : length - 1 - at] =
        static_cast<Code>(random.below(20) == 0 ? 4 : random.below(4));
  }
  if (random.below(10) == 0) drawn.window[random.below(size)] = dna::unknown;
  return drawn;
}

}  // namespace

TEST_CASE("marose: packed bases are their codes, on both strands") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 3);
  PackedBases forward, turned;
  for (int i = 0; i < 500; ++i) {
    const Sequence codes = random.values_below<Code>(1 + random.below(200), random.below(10) == 0 ? 15 : 4);
    Sequence reverse(codes.size());
    dna::reverse_complement(codes, reverse);
    forward.set(codes);
    turned.set_reverse_complement(forward);
    CHECK(forward.bases_only() == std::ranges::all_of(codes, dna::is_base));
    CHECK(turned.bases_only() == forward.bases_only());
    std::vector<std::uint32_t> starts;
    forward.starts(starts);
    for (std::size_t at = 0; at < codes.size(); ++at) {
      CHECK(starts[at] == static_cast<std::uint32_t>(forward.window(at) >> 32));
      for (std::size_t k = 0; k < 32; ++k) {
        const auto base = [&](const PackedBases& from) { return from.window(at) << (2 * k) >> 62; };
        const bool within = at + k < codes.size();
        CHECK(base(forward) == (within ? codes[at + k] & 3u : 0u));
        if (forward.bases_only()) CHECK(base(turned) == (within ? reverse[at + k] : 0u));
      }
    }
  }
}

TEST_CASE("marose: ungapped alignments are the best part of a diagonal") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<std::uint32_t> mismatches;
  for (int i = 0; i < 2000; ++i) {
    const pairwise::DnaScoring scoring{.end_bonus = static_cast<int>(random.below(30))};
    const Drawn drawn = draw(random);
    const std::span<const Code> text =
        std::span(drawn.window).subspan(static_cast<std::size_t>(drawn.first), drawn.query.size());
    const UngappedAlignment found = best_ungapped(drawn.query, drawn.window, drawn.first, scoring, mismatches);
    REQUIRE(found.total == best_total(drawn.query, text, scoring));
    std::int32_t score = 0;
    for (std::uint32_t k = found.in_query.begin; k < found.in_query.end; ++k)
      score += column_score(drawn.query[k], text[k], scoring);
    CHECK(score == found.score);
  }
}

TEST_CASE("marose: where no gap is said to gain, banded alignment finds none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 1);
  const pairwise::DnaScoring scorings[] = {{},
                                           {.match = 1,
                                            .mismatch = 4,
                                            .gap_open = 6,
                                            .gap_extend = 1,
                                            .gap_open2 = 6,
                                            .gap_extend2 = 1,
                                            .ambiguous = 1,
                                            .end_bonus = 5},
                                           {.match = 1,
                                            .mismatch = 2,
                                            .gap_open = 2,
                                            .gap_extend = 1,
                                            .gap_open2 = 9,
                                            .gap_extend2 = 1,
                                            .ambiguous = 0,
                                            .end_bonus = 0},
                                           {.match = 2,
                                            .mismatch = 8,
                                            .gap_open = 12,
                                            .gap_extend = 2,
                                            .gap_open2 = 32,
                                            .gap_extend2 = 1,
                                            .ambiguous = 1,
                                            .end_bonus = 3000}};
  std::size_t proved = 0, all = 0, with_loss = 0;
  std::size_t by_cost = 0;
  std::vector<std::uint32_t> mismatches;
  for (const pairwise::DnaScoring& scoring : scorings) {
    GapBound bound(scoring);
    for (int i = 0; i < 10000; ++i) {
      const Drawn drawn = draw(random);
      const UngappedAlignment best = best_ungapped(drawn.query, drawn.window, drawn.first, scoring, mismatches);
      ++all;
      if (bound.may_gain(packed(drawn.query), packed(drawn.window), drawn.first, best, mismatches)) continue;
      if (bound.costs_more(best, static_cast<std::uint32_t>(drawn.query.size()))) ++by_cost;
      ++proved;
      const auto perfect = static_cast<std::int32_t>(drawn.query.size()) * scoring.match + 2 * scoring.end_bonus;
      if (perfect - best.total > scoring.min_gap_cost()) ++with_loss;
      const pairwise::BandedAlignment banded =
          pairwise::align_banded(drawn.query, drawn.window, static_cast<std::int32_t>(drawn.first) - band_radius,
                                 {.scoring = scoring, .diagonals = 2 * static_cast<std::uint32_t>(band_radius) + 1});
      std::int32_t total = banded.score;
      if (banded.query_begin == 0) total += scoring.end_bonus;
      if (banded.query_end == drawn.query.size()) total += scoring.end_bonus;
      // A better place without a gap is a separate candidate.
      if (banded.cigar.runs().size() < 2) continue;
      CAPTURE(banded.cigar.str());
      CHECK(total <= best.total);
    }
  }
  CHECK(by_cost > 100);
  CHECK(3 * proved > all);
  CHECK(with_loss > 100);
}

TEST_CASE("marose: where the wide band is said to gain nothing, it holds no better alignment") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 2);
  const pairwise::DnaScoring scoring;
  GapBound bound(scoring);
  std::size_t proved = 0;
  for (int i = 0; i < 3000; ++i) {
    Drawn drawn = draw(random);
    if (i % 3 == 0)
      drawn.query.erase(drawn.query.begin() + static_cast<std::ptrdiff_t>(random.below(drawn.query.size())));
    if (i % 3 == 1) {
      // The rest of the query is on another diagonal, with its own differences.
      const auto at = random.below(drawn.query.size());
      const auto from = static_cast<std::size_t>(drawn.first) + at + random.below(70);
      for (std::size_t k = 0; at + k < drawn.query.size() && from + k < drawn.window.size(); ++k)
        if (random.below(12) != 0) drawn.query[at + k] = drawn.window[from + k];
    }
    const auto align_in = [&](std::int32_t radius) {
      return pairwise::align_banded(drawn.query, drawn.window, static_cast<std::int32_t>(drawn.first) - radius,
                                    {.scoring = scoring, .diagonals = 2 * static_cast<std::uint32_t>(radius) + 1});
    };
    const auto total_of = [&](const pairwise::BandedAlignment& found) {
      return found.score + (found.query_begin == 0 && found.score > 0 ? scoring.end_bonus : 0) +
             (found.query_end == drawn.query.size() ? scoring.end_bonus : 0);
    };
    const pairwise::BandedAlignment narrow = align_in(narrow_radius);
    if (narrow.cigar.empty()) continue;
    const std::int32_t total = total_of(narrow);
    if (bound.may_gain_beyond(packed(drawn.query), packed(drawn.window), drawn.first, total,
                              diagonals_of(narrow, drawn.first)))
      continue;
    ++proved;
    CHECK(total_of(align_in(band_radius)) == total);
  }
  CHECK(proved > 500);
}
