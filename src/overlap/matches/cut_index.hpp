// A suffix index that lies in the host's memory and is brought to devices piece by piece.
//
// A piece is all suffixes between two ranks of the array. Every device has the whole text, so that no match is cut:
// each place of the reference is in one piece, and so is each match.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/overlap/match_index.hpp"
#include "genocl/overlap/text.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/pieces/lcp_in_pieces.hpp"
#include "overlap/text/text.hpp"

namespace genocl::overlap {

/// How many of `size` suffixes, with positions of so many bytes, a device shall have beside the text, which takes
/// `text_bytes`: half of what that leaves, or all but 3 GiB where these are less, is for queries and what is found.
/// Throws CapacityError where there is no room for some thousands.
std::uint64_t suffixes_beside(const Device& device, std::uint64_t text_bytes, std::uint64_t size, std::uint64_t width);

class CutIndex {
 public:
  /// Pieces of at most `most` suffixes; 0: as suffixes_beside() says. With several devices there are as many pieces for
  /// each. Throws CapacityError.
  CutIndex(Devices devices, Text text, HostPositions positions, std::uint64_t most = 0);

  const Text& text() const { return text_; }
  const HostPositions& positions() const { return positions_; }
  std::uint64_t pieces() const { return pieces_; }

  /// As MatchIndex::find() does, which has looked at the options. One call at a time; others wait.
  void find(const SequenceSet& queries, const MatchOptions& options, const MatchIndex::Sink& sink);

 private:
  friend class CutSearch;
  /// What a device has.
  struct Resident {
    std::shared_ptr<const Text::State> text;
    std::uint64_t piece = ~std::uint64_t{0};
    Array<std::uint32_t> narrow;
    Array<std::uint64_t> wide;
    PrefixTable table;
  };

  std::uint64_t begin(std::uint64_t piece) const;
  /// Brings the piece to the device, if it is not there yet. On its queue.
  const Resident& bring(const Device& device, std::size_t number, std::uint64_t piece);

  std::vector<Device> devices_;
  Text text_;
  HostPositions positions_;
  std::uint64_t pieces_ = 1;
  std::vector<Resident> residents_;  ///< [device]
  std::mutex mutex_;                 ///< of find()
};

}  // namespace genocl::overlap
