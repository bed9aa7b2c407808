// What the pieces of a sequence have scored together (cl/align/search/pieces.cl).
#include <algorithm>
#include <numeric>

#include "align/steps.hpp"
#include "genocl/primitives/gather.hpp"
#include "runtime/kernel.hpp"
#include "runtime/launch.hpp"

namespace genocl::align {
namespace {

using runtime::ceil_div;

/// Members that an item goes through, so that one long sequence is work for many.
constexpr std::uint32_t run_members = 256;

/// Pieces by sequence, each sequence's in their order, in runs.
struct Runs {
  std::vector<std::uint32_t> order;        ///< pieces
  std::vector<std::uint32_t> first_piece;  ///< [run] in `order`; one more: the end
  std::vector<std::uint32_t> first_run;    ///< [sequence]; one more: the end

  Runs(const DeviceChunk& chunk) : order(chunk.pieces.size()) {
    const std::vector<Piece>& pieces = chunk.pieces;
    std::iota(order.begin(), order.end(), 0u);
    std::ranges::sort(
        order, {}, [&](std::uint32_t i) { return std::pair(pieces[i].subject, pieces[i].begin + pieces[i].length); });
    for (std::uint32_t k = 0; k < order.size(); ++k) {
      const bool next_sequence = k == 0 || pieces[order[k]].subject != pieces[order[k - 1]].subject;
      if (next_sequence) first_run.push_back(static_cast<std::uint32_t>(first_piece.size()));
      if (next_sequence || k - first_piece.back() == run_members) first_piece.push_back(k);
    }
    first_run.push_back(static_cast<std::uint32_t>(first_piece.size()));
    first_piece.push_back(static_cast<std::uint32_t>(order.size()));
  }
};

struct Level {
  DeviceScores scores;
  Array<std::uint32_t> places;
};

Level best_of_runs(const Device& device, const DeviceScores& scores, const Array<std::uint32_t>* places,
                   const Array<std::uint32_t>& order, std::span<const std::uint32_t> first, std::uint64_t count,
                   std::uint64_t queries) {
  const std::uint64_t runs = first.size() - 1, items = runs * queries;
  Level level{DeviceScores(device, items), Array<std::uint32_t>(device, items)};
  const Array<std::uint32_t> begins(device, first);
  runtime::Defines defines;
  defines.set("OF_PIECES", places == nullptr ? 1 : 0);
  runtime::launch_items(device, "align/search/pieces.cl", "best_of_runs", defines,
                        {.items = items, .bytes = scores.bytes(), .least = 16}, scores,
                        places != nullptr ? *places : order, order, begins, static_cast<std::uint32_t>(count),
                        static_cast<std::uint32_t>(runs), items, level.scores, level.places);
  return level;
}

}  // namespace

BestPieces best_of_pieces(const Device& device, const DeviceChunk& chunk, const DeviceScores& scores,
                          std::size_t queries) {
  const Runs runs(chunk);
  const Array<std::uint32_t> order(device, std::span<const std::uint32_t>(runs.order));
  Level level = best_of_runs(device, scores, nullptr, order, runs.first_piece, chunk.count(), queries);
  if (runs.first_run.size() < runs.first_piece.size())
    level =
        best_of_runs(device, level.scores, &level.places, order, runs.first_run, runs.first_piece.size() - 1, queries);
  return {std::move(level.scores), std::move(level.places)};
}

std::vector<Piece> pieces_at(const Device& device, const DeviceChunk& chunk, const BestPieces& best,
                             std::span<const std::uint64_t> indices) {
  if (indices.empty()) return {};
  const Array<std::uint64_t> wanted(device, indices);
  Array<std::uint32_t> found(device, indices.size());
  primitives::gather(device, best.places, wanted, found);
  std::vector<Piece> pieces;
  for (const std::uint32_t place : found.download()) pieces.push_back(chunk.pieces[place]);
  return pieces;
}

}  // namespace genocl::align
