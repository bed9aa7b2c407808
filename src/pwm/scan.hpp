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

/// Letters of a resident piece; only words that begin there are scanned.
struct ResidentRange : PieceInterval {
  const ResidentPiece* of = nullptr;

  /// A view of the piece's memory.
  DeviceText text(const Device& device) const;
  /// Number of letters of records, without separators.
  std::uint64_t places() const;
};

/// The whole text in ranges of at most `letters` (0: automatic for this number of targets), in order.
std::vector<ResidentRange> ranges_of(const Text::State& text, std::uint64_t letters, std::size_t targets);

// Units of work for one device, and their hits.

using Batch = std::shared_ptr<const SequenceSet>;

/// A piece of a batch, or a range of a resident text.
struct Unit {
  Batch batch;        ///< empty for a resident text
  TextPiece piece;    ///< without parts for a batch without letters
  bool last = false;  ///< last unit of its batch or text
  ResidentRange resident;
};

struct UnitHits {
  Batch batch;
  std::vector<Hit> hits;              ///< by matrix, record (of the batch), position, strand
  std::vector<std::uint64_t> counts;  ///< [2 * matrix + reverse]
  std::string bytes;                  ///< formatted hits
  std::uint64_t places = 0;
  bool last = false;
};

/// Formats the hits of a piece, on a worker's thread.
using HitWriter = std::function<std::string(const SequenceSet&, std::span<const Hit>)>;

/// Called with the index of the device.
using UnitSource = std::function<std::optional<Unit>(std::size_t)>;

/// Number of own letters, without separators; the sum over all pieces is that of the text.
std::uint64_t own_places(const TextPiece& piece);

/// Cuts consecutive batches into pieces of a size that suits the device.
class PieceSource {
 public:
  /// The devices must outlive it.
  ///
  /// @param residues    size of a piece; 0: automatic
  /// @param next_batch  returns null at the end
  PieceSource(Devices devices, std::uint64_t residues, std::function<Batch()> next_batch)
      : devices_(devices), residues_(residues), next_batch_(std::move(next_batch)) {}

  std::optional<Unit> operator()(std::size_t device);

 private:
  Devices devices_;
  std::uint64_t residues_;
  std::function<Batch()> next_batch_;
  Batch batch_;
  std::optional<TextCutter> cutter_;  ///< cuts the batch
};

/// Throws the InputError for more hits than ScanOptions::max_hits.
[[noreturn]] void throw_too_many_hits(std::uint64_t max_hits);

/// The hits of all pieces of a batch, in the order of the whole.
std::vector<Hit> joined(std::vector<std::vector<Hit>> pieces, std::size_t matrices, HitOrder order);

// One piece of a text against all targets, on one device.

/// Data of the targets on a device, shared by all its queues.
struct PreparedTargets {
  /// The matrices of the targets must outlive it.
  PreparedTargets(const Device& device, std::span<const Target> targets, Method method, unsigned slice_columns = 0);

  Device device;
  std::unique_ptr<Finder> finder;
  DeviceTargets exact;
  /// Number of targets searched at a time, limited by the capacity for candidates.
  mutable std::atomic<std::uint32_t> batch;
};

/// Capacity of a device in candidates.
std::uint64_t candidate_capacity(const Device& device);

struct PieceOptions {
  bool counts_only = false;
  std::uint64_t capacity = 0;  ///< of candidates
  std::uint64_t max_hits = 0;
};

struct PieceHits {
  std::vector<std::uint64_t> counts;  ///< [target]
  /// By target and letter; empty with counts_only.
  std::vector<std::uint64_t> keys;
  std::vector<double> scores;
};

/// Scans the own letters of a text. Throws InputError for more than max_hits.
///
/// @param device  prepared.device, with any queue
PieceHits scan_on_device(const Device& device, const PreparedTargets& prepared, const DeviceText& text,
                         const PieceOptions& options);
/// The same for a text that is not on the device yet.
PieceHits scan_piece(const Device& device, const PreparedTargets& prepared, const SequenceSet& text,
                     const TextPiece& piece, const PieceOptions& options);

/// A hit in its piece.
struct PieceHit {
  std::uint64_t key = 0;  ///< (letter << 32) | 2 * matrix + reverse
  double score = 0;
};

/// Sorts by key. O(hits): nearby letters are grouped first.
void sort_by_letter(std::vector<PieceHit>& hits, std::uint32_t letters);

}  // namespace genocl::pwm
