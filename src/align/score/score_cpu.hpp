// Scores by the CPU kernels: plan and launches.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "align/scoring/scoring_table.hpp"
#include "genocl/opencl.hpp"

namespace genocl::align {

/// What a row of a query scores with a class of letters. Scores of a profile that no best alignment can have count as
/// one of those: two gaps cost less, and narrow numbers have more room.
int row_score(const ScoringTable& table, const Query& query, std::size_t row, unsigned subject_class) noexcept;

/// The least and the highest score that some row has, of the matrix or of the queries' profiles.
struct ScoreRange {
  int lowest = 0, highest = 0;
};
ScoreRange score_range(const ScoringTable& table, std::span<const Query> queries) noexcept;

/// Whether the queries are profiles. Throws Error where some are and others are not.
bool are_profiles(std::span<const Query> queries);

/// The queries of a launch, sorted so that the longest is first.
struct CpuQueries {
  static constexpr std::uint32_t most_profile_rows = 32;  ///< one for each code
  std::vector<cl_uint4> queries;                          ///< first code, length, number in the batch, 0
  std::vector<std::size_t> order;                         ///< which of the given ones each is
  std::vector<std::uint8_t> codes;                        ///< rows of the profile, of all queries one after the other
  std::vector<std::uint32_t> stacks;  ///< first query of each, most rows first; and the number of queries
  std::uint32_t most_queries = 1;     ///< of a stack
  std::uint32_t most_rows = 0;        ///< of a stack
  std::array<std::uint8_t, most_profile_rows> row_of = {};  ///< [query code]
  std::vector<Code> rows;                                   ///< the codes that occur: a row of the profile for each
};

/// `numbers`: of the queries in the batch. Stacks have up to `stack_rows` rows, or one query.
CpuQueries make_cpu_queries(std::span<const Query> queries, std::span<const std::uint32_t> numbers,
                            std::uint32_t stack_rows);

/// scores[row][class], 32 classes each: for the codes that occur, or, where the queries are profiles, for all their
/// rows in the order of `made`.
std::vector<std::int8_t> cpu_scores(const ScoringTable& table, std::span<const Query> queries, const CpuQueries& made);

/// The memory that each worker has.
struct CpuMemory {
  std::uint32_t strip_rows = 0;
  std::uint32_t border_blocks = 0;                ///< 0: every query is one strip
  std::uint64_t cells = 0, border = 0, best = 0;  ///< in bytes
  std::uint64_t bytes() const noexcept { return cells + border + best; }
};

/// Queries of more than `strip_rows` rows are cut into strips; not where subjects are so long that the borders would
/// take four times the memory of all rows.
CpuMemory cpu_memory(unsigned vector_bits, const CpuQueries& queries, std::uint32_t longest_subject,
                     std::uint32_t strip_rows);

/// Pairs that are to be computed again, in jobs: a query, and `lanes` of the subjects at most.
struct CpuList {
  std::vector<std::uint32_t> subjects;
  std::vector<cl_uint4> jobs;  ///< query, first in subjects, count, 0; most work first
};

/// Lists what is unsure after a launch over all pairs: unsure[(query * count + subject) / masked], its bit subject %
/// masked, rounded up to whole vectors: `masks` of them for each query.
CpuList list_unsure(std::span<const std::uint32_t> unsure, std::uint32_t masks, unsigned masked, unsigned lanes,
                    std::span<const cl_uint4> queries, std::span<const std::uint32_t> lengths);
/// Lists what is unsure after a launch over a list: unsure[job].
CpuList list_unsure(std::span<const std::uint32_t> unsure, const CpuList& before, unsigned lanes,
                    std::span<const cl_uint4> queries, std::span<const std::uint32_t> lengths);

/// The numbers that a launch computes with. H is kept as H + zero; a score above cap - zero may be too low.
struct LanesWidth {
  unsigned bits = 8;        ///< 8, 16, 32
  bool saturating = false;  ///< 8 bits: saturating operations
  std::int32_t zero = 0, cap = 0;

  friend bool operator==(const LanesWidth&, const LanesWidth&) = default;
};

/// The form that suits a processor.
struct CpuForm {
  unsigned vector_bits = 256;  ///< of a register: 256 or 512
  bool saturating = true;      ///< 8-bit numbers should be, where there is a choice

  /// So many subjects go in lock-step.
  unsigned lanes(const LanesWidth& width) const noexcept { return vector_bits / width.bits; }

  friend bool operator==(const CpuForm&, const CpuForm&) = default;
};
CpuForm cpu_form(const Device& device);

/// Widths to try one after the other; the last one is never exceeded. `range`: of the scores; `first_bits`: no
/// narrower.
std::vector<LanesWidth> lanes_widths(const ScoringTable& table, const ScoreRange& range, unsigned first_bits,
                                     bool saturating);

/// Tests and measurements choose by these.
struct CpuOptions {
  unsigned first_bits = 8;
  std::optional<CpuForm> form;
  /// Rows of a query that are a strip, worked on together with all columns; 0: chosen.
  std::uint32_t strip_rows = 0;
  /// Short queries of a batch are stacked up to so many rows; 0: chosen.
  std::uint32_t stack_rows = 0;
  /// Scores above this are computed again, as if they did not fit 8 or 16 bits; 0: only those that do not.
  std::int32_t highest_sure = 0;
};

/// score_cpu() of pipeline.hpp with choices.
std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores, const CpuOptions& options);

}  // namespace genocl::align
