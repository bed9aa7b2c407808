#include "align/scoring/karlin_altschul.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace genocl::align {
namespace {

/// Per thousand, in the order of the codes: Robinson and Robinson 1991 (PNAS 88, 8880-8884).
constexpr std::array<double, 20> amino_acids = {78.05, 51.29, 44.87, 53.64, 19.25, 42.64, 62.95, 73.77, 21.99, 51.42,
                                                90.19, 57.44, 22.43, 38.56, 52.03, 71.20, 58.41, 13.30, 32.16, 64.41};
constexpr std::array<double, 4> bases = {1, 1, 1, 1};

double mean(const ScoreDistribution& scores) {
  double sum = 0;
  for (std::size_t i = 0; i < scores.probability.size(); ++i)
    sum += scores.probability[i] * (scores.lowest + static_cast<double>(i));
  return sum;
}

/// The greatest number that divides every score that is possible.
int common_divisor(const ScoreDistribution& scores) {
  int divisor = 0;  // of 0 and a score: the score
  for (std::size_t i = 0; i < scores.probability.size(); ++i)
    if (scores.probability[i] > 0) divisor = std::gcd(divisor, scores.lowest + static_cast<int>(i));
  return std::max(1, divisor);
}

/// The scores divided by their common divisor.
ScoreDistribution divided(const ScoreDistribution& scores, int divisor) {
  ScoreDistribution result{.lowest = scores.lowest / divisor, .probability = {}};
  for (std::size_t i = 0; i < scores.probability.size(); i += static_cast<std::size_t>(divisor))
    result.probability.push_back(scores.probability[i]);
  return result;
}

/// sum p(s) exp(lambda s) - 1: below 0 between 0 and its one positive zero, then rising.
double excess(const ScoreDistribution& scores, double lambda) {
  double sum = -1;
  for (std::size_t i = 0; i < scores.probability.size(); ++i)
    sum += scores.probability[i] * std::exp(lambda * (scores.lowest + static_cast<double>(i)));
  return sum;
}

/// Finds its positive zero by bisection.
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

/// The sum over j of (P(S_j >= 0) + E(exp(lambda S_j); S_j < 0)) / j, S_j the sum of j scores: as far as BLAST goes, so
/// that its K comes out.
double find_series(const ScoreDistribution& scores, double lambda) {
  constexpr double smallest_term = 1e-4;
  constexpr int most_terms = 100;
  const std::size_t range = scores.probability.size() - 1;
  std::vector<double> sums = {1}, next;  // [i] how often S_j is j lowest + i
  double series = 0, term = 1;
  for (int j = 1; j <= most_terms && term > smallest_term; ++j) {
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

/// K of scores without a common divisor, lambda and H theirs. (Karlin and Altschul 1990, the appendix; with closed
/// forms where a step is 1 upwards or downwards.)
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

ScoreDistribution score_distribution(const Matrix& matrix, std::span<const Code> query) {
  std::array<double, 32> counts{};
  for (const Code code : query)
    if (code != dna::unknown) ++counts[code];
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  std::array<double, 2 * Matrix::most + 1> shares{};
  for (Code a = 0; a < alphabet_size(Alphabet::dna); ++a)
    for (Code b = 0; b < bases.size(); ++b)
      if (counts[a] > 0) shares[static_cast<std::size_t>(Matrix::most + matrix(a, b))] += counts[a] / total / 4;
  const auto is_there = [](double share) { return share > 0; };
  const auto begin = std::ranges::find_if(shares, is_there);
  const auto end = std::find_if(shares.rbegin(), shares.rend(), is_there).base();
  if (begin >= end) return {};
  return {.lowest = static_cast<int>(begin - shares.begin()) - Matrix::most, .probability = {begin, end}};
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

}  // namespace genocl::align
