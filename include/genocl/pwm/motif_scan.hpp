// Scan of motifs: all hits with their P-values.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/export.hpp"
#include "genocl/progress.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/scan.hpp"
#include "genocl/pwm/score_matrix.hpp"

namespace genocl::pwm {

/// The null model of each scanned strand.
struct StrandOptions {
  Background background = {};  ///< of the forward strand
  Strands strands = Strands::both;
  /// One P-value for both strands, the mean of theirs, if the background makes a word more probable on one of them.
  bool average = false;
  Progress progress = {};
};

/// thresholds() for each strand: NaN if no word is rare enough, or the strand is not scanned.
GENOCL_EXPORT std::vector<StrandThresholds> strand_thresholds(Devices devices, std::span<const ScoreMatrix> matrices,
                                                              double p, const StrandOptions& options = {});

/// P-values of all hits at or above thresholds, by a TailTable for each matrix, and for each strand if these differ.
/// Immutable and thread-safe; copies share the memory.
class GENOCL_EXPORT HitPValues {
 public:
  /// On all of the host's cores; see TailTable for the time.
  ///
  /// @param thresholds  [i]: of matrices[i]
  HitPValues(std::span<const ScoreMatrix> matrices, std::span<const StrandThresholds> thresholds,
             const StrandOptions& options = {});

  /// O(log words) or O(1), see TailTable.
  PValue operator()(const Hit& hit) const;
  /// results[i]: of hits[i]. Several times as fast for hits of many motifs, since look-ups in memory overlap.
  std::vector<PValue> operator()(std::span<const Hit> hits) const;
  /// Maximum expected number of hits for each letter of a random text.
  double hits_per_letter() const noexcept;
  std::uint64_t bytes() const noexcept;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

struct MotifScanOptions {
  double p_value = 1e-4;       ///< maximum of a hit, on its strand
  LogOddsOptions scores = {};  ///< the background is also that of the P-values
  Strands strands = Strands::both;
  bool average_strands = false;  ///< see StrandOptions::average
  Method method = Method::automatic;
  std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max();  ///< more: InputError
  Progress progress = {};                                              ///< in places of the text
};

struct MotifHit {
  Hit hit;   ///< its matrix is the index of the motif
  PValue p;  ///< of the score, on its strand
};

/// All hits, by record, position, motif and strand. A motif whose best word is more probable than p_value has none.
/// Throws as log_odds(), thresholds() and Scanner; InputError unless 0 < p_value <= 1.
///
/// @param sink  receives the hits of one piece of the text at a time; one call at a time
GENOCL_EXPORT void scan(Devices devices, std::span<const Motif> motifs, const SequenceSet& text,
                        const MotifScanOptions& options, const std::function<void(std::span<const MotifHit>)>& sink);
/// The same for a text of any length, as Scanner::scan().
///
/// @param source  fills an empty batch with the next records and returns false at the end
/// @param sink    receives the hits of a batch, whose records are numbered from the first batch on
GENOCL_EXPORT void scan(Devices devices, std::span<const Motif> motifs, const std::function<bool(SequenceSet&)>& source,
                        const MotifScanOptions& options,
                        const std::function<void(const SequenceSet&, std::span<const MotifHit>)>& sink);

}  // namespace genocl::pwm
