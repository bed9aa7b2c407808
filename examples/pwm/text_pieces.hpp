// The text as the members of a team take it: piece by piece.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "common/team.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence.hpp"

namespace program {

/// The records of all files, one after the other, in batches. Letters of the alphabet that are no bases are in no hit.
class TextSource {
 public:
  TextSource(const std::vector<std::string>& files, bool replace_letters)
      : files_(files), bad_letters_(genocl::bad_letters(replace_letters)) {}

  bool next(genocl::SequenceSet& batch);
  /// The share of all files that is read. Another thread may be reading.
  double fraction() const { return fraction_; }

 private:
  const std::vector<std::string>& files_;
  genocl::BadLetters bad_letters_;
  std::size_t at_ = 0;
  std::optional<genocl::io::SequenceReader> reader_;
  std::atomic<double> fraction_ = 0;
};

/// Some records of a batch, or a range of one: hits that begin at `own_end` or beyond are the next piece's.
struct TextPiece {
  std::size_t first = 0, count = 0;                                          ///< records of the batch
  std::uint64_t begin = 0, end = std::numeric_limits<std::uint64_t>::max();  ///< of a single record, with what overlaps
  std::uint64_t own_end = std::numeric_limits<std::uint64_t>::max();         ///< from the record's beginning

  bool whole() const { return own_end == std::numeric_limits<std::uint64_t>::max(); }
};

/// Cuts a batch into pieces of about `residues` letters. Ranges of a record overlap by `overlap` letters.
std::vector<TextPiece> cut_into_pieces(const genocl::SequenceSet& batch, std::uint64_t residues, std::uint64_t overlap);

/// What a member scans of the text, and where that is.
struct OwnPiece {
  std::uint64_t block = 0;               ///< its number among the pieces of the text
  std::uint64_t first_record = 0;        ///< of the text
  std::uint64_t begin = 0, own_end = 0;  ///< as in TextPiece
};

/// Everybody reads the whole text, and scans the pieces that come to it. Who is alone scans batches as they are.
class TeamText {
 public:
  /// `look` is shown every batch that is read. Ranges of a record overlap by `overlap` letters.
  TeamText(TextSource& source, Blocks& blocks, std::uint64_t overlap,
           std::function<void(const genocl::SequenceSet&)> look)
      : source_(source), blocks_(blocks), overlap_(overlap), look_(std::move(look)) {}

  /// The next piece of this member, or no value at the end.
  std::optional<OwnPiece> next(genocl::SequenceSet& piece);
  /// Where own pieces reach into the next: hits in there are in the next piece, too.
  const genocl::SequenceSet& overlaps() const { return overlaps_; }

 private:
  bool read(genocl::SequenceSet& piece);

  TextSource& source_;
  Blocks& blocks_;
  std::uint64_t overlap_;
  std::function<void(const genocl::SequenceSet&)> look_;
  genocl::SequenceSet text_, overlaps_;
  std::vector<TextPiece> pieces_;  // of the batch that was read last
  std::size_t piece_ = 0, records_ = 0;
  std::uint64_t pieces_before_ = 0, records_before_ = 0;
};

}  // namespace program
