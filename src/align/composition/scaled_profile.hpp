// Scores of a profile, adjusted to the composition of a subject.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "align/composition/composition.hpp"
#include "genocl/align/pairwise.hpp"
#include "genocl/align/profile.hpp"
#include "genocl/align/statistics.hpp"
#include "pairwise/host_pair.hpp"

namespace genocl::align {

/// A profile whose scores are scaled down if random letters of a subject's composition score high (Schaeffer and others
/// 2001), as psiblast does. Scores and gap penalties are AdjustedScores::scale times those of the profile.
class ScaledProfile {
 public:
  /// `profile` must outlive this object. Profiles without frequencies have those that their scores express. Throws
  /// InputError for a matrix without known target frequencies.
  ScaledProfile(const Profile& profile, const Matrix& matrix, const GapPenalty& gap);

  const Profile& profile() const noexcept { return *profile_; }
  /// Lambda of the scores with this composition, divided by that with random letters; 0.5 to 1.
  double lambda_ratio(const Composition& subject) const;
  /// The subject has amino acids.
  pairwise::HostScoring scoring(const Composition& subject) const;
  /// Returns parameters with the K of these scores. `gapped`: those of the matrix.
  KarlinAltschul statistics(const KarlinAltschul& gapped) const;

 private:
  static constexpr std::size_t codes = pairwise::HostScoring::codes;

  const Profile* profile_;
  GapPenalty gap_;
  std::vector<double> logs_;         ///< [row * codes + code] logarithm of the ratio to random letters
  std::vector<std::int32_t> stops_;  ///< [row] score of a stop codon, which is not adjusted
  int lowest_ = 0;                   ///< score before adjustment
  std::array<std::vector<double>, amino_acids> shares_;  ///< [amino acid][score - lowest_] fraction of the rows
  double lambda_ = 0;                                    ///< with random letters, of scaled scores
  double k_ratio_ = 1;                                   ///< K without gaps, divided by that of the matrix
};

}  // namespace genocl::align
