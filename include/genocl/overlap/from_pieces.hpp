// What follows from a suffix array that goes by in pieces (sort_in_pieces): the Burrows-Wheeler transform, the inverse,
// the document array, and an index in a file. The text is on the host, and its cores look up what is wanted.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/overlap/suffix_pieces.hpp"
#include "genocl/overlap/text.hpp"

namespace genocl::overlap {

/// The Burrows-Wheeler transform: of a text as bwt() has it, of records that of a set of strings.
///
/// The transform of a set has a row for each symbol and for the terminator of each record, size() bytes. Terminators
/// are smaller than all symbols and sorted by record ($0 < $1 < ...), as in ropebwt2 and libsais_gsa: row i < records
/// belongs to the terminator of record i. A row whose suffix is a whole record has the byte `terminator`.
class GENOCL_EXPORT BwtFromPieces {
 public:
  /// @throws InputError for a text of records in which `terminator` is a symbol
  explicit BwtFromPieces(const Text& text, std::uint8_t terminator = '$');

  /// Takes the array's next positions, all below text.size(). Returns the bytes of their rows, which stay valid until
  /// the next call; without records, the first ones begin with the text's last symbol. Linear.
  std::span<const std::uint8_t> add(std::span<const std::uint32_t> positions);
  std::span<const std::uint8_t> add(std::span<const std::uint64_t> positions);

  /// The row of the suffix that is the whole text: 0 until it has come, and for records.
  std::uint64_t primary() const noexcept { return primary_; }

 private:
  template <class Position>
  std::span<const std::uint8_t> add_all(std::span<const Position> positions);

  Text text_;
  std::uint8_t terminator_;
  std::uint64_t taken_ = 0, primary_ = 0;
  std::vector<std::uint8_t> symbols_;
};

/// The records of the transform of a set, in their order, on the host. O(symbols) time, 4 bytes a symbol (8 from 2^32).
///
/// @throws InputError where no set has this transform
GENOCL_EXPORT std::vector<std::vector<std::uint8_t>> inverse_bwt_of_records(std::span<const std::uint8_t> symbols,
                                                                            std::uint8_t terminator = '$');

/// The inverse of an array, as inverse() has it, in the host's memory.
class GENOCL_EXPORT InverseFromPieces {
 public:
  /// Of `size` positions; `wide`: with 64 bits, which more than Text::longest need. Throws CapacityError where the host
  /// has too little memory, InputError where `size` needs 64 bits.
  InverseFromPieces(std::uint64_t size, bool wide);

  /// Takes the array's next positions, of as many bits as ranks have. Linear. Throws InputError for more than there
  /// are, and for one that is not below their number.
  void add(std::span<const std::uint32_t> positions);
  void add(std::span<const std::uint64_t> positions);

  /// ranks[positions[i]] = i, when all have come; the other one is empty.
  std::span<const std::uint32_t> narrow() const noexcept { return narrow_; }
  std::span<const std::uint64_t> wide() const noexcept { return wide_; }

 private:
  template <class Position>
  void add_all(std::vector<Position>& ranks, std::span<const Position> positions);

  std::uint64_t taken_ = 0;
  std::vector<std::uint32_t> narrow_;
  std::vector<std::uint64_t> wide_;
};

/// records[i]: the record of the text that positions[i] is in, as document_array() has it. O(positions log(records)).
/// Throws InputError where there are not as many of both, and for a position that the text has not.
GENOCL_EXPORT void documents_of(const Text& text, std::span<const std::uint32_t> positions,
                                std::span<std::uint32_t> records);
GENOCL_EXPORT void documents_of(const Text& text, std::span<const std::uint64_t> positions,
                                std::span<std::uint32_t> records);

/// Writes the file that SuffixIndex::save() writes of this text's index, byte by byte the same. The array goes there as
/// it comes, so that neither a device nor the host's memory has to hold it; with `check` it is first in the host's
/// memory, and looked at by first_error() there. `names`: as SuffixIndex takes them. Throws what sort_in_pieces()
/// throws for 32-bit positions, InputError for other names and a path that cannot be written, Error where the array is
/// wrong.
GENOCL_EXPORT void save_index_in_pieces(Devices devices, const Text& text, const std::vector<std::string>& names,
                                        const std::string& path, bool check = false, const PieceOptions& options = {});

}  // namespace genocl::overlap
