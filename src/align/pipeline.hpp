// Each step of a search is one function. All enqueue on the device's queue; those that must look at results wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "genocl/align/searcher.hpp"

namespace genocl::align {

/// The scores of all queries of a batch with all subjects of a chunk: scores[q * chunk.count() + s], exact (up to
/// 2^31 - 1). `scores` has room for all of them. They return how many pairs were computed again with wider numbers.

/// `gpu` (portable 32-bit, packed 16-bit behind GENOCL_PTX or where the device is known to have it) takes the plain
/// layout.
std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores);

/// `cpu` takes the interleaved layout.
std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores);

/// The published scheme (Pham et al.) counts in 32-bit numbers, on the plain layout; both families run it. Subjects
/// shorter than `threshold` go to the inter-task kernel, the others to the intra-task kernel (0: all to intra; 2^32:
/// all to inter).
void score_published(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                     std::span<const Query> queries, std::uint64_t threshold, DeviceScores& scores);

/// What the pieces of each sequence have scored together: [query * chunk.range.count + s], s the sequence of rank
/// range.first + s.
struct BestPieces {
  DeviceScores scores;          ///< the highest
  Array<std::uint32_t> places;  ///< the first of its pieces that has it
};
/// Of a chunk that has pieces.
BestPieces best_of_pieces(const Device& device, const DeviceChunk& chunk, const DeviceScores& scores,
                          std::size_t queries);
/// The pieces that these places of `best` name.
std::vector<Piece> pieces_at(const Device& device, const DeviceChunk& chunk, const BestPieces& best,
                             std::span<const std::uint64_t> indices);

/// Selects on the device the scores of each query that count: they are at least cutoff[q], and among the `top` best
/// (ties are kept: the caller breaks them).
struct Candidate {
  std::uint32_t subject = 0;  ///< in the chunk
  std::int32_t score = 0;
};
std::vector<std::vector<Candidate>> select_top(const Device& device, const DeviceScores& scores, std::uint32_t count,
                                               std::span<const std::int32_t> cutoffs, std::size_t top);

}  // namespace genocl::align
