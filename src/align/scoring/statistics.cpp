#include "genocl/align/statistics.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "align/scoring/finite_size.hpp"
#include "align/scoring/karlin_altschul.hpp"
#include "align/scoring/karlin_altschul_tables.hpp"
#include "genocl/error.hpp"

namespace genocl::align {
namespace {

/// The named matrix that scores the twenty amino acids alike: they decide the statistics.
const ProteinParameters* same_protein(const Matrix& matrix) {
  constexpr Code amino_acids = 20;
  for (const ProteinParameters& entry : protein_parameters()) {
    const Matrix named = Matrix::named(entry.matrix);
    bool same = true;
    for (Code a = 0; a < amino_acids; ++a)
      for (Code b = 0; b < amino_acids; ++b) same = same && matrix(a, b) == named(a, b);
    if (same) return &entry;
  }
  return nullptr;
}

struct DnaScores {
  const DnaParameters* entry = nullptr;
  int match = 0, mismatch = 0;
  int divisor = 1;  ///< of the scores by those of the entry
};

/// Where A, C, G and T score one match and one mismatch, and those are known.
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

/// Those of gapped alignments follow from those of alignments without gaps and what the first letter of a gap costs.
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
      // BLAST's s_GetUngappedBeta, and it rounds down here too.
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

/// The greatest whole number below the fixed point of
///   l = alpha / lambda * ln(K (m - l) (n - N l)) + beta
/// (Altschul, Bundschuh, Olsen and Hwa 2001), as far as K (m - l) (n - N l) > max(m, n): found step by step as BLAST's
/// BLAST_ComputeLengthAdjustment does, so that it is the same number where those steps do not converge.
std::uint64_t find_adjustment(const KarlinAltschul& p, double m, double n, double sequences) {
  const auto expected = [&](double l) {
    return p.alpha / p.lambda * (std::log(p.k) + std::log((m - l) * (n - sequences * l))) + p.beta;
  };
  // The most that l may be: the lesser zero of N l^2 - (m N + n) l + (m n - max(m, n) / K).
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
                           EdgeCorrection correction)
    : parameters_(parameters),
      query_length_(static_cast<double>(query_length)),
      residues_(static_cast<double>(database.residues)) {
  if (correction == EdgeCorrection::length_adjustment) parameters_.finite_size.reset();
  const double m = query_length_, n = residues_, sequences = static_cast<double>(database.sequences);
  if (query_length > 0 && database.residues > 0) adjustment_ = find_adjustment(parameters, m, n, sequences);
  const double adjustment = static_cast<double>(adjustment_);
  space_ = (m - adjustment) * std::max(1.0, n - sequences * adjustment);
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

double Significance::least_evalue(double score, const LengthTerms& by_letter) const {
  const LengthTerms query = length_terms(parameters_, score, query_length_);
  return search_area(parameters_, score, query, by_letter) * parameters_.k * std::exp(-parameters_.lambda * score) *
         residues_;
}

std::int64_t Significance::least_score(double evalue, std::uint64_t subject_length) const {
  if (!(evalue >= 0)) throw InputError("an E-value of " + std::to_string(evalue));
  // Not by halving: with sequences shorter than alignments of a score are, E-values may rise with the score.
  std::int64_t score = 1;
  while (this->evalue(static_cast<double>(score), subject_length) > evalue) ++score;
  return score;
}

}  // namespace genocl::align
