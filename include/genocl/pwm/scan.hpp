// Every place of a text where a matrix scores at least its threshold.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::pwm {

using genocl::Strands;

/// How places are looked for; all give the same hits.
/// - `naive`: the score of every place (the paper's).
/// - `lookahead`: leaves a place as soon as the rest cannot reach the threshold.
/// - `slices`: tables of the scores of k-mers.
/// - `loss`: columns' losses against their best letters, rounded down into 8 bits; candidates are scored exactly.
enum class Method : std::uint8_t { automatic, naive, lookahead, slices, loss };

GENOCL_EXPORT std::string_view to_string(Method method) noexcept;
/// Throws InputError for another name; "auto" is automatic.
GENOCL_EXPORT Method method_named(std::string_view name);

/// How hits come.
/// - `by_matrix`: by matrix, record, position, strand (forward first).
/// - `by_position`: by record, position, matrix, strand.
enum class HitOrder : std::uint8_t { by_matrix, by_position };

struct ScanOptions {
  Strands strands = Strands::both;
  HitOrder order = HitOrder::by_matrix;
  Method method = Method::automatic;
  bool counts_only = false;  ///< no hits, only how many
  /// Residues of the text on a device at a time, 0: chosen.
  std::uint64_t chunk_residues = 0;
  /// More hits than this: InputError that says so.
  std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max();
  Progress progress = {};  ///< counts places
};

/// The word at [position, position + length of the matrix) of the record scores `score`; with `reverse` its reverse
/// complement does, by ScoreMatrix::score() of the matrix as it was given.
struct Hit {
  std::uint32_t matrix = 0;
  std::uint64_t record = 0;
  std::uint64_t position = 0;  ///< of the leftmost letter, from 0
  double score = 0;
  bool reverse = false;

  friend bool operator==(const Hit&, const Hit&) = default;
};

/// A text that stays on one device, for scans with one collection after the other: it is transferred and packed once, a
/// scan of it neither transfers nor packs. Takes 1.25 bytes a letter there, O(1) on the host for each record. Does not
/// change; copies share the memory, and any number of scanners and threads may use it at once.
class GENOCL_EXPORT Text {
 public:
  /// Any number of records of any length, none too; they are copied, `text` may go. `buffer_residues`: letters of a
  /// buffer, 0: chosen. Throws InputError for a set that is not DNA, CapacityError, before anything is transferred, for
  /// a text that the device has no room for.
  Text(const Device& device, const SequenceSet& text, std::uint64_t buffer_residues = 0);

  const Device& device() const noexcept;
  /// The records and residues of the set that it was made from.
  std::size_t records() const noexcept;
  std::uint64_t residues() const noexcept;

  /// For the library's own use.
  struct State;
  const State& state() const noexcept { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Thresholds of a matrix: a word may be more probable on one strand than on the other (see PValueOptions::strands).
/// Not a number: that strand is left out.
struct StrandThresholds {
  double forward = 0, reverse = 0;
};

/// Holds the matrices on every device. A letter that is not A, C, G or T is in no hit, and no word goes over a record's
/// end.
class GENOCL_EXPORT Scanner {
 public:
  /// thresholds[i]: of matrices[i], on both strands; not a number: that matrix is left out. Throws InputError for sizes
  /// that differ.
  Scanner(Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> thresholds,
          const ScanOptions& options = {});
  /// The same with a threshold for each strand.
  static Scanner by_strand(Devices devices, std::span<const ScoreMatrix> matrices,
                           std::span<const StrandThresholds> thresholds, const ScanOptions& options = {});
  Scanner(Scanner&&) noexcept;
  Scanner& operator=(Scanner&&) noexcept;
  ~Scanner();

  /// All hits, in the order that was asked for.
  std::vector<Hit> scan(const SequenceSet& text) const;
  /// The same hits of a text that is on a device already; that device scans it alone. Throws InputError unless a device
  /// of the scanner shares its context (copies of a Device do).
  std::vector<Hit> scan(const Text& text) const;
  /// A text of any length: `source` fills an empty batch with the next records and returns false at the end (one call
  /// at a time, on threads of the library); `sink` gets the hits of each batch, in the order of the batches, each
  /// batch's in the order that was asked for, records counted from the first batch on. Memory: the batches that are in
  /// work, and their hits.
  void scan(const std::function<bool(SequenceSet&)>& source,
            const std::function<void(const SequenceSet&, std::span<const Hit>)>& sink) const;
  /// The same for hits that become bytes, most often text, which takes longer than to find them: `write` is called on
  /// many threads at once, each time with the hits of a piece of a batch, records counted from the batch's first;
  /// `sink` gets what it gives in the order of the pieces, which is that of the text, and is told which piece is a
  /// batch's last. Memory: the pieces that are in work, their hits and what was made of them, however long the text is.
  void scan(const std::function<bool(SequenceSet&)>& source,
            const std::function<std::string(const SequenceSet&, std::span<const Hit>)>& write,
            const std::function<void(std::string&&, bool last)>& sink) const;
  /// counts[2 * i + reverse]: hits of matrix i, of what the last scan() saw.
  std::vector<std::uint64_t> counts() const;

 private:
  struct State;
  explicit Scanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// The InputError for more hits than ScanOptions::max_hits.
[[noreturn]] GENOCL_EXPORT void throw_too_many_hits(std::uint64_t max_hits);

}  // namespace genocl::pwm
