// Text on its way to a device, piece by piece.
#include <algorithm>
#include <limits>

#include "pwm/on_device.hpp"
#include "pwm/steps.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

using runtime::round_up;

/// What a kernel packs into one word.
constexpr std::uint64_t letters_of_word = 32;
/// Letters of a word that may lie beyond the last one it may begin with.
constexpr std::uint64_t overlap = ScoreMatrix::longest - 1;
/// Longer parts of records go to the device as they are, shorter ones are put together first.
constexpr std::uint32_t direct_letters = std::uint32_t{1} << 20;

/// Hands the letters of a piece over in as few transfers as is sensible.
class Uploader {
 public:
  explicit Uploader(Array<std::uint8_t>& codes) : codes_(codes) {}

  void append(std::span<const Code> letters) {
    if (letters.size() >= direct_letters) {
      flush();
      codes_.upload(letters, at_);
      at_ += letters.size();
    } else {
      staged_.insert(staged_.end(), letters.begin(), letters.end());
    }
  }
  void append_no_base(std::uint64_t count) { staged_.insert(staged_.end(), count, DeviceText::no_base); }
  std::uint64_t size() const { return at_ + staged_.size(); }
  void flush() {
    codes_.upload(staged_, at_);
    at_ += staged_.size();
    staged_.clear();
  }

 private:
  Array<std::uint8_t>& codes_;
  std::vector<std::uint8_t> staged_;  ///< of letters from at_ on
  std::uint64_t at_ = 0;
};

}  // namespace

TextCutter::TextCutter(const SequenceSet& text) : text_(&text) { skip_empty(); }

void TextCutter::skip_empty() {
  while (record_ < text_->size() && text_->length(record_) == 0) ++record_;
}

TextPiece TextCutter::next(std::uint64_t residues) {
  // Positions in a piece, with what lies behind it, are 32-bit numbers.
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const auto limit = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(residues, 1, most));
  TextPiece piece;
  while (more()) {
    // A separator stands between two records.
    const std::uint32_t at = piece.parts.empty() ? 0 : piece.size + 1;
    if (at >= limit) break;
    const std::uint64_t left = text_->length(record_) - begin_;
    const std::uint64_t own = std::min<std::uint64_t>(left, limit - at);
    const std::uint64_t taken = std::min<std::uint64_t>(left, own + overlap);
    piece.parts.push_back({record_, begin_, static_cast<std::uint32_t>(taken), at});
    piece.size = at + static_cast<std::uint32_t>(taken);
    if (own < left) {
      begin_ += own;
      piece.own_end = at + static_cast<std::uint32_t>(own);
      return piece;
    }
    ++record_;
    begin_ = 0;
    skip_empty();
  }
  piece.own_end = piece.size;
  return piece;
}

std::vector<TextPiece> cut_text(const SequenceSet& text, std::uint64_t residues) {
  std::vector<TextPiece> pieces;
  for (TextCutter cutter(text); cutter.more();) pieces.push_back(cutter.next(residues));
  return pieces;
}

namespace {

/// What a piece takes on a device.
struct Extent {
  std::uint64_t letters = 0, words = 0;
  Extent(const Device& device, const TextPiece& piece, bool packed)
      : letters(round_up(std::uint64_t{piece.size} + DeviceText::margin, letters_of_word)),
        words(packed ? letters / letters_of_word : 1) {
    runtime::check_capacity(device, "a piece of the text", letters, letters + (packed ? 8 * words : 0));
  }
};

/// Into memory that is there. Where nothing is packed no pass over the letters is needed, and `words` is not used.
DeviceText fill(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed,
                Array<std::uint8_t> codes, Array<std::uint64_t> words) {
  DeviceText result;
  result.size = piece.size;
  result.own_begin = piece.own_begin;
  result.own_end = piece.own_end;
  result.codes = std::move(codes);
  const std::uint64_t letters = result.codes.size(), count = letters / letters_of_word;
  Uploader uploader(result.codes);
  for (const TextPiece::Part& part : piece.parts) {
    uploader.append_no_base(part.at - uploader.size());
    uploader.append(text[part.record].subspan(part.begin, part.length));
  }
  uploader.append_no_base(letters - uploader.size());
  uploader.flush();
  if (!packed) return result;
  runtime::launch_items(device, "pwm/scan/pack_text.cl", "pack_text", {},
                        {.items = count, .bytes = 2 * letters + 8 * count}, result.codes, words, count);
  result.words = std::move(words);
  return result;
}

}  // namespace

DeviceText upload_text(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed) {
  const Extent extent(device, piece, packed);
  return fill(device, text, piece, packed, Array<std::uint8_t>(device, extent.letters),
              Array<std::uint64_t>(device, extent.words));
}

StreamedText stream_text(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed) {
  if (!packed && piece.parts.size() == 1 && piece.parts[0].length >= direct_letters) {
    const TextPiece::Part& part = piece.parts[0];
    if (auto view = runtime::view_of_host(device, text[part.record].subspan(part.begin, part.length))) {
      StreamedText there;
      there.text.size = piece.size;
      there.text.own_begin = piece.own_begin;
      there.text.own_end = piece.own_end;
      there.text.codes = *std::move(view);
      return there;
    }
  }
  const Extent extent(device, piece, packed);
  runtime::Scratch codes(device, extent.letters), words(device, 8 * extent.words);
  DeviceText filled = fill(device, text, piece, packed,
                           runtime::MemoryAccess::borrow<std::uint8_t>(device, codes.memory(), extent.letters),
                           runtime::MemoryAccess::borrow<std::uint64_t>(device, words.memory(), extent.words));
  return {std::move(codes), std::move(words), std::move(filled)};
}

}  // namespace genocl::pwm
