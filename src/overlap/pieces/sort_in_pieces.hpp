// Suffix arrays and LCP values in pieces, for arrays in host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "genocl/overlap/pieces.hpp"
#include "overlap/pieces/piece_text.hpp"

namespace genocl::overlap {

/// A suffix array in host memory, with 32 or 64 bits; `keeps` owns the memory.
struct HostPositions {
  std::span<const std::uint32_t> narrow;
  std::span<const std::uint64_t> wide;
  std::shared_ptr<const void> keeps;

  bool is_wide() const { return !wide.empty(); }
  std::uint64_t size() const { return is_wide() ? wide.size() : narrow.size(); }
  std::uint64_t at(std::uint64_t rank) const { return is_wide() ? wide[rank] : narrow[rank]; }
  std::uint64_t width() const { return is_wide() ? 8 : 4; }
};

/// Sorts in pieces. `wide`: 64-bit positions, required from 2^32 - 1 symbols on. Throws CapacityError.
HostPositions sort_on_host(Devices devices, const Text& text, bool wide, const PieceOptions& options);

}  // namespace genocl::overlap

namespace genocl::overlap::pieces {

/// Bytes of `count` positions.
using ByteSink = std::function<void(const std::byte* positions, std::uint64_t count)>;

PieceReport sort(Devices devices, const Text& text, const Width& width, const ByteSink& sink,
                 const PieceOptions& options);

/// The division of a sort.
struct Plan {
  unsigned period_bits = 0, finer_bits = 0;  ///< finer_bits: 0 for none
  std::uint64_t most = 0;                    ///< suffixes of a piece
  std::uint64_t pieces = 0;                  ///< intended number
  unsigned workers = 1;                      ///< of each device
  std::uint64_t device_bytes = 0, host_bytes = 0;
};
/// Throws what sort() throws before its start.
Plan plan(Devices devices, const Text& text, const Width& width, const PieceOptions& options);

/// Joins the intervals between splitters, with intervals[k] suffixes each, into about `pieces` ranges of similar size
/// and at most `most` suffixes. Returns nullopt if an interval has more.
std::optional<std::vector<Range>> cut(std::span<const Splitter> splitters, std::span<const std::uint64_t> intervals,
                                      std::uint64_t pieces, std::uint64_t most);

/// lcp_in_pieces() with `base` added to all positions.
template <class Value>
LcpPieceReport lcp(Devices devices, const Text& text, std::uint64_t base, std::uint64_t count,
                   const PositionSource& positions, const PositionSink<Value>& sink, const LcpPieceOptions& options);

/// first_error() with at most `piece` of text.size() positions at a time, fewer if the device has too little memory.
std::optional<std::uint64_t> first_error(const Device& device, const Text& text, const PositionSource& positions,
                                         std::uint64_t piece, const Progress& progress = {});

}  // namespace genocl::overlap::pieces
