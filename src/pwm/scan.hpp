// A scan: texts in pieces, one piece on one device, the order of hits.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "genocl/pwm/scan.hpp"
#include "pwm/device_state.hpp"
#include "pwm/pipeline.hpp"

namespace genocl::pwm {

struct ResidentPiece {
  TextPiece piece;
  DeviceText text;
};

struct Text::State {
  Device device;
  std::size_t records = 0;
  std::uint64_t residues = 0;
  std::vector<ResidentPiece> pieces;  ///< in the order of the records
};

/// A piece, of which the words that begin at letters [begin, end) are looked at.
struct ResidentRange {
  const ResidentPiece* of = nullptr;
  std::uint32_t begin = 0, end = 0;

  /// In the piece's memory.
  DeviceText text(const Device& device) const;
  /// Letters of records in it: without what separates them.
  std::uint64_t places() const;
};

/// The whole text in ranges of at most `letters` (0: chosen for that many targets), in order.
std::vector<ResidentRange> ranges_of(const Text::State& text, std::uint64_t letters, std::size_t targets);

// Texts cut into what one device scans at a time, and what it finds there.

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

// One piece of a text against all targets, on one device.

/// What a device needs of the targets; work of any of its queues may use it.
struct PreparedTargets {
  /// The targets' matrices outlive it.
  PreparedTargets(const Device& device, std::span<const Target> targets, Method method);

  Device device;
  std::unique_ptr<Finder> finder;
  DeviceTargets exact;
  /// How many targets are looked for at a time: the more the better while candidates fit.
  mutable std::atomic<std::uint32_t> batch;
};

/// Candidates that a device has room for.
std::uint64_t candidate_room(const Device& device);

struct PieceOptions {
  bool counts_only = false;
  std::uint64_t room = 0;  ///< of candidates
  std::uint64_t max_hits = 0;
};

struct PieceHits {
  std::vector<std::uint64_t> counts;  ///< [target]
  /// By target and letter; empty with counts_only.
  std::vector<std::uint64_t> keys;
  std::vector<double> scores;
};

/// Words that begin in the text's own letters. `device`: prepared.device, with any queue. Throws InputError for more
/// than max_hits.
PieceHits scan_on_device(const Device& device, const PreparedTargets& prepared, const DeviceText& text,
                         const PieceOptions& options);
/// The same of a text that is not there yet.
PieceHits scan_piece(const Device& device, const PreparedTargets& prepared, const SequenceSet& text,
                     const TextPiece& piece, const PieceOptions& options);

// Hits of a piece, sorted as they stand in the text.

/// Where a hit is in its piece.
struct PieceHit {
  std::uint64_t key = 0;  ///< (letter << 32) | 2 * matrix + reverse
  double score = 0;
};

/// By key. O(hits): letters that are close are put together first.
void sort_by_letter(std::vector<PieceHit>& hits, std::uint32_t letters);

}  // namespace genocl::pwm
