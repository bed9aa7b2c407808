// Longest common prefixes of neighbours in suffix arrays that are too long for one device, or for 32 bits, and by
// several devices.
//
// The array goes by twice. First the values are found that do not follow from others, the irreducible ones, by
// comparing (Kärkkäinen, Manzini, Puglisi, "Permuted longest-common-prefix array", CPM 2009): n log2(n) symbols in all
// at most. They are kept by position as bits that ascend (Sadakane, "Succinct representations of lcp information and
// improvements in the compressed suffix arrays", SODA 2002), which takes 3 bits a symbol, so that every device has them
// all. Then each value is looked up by its suffix's position.
#pragma once

#include <cstdint>
#include <span>

#include "genocl/device.hpp"
#include "genocl/overlap/suffix_pieces.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"

namespace genocl::overlap {

struct LcpPieceOptions {
  /// No piece has more values than this; 0: as many as memory allows, up to 2^24.
  std::uint64_t piece_values = 0;
  Progress progress = {};  ///< counts positions that were looked at, each twice
};

/// How values were found in pieces.
struct LcpPieceReport {
  std::uint64_t pieces = 0, largest_piece = 0;  ///< largest_piece: values
  std::uint64_t irreducible = 0;                ///< values that were found by comparing
  std::uint64_t device_bytes = 0;               ///< the most that was planned with on a device
  std::uint64_t host_bytes = 0;                 ///< of pieces and bits on the host, without the text
};

/// Hands the values of Lcp to `sink`, in the order of the suffix array of `text` whose `count` positions `positions`
/// gives; each is asked for twice, from the first to the last, on one thread at a time. The same for any devices, any
/// number of them, and any pieces. That it is the text's suffix array is not looked at (first_error() does): where it
/// is none there is an InputError, or values that say nothing.
///
/// O(size * log(size)) symbols are compared, fewer than size in practice; a value is looked up in O(1) on average. Each
/// device holds the whole text (Text::bytes()), 4 bits a symbol, 6 while these are made, and up to 28 bytes for
/// each value of a piece, of which it has one or two at a time. The host has at most four pieces in memory for each
/// that is being made, 16 bytes a value, and with several devices 3 bits a symbol.
///
/// Throws InputError for no device, for another count than the text's size, and with 32-bit values for more than
/// Text::longest symbols; CapacityError before the start where the host or a device has too little memory, with both
/// figures; Cancelled. Where one of several devices fails, the others do its part, whose positions they ask for again.
GENOCL_EXPORT LcpPieceReport lcp_in_pieces(Devices devices, const Text& text, std::uint64_t count,
                                           const PositionSource& positions, const PositionSink<std::uint64_t>& sink,
                                           const LcpPieceOptions& options = {});
GENOCL_EXPORT LcpPieceReport lcp_in_pieces(Devices devices, const Text& text, std::uint64_t count,
                                           const PositionSource& positions, const PositionSink<std::uint32_t>& sink,
                                           const LcpPieceOptions& options = {});

}  // namespace genocl::overlap
