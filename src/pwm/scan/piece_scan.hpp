// One piece of a text against all targets, on one device.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "pwm/steps.hpp"

namespace genocl::pwm {

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

}  // namespace genocl::pwm
