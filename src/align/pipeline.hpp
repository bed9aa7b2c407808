// The steps of a search, one function each. All functions enqueue on the device's queue; those that read results wait.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/device_state.hpp"
#include "genocl/align/searcher.hpp"

namespace genocl::align {

/// The scoring functions write the exact scores (up to 2^31 - 1) of all queries with all subjects of a chunk to
/// scores[q * chunk.count() + s]. `scores` must have that size. They return the number of pairs that were computed
/// again with wider numbers.

/// `gpu` uses the plain layout. It has portable 32-bit code, and packed 16-bit code with GENOCL_PTX or on devices known
/// to support it.
std::uint64_t score_gpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores);

/// `cpu` uses the interleaved layout.
std::uint64_t score_cpu(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                        std::span<const Query> queries, DeviceScores& scores);

/// The published scheme (Pham et al.) uses 32-bit numbers and the plain layout, for both families. Subjects shorter
/// than `threshold` are handled by the inter-task kernel, the others by the intra-task kernel (0: all intra; 2^32: all
/// inter). `exactly`: with the batches and the cells of the paper, see SearchOptions::as_published.
void score_published(const Device& device, const ScoringTable& table, const DeviceChunk& chunk,
                     std::span<const Query> queries, std::uint64_t threshold, bool exactly, DeviceScores& scores);

/// The best scores over the pieces of each sequence: [query * chunk.range.count + s], where s is the sequence of rank
/// range.first + s.
struct BestPieces {
  DeviceScores scores;          ///< maximum score
  Array<std::uint32_t> places;  ///< first piece with that score
};
/// Requires a chunk with pieces.
BestPieces best_of_pieces(const Device& device, const DeviceChunk& chunk, const DeviceScores& scores,
                          std::size_t queries);
/// Returns the pieces that entries `places` of `best` refer to.
std::vector<Piece> pieces_at(const Device& device, const DeviceChunk& chunk, const BestPieces& best,
                             std::span<const std::uint64_t> indices);

/// Selects on the device the scores of each query that are at least cutoff[q] and among the `top` best. All ties are
/// included; the caller resolves them.
struct Candidate {
  std::uint32_t subject = 0;  ///< index in the chunk
  std::int32_t score = 0;
};
std::vector<std::vector<Candidate>> select_top(const Device& device, const DeviceScores& scores, std::uint32_t count,
                                               std::span<const std::int32_t> cutoffs, std::size_t top);

}  // namespace genocl::align
