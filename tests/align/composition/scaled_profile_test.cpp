// Composition-based statistics of profiles, against their definition in doubles and by bisection.
#include "align/composition/scaled_profile.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "align/cases.hpp"
#include "align/composition/adjusted_scores.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using namespace genocl::align;
using align_test::mutated;
using align_test::random_codes;
using align_test::random_set;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

using Codes = std::vector<Code>;

/// A profile of random relatives of a query. Some columns are aligned with none, and one letter is X.
Profile made_profile(Random& random, std::size_t length, const Matrix& matrix = blosum62()) {
  Codes query = random_codes(random, length);
  query[length / 3] = protein::unknown;
  std::vector<AlignedSequence> rows = {{"query", decode(Alphabet::protein, query)}};
  for (int i = 0; i < 6; ++i) {
    Codes other = query;
    for (Code& letter : other)
      if (random.below(3) == 0) letter = static_cast<Code>(random.below(20));
    std::string row = decode(Alphabet::protein, other);
    std::fill(row.end() - static_cast<std::ptrdiff_t>(length / 4), row.end(), '-');
    rows.push_back({"r", row});
  }
  const GapPenalty gap = *KarlinAltschul::usual_gap(matrix);
  return make_profile("made", rows, matrix, gap).profile;
}

/// Many letters of one kind.
Codes biased_codes(Random& random, std::size_t length, Code letter) {
  Codes codes = random_codes(random, length);
  for (Code& code : codes)
    if (random.below(3) > 0) code = letter;
  return codes;
}

/// The zero above 0 of the mean of exp(lambda * score), less 1; 0 without one.
double lambda_by_bisection(const std::map<long, double>& probability) {
  double mean = 0;
  for (const auto& [score, p] : probability) mean += static_cast<double>(score) * p;
  if (mean >= 0 || probability.rbegin()->first <= 0) return 0;
  const auto excess = [&](double at) {
    double sum = -1;
    for (const auto& [score, p] : probability) sum += p * std::exp(at * static_cast<double>(score));
    return sum;
  };
  double low = 0, high = 1e-3;
  while (excess(high) <= 0) high *= 2;
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    (excess(middle) <= 0 ? low : high) = middle;
  }
  return high;
}

/// The definition: ratios of the rows, or of the matrix where a row has none or a letter is rare.
struct Definition {
  const Profile& profile;
  const Matrix& matrix;
  RatioTable of_matrix = frequency_ratios(matrix);
  double ideal = ungapped_parameters(score_distribution(matrix))->lambda;
  int parts = parts_of_a_bit(matrix, of_matrix);

  bool has_own(std::size_t row) const {
    return std::ranges::any_of(profile.ratios()[row], [](double ratio) { return ratio > 0; });
  }
  /// In fractions of 1/200.
  long fine(std::size_t row, Code a) const {
    return has_own(row) ? std::lround(200 * std::log(profile.ratios()[row][a]) / ideal)
                        : std::lround(200 * parts * std::log2(of_matrix[profile.letters()[row]][a]));
  }
  /// With random letters, in units of 1/32.
  double own_lambda() const {
    std::map<long, double> probability;
    for (std::size_t row = 0; row < profile.size(); ++row)
      if (profile.letters()[row] < 20)
        for (Code a = 0; a < 20; ++a)
          probability[std::lround(static_cast<double>(fine(row, a)) / 200)] += chance_frequencies()[a];
    double sum = 0;
    for (const auto& [score, p] : probability) sum += p;
    for (auto& [score, p] : probability) p /= sum;
    return lambda_by_bisection(probability) / 32;
  }
  double ratio(const Composition& subject) const {
    std::map<long, double> probability;
    for (std::size_t row = 0; row < profile.size(); ++row)
      for (Code a = 0; a < 20; ++a)
        probability[std::lround(static_cast<double>(fine(row, a)) * 0.16)] +=
            subject.frequency[a] / static_cast<double>(profile.size());
    return std::clamp(lambda_by_bisection(probability) / own_lambda(), 0.5, 1.0);
  }
  double score(std::size_t row, Code code, const Composition& subject, double lambda) const {
    if (protein::decode(code) == 'U') return score(row, protein::encode('C'), subject, lambda);
    if (code == protein::unknown || protein::decode(code) == 'O') {
      double mean = 0;
      for (Code a = 0; a < 20; ++a) mean += subject.frequency[a] * score(row, a, subject, lambda);
      return std::min(mean, -1.0);
    }
    const bool own = code < 20 && has_own(row) && profile.ratios()[row][code] * chance_frequencies()[code] > 1e-4;
    return std::log(own ? profile.ratios()[row][code] : of_matrix[profile.letters()[row]][code]) / lambda;
  }
};

}  // namespace

TEST_CASE("profile scaling with frequencies of 0") {
  Random random(test_seed() + 7);
  Profile profile = made_profile(random, 60);
  std::vector<Profile::Ratios> ratios(profile.ratios().begin(), profile.ratios().end());
  for (Profile::Ratios& row : ratios) row[random.below(20)] = 0;
  profile.set_ratios(ratios);
  const ScaledProfile scaled(profile, blosum62(), *KarlinAltschul::usual_gap(blosum62()));
  for (const Code letter : profile.letters().first(20)) {
    if (letter >= 20) continue;
    const double ratio = scaled.lambda_ratio(composition_of(biased_codes(random, 200, letter)));
    const bool is_bounded = ratio >= 0.5 && ratio <= 1;
    CHECK(is_bounded);
  }
}

TEST_CASE("align composition: scores of a profile scaled to a subject's composition") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const char* const name : {"BLOSUM62", "BLOSUM45", "PAM30"}) {
    CAPTURE(name);
    const Matrix matrix = Matrix::named(name);
    const GapPenalty gap = *KarlinAltschul::usual_gap(matrix);
    const Profile profile = made_profile(random, 90, matrix);
    const Definition definition{profile, matrix};
    const ScaledProfile scaled(profile, matrix, gap);
    std::size_t lowered = 0;
    for (Code letter = 0; letter < 20; ++letter) {
      const Composition subject = composition_of(biased_codes(random, 200, letter));
      const double ratio = definition.ratio(subject);
      CHECK(scaled.lambda_ratio(subject) == doctest::Approx(ratio).epsilon(1e-9));
      lowered += ratio < 1 ? 1 : 0;
      const pairwise::HostScoring scoring = scaled.scoring(subject);
      CHECK(scoring.gap_first == 32 * gap.first());
      CHECK(scoring.gap_extend == 32 * gap.extend);
      const double lambda = definition.own_lambda() / ratio;
      int highest = 0;
      for (std::size_t row = 0; row < profile.size(); ++row)
        for (Code code = 0; code < protein::letters.size(); ++code) {
          const std::int32_t score = scoring.of_row(row, profile.letters()[row], code);
          highest = std::max(highest, score);
          if (protein::decode(code) == '*') continue;
          const double exact = definition.score(row, code, subject, lambda);
          // Both round; one of them may be on the other side of half a unit.
          CHECK(std::abs(score - exact) < 0.5 + 1e-5);
        }
      CHECK(scoring.highest() >= highest);
      CHECK(scoring.of_row(0, profile.letters()[0], protein::encode('*')) ==
            32 * matrix(profile.letters()[0], protein::encode('*')));
    }
    CHECK(lowered > 2);
    CHECK(lowered < 20);
  }
}

TEST_CASE("align composition: a profile without frequencies is scaled by its scores") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Codes letters = random_codes(random, 60);
  const Profile profile = Profile::of("p", letters);
  const ScaledProfile scaled(profile, blosum62(), {});
  for (Code letter = 0; letter < 20; ++letter) {
    const Composition subject = composition_of(biased_codes(random, 150, letter));
    const double ratio = scaled.lambda_ratio(subject);
    const pairwise::HostScoring scoring = scaled.scoring(subject);
    for (std::size_t row = 0; row < profile.size(); ++row)
      for (Code code = 0; code < 20; ++code)
        CHECK(std::abs(scoring.of_row(row, letters[row], code) - 32 * ratio * profile(row, code)) <= 0.5 + 1e-6);
  }
  // Random letters change nothing.
  Composition usual;
  usual.letters = 1000;
  std::ranges::copy(chance_frequencies(), usual.frequency.begin());
  CHECK(scaled.lambda_ratio(usual) == doctest::Approx(1).epsilon(1e-9));
  // A profile of positive scores alone has no lambda.
  std::vector<Profile::Row> rows(60);
  for (Profile::Row& row : rows) row.fill(3);
  const Profile positive("positive", letters, rows);
  CHECK(ScaledProfile(positive, blosum62(), {}).lambda_ratio(usual) == 0.5);
  const KarlinAltschul gapped = *KarlinAltschul::find(blosum62(), {});
  CHECK(ScaledProfile(positive, blosum62(), {}).statistics(gapped).k == gapped.k);
  CHECK_THROWS_AS(ScaledProfile(profile, Matrix::parse("  A R\nA 4 -1\nR -1 5\n", "own", Alphabet::protein), {}),
                  InputError);
}
