
#include "align/scoring/statistics.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

#include "align/scoring/karlin_altschul_tables.hpp"
#include "genocl/align/statistics.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// Returns a variance or covariance. The minimum is the value at two nats, below which the linear formula does not
/// hold.
double spread(double slope, double offset, double lambda, double score) {
  return std::max(2 * slope / lambda, slope * score + offset);
}

}  // namespace

LengthTerms length_terms(const KarlinAltschul& parameters, double score, double length) {
  const FiniteSize& f = *parameters.finite_size;
  const double mean = length - (f.a * score + f.b);
  const double deviation = std::sqrt(spread(f.alpha, f.beta, parameters.lambda, score));
  const double deviations = mean / deviation;
  const double density = std::exp(-0.5 * deviations * deviations) / std::sqrt(2 * std::numbers::pi);
  const double probability = std::erfc(-deviations / std::numbers::sqrt2) / 2;
  return {.outside = std::max(0.0, mean * probability + deviation * density), .probability = probability};
}

double search_area(const KarlinAltschul& parameters, double score, const LengthTerms& query,
                   const LengthTerms& subject) {
  const FiniteSize& f = *parameters.finite_size;
  const double covariance = spread(f.sigma, f.tau, parameters.lambda, score);
  return query.outside * subject.outside + covariance * query.probability * subject.probability;
}

namespace {

/// Per thousand, in the order of the codes. Source: Robinson and Robinson 1991 (PNAS 88, 8880-8884).
constexpr std::array<double, 20> amino_acids = {78.05, 51.29, 44.87, 53.64, 19.25, 42.64, 62.95, 73.77, 21.99, 51.42,
                                                90.19, 57.44, 22.43, 38.56, 52.03, 71.20, 58.41, 13.30, 32.16, 64.41};
constexpr std::array<double, 4> bases = {1, 1, 1, 1};

double mean(const ScoreDistribution& scores) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.probability.size(); ++i)
    sum += scores.probability[i] * (scores.lowest + static_cast<double>(i));
  return sum;
}

/// Returns the greatest common divisor of the scores of nonzero probability.
int common_divisor(const ScoreDistribution& scores) {
  int divisor = 0;  // gcd(0, score) is the score
  for (std::size_t i = 0; i < scores.probability.size(); ++i)
    if (scores.probability[i] > 0) divisor = std::gcd(divisor, scores.lowest + static_cast<int>(i));
  return std::max(1, divisor);
}

/// Returns the scores divided by their common divisor.
ScoreDistribution divided(const ScoreDistribution& scores, int divisor) {
  ScoreDistribution result{.lowest = scores.lowest / divisor, .probability = {}};
  for (std::size_t i = 0; i < scores.probability.size(); i += static_cast<std::size_t>(divisor))
    result.probability.push_back(scores.probability[i]);
  return result;
}

/// sum p(s) exp(lambda s) - 1. It is negative between 0 and its single positive zero, and increases from there.
double excess(const ScoreDistribution& scores, double lambda) {
  double sum = -1;
  for (std::size_t i = 0; i < scores.probability.size(); ++i)
    sum += scores.probability[i] * std::exp(lambda * (scores.lowest + static_cast<double>(i)));
  return sum;
}

/// Returns the positive zero of excess(), by bisection.
double find_lambda(const ScoreDistribution& scores) {
  double high = 1.0 / scores.highest();
  while (excess(scores, high) <= 0) high *= 2;
  double low = 0;
  for (int step = 0; step < 200 && high - low > 1e-15 * high; ++step) {
    const double middle = (low + high) / 2;
    (excess(scores, middle) > 0 ? high : low) = middle;
  }
  return (low + high) / 2;
}

/// H = lambda sum s p(s) exp(lambda s)
double find_entropy(const ScoreDistribution& scores, double lambda) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.probability.size(); ++i) {
    const double score = scores.lowest + static_cast<double>(i);
    sum += score * scores.probability[i] * std::exp(lambda * score);
  }
  return lambda * sum;
}

/// The sum over j of (P(S_j >= 0) + E(exp(lambda S_j); S_j < 0)) / j, where S_j is the sum of j scores. The number of
/// terms is that of BLAST, so that K is identical.
double find_series(const ScoreDistribution& scores, double lambda) {
  constexpr double smallest_term = 1e-4;
  constexpr int max_terms = 100;
  const std::size_t range = scores.probability.size() - 1;
  std::vector<double> sums = {1}, next;  // [i] probability that S_j is j lowest + i
  double series = 0, term = 1;
  for (int j = 1; j <= max_terms && term > smallest_term; ++j) {
    next.assign(sums.size() + range, 0);
    for (std::size_t i = 0; i < sums.size(); ++i)
      for (std::size_t k = 0; k <= range; ++k) next[i + k] += sums[i] * scores.probability[k];
    std::swap(sums, next);
    term = 0;
    for (std::size_t i = 0; i < sums.size(); ++i)
      term +=
          sums[i] * std::exp(lambda * std::min(0.0, static_cast<double>(j) * scores.lowest + static_cast<double>(i)));
    term /= j;
    series += term;
  }
  return series;
}

/// Returns K of scores without a common divisor, from their lambda and H. Closed forms apply if the scores step by 1
/// upwards or downwards. Source: Karlin and Altschul 1990, appendix.
double find_k(const ScoreDistribution& scores, double lambda, double entropy) {
  const double down = scores.probability.front(), up = scores.probability.back();
  if (scores.lowest == -1 && scores.highest() == 1) return (down - up) * (down - up) / down;
  if (scores.highest() == 1) return entropy / lambda * -std::expm1(-lambda);
  if (scores.lowest == -1) return mean(scores) * mean(scores) / (entropy / lambda) * -std::expm1(-lambda);
  return std::exp(-2 * find_series(scores, lambda)) / (entropy / lambda * -std::expm1(-lambda));
}

}  // namespace

const std::array<double, 20>& chance_frequencies() {
  static const std::array<double, 20> frequencies = [] {
    std::array<double, 20> shares = amino_acids;
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares) share /= sum;
    return shares;
  }();
  return frequencies;
}

ScoreDistribution score_distribution(const Matrix& matrix) {
  const std::span<const double> letters =
      matrix.alphabet() == Alphabet::dna ? std::span<const double>(bases) : std::span<const double>(amino_acids);
  const auto size = static_cast<Code>(letters.size());
  const double total = std::accumulate(letters.begin(), letters.end(), 0.0);
  int lowest = Matrix::most, highest = -Matrix::most;
  for (Code a = 0; a < size; ++a)
    for (Code b = 0; b < size; ++b) {
      lowest = std::min(lowest, matrix(a, b));
      highest = std::max(highest, matrix(a, b));
    }
  ScoreDistribution scores{.lowest = lowest, .probability = {}};
  scores.probability.resize(static_cast<std::size_t>(highest - lowest) + 1);
  for (Code a = 0; a < size; ++a)
    for (Code b = 0; b < size; ++b)
      scores.probability[static_cast<std::size_t>(matrix(a, b) - lowest)] += letters[a] / total * letters[b] / total;
  return scores;
}

namespace {

/// `shares`: [Matrix::most + score].
ScoreDistribution distribution_of(std::span<const double> shares) {
  const auto is_there = [](double share) { return share > 0; };
  const auto begin = std::ranges::find_if(shares, is_there);
  const auto end = std::find_if(shares.rbegin(), shares.rend(), is_there).base();
  if (begin >= end) return {};
  return {.lowest = static_cast<int>(begin - shares.begin()) - Matrix::most, .probability = {begin, end}};
}

}  // namespace

ScoreDistribution score_distribution(const Matrix& matrix, std::span<const Code> query) {
  std::array<double, 32> counts{};
  for (const Code code : query)
    if (code != dna::unknown) ++counts[code];
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::array<double, 2 * Matrix::most + 1> shares{};
  for (Code a = 0; a < alphabet_size(Alphabet::dna); ++a)
    for (Code b = 0; b < bases.size(); ++b)
      if (counts[a] > 0) shares[static_cast<std::size_t>(Matrix::most + matrix(a, b))] += counts[a] / total / 4;
  return distribution_of(shares);
}

ScoreDistribution protein_score_distribution(const Matrix& matrix, std::span<const Code> protein) {
  std::array<double, 32> counts{};
  for (const Code code : protein)
    if (code != protein::unknown) ++counts[code];
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  const auto& background = chance_frequencies();
  std::array<double, 2 * Matrix::most + 1> shares{};
  for (Code a = 0; a < alphabet_size(Alphabet::protein); ++a)
    for (Code b = 0; b < background.size(); ++b)
      if (counts[a] > 0)
        shares[static_cast<std::size_t>(Matrix::most + matrix(a, b))] += counts[a] / total * background[b];
  return distribution_of(shares);
}

std::optional<KarlinAltschul> ungapped_parameters(const ScoreDistribution& scores) {
  if (scores.probability.empty() || scores.lowest >= 0 || scores.highest() <= 0 || mean(scores) >= 0) return {};
  const int divisor = common_divisor(scores);
  const ScoreDistribution coprime = divided(scores, divisor);
  const double lambda = find_lambda(coprime), entropy = find_entropy(coprime, lambda);
  KarlinAltschul result;
  result.lambda = lambda / divisor;
  result.h = entropy;
  result.k = find_k(coprime, lambda, entropy);
  result.alpha = result.lambda / result.h;
  return result;
}

namespace {

/// Returns the named matrix with equal scores of the twenty amino acids, which determine the statistics.
const ProteinParameters* same_protein(const Matrix& matrix) {
  constexpr Code letters = 20;
  for (const ProteinParameters& entry : protein_parameters()) {
    const Matrix named = Matrix::named(entry.matrix);
    bool same = true;
    for (Code a = 0; a < letters; ++a)
      for (Code b = 0; b < letters; ++b) same = same && matrix(a, b) == named(a, b);
    if (same) return &entry;
  }
  return nullptr;
}

struct DnaScores {
  const DnaParameters* entry = nullptr;
  int match = 0, mismatch = 0;
  int divisor = 1;  ///< of the scores by those of the entry
};

/// Returns the entry if A, C, G and T have one match and one mismatch score with known statistics.
DnaScores same_dna(const Matrix& matrix) {
  DnaScores scores{.match = matrix(0, 0), .mismatch = matrix(0, 1)};
  for (Code a = 0; a < 4; ++a)
    for (Code b = 0; b < 4; ++b)
      if (matrix(a, b) != (a == b ? scores.match : scores.mismatch)) return {};
  if (scores.match <= 0 || scores.mismatch >= 0) return {};
  scores.divisor = std::gcd(scores.match, scores.mismatch);
  for (const DnaParameters& entry : dna_parameters())
    if (entry.match * scores.divisor == scores.match && entry.mismatch * scores.divisor == scores.mismatch)
      scores.entry = &entry;
  return scores;
}

KarlinAltschul parameters(const TableParameters& values, int divisor = 1, bool even_scores = false) {
  return {.lambda = values.lambda / divisor,
          .k = values.k,
          .h = values.h,
          .alpha = values.alpha / divisor,
          .beta = values.beta,
          .even_scores = even_scores,
          .finite_size = {}};
}

/// Derives the gapped parameters from the ungapped ones and the cost of a gap's first letter.
FiniteSize finite_size_of(const TableParameters& ungapped, const TableParameters& gapped, const GapPenalty& gap) {
  const double twice_first = 2.0 * gap.first();
  return {.a = gapped.alpha,
          .b = twice_first * (ungapped.alpha - gapped.alpha),
          .alpha = gapped.alpha_v,
          .beta = twice_first * (ungapped.alpha_v - gapped.alpha_v),
          .sigma = gapped.sigma,
          .tau = twice_first * (ungapped.alpha_v - gapped.sigma)};
}

const GappedParameters* row(std::span<const GappedParameters> rows, const GapPenalty& gap, int divisor = 1) {
  const auto found = std::ranges::find_if(rows, [&](const GappedParameters& one) {
    return one.open * divisor == gap.open && one.extend * divisor == gap.extend;
  });
  return found == rows.end() ? nullptr : &*found;
}

bool is_without_gaps(const GapPenalty& gap) { return gap.open >= KarlinAltschul::without_gaps; }

std::string text(int open, int extend) { return std::to_string(open) + "/" + std::to_string(extend); }

}  // namespace

std::optional<std::string_view> named_protein_matrix(const Matrix& matrix) {
  if (matrix.alphabet() != Alphabet::protein) return {};
  const ProteinParameters* const entry = same_protein(matrix);
  return entry == nullptr ? std::nullopt : std::optional(entry->matrix);
}

std::optional<KarlinAltschul> KarlinAltschul::find(const Matrix& matrix, const GapPenalty& gap) {
  if (matrix.alphabet() == Alphabet::dna) {
    const DnaScores scores = same_dna(matrix);
    if (scores.entry != nullptr) {
      const DnaParameters& entry = *scores.entry;
      if (const GappedParameters* const found = row(entry.gapped, gap, scores.divisor))
        return parameters(found->values, scores.divisor, entry.even_scores);
      if (gap.open < entry.as_without.open * scores.divisor || gap.extend < entry.as_without.extend * scores.divisor)
        return {};
      auto ungapped = ungapped_parameters(score_distribution(matrix));
      if (!ungapped) return {};
      // As s_GetUngappedBeta of BLAST, which also rounds down here.
      const bool corrected =
          (scores.match == 1 && scores.mismatch == -1) || (scores.match == 2 && scores.mismatch == -3);
      ungapped->beta = corrected ? -2 : 0;
      ungapped->even_scores = entry.even_scores;
      return ungapped;
    }
  } else if (const ProteinParameters* const entry = same_protein(matrix)) {
    if (const GappedParameters* const found = row(entry->gapped, gap)) {
      KarlinAltschul known = parameters(found->values);
      known.finite_size = finite_size_of(entry->ungapped, found->values, gap);
      return known;
    }
    if (is_without_gaps(gap)) return parameters(entry->ungapped);
    return {};
  }
  if (is_without_gaps(gap)) return ungapped_parameters(score_distribution(matrix));
  return {};
}

std::string KarlinAltschul::known_gaps(const Matrix& matrix) {
  std::string known;
  const auto add = [&](int open, int extend) { known += (known.empty() ? "" : " ") + text(open, extend); };
  GapPenalty from{.open = without_gaps, .extend = 0};
  if (matrix.alphabet() == Alphabet::dna) {
    if (const DnaScores scores = same_dna(matrix); scores.entry != nullptr) {
      for (const GappedParameters& one : scores.entry->gapped)
        add(one.open * scores.divisor, one.extend * scores.divisor);
      from = {.open = scores.entry->as_without.open * scores.divisor,
              .extend = scores.entry->as_without.extend * scores.divisor};
    }
  } else if (const ProteinParameters* const entry = same_protein(matrix)) {
    for (const GappedParameters& one : entry->gapped) add(one.open, one.extend);
  }
  return known + (known.empty() ? "" : ", and ") + "all from " + text(from.open, from.extend) + " on";
}

std::optional<GapPenalty> KarlinAltschul::usual_gap(const Matrix& matrix) {
  if (matrix.alphabet() == Alphabet::dna) return {};
  const ProteinParameters* const entry = same_protein(matrix);
  return entry == nullptr ? std::nullopt : std::optional(entry->usual);
}

double KarlinAltschul::bits(std::int64_t score) const {
  return (lambda * static_cast<double>(score) - std::log(k)) / std::numbers::ln2;
}

namespace {

/// Returns the greatest integer below the fixed point of l = alpha / lambda * ln(K (m - l) (n - N l)) + beta, subject
/// to K (m - l) (n - N l) > max(m, n). The iteration is that of BLAST's BLAST_ComputeLengthAdjustment, so that the
/// result is identical if it does not converge. Source: Altschul, Bundschuh, Olsen and Hwa 2001.
std::uint64_t find_adjustment(const KarlinAltschul& p, double m, double n, double sequences) {
  const auto expected = [&](double l) {
    return p.alpha / p.lambda * (std::log(p.k) + std::log((m - l) * (n - sequences * l))) + p.beta;
  };
  // The upper bound of l: the smaller zero of N l^2 - (m N + n) l + (m n - max(m, n) / K).
  const double b = m * sequences + n, c = n * m - std::max(m, n) / p.k;
  if (!(c >= 0)) return 0;
  double most = 2 * c / (b + std::sqrt(b * b - 4 * sequences * c)), least = 0;
  bool converged = false;
  double next = 0;
  for (int step = 1; step <= 20; ++step) {
    const double l = next, proposed = expected(l);
    if (proposed >= l) {
      least = l;
      converged = proposed - least <= 1;
      if (converged || least == most) break;
    } else {
      most = l;
    }
    if (least <= proposed && proposed <= most)
      next = proposed;
    else
      next = step == 1 ? most : (least + most) / 2;
  }
  if (converged) {
    const double up = std::ceil(least);
    if (up <= most && expected(up) >= up) return static_cast<std::uint64_t>(up);
  }
  return static_cast<std::uint64_t>(least);
}

}  // namespace

Significance::Significance(const KarlinAltschul& parameters, std::uint64_t query_length, const DatabaseSize& database,
                           EdgeCorrection correction, const EffectiveSizes& sizes)
    : parameters_(parameters),
      query_length_(static_cast<double>(query_length)),
      residues_(static_cast<double>(sizes.residues != 0 ? sizes.residues : database.residues)) {
  if (correction == EdgeCorrection::length_adjustment || sizes.search_space != 0) parameters_.finite_size.reset();
  const double m = query_length_, n = residues_, sequences = static_cast<double>(database.sequences);
  if (query_length > 0 && residues_ > 0) adjustment_ = find_adjustment(parameters, m, n, sequences);
  const double adjustment = static_cast<double>(adjustment_);
  space_ = sizes.search_space != 0 ? static_cast<double>(sizes.search_space)
                                   : (m - adjustment) * std::max(1.0, n - sequences * adjustment);
}

EdgeCorrection Significance::correction() const noexcept {
  return parameters_.finite_size ? EdgeCorrection::finite_size : EdgeCorrection::length_adjustment;
}

double Significance::evalue(double score, std::uint64_t subject_length) const {
  if (parameters_.even_scores) score = 2 * std::floor(score / 2);
  if (!parameters_.finite_size) return space_ * std::exp(std::log(parameters_.k) - parameters_.lambda * score);
  const double n = static_cast<double>(std::max<std::uint64_t>(subject_length, 1));
  const LengthTerms query = length_terms(parameters_, score, query_length_),
                    subject = length_terms(parameters_, score, n);
  return search_area(parameters_, score, query, subject) * parameters_.k * std::exp(-parameters_.lambda * score) *
         (residues_ / n);
}

double min_evalue(const Significance& significance, double score, const LengthTerms& by_letter) {
  const KarlinAltschul& parameters = significance.parameters_;
  const LengthTerms query = length_terms(parameters, score, significance.query_length_);
  return search_area(parameters, score, query, by_letter) * parameters.k * std::exp(-parameters.lambda * score) *
         significance.residues_;
}

std::int64_t Significance::min_score(double evalue, std::uint64_t subject_length) const {
  if (!(evalue >= 0)) throw InputError("an E-value of " + std::to_string(evalue));
  // Bisection is invalid: E-values may increase with the score if sequences are shorter than the expected alignments.
  std::int64_t score = 1;
  while (this->evalue(static_cast<double>(score), subject_length) > evalue) ++score;
  return score;
}

}  // namespace genocl::align
