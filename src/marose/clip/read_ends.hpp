// What becomes of the ends of an alignment in a record.
#pragma once

#include <span>
#include <vector>

#include "genocl/marose/alignment.hpp"
#include "genocl/marose/clip.hpp"

namespace genocl::marose {

/// An alignment column by column: of letters [first, ...) of a read and [begin, ...) of a text.
struct Columns {
  std::vector<Operation> operations;
  std::size_t first = 0;  ///< letter of the read
  std::size_t begin = 0;  ///< letter of the text
  std::size_t last = 0;   ///< behind the last letter of the read
  std::size_t end = 0;    ///< behind the last letter of the text
};

/// Replaces insertions at either end by letters that stand against the text beside, which costs no more; letters for
/// which the text has none are left out.
void end_without_insertions(std::span<const Code> read, std::span<const Code> text, Columns& columns);

/// Lengthens the alignment without gaps within [room.first, room.end()) of the read and then keeps the part of it with
/// the highest score, the longest of several, that shares a column with what was aligned: a match counts 1, any error
/// -4, an end of `room` that is reached 5.
void settle_ends(std::span<const Code> read, std::span<const Code> text, const ReadPart& room, Columns& columns);

}  // namespace genocl::marose
