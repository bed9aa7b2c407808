// sort_in_pieces() whatever positions are held in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "genocl/overlap/suffix_pieces.hpp"
#include "overlap/pieces/piece_text.hpp"

namespace genocl::overlap::pieces {

/// Bytes of `count` positions.
using ByteSink = std::function<void(const std::byte* positions, std::uint64_t count)>;

PieceReport sort(Devices devices, const Text& text, const Width& width, const ByteSink& sink,
                 const PieceOptions& options);

/// What a sort is cut into.
struct Plan {
  unsigned period_bits = 0, finer_bits = 0;  ///< finer_bits: 0 for none
  std::uint64_t most = 0;                    ///< suffixes of a piece
  std::uint64_t pieces = 0;                  ///< that are wanted
  unsigned workers = 1;                      ///< of each device
  std::uint64_t device_bytes = 0, host_bytes = 0;
};
/// Throws what sort() throws before it starts.
Plan plan(Devices devices, const Text& text, const Width& width, const PieceOptions& options);

/// Cuts the intervals between splitters, of which [k] has so many suffixes, into ranges of about as many suffixes as
/// `pieces` would have and not more than `most`. Nothing where an interval has more.
std::optional<std::vector<Range>> cut(std::span<const Splitter> splitters, std::span<const std::uint64_t> intervals,
                                      std::uint64_t pieces, std::uint64_t most);

}  // namespace genocl::overlap::pieces
