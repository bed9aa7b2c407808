// The alignment of two sequences: coordinates, score, CIGAR.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/pairwise/scoring.hpp"

namespace genocl::pairwise {

/// A run of one operation, named as in SAM: '=' (equal letters), 'X' (different letters), 'I' (letters of the query
/// only), 'D' (letters of the subject only).
struct EditRun {
  std::uint32_t length = 0;
  char operation = '=';

  friend bool operator==(const EditRun&, const EditRun&) = default;
};

/// An alignment of the highest score. Ties are resolved by the rules below, so that all devices return the same
/// alignment. H, E and F are the matrices of Gotoh (1982); i counts letters of the query, j of the subject.
///
/// Local alignments:
/// - The alignment ends at the cell (i, j) of the highest H(i, j); of several, at the one with the smallest j, then
///   with the smallest i.
/// - It is traced back from there. In H, the first of these that holds is taken: a pair of letters if H(i, j) =
///   H(i-1, j-1) + score; a gap in the query ('D', letters of the subject) if H = E; a gap in the subject ('I') if
///   H = F. In E and F, the trace returns to H before the first letter of the gap as soon as this is as good as
///   extending the gap. The alignment begins where H becomes 0.
/// - An alignment of score 0 is empty: all positions are 0, and there are no runs.
///
/// Global and semi-global alignments (PairMode):
/// - The alignment ends at the last letters of both sequences. If ends are free, it ends at the cell of the highest H
///   among the cells where it may end, ties resolved as above. These include the cells with i = 0 or j = 0.
/// - The trace is the same, but H may be 0 or less. The alignment begins at the first letters of both sequences, or
///   after the free ones. At a cell with i = 0 or j = 0 the remaining letters of the other sequence are a gap, unless
///   they are free.
struct Alignment {
  std::int32_t score = 0;
  std::uint64_t query_begin = 0, query_end = 0;      ///< [begin, end), 0-based
  std::uint64_t subject_begin = 0, subject_end = 0;  ///< [begin, end), 0-based
  std::uint64_t identities = 0;                      ///< columns with equal letters
  std::uint64_t positives = 0;                       ///< columns with a score above 0
  std::uint64_t gap_opens = 0;                       ///< gaps of any length
  std::vector<EditRun> runs;

  /// Returns the number of columns, gaps included. O(runs) time.
  GENOCL_EXPORT std::uint64_t columns() const noexcept;
  /// Returns the CIGAR, such as "24=1X3D"; with `match_as_m`, M replaces both '=' and 'X'.
  GENOCL_EXPORT std::string cigar(bool match_as_m = false) const;

  friend bool operator==(const Alignment&, const Alignment&) = default;
};

/// Computes the score of the runs from the letters, to verify an alignment. O(columns) time. Throws InputError if the
/// runs do not fit the sequences.
GENOCL_EXPORT std::int64_t score_of(const Alignment& alignment, std::span<const Code> query,
                                    std::span<const Code> subject, const Matrix& matrix, const GapPenalty& gap);

}  // namespace genocl::pairwise
