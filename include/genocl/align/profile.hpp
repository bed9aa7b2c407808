// Position-specific scoring matrices of proteins, used as queries.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/pairwise.hpp"
#include "genocl/export.hpp"

namespace genocl::align {

/// A position-specific scoring matrix (PSSM): one row of scores for each letter of a query. The caller provides the
/// scores of the twenty amino acids. U scores as C; B, Z, J, O, X and * score with the row's letter by the matrix. A
/// search counts identities with the profile's letters, and positives are scores above 0. Const members may be called
/// concurrently.
class GENOCL_EXPORT Profile {
 public:
  /// Karlin-Altschul parameters of gapped scores, for E-values.
  struct Gapped {
    double lambda = 0, k = 0;
    friend bool operator==(const Gapped&, const Gapped&) = default;
  };

  /// Scores of one row with the twenty amino acids, in the order of their codes.
  using Row = std::array<std::int8_t, 20>;

  /// Throws InputError if the numbers of rows and letters differ, a score is outside [-Matrix::most, Matrix::most], a
  /// letter is not a protein code, or the matrix is not a protein matrix.
  Profile(std::string name, std::span<const Code> letters, std::span<const Row> rows,
          const Matrix& matrix = blosum62());
  /// Returns the profile that scores a sequence by a matrix.
  static Profile of(std::string name, std::span<const Code> letters, const Matrix& matrix = blosum62());
  /// Parses the output of psiblast: of -out_pssm (PssmWithParameters in ASN.1 text), with its ratios() and gapped(), or
  /// of -out_ascii_pssm. In the latter, a line with the twenty letters, once or twice, precedes the rows. Each row has
  /// its number from 1, its letter and the twenty scores; the remainder of the line is ignored. An empty line ends the
  /// rows. A later line that begins with "PSI Gapped" is optional and sets gapped(). O(text).
  /// @param file Name for messages.
  /// Throws InputError, with the line, for rows out of order, an invalid letter, an invalid or out-of-range score, and
  /// a text without rows; for ASN.1 also for a query in another coding than ncbistdaa, ncbieaa and iupacaa, lists of
  /// other lengths than 28 for each column, and a scaling factor.
  static Profile parse(std::string_view text, const std::string& file, std::string name,
                       const Matrix& matrix = blosum62());

  /// Frequency of each amino acid in a row, divided by that of random letters (Robinson and Robinson 1991), in the
  /// order of the codes. If all are 0, those of the matrix apply.
  using Ratios = std::array<double, 20>;
  /// One for each row, or empty. Composition-based statistics compute scores from the ratios, or if empty from the
  /// rounded scores.
  std::span<const Ratios> ratios() const noexcept { return {ratios_.data(), ratios_.size()}; }
  /// Throws InputError for another number of ratios than 0 and size(), and for values below 0 or not finite.
  void set_ratios(std::vector<Ratios> ratios);

  const std::string& name() const noexcept { return name_; }
  std::size_t size() const noexcept { return letters_.size(); }
  std::span<const Code> letters() const noexcept { return {letters_.data(), letters_.size()}; }
  /// Number of codes in a row of scores().
  static constexpr std::size_t stride = 32;
  /// Scores of all rows: scores()[row * stride + code].
  std::span<const std::int8_t> scores() const noexcept { return {scores_.data(), scores_.size()}; }
  int operator()(std::size_t row, Code subject) const noexcept { return scores_[row * stride + subject]; }
  /// Lambda and K of the profile. A search uses this K if lambda matches that of its matrix and gap penalties to four
  /// digits.
  const std::optional<Gapped>& gapped() const noexcept { return gapped_; }
  void set_gapped(const Gapped& gapped) noexcept { gapped_ = gapped; }
  int highest() const noexcept { return highest_; }
  int lowest() const noexcept { return lowest_; }

  friend bool operator==(const Profile&, const Profile&) = default;

 private:
  std::string name_;
  std::vector<Code> letters_;
  std::vector<std::int8_t> scores_;  // [row][code]
  int highest_ = 0, lowest_ = 0;
  std::optional<Gapped> gapped_;
  std::vector<Ratios> ratios_;  // [row] or none
};

/// Returns the score of an alignment by its runs, for checks; compare score_of() of two sequences.
GENOCL_EXPORT std::int64_t score_of(const Alignment& alignment, const Profile& profile, std::span<const Code> subject,
                                    const GapPenalty& gap);

}  // namespace genocl::align
