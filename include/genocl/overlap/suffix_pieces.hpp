// Suffix arrays of texts that are too long for one device, or for 32 bits, and by several devices.
//
// The array is made in pieces, each all suffixes between two of the text's, in their order: devices take pieces as they
// become free. What is needed to sort any suffixes of the text by themselves, whatever they have in common, is made
// first: the ranks of a sample, the positions of a difference cover (Burkhardt and Kärkkäinen, "Fast lightweight suffix
// array construction and checking", CPM 2003; the covers are Colbourn and Ling's).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"

namespace genocl::overlap {

struct PieceOptions {
  /// No piece has more suffixes than this; 0: as many as devices and host have memory for.
  std::uint64_t piece_suffixes = 0;
  /// Two suffixes are told apart by at most so many symbols of the text, a power of two from 64 to 65,536; the sample
  /// is about 1.25 / sqrt(period) of the positions. 0: 1,024; 256 where most of the sample shares its first symbols
  /// with others; more where the sample does not fit.
  std::uint32_t period = 0;
  Progress progress = {};  ///< counts suffixes that have been handed over
};

/// How an array was made in pieces.
struct PieceReport {
  std::uint64_t pieces = 0, largest_piece = 0;  ///< largest_piece: suffixes
  std::uint32_t period = 0;
  std::uint64_t samples = 0, sample_tied = 0;  ///< of the sample, sample_tied share their first symbols with others
  std::uint64_t tied = 0;  ///< suffixes that share their first 29 symbols (of 2 bits; 14 of 4, 7 of 8) with others
  std::uint64_t device_bytes = 0;  ///< the most that was planned with on a device
  std::uint64_t host_bytes = 0;    ///< of pieces on the host, without the text
};

/// Takes the array's next positions: piece after piece, in order, on the thread that called.
template <class Position>
using PositionSink = std::function<void(std::span<const Position>)>;

/// Hands the suffix array of `text` to `sink`: size() positions in all, as SuffixArray has them. The same for any
/// devices, any number of them, and any pieces. Each device holds the whole text (Text::bytes()) and 4 bytes a
/// sample; a piece takes it about 42 bytes a suffix with 64-bit positions, 34 with 32-bit ones. The host has at most
/// two pieces in memory for each piece that is being made.
///
/// O(size * (period + log(size))) altogether, with any text; where few suffixes share more than a key, O(size * (pieces
/// + log(pieces))). What is done for all pieces together, the sample's ranks, each device does for itself.
///
/// Throws InputError for another period, no device, or with 32-bit positions for more than Text::longest symbols;
/// CapacityError before the start where the host or a device has too little memory, with both figures; Cancelled.
GENOCL_EXPORT PieceReport sort_in_pieces(Devices devices, const Text& text, const PositionSink<std::uint64_t>& sink,
                                         const PieceOptions& options = {});
GENOCL_EXPORT PieceReport sort_in_pieces(Devices devices, const Text& text, const PositionSink<std::uint32_t>& sink,
                                         const PieceOptions& options = {});

/// Fills `positions` with those from `first` on of an array that lies anywhere.
using PositionSource = std::function<void(std::uint64_t first, std::span<std::uint64_t> positions)>;

/// Looks on the device whether `count` positions are the suffix array of `text`, some of them at a time: an index where
/// it shows that they are not, or nothing. That all is right follows from this: the suffix that is one symbol longer
/// than the i-th stands where as many suffixes that begin with that symbol come before it as before i have that symbol
/// in front of them (which is how a Burrows-Wheeler transform is undone); the longest chain of such steps goes through
/// all n places once. Linear; each position is asked for twice. The device holds the text, and 24 bytes for each
/// position that it looks at at a time. Throws CapacityError, Cancelled.
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Device& device, const Text& text, std::uint64_t count,
                                                       const PositionSource& positions, const Progress& progress = {});
/// The same of positions in memory.
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Device& device, const Text& text,
                                                       std::span<const std::uint64_t> positions);
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Device& device, const Text& text,
                                                       std::span<const std::uint32_t> positions);

}  // namespace genocl::overlap
