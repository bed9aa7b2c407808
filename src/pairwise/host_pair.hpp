// One pair of sequences on the host. For pairs that are too small for a device, and for what the kernels do not offer:
// scores of more than 8 bits, position-specific scores, and excluded pairs of letters.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "genocl/pairwise/alignment.hpp"
#include "pairwise/row_scores.hpp"

namespace genocl::pairwise {

/// Scores of a query with the codes of a subject, and gap costs.
struct HostScoring {
  static constexpr std::size_t codes = 32;

  HostScoring() = default;
  HostScoring(const Matrix& matrix, const GapPenalty& gap);
  HostScoring(const PositionScores& position_scores, const GapPenalty& gap);
  /// `scores_of_rows`: [row * codes + code of the subject], not empty.
  HostScoring(std::vector<std::int32_t> scores_of_rows, const GapPenalty& gap);

  std::optional<PositionScores> positions;  ///< if set, used instead of `pairs`
  std::vector<std::int32_t> rows;           ///< [row * codes + subject]; if not empty, used instead of both
  std::array<std::int32_t, codes * codes> pairs{};
  std::int32_t gap_first = 0, gap_extend = 0;

  std::int32_t operator()(Code query, Code subject) const noexcept { return pairs[query * codes + subject]; }
  /// `query`: the letter of that row.
  std::int32_t of_row(std::size_t row, Code query, Code subject) const noexcept {
    if (!rows.empty()) return rows[row * codes + subject];
    return positions ? (*positions)(row, subject) : (*this)(query, subject);
  }
  std::int32_t highest() const noexcept;
  std::int32_t lowest() const noexcept;
  std::int32_t& at(Code query, Code subject) noexcept { return pairs[query * codes + subject]; }
};

/// The pairs of letters that some alignments of two sequences have in a column.
class UsedPairs {
 public:
  /// Adds those of an alignment. All alignments are of the same two sequences.
  void add(const Alignment& alignment);

  struct LetterPair {
    std::uint32_t column = 0, row = 0;  ///< positions in the subject and in the query, 0-based
    friend auto operator<=>(const LetterPair&, const LetterPair&) = default;
  };
  /// Sorted by column, then row.
  std::span<const LetterPair> pairs() const noexcept { return pairs_; }

 private:
  std::vector<LetterPair> pairs_;
};

/// Computes the best local alignment without used pairs, by the rules of Alignment. The score is 0 without one.
/// `scores` decide which columns count as positives. O(m n) time; memory: m n / 4 bytes, at most
/// 64 MiB, and the scores of the query.
Alignment align_on_host(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring,
                        const RowScores& scores, const UsedPairs& used = {});

/// Computes the local score. O(m n) time, O(m) memory. Throws Error if 32 bits do not hold it.
std::int32_t score_on_host(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring);

/// Computes the alignments that follow `best`, the best one of the pair, in descending order of score: at most
/// `max_count`, of at least `min_score`. No two of all these share a pair of letters (Waterman and Eggert 1987, J. Mol.
/// Biol. 197, 723-728).
std::vector<Alignment> next_alignments(std::span<const Code> query, std::span<const Code> subject,
                                       const HostScoring& scoring, const RowScores& scores, const Alignment& best,
                                       std::size_t max_count, std::int32_t min_score);

}  // namespace genocl::pairwise
