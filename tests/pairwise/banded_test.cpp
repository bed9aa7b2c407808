// Banded affine alignment against a recurrence over all gap lengths.
#include "genocl/pairwise/banded.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/error.hpp"
#include "random.hpp"

namespace {

using namespace genocl;
using namespace genocl::pairwise;
using genocl_test::Random;
using genocl_test::test_seed;

using Sequence = std::vector<Code>;

int bonus(int own, const DnaScoring& s) { return own < 0 ? s.end_bonus : own; }

int column_score(Code a, Code b, const DnaScoring& s) {
  if (!dna::is_base(a) || !dna::is_base(b)) return -s.ambiguous;
  return a == b ? s.match : -s.mismatch;
}

/// The highest score with end bonuses of an alignment in the band: a cell for each pair of bases that are aligned,
/// after any earlier pair with a gap of any length in one sequence between them.
int best_total(const Sequence& query, const Sequence& text, int first, const BandedOptions& options,
               EndBonuses bonuses) {
  const DnaScoring& s = options.scoring;
  const int rows = static_cast<int>(query.size()), columns = static_cast<int>(text.size());
  const int far = std::numeric_limits<int>::min() / 2;
  const auto inside = [&](int i, int j) {
    return j >= 0 && j < columns && j - i >= first && j - i < first + static_cast<int>(options.diagonals);
  };
  // Gaps of either kind may follow one another: after[i][j] is the best alignment of which the next column is (i, j).
  std::vector<std::vector<int>> ended(query.size(), std::vector<int>(text.size(), far));
  auto after = std::vector<std::vector<int>>(query.size() + 1, std::vector<int>(text.size() + 1, far));
  int best = 0;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      if (!inside(i, j)) continue;
      auto& own = after[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
      if (i > 0 && j > 0) own = ended[static_cast<std::size_t>(i) - 1][static_cast<std::size_t>(j) - 1];
      for (int k = 1; k <= j && inside(i - 1, j - 1 - k); ++k)
        own = std::max(own, after[static_cast<std::size_t>(i)][static_cast<std::size_t>(j - k)] -
                                s.gap_cost(static_cast<std::uint32_t>(k)));
      for (int k = 1; k <= i && j - i + k < first + static_cast<int>(options.diagonals); ++k)
        own = std::max(own, after[static_cast<std::size_t>(i - k)][static_cast<std::size_t>(j)] -
                                s.gap_cost(static_cast<std::uint32_t>(k)));
      const int begun = i == 0 ? bonus(bonuses.begin, s) : 0;
      const int total =
          std::max(own, begun) + column_score(query[static_cast<std::size_t>(i)], text[static_cast<std::size_t>(j)], s);
      ended[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = total;
      best = std::max(best, total + (i + 1 == rows ? bonus(bonuses.end, s) : 0));
    }
  return best;
}

/// Checks the shape of an alignment and computes its score with bonuses from the letters.
int total_of(const BandedAlignment& alignment, std::span<const Code> query, std::span<const Code> text, int first,
             const BandedOptions& options, EndBonuses bonuses) {
  const DnaScoring& s = options.scoring;
  if (alignment.cigar.empty()) {
    CHECK(alignment == BandedAlignment());
    return 0;
  }
  const auto runs = alignment.cigar.runs();
  CHECK(runs.front().letter() == 'M');
  CHECK(runs.back().letter() == 'M');
  std::size_t i = alignment.query_begin, j = alignment.text_begin;
  int score = 0;
  for (const CigarRun& run : runs) {
    if (run.letter() != 'M') score -= s.gap_cost(run.length());
    for (std::uint32_t k = 0; k < run.length(); ++k) {
      if (run.letter() == 'M') {
        REQUIRE(i < query.size());
        REQUIRE(j < text.size());
        const int diagonal = static_cast<int>(j) - static_cast<int>(i);
        CHECK(diagonal >= first);
        CHECK(diagonal < first + static_cast<int>(options.diagonals));
        score += column_score(query[i], text[j], s);
      }
      if (run.uses_query()) ++i;
      if (run.uses_reference()) ++j;
    }
  }
  CHECK(i == alignment.query_end);
  CHECK(j == alignment.text_end);
  CHECK(score == alignment.score);
  return score + (alignment.query_begin == 0 ? bonus(bonuses.begin, s) : 0) +
         (alignment.query_end == query.size() ? bonus(bonuses.end, s) : 0);
}

/// A text, and a query from it with substitutions, gaps, foreign ends and Ns.
struct Drawn {
  Sequence query, text;
  int first = 0;
  EndBonuses bonuses;
};

Drawn draw(Random& random, std::size_t longest, std::uint32_t diagonals) {
  Drawn drawn;
  const std::size_t length = 1 + random.below(longest);
  const bool repeats = random.below(4) == 0;
  Sequence unit = random.values_below<Code>(1 + random.below(4), 4);
  for (std::size_t i = 0; i < length + diagonals; ++i)
    drawn.text.push_back(repeats && random.below(20) != 0 ? unit[i % unit.size()] : static_cast<Code>(random.below(4)));
  const std::size_t begin = random.below(diagonals + 1);
  for (std::size_t j = begin; j < drawn.text.size() && drawn.query.size() < length;) {
    const std::uint64_t event = random.below(40);
    if (event == 0)
      j += 1 + random.below(8);
    else if (event == 1)
      for (std::uint64_t k = 1 + random.below(8); k > 0; --k) drawn.query.push_back(static_cast<Code>(random.below(4)));
    else if (event == 2)
      drawn.query.push_back(static_cast<Code>(random.below(4))), ++j;
    else if (event == 3 && random.below(4) == 0)
      drawn.query.push_back(dna::unknown), ++j;
    else
      drawn.query.push_back(drawn.text[j++]);
  }
  if (drawn.query.empty()) drawn.query.push_back(0);
  if (random.below(4) == 0)
    for (std::size_t i = 0; i < drawn.query.size() / 3; ++i) drawn.query[i] = static_cast<Code>(random.below(4));
  if (random.below(8) == 0) drawn.text[random.below(drawn.text.size())] = static_cast<Code>(4 + random.below(11));
  drawn.first = static_cast<int>(begin) - static_cast<int>(diagonals / 2);
  drawn.bonuses = {static_cast<int>(random.below(60)) - 30, static_cast<int>(random.below(60)) - 30};
  drawn.bonuses = {std::max(-1, drawn.bonuses.begin), std::max(-1, drawn.bonuses.end)};
  // Some texts end inside the band.
  if (random.below(4) == 0) drawn.text.resize(1 + random.below(drawn.text.size()));
  return drawn;
}

const DnaScoring scorings[] = {{},
                               {.match = 1,
                                .mismatch = 4,
                                .gap_open = 6,
                                .gap_extend = 1,
                                .gap_open2 = 6,
                                .gap_extend2 = 1,
                                .ambiguous = 1,
                                .end_bonus = 5},
                               {.match = 1,
                                .mismatch = 1,
                                .gap_open = 0,
                                .gap_extend = 1,
                                .gap_open2 = 4,
                                .gap_extend2 = 1,
                                .ambiguous = 0,
                                .end_bonus = 0},
                               {.match = 5,
                                .mismatch = 3,
                                .gap_open = 4,
                                .gap_extend = 4,
                                .gap_open2 = 20,
                                .gap_extend2 = 1,
                                .ambiguous = 3,
                                .end_bonus = 30}};

void check(std::size_t count, std::size_t longest, std::uint32_t diagonals) {
  Random random(test_seed() + longest);
  for (const DnaScoring& scoring : scorings) {
    const BandedOptions options{.scoring = scoring, .diagonals = diagonals};
    BandedPairs pairs;
    std::vector<Drawn> drawn;
    for (std::size_t i = 0; i < count; ++i) {
      drawn.push_back(draw(random, longest, diagonals));
      pairs.add(drawn.back().query, drawn.back().text, drawn.back().first, drawn.back().bonuses);
    }
    std::vector<BandedAlignment> on_host;
    for (const Drawn& one : drawn) {
      on_host.push_back(align_banded(one.query, one.text, one.first, options, one.bonuses));
      CHECK(total_of(on_host.back(), one.query, one.text, one.first, options, one.bonuses) ==
            best_total(one.query, one.text, one.first, options, one.bonuses));
    }
    for (const genocl_test::DeviceVariant& variant : genocl_test::device_variants()) {
      CAPTURE(variant.name);
      CHECK(align_banded(variant.device, pairs, options) == on_host);
    }
  }
}

Sequence letters(const char* text) { return encode(Alphabet::dna, text); }

}  // namespace

TEST_CASE("tiny: pairwise banded alignments") {
  GENOCL_SHOW_SEED();
  check(20, 12, 5);
}

TEST_CASE("pairwise: banded alignments are optimal") {
  GENOCL_SHOW_SEED();
  check(100, 60, 21);
  check(10, 120, 121);
  check(40, 30, 1);
  check(20, 40, 160);
}

TEST_CASE("pairwise: gaps lie left, ends are clipped or not by their bonus") {
  const BandedOptions options{.scoring = {}, .diagonals = 41};
  const Sequence text = letters("ACGTTGCAATCGGATTACAGGCCCCCCTTAGACATTGACCATGAGTCCATG");
  const auto aligned = [&](const char* query, int diagonal) {
    const BandedAlignment alignment = align_banded(letters(query), text, diagonal - 20, options);
    return std::to_string(alignment.query_begin) + ":" + std::to_string(alignment.text_begin) + ":" +
           alignment.cigar.str() + ":" + std::to_string(alignment.query_end);
  };
  // One of six C is missing: the gap stands before the first of them.
  CHECK(aligned("ACGTTGCAATCGGATTACAGGCCCCCTTAGACATTGACCATGAGTCCATG", 0) == "0:0:21M1D29M:50");
  CHECK(aligned("ACGTTGCAATCGGATTACAGGCCCCCCCTTAGACATTGACCATGAGTCCATG", 0) == "0:0:21M1I30M:52");
  // A mismatch in an end base costs less than the bonus of the end.
  CHECK(aligned("CCGTTGCAATCGGATTACAGGCCCCCCTTAGACATTGACCATGAGTCCATC", 0) == "0:0:51M:51");
  CHECK(aligned("CATTTGCAATCGGATTACAGGCCCCCCTTAGACATTGACCATGAGTCCATG", 0) == "3:3:48M:51");
  // A query that begins before the text.
  CHECK(aligned("TTTTACGTTGCAATCGGATTACAGGCCCCCC", -4) == "4:0:27M:31");
}

TEST_CASE("pairwise: bad scores are refused in one line") {
  const auto refused = [](const DnaScoring& scoring) {
    try {
      scoring.check(1000);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused({}).empty());
  CHECK(refused({.match = 0}).find("match 0") != std::string::npos);
  CHECK(refused({.gap_open = -1}).find("gap open -1") != std::string::npos);
  CHECK(refused({.gap_extend2 = 0}).find("gap extension 0") != std::string::npos);
  CHECK(refused({.match = 17}).find("beyond 16 bits") != std::string::npos);
  CHECK_THROWS_AS(align_banded(letters("A"), letters("A"), 0, {.scoring = {}, .diagonals = 161}), InputError);
  CHECK_THROWS_AS(align_banded(letters("A"), letters("A"), 0, {.scoring = {}, .diagonals = 0}), InputError);
}

TEST_CASE("pairwise: queries beyond 1,000 bases and alignments of many runs are computed on the host") {
  Random random(7);
  const Sequence text = random.values_below<Code>(1500, 4);
  Sequence gapped;
  for (std::size_t j = 100; j < 1000; ++j)
    if (j % 25 != 0) gapped.push_back(text[j]);
  const Sequence longer(text.begin() + 50, text.begin() + 1450);
  BandedPairs pairs;
  pairs.add(gapped, text, 40);
  pairs.add(longer, text, -10);
  const std::vector<BandedAlignment> alignments = align_banded(genocl_test::device_under_test(), pairs);
  CHECK(alignments[0].cigar.runs().size() > 48);
  CHECK(alignments[0] == align_banded(gapped, text, 40));
  CHECK(alignments[1].cigar.str() == "1400M");
  CHECK(alignments[1].score == 2800);
}
