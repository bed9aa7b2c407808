// Batches of pairs whose letters, borders and tracebacks fit the device together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "pairwise/device_pairs.hpp"
#include "pairwise/tiles.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pairwise {

/// Returns PairOptions::border_bytes, or the automatic value for 0.
std::uint64_t border_bytes_for(const Device& device, std::uint64_t wanted);

/// The pairs before `end` that earlier batches do not have, without the empty ones.
struct PairBatch {
  std::vector<std::size_t> pairs;  ///< indices
  std::vector<TilePlan> plans;     ///< of each pair, with borders placed
  std::size_t end = 0;             ///< the first pair after the batch
  std::uint64_t border_elements = 0;
  std::uint64_t path_bytes = 0;
};

/// Returns the next batch from pair `first` on: as many pairs as `border_bytes` allow, at least one. With `keep`, all
/// borders of tiles are kept, and memory for tracebacks is planned. A pair that is too large for that is alone in its
/// batch, and its borders overwrite one another.
PairBatch next_batch(const TileShape& shape, const PairScoring& scoring, Texts queries, Texts subjects,
                     std::size_t first, std::uint64_t border_bytes, bool keep);

/// Returns the better of the end that compute_tiles() found and the best end on the pair's border. The score has no
/// offset.
TileEnd best_end(TileEnd found, const TilePlan& plan, const PairScoring& scoring) noexcept;

/// The letters of a batch on the device. Sets the plans' offsets.
struct BatchLetters {
  BatchLetters(const Device& device, Texts query_texts, Texts subject_texts, PairBatch& batch);
  runtime::Scratch queries, subjects;
};

}  // namespace genocl::pairwise
