// One pair of sequences aligned on the host: where a device would have little to do, and what its kernels do not know:
// scores of more than 8 bits, and pairs of letters that are not to be had.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "align/scoring/row_scores.hpp"
#include "genocl/align/alignment.hpp"

namespace genocl::align {

/// The score of a query's code or row with a subject's code, and what gaps cost.
struct HostScoring {
  static constexpr std::size_t codes = 32;

  HostScoring() = default;
  HostScoring(const Matrix& matrix, const GapPenalty& gap);
  /// The profile's rows; it outlives this.
  HostScoring(const Profile& profile_of_query, const GapPenalty& gap);

  const Profile* profile = nullptr;  ///< its scores are asked for, not those of the pairs
  std::array<std::int32_t, codes * codes> pairs{};
  std::int32_t gap_first = 0, gap_extend = 0;

  std::int32_t operator()(Code query, Code subject) const noexcept { return pairs[query * codes + subject]; }
  /// `query`: the letter of that row.
  std::int32_t of_row(std::size_t row, Code query, Code subject) const noexcept {
    return profile != nullptr ? (*profile)(row, subject) : (*this)(query, subject);
  }
  std::int32_t highest() const noexcept;
  std::int32_t lowest() const noexcept;
  std::int32_t& at(Code query, Code subject) noexcept { return pairs[query * codes + subject]; }
};

/// The pairs of letters that stand side by side in some alignments.
class UsedPairs {
 public:
  /// Adds those of an alignment of the two sequences that all of them are of.
  void add(const Alignment& alignment);

  struct Place {
    std::uint32_t column = 0, row = 0;  ///< of the subject, of the query; from 0
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  /// By column, then row.
  std::span<const Place> places() const noexcept { return places_; }

 private:
  std::vector<Place> places_;
};

/// The best alignment that has none of the used pairs, by the rules of Alignment; score 0 without one. `scores` tell
/// which pairs are positive. O(m n) time, and memory for m sqrt(n) cells.
Alignment align_on_host(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring,
                        const RowScores& scores, const UsedPairs& used = {});

/// Its score alone. O(m n) time, O(m) memory.
std::int32_t score_on_host(std::span<const Code> query, std::span<const Code> subject, const HostScoring& scoring);

/// The alignments that come behind `best`, the best one of the pair, none with a pair of letters of another (Waterman
/// and Eggert 1987, J. Mol. Biol. 197, 723-728): best first, as long as they score `min_score`, `most` of them at most.
std::vector<Alignment> next_alignments(std::span<const Code> query, std::span<const Code> subject,
                                       const HostScoring& scoring, const RowScores& scores, const Alignment& best,
                                       std::size_t most, std::int32_t min_score);

}  // namespace genocl::align
