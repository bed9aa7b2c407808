#include "pwm/scan/resident_text.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "pwm/steps.hpp"
#include "runtime/scratch.hpp"

namespace genocl::pwm {
namespace {

/// As large as positions in a piece allow: a scan cuts them as it likes.
constexpr std::uint64_t most_letters = std::uint64_t{1} << 30;

std::uint64_t letters_of_piece(const Device& device) {
  return std::clamp<std::uint64_t>(device.info().max_allocation / 2, 1, most_letters);
}

/// Letters, packed letters, and what stands behind a piece.
std::uint64_t device_bytes(const std::vector<TextPiece>& pieces) {
  std::uint64_t bytes = 0;
  for (const TextPiece& piece : pieces) bytes += (std::uint64_t{piece.size} + 2 * DeviceText::margin) / 4 * 5;
  return bytes;
}

/// For few targets in one go, as launches and the waits for their counts are felt; for many so few letters that the
/// candidates of many targets at a time fit.
std::uint64_t letters_at_a_time(const Device& device, std::size_t targets) {
  if (device.info().type == DeviceType::cpu) return std::uint64_t{1} << 24;
  const std::uint64_t letters = std::bit_floor((std::uint64_t{1} << 37) / std::max<std::size_t>(1, targets));
  return std::clamp<std::uint64_t>(letters, std::uint64_t{1} << 27, most_letters);
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
  // Packed whether or not this device's finders read it: those of its other family do.
  for (TextPiece& piece : pieces) {
    DeviceText letters = upload_text(device, text, piece, true);
    state->pieces.push_back({std::move(piece), std::move(letters)});
  }
  device.finish();  // other queues read it
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
  part.own_begin = begin;
  part.own_end = end;
  return part;
}

std::uint64_t ResidentRange::places() const {
  // Before each part but the first stands one letter that is no base.
  const auto behind = [&](std::uint32_t letter) {
    const auto& parts = of->piece.parts;
    return std::upper_bound(parts.begin() + 1, parts.end(), letter,
                            [](std::uint32_t at, const TextPiece::Part& part) { return at < part.at; });
  };
  return std::uint64_t{end} - begin - static_cast<std::uint64_t>(behind(end) - behind(begin));
}

std::vector<ResidentRange> ranges_of(const Text::State& text, std::uint64_t letters, std::size_t targets) {
  const std::uint64_t most = letters != 0 ? letters : letters_at_a_time(text.device, targets);
  std::vector<ResidentRange> ranges;
  for (const ResidentPiece& piece : text.pieces)
    for (std::uint64_t begin = piece.text.own_begin; begin < piece.text.own_end; begin += most)
      ranges.push_back({&piece, static_cast<std::uint32_t>(begin),
                        static_cast<std::uint32_t>(std::min<std::uint64_t>(begin + most, piece.text.own_end))});
  return ranges;
}

}  // namespace genocl::pwm
