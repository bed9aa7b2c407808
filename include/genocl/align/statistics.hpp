// Statistical significance of scores: bit scores and E-values as in BLAST.
// Sources: Karlin and Altschul 1990; Altschul and Gish 1996; length adjustment: Altschul, Bundschuh, Olsen and Hwa
// 2001; finite-size correction: Park, Sheetlin, Ma, Madden and Spouge 2012.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "genocl/align/pairwise.hpp"

namespace genocl::align {

/// Length distribution of an optimal alignment of score y, in letters of each sequence. The mean is a y + b, the
/// variance alpha y + beta, and the covariance of the two lengths sigma y + tau. Source: Park, Sheetlin, Ma, Madden and
/// Spouge 2012, BMC Research Notes 5, 286.
struct FiniteSize {
  double a = 0, b = 0;
  double alpha = 0, beta = 0;
  double sigma = 0, tau = 0;
};

struct LengthTerms;

/// Correction of E-values for alignments that would extend past the ends of the sequences.
/// - `finite_size`: separate for each pair of sequences, as in current blastp; E-values also depend on the subject's
///   length. Replaced by `length_adjustment` if FiniteSize is unknown (DNA, no gaps).
/// - `length_adjustment`: shortens both sequences by one length for the whole database, as blastn does, and blastp with
///   OLD_FSC=1 in its environment.
enum class EdgeCorrection : std::uint8_t { finite_size, length_adjustment };

/// Parameters of a matrix with gap penalties. Gapped parameters come from simulations and exist for some combinations
/// only.
struct KarlinAltschul {
  double lambda = 0;  ///< per unit of score, natural logarithm
  double k = 0;
  double h = 0;      ///< relative entropy, nats per pair of letters
  double alpha = 0;  ///< length of an optimal alignment per nat of score, times lambda...
  double beta = 0;   ///< ... and its offset (finite-size correction)
  /// The parameters hold for even scores. An odd score has the E-value of the next lower score, as in BLAST (DNA 2/-3
  /// and others).
  bool even_scores = false;
  /// Known for protein matrices with gaps.
  std::optional<FiniteSize> finite_size = {};

  /// A gap-open penalty of at least this value disables gaps, with any matrix.
  static constexpr int without_gaps = 1000;

  /// Returns NCBI's statistics of the named matrices and of DNA match and mismatch scores. If gap costs are
  /// prohibitive, the parameters are computed (ungapped, Karlin and Altschul 1990). Empty if unknown. The scores of the
  /// twenty amino acids or the four bases identify a matrix; its name does not.
  GENOCL_EXPORT static std::optional<KarlinAltschul> find(const Matrix& matrix, const GapPenalty& gap);
  /// Returns the gap penalties that find() knows for a matrix, for messages: "11/2 10/2 ..., and all from 1000/0 on".
  GENOCL_EXPORT static std::string known_gaps(const Matrix& matrix);
  /// Returns BLAST's default gap penalty of a protein matrix: 11/1 for BLOSUM62. Empty for DNA and for other matrices.
  GENOCL_EXPORT static std::optional<GapPenalty> usual_gap(const Matrix& matrix);

  /// (lambda * score - ln k) / ln 2
  GENOCL_EXPORT double bits(std::int64_t score) const;
};

/// The size of the whole database, with all shards and volumes.
struct DatabaseSize {
  std::uint64_t residues = 0;
  std::uint64_t sequences = 0;

  friend bool operator==(const DatabaseSize&, const DatabaseSize&) = default;
};

/// Sizes that replace those of the database in E-values. 0: the size of the database.
struct EffectiveSizes {
  std::uint64_t residues = 0;  ///< residues of the database (BLAST's -dbsize)
  /// Product of effective query and database lengths (BLAST's -searchsp). The E-value is then search_space * k *
  /// exp(-lambda * score), without EdgeCorrection, as in BLAST.
  std::uint64_t search_space = 0;

  friend bool operator==(const EffectiveSizes&, const EffectiveSizes&) = default;
};

/// Statistics of one query against a database: the E-values that BLAST 2.12 prints. Const members may be called
/// concurrently.
class GENOCL_EXPORT Significance {
 public:
  Significance(const KarlinAltschul& parameters, std::uint64_t query_length, const DatabaseSize& database,
               EdgeCorrection correction = EdgeCorrection::finite_size, const EffectiveSizes& sizes = {});

  /// The correction in use: the requested one, or `length_adjustment` if the requested one is unknown.
  EdgeCorrection correction() const noexcept;
  /// BLAST's length adjustment: the number of residues an alignment loses at the edge of a sequence.
  std::uint64_t length_adjustment() const noexcept { return adjustment_; }
  /// (query length - adjustment) * (residues - sequences * adjustment), or EffectiveSizes::search_space.
  double search_space() const noexcept { return space_; }
  double bits(std::int64_t score) const { return parameters_.bits(score); }
  /// Returns the expected number of random alignments in the whole database with at least this score. With
  /// `length_adjustment` it is search_space() * k * exp(-lambda * score) for any subject length. Scaled scores may be
  /// fractions.
  double evalue(double score, std::uint64_t subject_length) const;
  /// Returns the minimum score whose E-value is at most `evalue` for this subject length; at least 1. O(score). Throws
  /// InputError for an E-value that is negative or NaN.
  std::int64_t min_score(double evalue, std::uint64_t subject_length) const;
  [[deprecated("use min_score()")]] std::int64_t least_score(double evalue, std::uint64_t subject_length) const {
    return min_score(evalue, subject_length);
  }

 private:
  friend double min_evalue(const Significance& significance, double score, const LengthTerms& by_letter);

  KarlinAltschul parameters_;
  double query_length_ = 0, residues_ = 0;
  std::uint64_t adjustment_ = 0;
  double space_ = 0;
};

}  // namespace genocl::align
