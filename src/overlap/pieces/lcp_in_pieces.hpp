// lcp_in_pieces() with positions that count from anywhere.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/overlap/lcp_pieces.hpp"

namespace genocl::overlap::pieces {

/// `base`: what positions count from.
template <class Value>
LcpPieceReport lcp(std::span<const Device> devices, const HostText& text, std::uint64_t base, std::uint64_t count,
                   const PositionSource& positions, const PositionSink<Value>& sink, const LcpPieceOptions& options);

}  // namespace genocl::overlap::pieces
