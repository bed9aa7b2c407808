// Scan: every place of a text at which a matrix scores at least its threshold.
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
#include "genocl/sequence/interval.hpp"
#include "genocl/sequence/sequence_set.hpp"
#include "genocl/sequence/strands.hpp"

namespace genocl::pwm {

using genocl::Strands;

/// How places are looked for; all give the same hits.
/// - `naive`: the score of every place, with the text in local memory on GPUs (Giraud and Varre).
/// - `naive_matrix`: the same with the matrix in local memory.
/// - `lookahead`: leaves a place as soon as the rest cannot reach the threshold.
/// - `kmp`: the same, and skips the places that cannot be hits by the column at which a place is left (Liefooghe,
///   Touzet and Varre).
/// - `slices`: tables of the scores of k-mers (Giraud and Varre); see ScanOptions::slice_columns.
/// - `loss`: columns' losses against their best letters, rounded down into 8 bits; candidates are scored exactly.
enum class Method : std::uint8_t { automatic, naive, naive_matrix, lookahead, slices, loss, kmp };

GENOCL_EXPORT std::string_view to_string(Method method) noexcept;
/// Throws InputError for another name; "auto" is automatic.
GENOCL_EXPORT Method method_named(std::string_view name);

/// Order of hits.
/// - `by_matrix`: by matrix, record, position, strand (forward first).
/// - `by_position`: by record, position, matrix, strand.
enum class HitOrder : std::uint8_t { by_matrix, by_position };

struct ScanOptions {
  Strands strands = Strands::both;
  HitOrder order = HitOrder::by_matrix;
  Method method = Method::automatic;
  /// Columns of a slice of Method::slices, 1 to 8; 0: 4 or 5, by the size of the tables. A slice's table has 4^columns
  /// floats for each matrix and strand. Tables that do not fit into device memory are a CapacityError, another number
  /// or another method an InputError.
  unsigned slice_columns = 0;
  bool counts_only = false;  ///< only numbers of hits
  /// Residues of the text on a device at a time; 0: automatic.
  std::uint64_t chunk_residues = 0;
  /// Maximum number of hits; more are an InputError.
  std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max();
  Progress progress = {};  ///< in places of the text
};

/// The word at [position, position + length of the matrix) of the record has this score. With `reverse`, its reverse
/// complement has it. By ScoreMatrix::score() of the given matrix.
struct Hit {
  std::uint32_t matrix = 0;
  std::uint64_t record = 0;
  std::uint64_t position = 0;  ///< of the leftmost letter, 0-based
  double score = 0;
  bool reverse = false;

  friend bool operator==(const Hit&, const Hit&) = default;
};

/// The interval of a longer sequence that a record of a text covers, for texts that are cut into overlapping parts.
struct SourceInterval {
  std::uint64_t sequence = 0;  ///< number of the sequence or region among all
  std::uint64_t begin = 0;     ///< position of the record's first letter in the sequence, 0-based
  /// Positions of the sequence. Hits that end at or before own.begin belong to an earlier part, hits that begin at or
  /// after own.end to a later one.
  Interval own = {0, std::numeric_limits<std::uint64_t>::max()};

  /// True if the hit belongs to this record. `length`: letters of the hit.
  bool owns(const Hit& hit, std::size_t length) const noexcept {
    return begin + hit.position < own.end && begin + hit.position + length > own.begin;
  }
};

/// Records with their places in longer sequences.
struct TextBatch : SequenceSet {
  std::vector<SourceInterval> intervals;  ///< [record]
};

/// A text that stays on one device, for scans with several collections: it is transferred and packed once. Takes 1.25
/// bytes for each letter there, and O(1) on the host for each record. Immutable and thread-safe; copies share the
/// memory, and any number of scanners and threads may use it at once.
class GENOCL_EXPORT Text {
 public:
  /// Copies any number of records of any length; `text` may be destroyed. Throws InputError for a set that is not
  /// DNA; CapacityError, before any transfer, for a text that does not fit the device.
  ///
  /// @param buffer_residues  letters of a buffer; 0: automatic
  Text(const Device& device, const SequenceSet& text, std::uint64_t buffer_residues = 0);

  const Device& device() const noexcept;
  /// Records and residues of the original set.
  std::size_t records() const noexcept;
  std::uint64_t residues() const noexcept;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  std::shared_ptr<const State> state_;
};

/// Thresholds of a matrix for each strand: a word may be more probable on one of them (see PValueOptions::strands).
/// NaN: the strand is not scanned.
struct StrandThresholds {
  double forward = 0, reverse = 0;
};

/// Scans texts with a collection of matrices on one or several devices. A letter other than A, C, G and T is in no
/// hit, and no word spans two records.
class GENOCL_EXPORT Scanner {
 public:
  /// @param thresholds  [i]: of matrices[i], on both strands; NaN: the matrix is left out
  /// @throws InputError for sizes that differ
  Scanner(Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> thresholds,
          const ScanOptions& options = {});
  /// The same with a threshold for each strand.
  static Scanner by_strand(Devices devices, std::span<const ScoreMatrix> matrices,
                           std::span<const StrandThresholds> thresholds, const ScanOptions& options = {});
  Scanner(Scanner&&) noexcept;
  Scanner& operator=(Scanner&&) noexcept;
  ~Scanner();

  /// All hits, in the requested order.
  std::vector<Hit> scan(const SequenceSet& text) const;
  /// The same for a resident text, on its device only. Throws InputError unless a device of the scanner shares its
  /// context (copies of a Device do).
  std::vector<Hit> scan(const Text& text) const;
  /// Scans a text of any length. Memory: the batches being processed, and their hits.
  ///
  /// @param source  fills an empty batch with the next records and returns false at the end; one call at a time, on
  ///                threads of the library
  /// @param sink    receives the hits of each batch, in the order of the batches and in the requested order within;
  ///                records are numbered from the first batch on
  void scan(const std::function<bool(SequenceSet&)>& source,
            const std::function<void(const SequenceSet&, std::span<const Hit>)>& sink) const;
  /// The same for hits that are formatted, which takes longer than finding them. Memory: the pieces being processed,
  /// their hits and formatted bytes, for a text of any length.
  ///
  /// @param write  formats the hits of a piece of a batch; called on several threads at once; records are numbered
  ///               from the first one of the batch
  /// @param sink   receives the result of `write` in the order of the text, and whether the piece is the last of its
  ///               batch
  void scan(const std::function<bool(SequenceSet&)>& source,
            const std::function<std::string(const SequenceSet&, std::span<const Hit>)>& write,
            const std::function<void(std::string&&, bool last)>& sink) const;
  /// The same for parts of longer sequences. `write` receives all hits of a piece; SourceInterval::owns() selects those
  /// of each record.
  void scan_parts(const std::function<bool(TextBatch&)>& source,
                  const std::function<std::string(const TextBatch&, std::span<const Hit>)>& write,
                  const std::function<void(std::string&&, bool last)>& sink) const;
  /// counts[2 * i + reverse]: number of hits of matrix i in the last scan().
  std::vector<std::uint64_t> counts() const;

 private:
  struct State;
  explicit Scanner(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace genocl::pwm
