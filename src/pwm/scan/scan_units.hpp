// Texts cut into what one device scans at a time, and what it finds there.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/pwm/scan.hpp"
#include "pwm/scan/resident_text.hpp"

namespace genocl::pwm {

using Batch = std::shared_ptr<const SequenceSet>;

/// A piece of a batch on its way through a device, or a range of a text that is there already.
struct Unit {
  Batch batch;        ///< none for a text that is there
  TextPiece piece;    ///< without parts: of a batch without letters
  bool last = false;  ///< of its batch or text
  ResidentRange resident;
};

struct UnitHits {
  Batch batch;
  std::vector<Hit> hits;              ///< by matrix, record (of the batch), position, strand
  std::vector<std::uint64_t> counts;  ///< [2 * matrix + reverse]
  std::string bytes;                  ///< that were made of the hits
  std::uint64_t places = 0;
  bool last = false;
};

/// Makes bytes of a piece's hits, on a worker's thread.
using HitWriter = std::function<std::string(const SequenceSet&, std::span<const Hit>)>;

/// Told for which of the devices.
using UnitSource = std::function<std::optional<Unit>(std::size_t)>;

/// Letters of its own, separators not counted: those of all pieces are the text's.
std::uint64_t own_places(const TextPiece& piece);

/// Cuts one batch after the other into pieces, each of a size that suits the device it is for.
class PieceSource {
 public:
  /// `residues`: of a piece, 0: chosen. `next_batch` gives none at the end. The devices outlive it.
  PieceSource(Devices devices, std::uint64_t residues, std::function<Batch()> next_batch)
      : devices_(devices), residues_(residues), next_batch_(std::move(next_batch)) {}

  std::optional<Unit> operator()(std::size_t device);

 private:
  Devices devices_;
  std::uint64_t residues_;
  std::function<Batch()> next_batch_;
  Batch batch_;
  std::optional<TextCutter> cutter_;  ///< of the batch
};

/// The hits of all pieces of a batch in the order of the whole.
std::vector<Hit> joined(std::vector<std::vector<Hit>> pieces, std::size_t matrices, HitOrder order);

}  // namespace genocl::pwm
