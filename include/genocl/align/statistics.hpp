// What a score means: bit scores and E-values as BLAST computes them (Karlin and Altschul 1990; Altschul and Gish 1996;
// length adjustment: Altschul, Bundschuh, Olsen and Hwa 2001; finite-size correction: Park, Sheetlin, Ma, Madden and
// Spouge 2012).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "genocl/align/pairwise.hpp"

namespace genocl::align {

/// Describes how many letters an optimal alignment of score y takes up in each of the two sequences: a y + b of them in
/// the mean, with variance alpha y + beta, and covariance sigma y + tau between the two (Park, Sheetlin, Ma, Madden and
/// Spouge 2012, BMC Research Notes 5, 286).
struct FiniteSize {
  double a = 0, b = 0;
  double alpha = 0, beta = 0;
  double sigma = 0, tau = 0;
};

struct LengthTerms;

/// Says how E-values allow for alignments that would run over the ends of the sequences.
/// - `finite_size`: for each pair of sequences by itself, as blastp does today: an E-value depends on the subject's
///   length too. Where FiniteSize is not known (DNA, no gaps) `length_adjustment` takes its place.
/// - `length_adjustment`: both sequences are shortened by a length that holds for the whole database, as blastn does,
///   and blastp with OLD_FSC=1 in its environment.
enum class EdgeCorrection : std::uint8_t { finite_size, length_adjustment };

/// The parameters of a matrix with gap penalties. With gaps they come from simulations and exist for some pairs only.
struct KarlinAltschul {
  double lambda = 0;  ///< per unit of score, natural logarithm
  double k = 0;
  double h = 0;      ///< relative entropy, nats per pair of letters
  double alpha = 0;  ///< length of an optimal alignment per nat of score, times lambda...
  double beta = 0;   ///< ... and its offset (finite-size correction)
  /// They hold for even scores: for its E-value an odd one counts as the one below, as in BLAST (DNA 2/-3 and others).
  bool even_scores = false;
  /// Known for the proteins' matrices with gaps.
  std::optional<FiniteSize> finite_size = {};

  /// A gap that costs this much to open means that there are none, with any matrix.
  static constexpr int without_gaps = 1000;

  /// The statistics that NCBI tabulates for the named matrices and for DNA matches and mismatches; computed (ungapped,
  /// Karlin and Altschul 1990) where gaps cost so much that they do not matter. Empty where nothing is known. A matrix
  /// is known by how it scores the twenty amino acids or the four bases, whatever its name.
  GENOCL_EXPORT static std::optional<KarlinAltschul> find(const Matrix& matrix, const GapPenalty& gap);
  /// The penalties that find() knows for a matrix, for messages: "11/2 10/2 ..., and all from 1000/0 on".
  GENOCL_EXPORT static std::string known_gaps(const Matrix& matrix);
  /// What BLAST takes for a protein matrix where nothing is said: 11/1 for BLOSUM62. Empty for a matrix that is none of
  /// the named ones, and for DNA.
  GENOCL_EXPORT static std::optional<GapPenalty> usual_gap(const Matrix& matrix);

  /// (lambda * score - ln k) / ln 2
  GENOCL_EXPORT double bits(std::int64_t score) const;
};

/// The size is that of the whole database, all shards and volumes.
struct DatabaseSize {
  std::uint64_t residues = 0;
  std::uint64_t sequences = 0;

  friend bool operator==(const DatabaseSize&, const DatabaseSize&) = default;
};

/// The statistics of one query against a database: the E-values that BLAST 2.12 prints.
/// Const members may be called concurrently.
class GENOCL_EXPORT Significance {
 public:
  Significance(const KarlinAltschul& parameters, std::uint64_t query_length, const DatabaseSize& database,
               EdgeCorrection correction = EdgeCorrection::finite_size);

  /// Tells which correction E-values have: that which was asked for, or `length_adjustment` where the other is not
  /// known.
  EdgeCorrection correction() const noexcept;
  /// Residues that an alignment loses at the edge of a sequence: BLAST's length adjustment.
  std::uint64_t length_adjustment() const noexcept { return adjustment_; }
  /// (query length - adjustment) * (residues - sequences * adjustment)
  double search_space() const noexcept { return space_; }
  double bits(std::int64_t score) const { return parameters_.bits(score); }
  /// How often chance alone gives a score as high, in the whole database. With `length_adjustment` it is search_space()
  /// * k * exp(-lambda * score), whatever the subject's length. Scores may be fractions, where they were scaled.
  double evalue(double score, std::uint64_t subject_length) const;
  /// For the library's own use: a bound of the E-value of a score from below, from what a subject has at least, by
  /// letter of it. Only with `finite_size`.
  double least_evalue(double score, const LengthTerms& by_letter) const;
  /// The least score whose E-value is at most `evalue`, for a subject of this length; at least 1. O(score). Throws
  /// InputError for an E-value that is negative or NaN.
  std::int64_t least_score(double evalue, std::uint64_t subject_length) const;

 private:
  KarlinAltschul parameters_;
  double query_length_ = 0, residues_ = 0;
  std::uint64_t adjustment_ = 0;
  double space_ = 0;
};

}  // namespace genocl::align
