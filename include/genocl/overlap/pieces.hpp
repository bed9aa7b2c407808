// Suffix arrays and LCP values in pieces, by several devices: for texts that exceed one device or 32 bits.
//
// The array is made in pieces, each all suffixes between two suffixes, in order; devices take pieces as they become
// free. What sorts any suffixes whatever they share is made first: the ranks of a sample, the positions of a difference
// cover (Burkhardt and Kärkkäinen, "Fast lightweight suffix array construction and checking", CPM 2003; the covers are
// those of Colbourn and Ling).
//
// LCP values take two passes over the array. The first finds the irreducible values by comparison (Kärkkäinen, Manzini,
// Puglisi, "Permuted longest-common-prefix array", CPM 2009), at most n log2(n) symbols in total, and stores them by
// position as ascending bits (Sadakane, "Succinct representations of lcp information and improvements in the compressed
// suffix arrays", SODA 2002), 3 bits a symbol on every device. The second looks each value up by its position.
//
// All texts may be on the host or on a device; a text on the host is copied once to each device.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/text.hpp"
#include "genocl/progress.hpp"

namespace genocl::overlap {

struct PieceOptions {
  /// Maximum number of suffixes of a piece. 0: as many as the memory of devices and host allows.
  std::uint64_t piece_suffixes = 0;
  /// Maximum number of symbols of the text that one comparison reads, a power of two from 64 to 65,536. The sample is
  /// about 1.25 / sqrt(period) of the positions. 0: 1,024; 256 if most samples share their first symbols with others;
  /// more if the sample does not fit.
  std::uint32_t period = 0;
  Progress progress = {};  ///< counts suffixes that the sink has received
};

/// How an array was made in pieces.
struct PieceReport {
  std::uint64_t pieces = 0, largest_piece = 0;  ///< largest_piece: suffixes
  std::uint32_t period = 0;
  std::uint64_t samples = 0, sample_tied = 0;  ///< sample_tied: samples that share their first symbols with others
  std::uint64_t tied = 0;          ///< suffixes that share their first 29 symbols (of 2 bits; 14 of 4, 7 of 8)
  std::uint64_t device_bytes = 0;  ///< planned peak on a device
  std::uint64_t host_bytes = 0;    ///< of pieces on the host, without the text
};

/// Receives the next positions of the array: piece after piece, in order, on the calling thread.
template <class Position>
using PositionSink = std::function<void(std::span<const Position>)>;

/// Passes the suffix array of `text` to `sink`: size() positions in total, as in SuffixArray. The result does not
/// depend on the devices, their number or the pieces. Each device holds the whole text (Text::bytes()) and 4 bytes a
/// sample; a piece takes about 42 bytes a suffix with 64-bit positions, 34 with 32-bit positions. The host holds at
/// most two pieces for each piece in work.
///
/// O(size * (period + log(size))) in total for any text; O(size * (pieces + log(pieces))) if few suffixes share more
/// than a key. Every device ranks the sample.
///
/// Throws InputError for an invalid period, no device, or more than Text::longest symbols with 32-bit positions;
/// CapacityError before the start, with both figures, if host or device memory is too small; Cancelled.
GENOCL_EXPORT PieceReport sort_in_pieces(Devices devices, const Text& text, const PositionSink<std::uint64_t>& sink,
                                         const PieceOptions& options = {});
GENOCL_EXPORT PieceReport sort_in_pieces(Devices devices, const Text& text, const PositionSink<std::uint32_t>& sink,
                                         const PieceOptions& options = {});

/// Fills `positions` with the positions of an array from index `first` on.
using PositionSource = std::function<void(std::uint64_t first, std::span<std::uint64_t> positions)>;

/// Checks on the device whether `count` positions are the suffix array of `text`. Returns an index at which they are
/// not, or nothing.
///
/// The i-th suffix, extended by the symbol before it, must be at the index that the inverse Burrows-Wheeler transform
/// gives it; the longest chain of such steps visits all n indices once. Linear; requests each position twice. The
/// device holds the text and 24 bytes for each position of a part. Throws InputError for another count than
/// text.size(), CapacityError, Cancelled.
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Device& device, const Text& text, std::uint64_t count,
                                                       const PositionSource& positions, const Progress& progress = {});
/// The same for positions in memory.
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Device& device, const Text& text,
                                                       std::span<const std::uint64_t> positions);
GENOCL_EXPORT std::optional<std::uint64_t> first_error(const Device& device, const Text& text,
                                                       std::span<const std::uint32_t> positions);

struct LcpPieceOptions {
  /// Maximum number of values of a piece. 0: as many as memory allows, up to 2^24.
  std::uint64_t piece_values = 0;
  Progress progress = {};  ///< counts positions, each twice
};

/// How LCP values were computed in pieces.
struct LcpPieceReport {
  std::uint64_t pieces = 0, largest_piece = 0;  ///< largest_piece: values
  std::uint64_t irreducible = 0;                ///< values computed by comparison
  std::uint64_t device_bytes = 0;               ///< planned peak on a device
  std::uint64_t host_bytes = 0;                 ///< of pieces and bits on the host, without the text
};

/// Passes the values of Lcp to `sink`, in the order of the suffix array of `text`, whose `count` positions `positions`
/// supplies. Requests each position twice, from the first to the last, on one thread at a time. The result does not
/// depend on the devices, their number or the pieces. first_error() checks the array; if it is not the suffix array of
/// the text, this throws InputError or passes meaningless values.
///
/// Compares O(size * log(size)) symbols, in practice fewer than size; one look-up is O(1) on average. Each device holds
/// the whole text (Text::bytes()), 4 bits a symbol (6 while it makes them), and up to 28 bytes for each value of one or
/// two pieces. The host holds at most four pieces for each piece in work, 16 bytes a value, and 3 bits a symbol if
/// there are several devices.
///
/// Throws InputError for no device, another count than text.size(), and more than Text::longest symbols with 32-bit
/// values; CapacityError before the start, with both figures, if host or device memory is too small; Cancelled. If one
/// of several devices fails, the others do its part and request its positions again.
GENOCL_EXPORT LcpPieceReport lcp_in_pieces(Devices devices, const Text& text, std::uint64_t count,
                                           const PositionSource& positions, const PositionSink<std::uint64_t>& sink,
                                           const LcpPieceOptions& options = {});
GENOCL_EXPORT LcpPieceReport lcp_in_pieces(Devices devices, const Text& text, std::uint64_t count,
                                           const PositionSource& positions, const PositionSink<std::uint32_t>& sink,
                                           const LcpPieceOptions& options = {});

// The classes and functions below derive other arrays from positions as a PositionSink receives them. They run on the
// host's threads.

/// The Burrows-Wheeler transform: of a text as in bwt(), of records as that of a set of strings.
///
/// The transform of a set has one row for each symbol and one for the terminator of each record, size() bytes.
/// Terminators are smaller than all symbols and sorted by record ($0 < $1 < ...), as in ropebwt2 and libsais_gsa: row
/// i < records is that of the terminator of record i. The row of a suffix that is a whole record has the byte
/// `terminator`.
class GENOCL_EXPORT BwtFromPieces {
 public:
  /// @throws InputError for a text of records in which `terminator` is a symbol
  explicit BwtFromPieces(const Text& text, std::uint8_t terminator = '$');

  /// Takes the next positions of the array. Returns the bytes of their rows, valid until the next call; without
  /// records, the first call also returns the text's last symbol, before the others. Linear. Throws InputError for a
  /// position that the text does not have.
  std::span<const std::uint8_t> add(std::span<const std::uint32_t> positions);
  std::span<const std::uint8_t> add(std::span<const std::uint64_t> positions);

  /// The row of the suffix that is the whole text; 0 before add() has received it, and for records.
  std::uint64_t primary() const noexcept { return primary_; }

 private:
  template <class Position>
  std::span<const std::uint8_t> add_all(std::span<const Position> positions);

  Text text_;
  std::uint8_t terminator_;
  std::uint64_t taken_ = 0, primary_ = 0;
  std::vector<std::uint8_t> symbols_;
};

/// The records of the transform of a set, in order. O(symbols) time, 4 bytes a symbol (8 from 2^32 symbols on).
///
/// @throws InputError if no set has this transform
GENOCL_EXPORT std::vector<std::vector<std::uint8_t>> inverse_bwt_of_records(std::span<const std::uint8_t> symbols,
                                                                            std::uint8_t terminator = '$');

/// The inverse of an array, as in inverse(), in host memory.
class GENOCL_EXPORT InverseFromPieces {
 public:
  /// `wide`: 64-bit ranks, required for more than Text::longest positions. Throws CapacityError if host memory is too
  /// small, InputError if `size` needs 64 bits.
  InverseFromPieces(std::uint64_t size, bool wide);

  /// Takes the next positions of the array, of the width of the ranks. Linear. Throws InputError for more than `size`
  /// positions in total, and for a position not below `size`.
  void add(std::span<const std::uint32_t> positions);
  void add(std::span<const std::uint64_t> positions);

  /// ranks[positions[i]] = i, complete after the last position; the span of the other width is empty.
  std::span<const std::uint32_t> narrow() const noexcept { return {narrow_.data(), narrow_.size()}; }
  std::span<const std::uint64_t> wide() const noexcept { return {wide_.data(), wide_.size()}; }

 private:
  template <class Position>
  void add_all(std::vector<Position>& ranks, std::span<const Position> positions);

  std::uint64_t taken_ = 0;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
};

/// records[i]: the record that contains positions[i], as in document_array(). O(positions log(records)). Throws
/// InputError for different sizes, and for a position that the text does not have.
GENOCL_EXPORT void documents_of(const Text& text, std::span<const std::uint32_t> positions,
                                std::span<std::uint32_t> records);
GENOCL_EXPORT void documents_of(const Text& text, std::span<const std::uint64_t> positions,
                                std::span<std::uint32_t> records);

/// Writes the same file as SuffixIndex::save() of this text's index, without an array in the memory of a device or,
/// unless `check`, of the host. `check`: first_error() checks the array. `names`: as in SuffixIndex. Throws what
/// sort_in_pieces() throws for 32-bit positions, InputError for invalid names and a path that cannot be written, Error
/// if the array is wrong.
GENOCL_EXPORT void save_index_in_pieces(Devices devices, const Text& text, const std::vector<std::string>& names,
                                        const std::string& path, bool check = false, const PieceOptions& options = {});

}  // namespace genocl::overlap
