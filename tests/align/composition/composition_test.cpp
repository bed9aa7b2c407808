// Scores by composition: the parts they are made of. (What blastp prints is in tests/align_program/composition.sh.)
#include "align/composition/composition.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "align/cases.hpp"
#include "align/composition/adjusted_scores.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;
using align_test::random_codes;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

LetterTable rows_of(const PairTable& pairs) {
  LetterTable rows{};
  for (std::size_t a = 0; a < amino_acids; ++a) rows[a] = std::accumulate(pairs[a].begin(), pairs[a].end(), 0.0);
  return rows;
}

LetterTable random_letters(Random& random) {
  LetterTable letters{};
  for (double& one : letters) one = 0.05 + random.between(0, 1);
  const double sum = std::accumulate(letters.begin(), letters.end(), 0.0);
  for (double& one : letters) one /= sum;
  return letters;
}

}  // namespace

TEST_CASE("align composition: the matrices are the logarithms of their target frequencies") {
  for (const std::string& name : Matrix::names()) {
    CAPTURE(name);
    const auto targets = target_frequencies(name);
    REQUIRE(targets.has_value());
    const LetterTable rows = rows_of(*targets);
    CHECK(std::accumulate(rows.begin(), rows.end(), 0.0) == doctest::Approx(1).epsilon(1e-12));
    // The scale that fits the matrix best; then every score is no more than rounding away.
    const Matrix matrix = Matrix::named(name);
    double xy = 0, yy = 0;
    for (Code a = 0; a < amino_acids; ++a)
      for (Code b = 0; b < amino_acids; ++b) {
        const double log = std::log((*targets)[a][b] / (rows[a] * rows[b]));
        CHECK((*targets)[a][b] == (*targets)[b][a]);
        xy += log * matrix(a, b);
        yy += log * log;
      }
    for (Code a = 0; a < amino_acids; ++a)
      for (Code b = 0; b < amino_acids; ++b)
        CHECK(std::abs(std::log((*targets)[a][b] / (rows[a] * rows[b])) * xy / yy - matrix(a, b)) < 1.1);
  }
  CHECK_FALSE(target_frequencies("BLOSUM100").has_value());
}

TEST_CASE("align composition: letters are counted as BLAST counts them") {
  const Composition found = composition_of(encode(Alphabet::protein, "AACUUXB*JZOAG"));
  CHECK(found.letters == 7);  // A A C U U A G
  CHECK(found.frequency[protein::encode('A')] == doctest::Approx(3.0 / 7));
  CHECK(found.frequency[protein::encode('C')] == doctest::Approx(3.0 / 7));
  CHECK(found.frequency[protein::encode('G')] == doctest::Approx(1.0 / 7));
  CHECK(composition_of(encode(Alphabet::protein, "XX")).letters == 0);
  LetterTable background{};
  background.fill(0.05);
  const LetterTable mixed = with_pseudocounts(found, background, 20);
  CHECK(mixed[protein::encode('G')] == doctest::Approx((1 + 20 * 0.05) / 27));
  CHECK(mixed[protein::encode('W')] == doctest::Approx(20 * 0.05 / 27));
  CHECK(distance(found.frequency, found.frequency) == 0);
  LetterTable a{}, b{};
  a[0] = b[1] = 1;
  CHECK(distance(a, b) == doctest::Approx(std::sqrt(std::log(2.0))));
}

TEST_CASE("align composition: fitted frequencies have the letters and the entropy, and are the nearest that have") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const PairTable targets = *target_frequencies("BLOSUM62");
  for (int repeat = 0; repeat < 30; ++repeat) {
    const LetterTable rows = random_letters(random), columns = random_letters(random);
    const double entropy = random.between(0.1, 0.8);
    const auto fitted = fitted_frequencies(targets, rows, columns, entropy);
    REQUIRE(fitted.has_value());
    CHECK(relative_entropy(*fitted, rows, columns) == doctest::Approx(entropy).epsilon(1e-5));
    for (std::size_t a = 0; a < amino_acids; ++a) {
      double row = 0, column = 0;
      for (std::size_t b = 0; b < amino_acids; ++b) {
        row += (*fitted)[a][b];
        column += (*fitted)[b][a];
      }
      CHECK(row == doctest::Approx(rows[a]).epsilon(1e-7));
      CHECK(column == doctest::Approx(columns[a]).epsilon(1e-7));
    }
    // Steps that keep the letters (and nearly the entropy: mirrored pairs of them) lead away from the targets.
    const auto divergence = [&](const PairTable& pairs) {
      double sum = 0;
      for (std::size_t a = 0; a < amino_acids; ++a)
        for (std::size_t b = 0; b < amino_acids; ++b) sum += pairs[a][b] * std::log(pairs[a][b] / targets[a][b]);
      return sum;
    };
    const double nearest = divergence(*fitted);
    for (int turn = 0; turn < 200; ++turn) {
      // Four squares: two of them to move on, in proportions that leave the entropy as it is.
      PairTable moved = *fitted;
      const auto square = [&](double step, std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
        moved[i][j] += step;
        moved[k][l] += step;
        moved[i][l] -= step;
        moved[k][j] -= step;
      };
      const auto slope = [&](std::size_t i, std::size_t j, std::size_t k, std::size_t l) {
        const PairTable& x = *fitted;
        return std::log(x[i][j] * x[k][l] / (x[i][l] * x[k][j]));
      };
      std::size_t p[8];
      for (std::size_t& one : p) one = random() % amino_acids;
      if (p[0] == p[2] || p[1] == p[3] || p[4] == p[6] || p[5] == p[7]) continue;
      const double first = slope(p[0], p[1], p[2], p[3]), second = slope(p[4], p[5], p[6], p[7]);
      if (std::abs(second) < 0.1 * std::abs(first)) continue;
      const double step = 1e-7 * (turn % 2 == 0 ? 1 : -1);
      square(step, p[0], p[1], p[2], p[3]);
      square(-step * first / second, p[4], p[5], p[6], p[7]);
      const bool possible = std::ranges::all_of(
          moved, [](const LetterTable& row) { return std::ranges::all_of(row, [](double x) { return x > 1e-6; }); });
      if (possible) CHECK(divergence(moved) >= nearest - 1e-10);
    }
  }
  LetterTable even{};
  even.fill(0.05);
  CHECK_FALSE(fitted_frequencies(targets, even, even, 5).has_value());  // more than letters can tell
}

TEST_CASE("align composition: scores of letters as they are in all proteins are the matrix's, scaled") {
  const PairTable targets = *target_frequencies("BLOSUM62");
  Composition all;
  all.frequency = rows_of(targets);
  all.letters = 1'000'000;
  const AdjustedScores scaled(blosum62(), {11, 1}, CompositionStatistics::scaled);
  CHECK(scaled.lambda_ratio(all, all) == doctest::Approx(1).epsilon(0.03));
  const pairwise::HostScoring scores = *scaled.of(all, 300, all, 300);
  for (Code a = 0; a < amino_acids; ++a)
    for (Code b = 0; b < amino_acids; ++b) CHECK(std::abs(scores(a, b) / 32.0 - blosum62()(a, b)) < 1.1);
  CHECK(scores.gap_first == 12 * 32);
  CHECK(scores.gap_extend == 32);
  const Code c = protein::encode('C'), u = protein::encode('U'), x = protein::encode('X'), b = protein::encode('B'),
             d = protein::encode('D'), n = protein::encode('N');
  CHECK(scores(u, c) == scores(c, c));
  CHECK(scores(u, u) == scores(c, c));
  CHECK(scores(x, c) < 0);
  CHECK(scores(b, d) < scores(d, d));
  CHECK(scores(b, d) > scores(n, d));
  // ln 0.25 / (0.3176 / 32), and ln 1.333 of two stop codons.
  CHECK(scores(protein::encode('*'), c) == -140);
  CHECK(scores(protein::encode('*'), protein::encode('*')) == 29);
  // Few kinds of letters: scores are less, down to half.
  Composition few;
  few.frequency[protein::encode('A')] = 0.6;
  few.frequency[protein::encode('G')] = 0.4;
  few.letters = 100;
  CHECK(scaled.lambda_ratio(few, few) == 0.5);
  CHECK((*scaled.of(few, 100, few, 100))(0, 0) < scores(0, 0) * 0.51);
  CHECK(scaled.lambda_ratio(all, few) > 0.5);
  CHECK_FALSE(scaled.of(all, 300, Composition{}, 10).has_value());
  // Under conditions a matrix is made.
  const AdjustedScores conditional(blosum62(), {11, 1}, CompositionStatistics::conditional);
  CHECK(scaled.only_scales(all, 300, all, 300));
  CHECK_FALSE(conditional.only_scales(all, 300, all, 300));
  CHECK_FALSE(conditional.only_scales(all, 300, few, 100));  // two letters are most of it
  Composition strange;
  for (const char letter : std::string("WHCMYWHCMY")) strange.frequency[protein::encode(letter)] += 0.1;
  strange.letters = 40;
  Composition other;
  for (const char letter : std::string("AGLKEAGLKE")) other.frequency[protein::encode(letter)] += 0.1;
  other.letters = 40;
  CHECK(conditional.only_scales(strange, 40, other, 400));
  CHECK_FALSE(conditional.only_scales(strange, 40, other, 100));  // of similar length
  CHECK_THROWS_AS(AdjustedScores(Matrix::dna(), {5, 2}, CompositionStatistics::scaled), InputError);
}

TEST_CASE("align composition: biased parts of the subject are masked unless the two are nearly identical") {
  const PairAdjuster adjuster(blosum62(), {11, 1}, KarlinAltschul::find(blosum62(), {11, 1}),
                              CompositionStatistics::conditional);
  const auto query = encode(
      Alphabet::protein, "MKWVTFISLLFLFSSAYSRGVFRRDAHKSEVAHRFKDLGEENFKALVLIAFAQYQQQQQQQQQQQQLQQCPFEDHVKLVNEVTEFAKTC");
  const auto other = encode(Alphabet::protein, "GGHWPLTRKEDMNQQQQQQQQQQQQQQQFYVILSTPGHCNDEKRAWWTYPLMIVGA");
  const auto prepared = adjuster.query(query);
  CHECK(adjuster.adjust(prepared, query)->subject == query);
  const auto masked = adjuster.adjust(prepared, other)->subject;
  CHECK(std::ranges::count(masked, protein::unknown) >= 12);
  CHECK(masked ==
        adjuster
            .adjust(prepared, other, pairwise::score_on_host(query, other, pairwise::HostScoring(blosum62(), {11, 1})))
            ->subject);
  CHECK_FALSE(adjuster.adjust(prepared, encode(Alphabet::protein, "QQQQQQQQQQQQQQQQQ")).has_value());
  CHECK_THROWS_AS(PairAdjuster(blosum62(), {5, 5}, {}, CompositionStatistics::scaled), InputError);
}
