// Profiles of proteins: scores of their own for each column, in the place of a query's letters.
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

/// A position-specific scoring matrix (PSSM): a row of scores for each letter of a query. The twenty amino acids have
/// the scores that are given, U those of C; B, Z, J, O, X and * score with the row's letter as a matrix says. Where a
/// profile is searched with, its letters are what identities are counted with, and positives are its scores above 0.
/// Const members may be called concurrently.
class GENOCL_EXPORT Profile {
 public:
  /// What E-values of scores with gaps are made from.
  struct Gapped {
    double lambda = 0, k = 0;
    friend bool operator==(const Gapped&, const Gapped&) = default;
  };

  /// The scores of a row with the twenty amino acids, in the order of their codes.
  using Row = std::array<std::int8_t, 20>;

  /// Throws InputError unless there are as many rows as letters, all scores are within [-Matrix::most, Matrix::most],
  /// the letters are codes of proteins, and the matrix is one for proteins.
  Profile(std::string name, std::span<const Code> letters, std::span<const Row> rows,
          const Matrix& matrix = blosum62());
  /// What a sequence scores without a profile.
  static Profile of(std::string name, std::span<const Code> letters, const Matrix& matrix = blosum62());
  /// The text that psiblast -out_ascii_pssm writes: a line with the twenty letters, twice or once, then a line for each
  /// row: its number from 1, its letter and the twenty scores (what follows them is not looked at); an empty line ends
  /// the rows. Behind them gapped() is taken from a line that begins with "PSI Gapped"; there need be none. `file` is
  /// for messages. Throws InputError, with the line, for rows out of order, a letter that is none, a score that is none
  /// or out of range; and for a text without rows.
  static Profile parse(std::string_view text, const std::string& file, std::string name,
                       const Matrix& matrix = blosum62());

  const std::string& name() const noexcept { return name_; }
  std::size_t size() const noexcept { return letters_.size(); }
  std::span<const Code> letters() const noexcept { return letters_; }
  /// Codes of a row of scores().
  static constexpr std::size_t stride = 32;
  /// Returns the scores of all rows: scores()[row * stride + code].
  std::span<const std::int8_t> scores() const noexcept { return scores_; }
  int operator()(std::size_t row, Code subject) const noexcept { return scores_[row * stride + subject]; }
  /// A profile's own K; a search takes it where lambda is that of its matrix and gap penalties, in four digits.
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
};

/// The score that the runs add up to: for checks, as score_of() of two sequences.
GENOCL_EXPORT std::int64_t score_of(const Alignment& alignment, const Profile& profile, std::span<const Code> subject,
                                    const GapPenalty& gap);

}  // namespace genocl::align
