// A text that stays on a device: its pieces, and where their letters come from.
#pragma once

#include <cstdint>
#include <vector>

#include "genocl/pwm/scan.hpp"
#include "pwm/on_device.hpp"

namespace genocl::pwm {

struct ResidentPiece {
  TextPiece piece;
  DeviceText text;
};

struct Text::State {
  Device device;
  std::size_t records = 0;
  std::uint64_t residues = 0;
  std::vector<ResidentPiece> pieces;  ///< in the order of the records
};

/// A piece, of which the words that begin at letters [begin, end) are looked at.
struct ResidentRange {
  const ResidentPiece* of = nullptr;
  std::uint32_t begin = 0, end = 0;

  /// In the piece's memory.
  DeviceText text(const Device& device) const;
  /// Letters of records in it: without what separates them.
  std::uint64_t places() const;
};

/// The whole text in ranges of at most `letters` (0: chosen for that many targets), in order.
std::vector<ResidentRange> ranges_of(const Text::State& text, std::uint64_t letters, std::size_t targets);

}  // namespace genocl::pwm
