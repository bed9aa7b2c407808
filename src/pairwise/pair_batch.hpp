// Batches of pairs whose letters, borders and ways back fit the device together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "align/pairs/tiles.hpp"
#include "genocl/device.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "runtime/memory/scratch.hpp"

namespace genocl::align {

using Texts = std::span<const std::span<const Code>>;

/// PairOptions::border_bytes, or what is chosen for 0.
std::uint64_t border_bytes_for(const Device& device, std::uint64_t wanted);

/// Pairs [first, end) without the empty ones.
struct PairBatch {
  std::vector<std::size_t> pairs;  ///< which ones
  std::vector<TilePlan> plans;     ///< of each, borders placed
  std::size_t end = 0;             ///< the first pair that is not in it
  std::uint64_t border_elements = 0;
  std::uint64_t path_bytes = 0;
};

/// The next batch from pair `first` on: as many as `border_bytes` allow, one at least. With `keep` all borders of tiles
/// stay, and there is room for ways back; then a pair that is too large for that alone is in a batch alone, its
/// borders taking one another's place.
PairBatch next_batch(const TileShape& shape, const PairScoring& scoring, Texts queries, Texts subjects,
                     std::size_t first, std::uint64_t border_bytes, bool keep);

/// The best end of all: what compute_tiles() has found, its score as it is, or one on the pair's border.
TileEnd best_end(TileEnd found, const TilePlan& plan, const PairScoring& scoring) noexcept;

/// The letters of a batch on the device; sets where the plans find them.
struct BatchLetters {
  BatchLetters(const Device& device, Texts query_texts, Texts subject_texts, PairBatch& batch);
  runtime::Scratch queries, subjects;
};

}  // namespace genocl::align
