// Where the letters that are scanned stand in what the user gave.
#pragma once

#include <cstdint>
#include <cstring>
#include <limits>
#include <string_view>

namespace program {

/// Of a stretch of letters: a record, a region of it, or a part of either. A piece of the text has it in the
/// description of the stretch's record, whose name is that of the sequence.
struct Place {
  std::uint64_t record = 0;   ///< the number of the record or region among all
  std::uint64_t offset = 0;   ///< of the first letter, from 0, in the sequence's coordinates
  std::uint64_t own_end = 0;  ///< hits that begin at this letter of the stretch, or beyond, are the next one's
  /// Hits that end here or before, in the sequence's coordinates, are in a region before.
  std::uint64_t beyond = 0;

  std::string_view bytes() const { return {reinterpret_cast<const char*>(this), sizeof *this}; }
  static Place of(std::string_view bytes) {
    Place place;
    std::memcpy(&place, bytes.data(), sizeof place);
    return place;
  }
};

}  // namespace program
