// Cuts adapters and ends of low quality off reads.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "genocl/marose/alignment.hpp"
#include "genocl/marose/clip.hpp"
#include "genocl/marose/mapper.hpp"
#include "marose/packed_bases.hpp"

namespace genocl::marose {

class Trimmer {
 public:
  /// Throws InputError for an adapter that is empty, shorter than the overlap or has other letters than A, C, G, T, N.
  explicit Trimmer(const ClipOptions& options);

  /// Gives what is left. `quality`: a Phred score for each letter, or empty. O(letters * letters of all adapters).
  ReadPart kept(std::span<const Code> read, std::span<const std::uint8_t> quality) const;

 private:
  std::vector<std::vector<Code>> adapters_;
  unsigned overlap_, least_quality_;
};

/// Fills `parts` with those of `whole` that are tried in a round, 1, 2, ..., when it has no hit; with none when there
/// are no more (ClipOptions::ends).
void parts_to_try(const ReadPart& whole, unsigned round, std::vector<ReadPart>& parts);

// Adapters of pairs, found where the mates overlap.

/// For one thread at a time.
class OverlapTrimmer {
 public:
  /// Cuts both mates to their insert where it is shorter than them (ClipOptions::overlap). `first_kept` and
  /// `second_kept` are the parts to look at, and what is left of them. O(length) words of 32 bases are compared.
  void trim(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept, ReadPart& second_kept);

 private:
  std::vector<Code> turned_;
  PackedBases a_, b_;
};

// What becomes of the ends of an alignment in a record.

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
void extend_and_clip(std::span<const Code> read, std::span<const Code> text, const ReadPart& room, Columns& columns);

// Maps what is kept of reads, and parts of those that have no hit as a whole.

/// Maps all reads of a set as they are.
using MapWhole = std::function<Hits(const SequenceSet& reads)>;

/// Maps reads [range.first, ...) of a set as `trimmer` and ClipOptions::ends have it, by calls of `map_whole`.
Hits map_parts(const SequenceSet& reads, RecordRange range, const Trimmer& trimmer, bool ends,
               const MapWhole& map_whole);

}  // namespace genocl::marose
