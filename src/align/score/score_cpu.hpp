// CPU scoring kernels: planning and launches.
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

/// Returns the score of a query row with a class of letters. Very low scores of a profile are raised to a limit that no
/// best alignment reaches, because two gaps cost less. This leaves more range to narrow numbers.
int row_score(const ScoringTable& table, const Query& query, std::size_t row, unsigned subject_class) noexcept;

/// The minimum and maximum score of a row, over the matrix or the queries' profiles.
struct ScoreRange {
  int lowest = 0, highest = 0;
};
ScoreRange score_range(const ScoringTable& table, std::span<const Query> queries) noexcept;

/// Returns whether the queries are profiles. Throws Error for a mixture.
bool are_profiles(std::span<const Query> queries);

/// The queries of a launch, sorted by length, longest first.
struct CpuQueries {
  static constexpr std::uint32_t max_profile_rows = 32;  ///< one for each code
  std::vector<cl_uint4> queries;                         ///< first code, length, number in the batch, 0
  std::vector<std::size_t> order;                        ///< index of each in the input
  std::vector<std::uint8_t> codes;                       ///< profile rows of all queries, concatenated
  std::vector<std::uint32_t> stacks;  ///< first query of each, most rows first; then the number of queries
  std::uint32_t max_queries = 1;      ///< in a stack
  std::uint32_t max_rows = 0;         ///< in a stack
  std::array<std::uint8_t, max_profile_rows> row_of = {};  ///< [query code]
  std::vector<Code> rows;                                  ///< the codes that occur; each has a profile row
};

/// @param numbers Batch indices of the queries. A stack has at most `stack_rows` rows, or one query.
CpuQueries make_cpu_queries(std::span<const Query> queries, std::span<const std::uint32_t> numbers,
                            std::uint32_t stack_rows);

/// scores[row][class], 32 classes in each row. The rows are those of the codes that occur. If the queries are profiles,
/// they are all profile rows in the order of `made`.
std::vector<std::int8_t> cpu_scores(const ScoringTable& table, std::span<const Query> queries, const CpuQueries& made);

/// Memory of one worker.
struct CpuMemory {
  std::uint32_t strip_rows = 0;
  std::uint32_t border_blocks = 0;                ///< 0: each query is one strip
  std::uint64_t cells = 0, border = 0, best = 0;  ///< in bytes
  std::uint64_t bytes() const noexcept { return cells + border + best; }
};

/// Queries of more than `strip_rows` rows are cut into strips. Exception: subjects so long that borders would need four
/// times the memory of all rows.
CpuMemory cpu_memory(unsigned vector_bits, const CpuQueries& queries, std::uint32_t longest_subject,
                     std::uint32_t strip_rows);

/// Pairs to compute again, as jobs. A job is a query and at most `lanes` subjects.
struct CpuList {
  std::vector<std::uint32_t> subjects;
  std::vector<cl_uint4> jobs;  ///< query, first in subjects, count, 0; most work first
};

/// Lists the unsure pairs of a launch over all pairs. The bit of a pair is bit subject % masked of unsure[(query *
/// count + subject) / masked]. Each query has `masks` words, rounded up to whole vectors.
CpuList list_unsure(std::span<const std::uint32_t> unsure, std::uint32_t masks, unsigned masked, unsigned lanes,
                    std::span<const cl_uint4> queries, std::span<const std::uint32_t> lengths);
/// Lists the unsure pairs of a launch over a list: unsure[job].
CpuList list_unsure(std::span<const std::uint32_t> unsure, const CpuList& before, unsigned lanes,
                    std::span<const cl_uint4> queries, std::span<const std::uint32_t> lengths);

/// The number format of a launch. H is stored as H + zero; a score above cap - zero may be too low.
struct LanesWidth {
  unsigned bits = 8;        ///< 8, 16, 32
  bool saturating = false;  ///< 8 bits: saturating operations
  std::int32_t zero = 0, cap = 0;

  friend bool operator==(const LanesWidth&, const LanesWidth&) = default;
};

/// The kernel variant for a processor.
struct CpuForm {
  unsigned vector_bits = 256;  ///< of a register: 256 or 512
  bool saturating = true;      ///< use saturating 8-bit operations if both kinds are possible

  /// The number of subjects in lock-step.
  unsigned lanes(const LanesWidth& width) const noexcept { return vector_bits / width.bits; }

  friend bool operator==(const CpuForm&, const CpuForm&) = default;
};
CpuForm cpu_form(const Device& device);

/// Widths to try in succession; no score exceeds the last one.
/// @param range Range of the scores.
/// @param first_bits Minimum width in bits.
std::vector<LanesWidth> lanes_widths(const ScoringTable& table, const ScoreRange& range, unsigned first_bits,
                                     bool saturating);

/// Options for tests and measurements.
struct CpuOptions {
  unsigned first_bits = 8;
  std::optional<CpuForm> form;
  /// Rows of a query in a strip, which is processed with all columns; 0: automatic.
  std::uint32_t strip_rows = 0;
  /// Maximum rows of a stack of short queries; 0: automatic.
  std::uint32_t stack_rows = 0;
  /// Scores above this value are computed again, as if they overflowed 8 or 16 bits; 0: only scores that overflow.
  std::int32_t highest_sure = 0;
};

/// score_cpu() of pipeline.hpp with options.
std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores, const CpuOptions& options);

}  // namespace genocl::align
