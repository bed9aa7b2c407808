// Clipping: adapters, low quality, adapters of overlapping mates, ends of alignments, and parts of unmapped reads.
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
  /// @throws InputError for an adapter that is empty, shorter than the overlap, or contains letters other than A, C,
  ///   G, T and N
  explicit Trimmer(const ClipOptions& options);

  /// The part of the read that remains.
  ///
  /// @param quality  a Phred score for each letter, or empty
  ///
  /// O(letters * letters of all adapters).
  ReadPart kept(std::span<const Code> read, std::span<const std::uint8_t> quality) const;

 private:
  std::vector<std::vector<Code>> adapters_;
  unsigned overlap_, min_quality_;
};

/// Fills `parts` with the parts of `whole` to map in round 1, 2, ... if it has no hit (ClipOptions::ends); with none
/// after the last round.
void parts_to_try(const ReadPart& whole, unsigned round, std::vector<ReadPart>& parts);

/// Trims adapters of pairs whose mates overlap. Not thread-safe.
class OverlapTrimmer {
 public:
  /// Cuts both mates to their insert if it is shorter than them (ClipOptions::overlap). O(length) comparisons of 32
  /// bases.
  ///
  /// @param first_kept, second_kept  parts to look at; receive the remaining parts
  void trim(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept, ReadPart& second_kept);

 private:
  std::vector<Code> turned_;
  PackedBases a_, b_;
};

/// An alignment of letters of a read and of a text, column by column.
struct Columns {
  std::vector<Operation> operations;
  BasicInterval<std::size_t> read, text;
};

/// Replaces insertions at either end by letters aligned with the adjacent text, which costs no more. Letters without
/// text there are clipped.
void end_without_insertions(std::span<const Code> read, std::span<const Code> text, Columns& columns);

/// Extends the alignment without gaps within [bounds.first, bounds.end()) of the read, then clips it to the part with
/// the highest score that shares a column with the original alignment; of equal scores, the longest. A match scores
/// 1, an error -4, a reached end of `bounds` 5.
void extend_and_clip(std::span<const Code> read, std::span<const Code> text, const ReadPart& bounds, Columns& columns);

/// Maps all reads of a set as they are.
using MapWhole = std::function<Hits(const SequenceSet& reads)>;

/// Maps the reads of `range` after trimming, and parts of reads without a hit (ClipOptions::ends), by calls of
/// `map_whole`.
Hits map_parts(const SequenceSet& reads, RecordRange range, const Trimmer& trimmer, bool ends,
               const MapWhole& map_whole);

}  // namespace genocl::marose
