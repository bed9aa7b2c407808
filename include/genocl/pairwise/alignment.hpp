// This is what a local alignment of two sequences is made of.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/align/scoring.hpp"

namespace genocl::align {

/// A run of equal operations, as SAM names them: '=' (equal letters), 'X' (different letters), 'I' (letters of the
/// query that the subject lacks), 'D' (letters of the subject that the query lacks).
struct EditRun {
  std::uint32_t length = 0;
  char operation = '=';

  friend bool operator==(const EditRun&, const EditRun&) = default;
};

/// An alignment of the highest score, one and the same on every device. A local one (others below):
/// - it ends at the cell (query position i, subject position j) of the highest H(i, j) with the smallest j, and among
///   those the smallest i;
/// - it is read from there backwards. In H: a pair of letters is taken where H(i, j) = H(i-1, j-1) + score, else the
///   gap in the query ('D', subject letters consumed) where H = E, else the gap in the subject ('I') where H = F. In E
///   and F a gap is closed (back to H, before its first letter) as soon as that is as good as to extend it. It begins
///   where H becomes 0.
/// A local alignment of score 0 is empty: all positions 0, no runs.
///
/// In the other modes (PairMode) it ends at the last letter of both sequences, or, where ends are free, at the cell of
/// the highest H among those where it may end, chosen in the same way; H of no letters of one sequence (i or j 0)
/// belongs to them. It is read in the same way, though H may be 0 or less, and begins at the first letter of both
/// or behind the free ones: from a cell with i or j 0 the letters left of the other sequence are a gap, unless they are
/// free.
struct Alignment {
  std::int32_t score = 0;
  std::uint64_t query_begin = 0, query_end = 0;      ///< [begin, end), from 0
  std::uint64_t subject_begin = 0, subject_end = 0;  ///< [begin, end), from 0
  std::uint64_t identities = 0;                      ///< columns with equal letters
  std::uint64_t positives = 0;                       ///< columns with a score above 0
  std::uint64_t gap_opens = 0;                       ///< gaps, whatever their length
  std::vector<EditRun> runs;

  /// Counts all columns, gaps included.
  GENOCL_EXPORT std::uint64_t columns() const noexcept;
  /// Writes "24=1X3D", or with M for both '=' and 'X'.
  GENOCL_EXPORT std::string cigar(bool match_as_m = false) const;

  friend bool operator==(const Alignment&, const Alignment&) = default;
};

/// The score that the runs add up to, from the letters: for checks. Throws InputError when the runs do not fit.
GENOCL_EXPORT std::int64_t score_of(const Alignment& alignment, std::span<const Code> query,
                                    std::span<const Code> subject, const Matrix& matrix, const GapPenalty& gap);

}  // namespace genocl::align
