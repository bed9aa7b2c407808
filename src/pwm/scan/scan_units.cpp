#include "pwm/scan/scan_units.hpp"

#include <algorithm>
#include <numeric>

#include "genocl/error.hpp"

namespace genocl::pwm {
namespace {

/// Of a batch, for one of so many devices: enough pieces that every device has some, and copies and kernels overlap;
/// not so small that launches are felt.
std::uint64_t piece_residues(const Device& device, std::size_t devices, std::uint64_t residues) {
  const bool cpu = device.info().type == DeviceType::cpu;
  const std::uint64_t least = std::uint64_t{1} << (cpu ? 20 : 22);
  // The text is a small part of what is there.
  const std::uint64_t most = std::min(std::uint64_t{1} << (cpu ? 24 : 27), device.info().global_memory / 64);
  return std::clamp(residues / (4 * devices), least, std::max(least, most));
}

}  // namespace

std::uint64_t own_places(const TextPiece& piece) {
  return piece.parts.empty() ? 0 : std::uint64_t{piece.own_end} - piece.own_begin - (piece.parts.size() - 1);
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
