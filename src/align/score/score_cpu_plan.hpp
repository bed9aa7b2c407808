// Makes on the host what score_cpu() hands to its kernels.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "align/on_device.hpp"
#include "align/score/score_cpu.hpp"
#include "genocl/opencl.hpp"

namespace genocl::align {

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

}  // namespace genocl::align
