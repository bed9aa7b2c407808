// Scoring of alignments: substitution matrices and gap penalties.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::pairwise {

/// Affine gap penalty: a gap of k residues costs open + k * extend, the convention of NCBI BLAST, SWIPE and SSEARCH.
/// parasail, opal, CUDASW++ and SSW charge `open` for the first residue and `extend` for each further one; they call
/// the same penalty {open + extend, extend}, so BLAST's 11/1 is 12/1 there. (Pham et al., swGPUCluster, Figure 2, swaps
/// the two names: its g is charged for every residue, its e for opening.)
struct GapPenalty {
  static constexpr int most = 16'000;  ///< maximum of open + extend

  int open = 11;
  int extend = 1;

  /// Converts from the other convention. Throws InputError unless 0 <= extend <= first.
  GENOCL_EXPORT static GapPenalty from_first(int first, int extend);
  /// Returns the cost of the first residue of a gap.
  int first() const noexcept { return open + extend; }
  /// Throws InputError unless open >= 0, extend >= 0, and 0 < open + extend <= most.
  GENOCL_EXPORT void check() const;

  friend bool operator==(const GapPenalty&, const GapPenalty&) = default;
};

/// Substitution matrix: a score for each pair of codes of an alphabet (protein or DNA).
/// Const members may be called concurrently.
class GENOCL_EXPORT Matrix {
 public:
  /// Scores are within [-most, most].
  static constexpr int most = 127;

  /// Returns NCBI's matrix of that name, in any case: BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70,
  /// PAM250. U scores as C and O as X, as in BLAST. Throws InputError, with the list of names, for another name.
  static Matrix named(std::string_view name);
  /// Returns the names that named() knows.
  static const std::vector<std::string>& names();

  /// Returns blastn's DNA matrix: `match` for two equal letters of A, C, G, T, and `mismatch` for letters that stand
  /// for no base in common. Other pairs, with N or another IUPAC code, score the rounded mean over the bases of the
  /// letter that stands for more: N and A score -2 with 2 and -3. In alignments two equal codes, also two N, are an
  /// identity, as in blastn. Throws InputError unless 0 < match <= most and -most <= mismatch <= 0.
  static Matrix dna(int match = 2, int mismatch = -3);

  /// Returns 0 for a letter with itself and -1 for every other pair: with gaps {open 0, extend 1}, a global score is
  /// the negated edit distance. For proteins and DNA; throws InputError for bytes.
  static Matrix unit_costs(Alphabet alphabet);

  /// Parses a matrix in NCBI's format: comment lines that begin with '#'; a line of column letters; a line for each of
  /// them, which begins with its letter. Letters without a column score as '*', but U as C and O as X (DNA: as N). Rows
  /// are letters of the query; a matrix need not be symmetric. `file` is used in messages.
  ///
  /// Throws InputError, with the line, for a missing or duplicate row or column, a letter outside the alphabet, an
  /// entry that is no number or out of range, a missing '*' (N) if other letters are missing, or a missing letter of A,
  /// C, G, T (of the twenty amino acids).
  static Matrix parse(std::string_view text, const std::string& file, Alphabet alphabet = Alphabet::protein);

  const std::string& name() const noexcept { return name_; }
  Alphabet alphabet() const noexcept { return alphabet_; }
  int operator()(Code query, Code subject) const noexcept { return scores_[query * stride + subject]; }
  int highest() const noexcept { return highest_; }
  int lowest() const noexcept { return lowest_; }
  bool symmetric() const noexcept;

  friend bool operator==(const Matrix&, const Matrix&) = default;

 private:
  static constexpr std::size_t stride = 32;

  Matrix(std::string name, Alphabet alphabet) : name_(std::move(name)), alphabet_(alphabet) {}
  void find_range();

  std::string name_;
  Alphabet alphabet_ = Alphabet::protein;
  std::array<std::int8_t, stride * stride> scores_{};
  int highest_ = 0, lowest_ = 0;
};

/// Returns BLOSUM62 as NCBI distributes it.
GENOCL_EXPORT const Matrix& blosum62();

}  // namespace genocl::pairwise
