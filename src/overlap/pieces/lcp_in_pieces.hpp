// A suffix array in the host's memory.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "genocl/overlap/lcp_pieces.hpp"
#include "genocl/overlap/suffix_pieces.hpp"

namespace genocl::overlap {

/// Of 32 or 64 bits; `keeps` is what it lies in.
struct HostPositions {
  std::span<const std::uint32_t> narrow;
  std::span<const std::uint64_t> wide;
  std::shared_ptr<const void> keeps;

  bool is_wide() const { return !wide.empty(); }
  std::uint64_t size() const { return is_wide() ? wide.size() : narrow.size(); }
  std::uint64_t at(std::uint64_t rank) const { return is_wide() ? wide[rank] : narrow[rank]; }
  std::uint64_t width() const { return is_wide() ? 8 : 4; }
};

/// Sorts in pieces. `wide`: with 64 bits, which texts of 2^32 - 1 symbols and more need. Throws CapacityError.
HostPositions sort_on_host(Devices devices, const Text& text, bool wide, const PieceOptions& options);

}  // namespace genocl::overlap

namespace genocl::overlap::pieces {

/// `base`: what positions count from.
template <class Value>
LcpPieceReport lcp(Devices devices, const Text& text, std::uint64_t base, std::uint64_t count,
                   const PositionSource& positions, const PositionSink<Value>& sink, const LcpPieceOptions& options);

}  // namespace genocl::overlap::pieces
