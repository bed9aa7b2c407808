#include "align/composition/scaled_profile.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>
#include <utility>

#include "align/composition/adjusted_scores.hpp"
#include "align/scoring/statistics.hpp"

namespace genocl::align {
namespace {

/// PSI-BLAST rounds to these fractions of a unit of score before it scales.
constexpr double fine_units = 200;
/// PSI-BLAST replaces the ratio of a rarer letter by that of the matrix.
constexpr double min_frequency = 1e-4;
/// Lower ratios score as this one, so that the exponentials of scores stay finite.
constexpr double min_ratio = 1e-30;

std::int32_t scaled_score(long fine) {
  return static_cast<std::int32_t>(std::lround(static_cast<double>(fine) * (AdjustedScores::scale / fine_units)));
}

/// Scores of a profile in fractions of a unit, and the logarithms of its frequency ratios.
struct FineProfile {
  std::vector<long> scores;  ///< [row * amino_acids + amino acid]
  std::vector<double> logs;  ///< [row * codes + code]
  std::vector<std::int32_t> stops;
};

/// The logarithms of a profile without frequencies are its scores, to be multiplied by its lambda.
FineProfile fine_profile(const Profile& profile, const Matrix& matrix, double lambda) {
  constexpr std::size_t codes = pairwise::HostScoring::codes;
  constexpr Code stop = protein::encode('*');
  const RatioTable of_matrix = frequency_ratios(matrix);
  const double parts_of_a_nat = parts_of_a_bit(matrix, of_matrix) / std::numbers::ln2;
  FineProfile fine{std::vector<long>(profile.size() * amino_acids), std::vector<double>(profile.size() * codes),
                   std::vector<std::int32_t>(profile.size())};
  for (std::size_t row = 0; row < profile.size(); ++row) {
    const Code letter = profile.letters()[row];
    double* const logs = fine.logs.data() + row * codes;
    long* const scores = fine.scores.data() + row * amino_acids;
    fine.stops[row] = AdjustedScores::scale * matrix(letter, stop);
    if (profile.ratios().empty()) {
      for (Code code = 0; code < protein::letters.size(); ++code) logs[code] = profile(row, code);
      for (Code a = 0; a < amino_acids; ++a) scores[a] = static_cast<long>(fine_units) * profile(row, a);
      continue;
    }
    const Profile::Ratios& own = profile.ratios()[row];
    const bool has_own = std::ranges::any_of(own, [](double ratio) { return ratio > 0; });
    for (Code code = 0; code < protein::letters.size(); ++code) logs[code] = std::log(of_matrix[letter][code]);
    if (!has_own) fine.stops[row] = scaled_score(std::lround(fine_units * parts_of_a_nat * logs[stop]));
    for (Code a = 0; a < amino_acids; ++a) {
      const double log = std::log(std::max(own[a], min_ratio));
      scores[a] = std::lround(fine_units * (has_own ? log / lambda : parts_of_a_nat * logs[a]));
      if (own[a] * chance_frequencies()[a] > min_frequency) logs[a] = log;
    }
  }
  return fine;
}

/// The distribution of whole scores with random letters. Rows of other letters than amino acids do not count.
ScoreDistribution whole_scores(std::span<const long> fine, std::span<const Code> letters) {
  const auto whole = [](long score) { return std::lround(static_cast<double>(score) / fine_units); };
  const auto [low, high] = std::ranges::minmax(fine);
  const long lowest = whole(low);
  ScoreDistribution scores{static_cast<int>(lowest),
                           std::vector<double>(static_cast<std::size_t>(whole(high) - lowest + 1), 0)};
  const auto counted = std::ranges::count_if(letters, [](Code letter) { return letter < amino_acids; });
  for (std::size_t row = 0; row < letters.size(); ++row)
    if (letters[row] < amino_acids)
      for (std::size_t a = 0; a < amino_acids; ++a)
        scores.probability[static_cast<std::size_t>(whole(fine[row * amino_acids + a]) - lowest)] +=
            chance_frequencies()[a] / static_cast<double>(counted);
  const auto begin = std::ranges::find_if(scores.probability, [](double p) { return p > 0; });
  scores.lowest += static_cast<int>(begin - scores.probability.begin());
  scores.probability.erase(scores.probability.begin(), begin);
  while (!scores.probability.empty() && scores.probability.back() == 0) scores.probability.pop_back();
  return scores;
}

}  // namespace

ScaledProfile::ScaledProfile(const Profile& profile, const Matrix& matrix, const GapPenalty& gap)
    : profile_(&profile), gap_(gap) {
  const KarlinAltschul ideal = *ungapped_parameters(score_distribution(matrix));
  FineProfile fine = fine_profile(profile, matrix, ideal.lambda);
  const KarlinAltschul own = ungapped_parameters(whole_scores(fine.scores, profile.letters())).value_or(ideal);
  if (profile.ratios().empty())
    for (double& log : fine.logs) log *= own.lambda;
  logs_ = std::move(fine.logs);
  stops_ = std::move(fine.stops);
  lambda_ = own.lambda / AdjustedScores::scale;
  k_ratio_ = own.k / ideal.k;

  std::vector<std::int32_t> start(fine.scores.size());
  std::ranges::transform(fine.scores, start.begin(), scaled_score);
  lowest_ = std::min(std::ranges::min(start), 0);
  const std::int32_t highest = std::max(std::ranges::max(start), 0);
  for (std::size_t a = 0; a < amino_acids; ++a) {
    shares_[a].assign(static_cast<std::size_t>(highest - lowest_ + 1), 0);
    for (std::size_t row = 0; row < profile.size(); ++row)
      shares_[a][static_cast<std::size_t>(start[row * amino_acids + a] - lowest_)] +=
          1.0 / static_cast<double>(profile.size());
  }
}

double ScaledProfile::lambda_ratio(const Composition& subject) const {
  std::vector<double> probability(shares_[0].size(), 0);
  for (std::size_t a = 0; a < amino_acids; ++a)
    if (subject.frequency[a] > 0)
      for (std::size_t i = 0; i < probability.size(); ++i) probability[i] += subject.frequency[a] * shares_[a][i];
  return bounded_lambda_ratio(probability, lowest_, lambda_);
}

pairwise::HostScoring ScaledProfile::scoring(const Composition& subject) const {
  const double lambda = lambda_ / lambda_ratio(subject);
  constexpr Code unknown = protein::unknown, cysteine = protein::encode('C'), selenocysteine = protein::encode('U'),
                 pyrrolysine = protein::encode('O'), stop = protein::encode('*');
  std::vector<std::int32_t> rows(logs_.size());
  std::array<double, codes> scores{};
  for (std::size_t row = 0; row < stops_.size(); ++row) {
    const double* const logs = logs_.data() + row * codes;
    std::int32_t* const of_row = rows.data() + row * codes;
    for (std::size_t code = 0; code < codes; ++code) scores[code] = logs[code] / lambda;
    double mean = 0;
    for (std::size_t a = 0; a < amino_acids; ++a) mean += scores[a] * subject.frequency[a];
    scores[unknown] = scores[pyrrolysine] = std::min(mean, AdjustedScores::highest_unknown);
    scores[selenocysteine] = scores[cysteine];
    // Half a unit rounds away from 0.
    for (std::size_t code = 0; code < codes; ++code)
      of_row[code] = static_cast<std::int32_t>(scores[code] + (scores[code] < 0 ? -0.5 : 0.5));
    of_row[stop] = stops_[row];
  }
  return {std::move(rows), {.open = gap_.open * AdjustedScores::scale, .extend = gap_.extend * AdjustedScores::scale}};
}

KarlinAltschul ScaledProfile::statistics(const KarlinAltschul& gapped) const {
  KarlinAltschul own = gapped;
  own.k *= k_ratio_;
  return own;
}

}  // namespace genocl::align
