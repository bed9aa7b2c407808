// What an alignment scores: substitution matrices and gap penalties.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/sequence/alphabet.hpp"

namespace genocl::align {

/// A gap of k residues costs open + k * extend: the convention of NCBI BLAST, SWIPE and SSEARCH. Where the first
/// residue costs `open` and each further one `extend` (parasail, opal, CUDASW++, SSW), the same penalty is called {open
/// + extend, extend}: BLAST's 11/1 is 12/1 there. (Pham et al., swGPUCluster, Figure 2, has the two names swapped: its
/// g is charged for every residue, its e for opening.)
struct GapPenalty {
  static constexpr int most = 16'000;

  int open = 11;
  int extend = 1;

  /// Converts from the other convention. Throws InputError unless 0 <= extend <= first.
  GENOCL_EXPORT static GapPenalty from_first(int first, int extend);
  /// What the first residue of a gap costs.
  int first() const noexcept { return open + extend; }
  /// Throws InputError unless open >= 0, extend >= 0, and 0 < open + extend <= most.
  GENOCL_EXPORT void check() const;

  friend bool operator==(const GapPenalty&, const GapPenalty&) = default;
};

/// A score for each pair of codes of an alphabet (protein or DNA).
class GENOCL_EXPORT Matrix {
 public:
  /// Scores are within [-most, most].
  static constexpr int most = 127;

  /// NCBI's table of that name, in any case: BLOSUM45, BLOSUM50, BLOSUM62, BLOSUM80, BLOSUM90, PAM30, PAM70, PAM250.
  /// Throws InputError, naming them, for another.
  static Matrix named(std::string_view name);
  static const std::vector<std::string>& names();

  /// DNA: `match` for two equal letters out of A, C, G, T; `mismatch` for every other pair, so that N matches nothing.
  /// Throws InputError unless match > 0 and mismatch <= 0, both within bounds.
  static Matrix dna(int match = 2, int mismatch = -3);

  /// 0 for a letter with itself, -1 for every other pair: with gaps {open 0, extend 1} a global score is the edit
  /// distance, negative. Of proteins and DNA; InputError for bytes.
  static Matrix unit_costs(Alphabet alphabet);

  /// A matrix as NCBI writes it: lines that begin with '#' are comments; then a line of column letters, then a line for
  /// each of them, its letter first. Letters that it lacks score as its '*' column does (for DNA: as its N column).
  /// `file` is for messages. Throws InputError, with the line, for a row or a column that is missing or there twice, a
  /// letter outside the alphabet, a number that is none or out of range, none of '*' (N) where one is needed, and none
  /// of A, C, G, T (the twenty amino acids). Matrices need not be symmetric: rows are the query's letters.
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

}  // namespace genocl::align
