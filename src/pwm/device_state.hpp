// Data of the scan steps in device memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/interval.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {

/// Letters of a piece.
using PieceInterval = BasicInterval<std::uint32_t>;

/// A piece of text on a device: concatenated records, with one letter that is no base between two records and after
/// the last.
struct DeviceText {
  static constexpr std::uint8_t no_base = 4;
  /// Letters after the text, all no_base: the maximum that any finder reads beyond the last place (loss_gpu.cl: a
  /// longest motif, the places and letters of an item, and two words).
  static constexpr std::uint32_t margin = 384;

  std::uint32_t size = 0;  ///< letters, separators included; < 2^32 - 2 * margin
  /// [0, size + margin) with words, [0, size) or more without: 0 to 3, or no_base; without words anything above 3.
  Array<std::uint8_t> codes;
  /// 2 bits for each letter, the first of 32 highest, as in PackedDna; letters other than A, C, G and T are
  /// arbitrary. (size + margin) / 32 words; only if `packed` was requested.
  Array<std::uint64_t> words;

  /// The piece owns the words that begin here: pieces of one long record overlap by ScoreMatrix::longest - 1 letters.
  PieceInterval own;
};

/// The origin of the letters of a piece.
struct TextPiece {
  struct Part {
    std::uint64_t record = 0, begin = 0;  ///< offset in the record
    std::uint32_t length = 0, at = 0;     ///< its first letter is letter `at` of the piece
  };
  std::vector<Part> parts;  ///< by `at`
  std::uint32_t size = 0;
  PieceInterval own;  ///< as in DeviceText
};

/// Cuts a set, which must outlive it, into consecutive pieces.
class TextCutter {
 public:
  explicit TextCutter(const SequenceSet& text);
  /// Whether letters are left.
  bool more() const { return record_ < text_->size(); }
  /// The next piece, of at most `residues` own letters (at least 1), including separators. A piece that ends within a
  /// record has up to ScoreMatrix::longest - 1 additional letters.
  TextPiece next(std::uint64_t residues);

 private:
  void skip_empty();

  const SequenceSet* text_;
  std::size_t record_ = 0;   ///< the record of the next letter
  std::uint64_t begin_ = 0;  ///< its offset in that record
};

/// All pieces of a set, of equal size.
std::vector<TextPiece> cut_text(const SequenceSet& text, std::uint64_t residues);
DeviceText upload_text(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed);

/// A piece for one scan: in scratch memory, which the next scan reuses, since new memory costs as much as the copy;
/// or the memory of the set, if a device computes there and does not pack. The set must outlive it.
struct StreamedText {
  runtime::Scratch codes, words;
  DeviceText text;
};
StreamedText stream_text(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed);

/// A matrix and a strand to search. For the reverse strand, `scores` is already reversed and complemented: its
/// columns are in the order of the letters of the text.
struct Target {
  std::uint32_t matrix = 0;
  bool reverse = false;
  const ScoreMatrix* scores = nullptr;
  double threshold = 0;

  /// The defining score: the sum in the motif's own column order, which on the reverse strand begins at the end of
  /// the word.
  double score(std::span<const Code> word) const;
  /// No word scores more.
  double highest() const;
};

/// The exact form of all targets, for rescoring, as cl/pwm/verify.cl reads it.
struct DeviceTargets {
  std::vector<Target> targets;
  /// [target]: first column, length; step 1, or -1 if the columns apply to the letters of a word from last to first.
  Array<std::uint32_t> first, length;
  Array<std::int32_t> step;
  /// [column][A, C, G, T] in the order of addition, and [target]. Only on devices with fp64; otherwise the host
  /// rescores.
  Array<double> scores, threshold;
};
DeviceTargets upload_targets(const Device& device, std::span<const Target> targets);

/// Places that may be hits, unsorted and unique: (target << 32) | letter of the piece where the word begins. A
/// superset of the hits that begin in own letters.
struct Candidates {
  runtime::ScratchArray<std::uint64_t> keys;
  std::uint64_t count = 0;  ///< may exceed the capacity of `keys`: the excess was not written
};

/// Exact hits: score >= threshold in double, only bases, within the piece. Sorted by target and letter, unique.
struct DeviceHits {
  Array<std::uint64_t> keys;
  Array<double> scores;
  std::uint64_t count = 0;
};

}  // namespace genocl::pwm
