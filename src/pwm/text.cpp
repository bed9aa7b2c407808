// Texts in pieces: cut, uploaded, resident, and as units of a scan.

#include <algorithm>
#include <bit>
#include <limits>
#include <numeric>
#include <string>

#include "genocl/error.hpp"
#include "pwm/device_state.hpp"
#include "pwm/pipeline.hpp"
#include "pwm/scan.hpp"
#include "runtime/host_memory.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

using runtime::round_up;

/// Letters that a kernel packs into one word.
constexpr std::uint64_t letters_of_word = 32;
/// Letters of a word that may follow the last one with which it may begin.
constexpr std::uint64_t overlap = ScoreMatrix::longest - 1;
/// Longer parts of records are uploaded directly; shorter ones are gathered first.
constexpr std::uint32_t direct_letters = std::uint32_t{1} << 20;

/// Uploads the letters of a piece in few transfers.
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
  // Positions in a piece, with its margin, are 32-bit numbers.
  constexpr std::uint64_t most = std::uint64_t{1} << 30;
  const auto limit = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(residues, 1, most));
  TextPiece piece;
  while (more()) {
    // A separator is between two records.
    const std::uint32_t at = piece.parts.empty() ? 0 : piece.size + 1;
    if (at >= limit) break;
    const std::uint64_t left = text_->length(record_) - begin_;
    const std::uint64_t own = std::min<std::uint64_t>(left, limit - at);
    const std::uint64_t taken = std::min<std::uint64_t>(left, own + overlap);
    piece.parts.push_back({record_, begin_, static_cast<std::uint32_t>(taken), at});
    piece.size = at + static_cast<std::uint32_t>(taken);
    if (own < left) {
      begin_ += own;
      piece.own.end = at + static_cast<std::uint32_t>(own);
      return piece;
    }
    ++record_;
    begin_ = 0;
    skip_empty();
  }
  piece.own.end = piece.size;
  return piece;
}

std::vector<TextPiece> cut_text(const SequenceSet& text, std::uint64_t residues) {
  std::vector<TextPiece> pieces;
  for (TextCutter cutter(text); cutter.more();) pieces.push_back(cutter.next(residues));
  return pieces;
}

namespace {

/// Sizes of a piece on a device.
struct Extent {
  std::uint64_t letters = 0, words = 0;
  Extent(const Device& device, const TextPiece& piece, bool packed)
      : letters(round_up(std::uint64_t{piece.size} + DeviceText::margin, letters_of_word)),
        words(packed ? letters / letters_of_word : 1) {
    runtime::check_capacity(device, "a piece of the text", letters, letters + (packed ? 8 * words : 0));
  }
};

/// Uploads to existing memory. Without packing no pass over the letters is needed, and `words` is not used.
DeviceText fill(const Device& device, const SequenceSet& text, const TextPiece& piece, bool packed,
                Array<std::uint8_t> codes, Array<std::uint64_t> words) {
  DeviceText result;
  result.size = piece.size;
  result.own = piece.own;
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
  runtime::launch_items(device, "pwm/pack_text.cl", "pack_text", {}, {.items = count, .bytes = 2 * letters + 8 * count},
                        result.codes, words, count);
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
      there.text.own = piece.own;
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

namespace {

/// The maximum for positions in a piece: a scan cuts it as required.
constexpr std::uint64_t max_resident_letters = std::uint64_t{1} << 30;

std::uint64_t letters_of_piece(const Device& device) {
  return std::clamp<std::uint64_t>(device.info().max_allocation / 2, 1, max_resident_letters);
}

/// Letters, packed letters, and margins.
std::uint64_t device_bytes(const std::vector<TextPiece>& pieces) {
  std::uint64_t bytes = 0;
  for (const TextPiece& piece : pieces) bytes += (std::uint64_t{piece.size} + 2 * DeviceText::margin) / 4 * 5;
  return bytes;
}

/// For few targets all at once, since launches and waits for counts are noticeable; for many targets few enough
/// letters that the candidates of many targets fit.
std::uint64_t letters_at_a_time(const Device& device, std::size_t targets) {
  if (device.info().type == DeviceType::cpu) return std::uint64_t{1} << 24;
  const std::uint64_t letters = std::bit_floor((std::uint64_t{1} << 37) / std::max<std::size_t>(1, targets));
  return std::clamp<std::uint64_t>(letters, std::uint64_t{1} << 27, max_resident_letters);
}

}  // namespace

Text::Text(const Device& device, const SequenceSet& text, std::uint64_t buffer_residues) {
  if (text.alphabet() != Alphabet::dna)
    throw InputError("a text of " + std::string(to_string(text.alphabet())) + "; expected DNA");
  auto state = std::make_shared<State>(State{device, text.size(), text.residues(), {}});
  std::vector<TextPiece> pieces = cut_text(text, buffer_residues != 0 ? buffer_residues : letters_of_piece(device));
  std::uint64_t largest = 0;
  for (const TextPiece& piece : pieces) largest = std::max<std::uint64_t>(largest, piece.size);
  runtime::check_capacity(device, "a text that stays on the device", largest + 2 * DeviceText::margin,
                          device_bytes(pieces));
  state->pieces.reserve(pieces.size());
  // Packed even if this device's finders do not read it: those of its other family do.
  for (TextPiece& piece : pieces) {
    DeviceText letters = upload_text(device, text, piece, true);
    state->pieces.push_back({std::move(piece), std::move(letters)});
  }
  device.finish();  // other queues read the text
  state_ = std::move(state);
}

const Device& Text::device() const noexcept { return state_->device; }
std::size_t Text::records() const noexcept { return state_->records; }
std::uint64_t Text::residues() const noexcept { return state_->residues; }

DeviceText ResidentRange::text(const Device& device) const {
  DeviceText part;
  part.size = of->text.size;
  part.codes = runtime::MemoryAccess::share(device, of->text.codes);
  part.words = runtime::MemoryAccess::share(device, of->text.words);
  part.own = *this;
  return part;
}

std::uint64_t ResidentRange::places() const {
  // One letter that is no base precedes each part but the first.
  const auto behind = [&](std::uint32_t letter) {
    const auto& parts = of->piece.parts;
    return std::upper_bound(parts.begin() + 1, parts.end(), letter,
                            [](std::uint32_t at, const TextPiece::Part& part) { return at < part.at; });
  };
  return std::uint64_t{length()} - static_cast<std::uint64_t>(behind(end) - behind(begin));
}

std::vector<ResidentRange> ranges_of(const Text::State& text, std::uint64_t letters, std::size_t targets) {
  const std::uint64_t most = letters != 0 ? letters : letters_at_a_time(text.device, targets);
  std::vector<ResidentRange> ranges;
  for (const ResidentPiece& piece : text.pieces)
    for (std::uint64_t begin = piece.text.own.begin; begin < piece.text.own.end; begin += most)
      ranges.push_back({{static_cast<std::uint32_t>(begin),
                         static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + most, piece.text.own.end))},
                        &piece});
  return ranges;
}

namespace {

/// Residues of a piece: enough pieces that every device has some, and copies and kernels overlap, but not so small
/// that launches are noticeable.
std::uint64_t piece_residues(const Device& device, std::size_t devices, std::uint64_t residues) {
  const bool cpu = device.info().type == DeviceType::cpu;
  const std::uint64_t least = std::uint64_t{1} << (cpu ? 20 : 22);
  // The text is a small part of the memory of a piece.
  const std::uint64_t most = std::min(std::uint64_t{1} << (cpu ? 24 : 27), device.info().global_memory / 64);
  return std::clamp(residues / (4 * devices), least, std::max(least, most));
}

}  // namespace

std::uint64_t own_places(const TextPiece& piece) {
  return piece.parts.empty() ? 0 : std::uint64_t{piece.own.length()} - (piece.parts.size() - 1);
}

std::optional<Unit> PieceSource::operator()(std::size_t device) {
  if (!cutter_ || !cutter_->more()) {
    batch_ = next_batch_();
    if (!batch_) return std::nullopt;
    if (batch_->alphabet() != Alphabet::dna)
      throw InputError("a text of " + std::string(to_string(batch_->alphabet())) + "; expected DNA");
    cutter_.emplace(*batch_);
    if (!cutter_->more()) return Unit{batch_, {}, true, {}};
  }
  const std::uint64_t residues =
      residues_ != 0 ? residues_ : piece_residues(devices_[device], devices_.size(), batch_->residues());
  TextPiece piece = cutter_->next(residues);
  return Unit{batch_, std::move(piece), !cutter_->more(), {}};
}

std::vector<Hit> joined(std::vector<std::vector<Hit>> pieces, std::size_t matrices, HitOrder order) {
  if (pieces.size() == 1) return std::move(pieces.front());
  if (order == HitOrder::by_position) {
    std::vector<Hit> all;
    for (auto& piece : pieces) {
      all.insert(all.end(), piece.begin(), piece.end());
      piece = {};
    }
    return all;
  }
  std::vector<std::uint64_t> next(matrices + 1, 0);
  for (const auto& piece : pieces)
    for (const Hit& hit : piece) ++next[hit.matrix + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<Hit> all(next.back());
  for (auto& piece : pieces) {
    for (const Hit& hit : piece) all[next[hit.matrix]++] = hit;
    piece = {};
  }
  return all;
}

}  // namespace genocl::pwm
