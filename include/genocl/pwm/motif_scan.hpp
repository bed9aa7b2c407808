// All hits of motifs with their P-values, by one call.
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

/// Whose words are random, for each strand that is scanned.
struct StrandOptions {
  Background background = {};  ///< of the forward strand
  Strands strands = Strands::both;
  /// One P-value for both strands, the mean of theirs, where the background makes a word more probable on one of them.
  bool average = false;
  Progress progress = {};
};

/// thresholds() for each strand: not a number where no word is rare enough, or the strand is not scanned.
GENOCL_EXPORT std::vector<StrandThresholds> strand_thresholds(Devices devices, std::span<const ScoreMatrix> matrices,
                                                              double p, const StrandOptions& options = {});

/// P-values of all hits at or above thresholds, by a TailTable for each matrix, and for each strand where these differ.
/// Does not change; copies share the memory.
class GENOCL_EXPORT HitPValues {
 public:
  /// thresholds[i]: of matrices[i]. On all of the host's cores; see TailTable for the time.
  HitPValues(std::span<const ScoreMatrix> matrices, std::span<const StrandThresholds> thresholds,
             const StrandOptions& options = {});

  /// O(log words) or O(1), see TailTable.
  PValue operator()(const Hit& hit) const;
  /// How many hits a random text has for each of its letters, at most.
  double hits_per_letter() const noexcept;
  std::uint64_t bytes() const noexcept;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

struct MotifScanOptions {
  double p_value = 1e-4;       ///< of a hit at most, on its strand
  LogOddsOptions scores = {};  ///< their background is that of the P-values
  Strands strands = Strands::both;
  bool average_strands = false;  ///< see StrandOptions::average
  Method method = Method::automatic;
  std::uint64_t max_hits = std::numeric_limits<std::uint64_t>::max();  ///< more: InputError
  Progress progress = {};                                              ///< counts places of the text
};

struct MotifHit {
  Hit hit;   ///< its matrix is the motif's number
  PValue p;  ///< of its score, on its strand
};

/// All hits, by record, position, motif and strand. A motif whose best word is more probable than p_value has none.
/// `sink` is called with as many at a time as there are in a piece of the text, one call at a time. Throws what
/// log_odds(), thresholds() and Scanner do; InputError unless 0 < p_value <= 1.
GENOCL_EXPORT void scan(Devices devices, std::span<const Motif> motifs, const SequenceSet& text,
                        const MotifScanOptions& options, const std::function<void(std::span<const MotifHit>)>& sink);
/// The same of a text of any length, as Scanner::scan() has it: `source` fills an empty batch with the next records and
/// gives false at the end; `sink` gets a batch's hits, whose records are counted from the first batch on.
GENOCL_EXPORT void scan(Devices devices, std::span<const Motif> motifs, const std::function<bool(SequenceSet&)>& source,
                        const MotifScanOptions& options,
                        const std::function<void(const SequenceSet&, std::span<const MotifHit>)>& sink);

}  // namespace genocl::pwm
