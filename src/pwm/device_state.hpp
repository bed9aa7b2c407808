// What the steps of a scan hand to one another, in the memory of a device.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {

/// A piece of text on a device: records one after the other, a letter that is no base between two of them and behind
/// the last.
struct DeviceText {
  static constexpr std::uint8_t no_base = 4;
  /// Letters behind the text, no_base all of them: as far as any finder reads beyond the last place (loss_gpu.cl: a
  /// longest motif, an item's places and letters, and two words).
  static constexpr std::uint32_t margin = 384;

  std::uint32_t size = 0;  ///< letters, separators included; < 2^32 - 2 * margin
  /// [0, size + margin) with words, [0, size) or more without: 0 to 3, or no_base; without words anything above 3.
  Array<std::uint8_t> codes;
  /// 2 bits a letter, the first of 32 highest, as PackedDna has them; what is no base holds any. (size + margin) / 32
  /// words. Only where `packed` was asked for.
  Array<std::uint64_t> words;

  /// Words that begin in [own_begin, own_end) are this piece's to find: pieces of one long record overlap by
  /// ScoreMatrix::longest - 1 letters.
  std::uint32_t own_begin = 0, own_end = 0;
};

/// Where a piece's letters come from.
struct TextPiece {
  struct Part {
    std::uint64_t record = 0, begin = 0;  ///< of the record
    std::uint32_t length = 0, at = 0;     ///< its first letter is letter `at` of the piece
  };
  std::vector<Part> parts;  ///< by `at`
  std::uint32_t size = 0, own_begin = 0, own_end = 0;
};

/// Cuts a set, which has to outlive it, into one piece after the other.
class TextCutter {
 public:
  explicit TextCutter(const SequenceSet& text);
  /// Whether letters are left.
  bool more() const { return record_ < text_->size(); }
  /// The next piece, of at most `residues` letters of its own (1 or more are used), separators included. A piece that
  /// ends within a record has up to ScoreMatrix::longest - 1 letters more.
  TextPiece next(std::uint64_t residues);

 private:
  void skip_empty();

  const SequenceSet* text_;
  std::size_t record_ = 0;   ///< with letters that no piece owns yet
  std::uint64_t begin_ = 0;  ///< of those in it
};

/// All pieces of a set, of equal size.
std::vector<TextPiece> cut_text(const SequenceSet& text, std::uint64_t residues);
DeviceText upload_text(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed);

/// A piece for one scan: in memory that the next one takes again, since new memory costs as much as the copy; or the
/// set's own, where a device computes there and nothing is to be packed. The set has to stay as long.
struct StreamedText {
  runtime::Scratch codes, words;
  DeviceText text;
};
StreamedText stream_text(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed);

/// A matrix and a strand that are looked for: `scores` is reversed and complemented already for the reverse one, its
/// columns stand as the text's letters do.
struct Target {
  std::uint32_t matrix = 0;
  bool reverse = false;
  const ScoreMatrix* scores = nullptr;
  double threshold = 0;

  /// What decides: the sum in the motif's own order of columns, which on the reverse strand begins at the word's end.
  double score(std::span<const Code> word) const;
  /// No word scores more.
  double highest() const;
};

/// The exact form of all targets, for rescoring: cl/pwm/verify.cl reads it.
struct DeviceTargets {
  std::vector<Target> targets;
  /// [target]: first column, length; 1, or -1 where columns belong to a word's letters from its last to its first.
  Array<std::uint32_t> first, length;
  Array<std::int32_t> step;
  /// [column][A, C, G, T], in the order in which they are added, and [target]. Only where the device has fp64; the host
  /// rescores otherwise.
  Array<double> scores, threshold;
};
DeviceTargets upload_targets(const Device& device, std::span<const Target> targets);

/// Places that may be hits, each at most once, in any order: (target << 32) | letter of the piece where the word
/// begins. Every hit of own letters is among them; others may be.
struct Candidates {
  runtime::ScratchArray<std::uint64_t> keys;
  std::uint64_t count = 0;  ///< may exceed what `keys` has room for: those beyond were not written
};

/// Exact: score >= threshold in double, no letter that is no base, all letters before the piece's end. Sorted by target
/// and letter, each once.
struct DeviceHits {
  Array<std::uint64_t> keys;
  Array<double> scores;
  std::uint64_t count = 0;
};

}  // namespace genocl::pwm
