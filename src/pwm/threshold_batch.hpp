// Exact thresholds of many matrices at once, by searches in their half words: cl/pwm/threshold_batch_*.cl.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/pwm/p_value.hpp"
#include "genocl/pwm/score_matrix.hpp"
#include "pwm/halves_device.hpp"

namespace genocl::pwm {

// The next three structures are also in cl/pwm/threshold_batch.clh, threshold_batch_search.cl and
// threshold_batch_list.cl.

/// A matrix and a P-value. The result is the largest Q such that at least `wanted` words have at least that Q; all
/// words (`words`, in `pairs` pairs of halves) are at least `wanted`.
struct ThresholdJob {
  std::uint64_t left = 0, right = 0, left_size = 0, right_size = 0;
  std::int64_t lowest = 0, highest = 0, doubt = 0;
  std::uint64_t wanted = 0, words = 0, pairs = 0;
  /// Whether the listed words extend to those of the first score that is certainly above.
  std::uint64_t with_next = 0;
};

struct ThresholdFound {
  std::int64_t low = 0;         ///< Q of a word; the result is in [low, high)
  std::uint64_t low_words = 0;  ///< number of words of at least low
  std::int64_t high = 0;
  std::int64_t next = 0;            ///< smallest Q of a word of at least high + 2 doubt; INT64_MAX: none
  std::int64_t first = 0, end = 0;  ///< range of Q of the words to list
  std::uint64_t beyond = 0;         ///< number of words of at least end
  std::uint64_t pairs = 0;          ///< pairs of halves to list
  std::uint64_t rounds = 0;         ///< rounds that it took; 0: more than allowed
};

struct ThresholdList {
  std::uint64_t job = 0;
  std::int64_t first = 0, end = 0;
  std::uint64_t at = 0, size = 0;
};

/// Letters of the first column highest.
struct WordPair {
  std::uint32_t left = 0, right = 0;
};

class ThresholdBatch {
 public:
  static constexpr std::uint32_t default_rounds = 32;

  /// @param halves  as for BatchedHalves
  ThresholdBatch(const Device& device, std::span<const std::vector<LetterClasses>> halves);

  const BatchedHalves& halves() const { return halves_; }
  /// The longest job should come first. All jobs get `rounds` rounds of counting; those that need more then get the
  /// maximum (JASPAR 2024, motifs of up to 13 columns and three P-values: one job of 6,204).
  std::vector<ThresholdFound> search(std::span<const ThresholdJob> jobs, std::uint32_t rounds = default_rounds);
  /// Words of the jobs of the last search(). The pairs of lists[i] are [at, at + size) of the result.
  std::vector<WordPair> list(std::span<const ThresholdList> lists) const;

 private:
  std::vector<ThresholdFound> search_once(std::span<const ThresholdJob> jobs, const Array<ThresholdJob>& there,
                                          std::uint32_t rounds) const;

  Device device_;
  BatchedHalves halves_;
  Array<ThresholdJob> jobs_;
};

/// Whether batched_thresholds() applies to the devices and options: `certified`, a uniform background of order 0, and
/// GPU kernels on all devices.
bool can_batch_thresholds(Devices devices, const PValueOptions& options);

/// results[i]: as certified_thresholds() of matrices[i], if can_batch_thresholds(). Empty for matrices that need
/// separate computation: long ones, a P-value above that of all words, a large number of words that tie. O(P-values *
/// half words) on the devices for all matrices together. options.progress counts the matrices with results. A batch
/// has the number of matrices that fit a device, with at most `max_half_words` half words.
std::vector<std::optional<std::vector<Threshold>>> batched_thresholds(
    Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> ps, const PValueOptions& options,
    std::uint64_t max_half_words = std::numeric_limits<std::uint64_t>::max());

}  // namespace genocl::pwm
