#include "align/scoring/finite_size.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace genocl::align {
namespace {

/// A variance or covariance is no less than that of two nats, below which its line does not hold.
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
  return {.room = std::max(0.0, mean * probability + deviation * density), .probability = probability};
}

double search_area(const KarlinAltschul& parameters, double score, const LengthTerms& query,
                   const LengthTerms& subject) {
  const FiniteSize& f = *parameters.finite_size;
  const double covariance = spread(f.sigma, f.tau, parameters.lambda, score);
  return query.room * subject.room + covariance * query.probability * subject.probability;
}

}  // namespace genocl::align
