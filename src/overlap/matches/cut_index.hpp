// A suffix index in host memory that devices search piece by piece.
//
// A piece is all suffixes between two ranks of the array. Every device holds the whole text, so that no match is cut:
// each position of the reference is in one piece, and so is each match.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/text.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/pieces/sort_in_pieces.hpp"
#include "overlap/text/text.hpp"

namespace genocl::overlap {

/// The number of suffixes, of `size`, that a device can hold in addition to a text of `text_bytes`, with positions of
/// `width` bytes. Half of the remaining memory, at most 3 GiB, is left for queries and matches. Throws CapacityError if
/// some thousands do not fit.
std::uint64_t suffixes_beside(const Device& device, std::uint64_t text_bytes, std::uint64_t size, std::uint64_t width);

class CutIndex {
 public:
  /// Pieces of at most `most` suffixes; 0: suffixes_beside(). Every device gets the same number of pieces. Throws
  /// CapacityError.
  CutIndex(Devices devices, Text text, HostPositions positions, std::uint64_t most = 0);

  const Text& text() const { return text_; }
  const HostPositions& positions() const { return positions_; }
  std::uint64_t pieces() const { return pieces_; }

  /// MatchIndex::find(), which has checked the options. One call at a time; others wait.
  void find(const SequenceSet& queries, const MatchOptions& options, const MatchIndex::Sink& sink);

 private:
  friend class CutSearch;
  /// The text and the piece on a device.
  struct Resident {
    std::shared_ptr<const Text::State> text;
    std::uint64_t piece = ~std::uint64_t{0};
    Array<std::uint32_t> narrow;
    Array<std::uint64_t> wide;
    PrefixTable table;
  };

  std::uint64_t begin(std::uint64_t piece) const;
  /// Uploads the piece to the device unless it is there, on the queue of `device`.
  const Resident& bring(const Device& device, std::size_t number, std::uint64_t piece);

  std::vector<Device> devices_;
  Text text_;
  HostPositions positions_;
  std::uint64_t pieces_ = 1;
  std::vector<Resident> residents_;  ///< [device]
  std::mutex mutex_;                 ///< of find()
};

}  // namespace genocl::overlap
