// What is looked for in the half words of many matrices: cl/pwm/threshold_batch_*.cl.
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

// The next three: cl/pwm/threshold_batch.clh, threshold_batch_search.cl, threshold_batch_list.cl have the same.

/// A matrix and a P-value: wanted is the largest Q such that words of at least that Q are at least `wanted`, which all
/// words (`words`, in `pairs` pairs of halves) are.
struct ThresholdJob {
  std::uint64_t left = 0, right = 0, left_size = 0, right_size = 0;
  std::int64_t lowest = 0, highest = 0, doubt = 0;
  std::uint64_t wanted = 0, words = 0, pairs = 0;
  /// Whether words to be looked at go on to those of the first score that is surely above.
  std::uint64_t with_next = 0;
};

struct ThresholdFound {
  std::int64_t low = 0;         ///< a word's Q; the wanted one is in [low, high)
  std::uint64_t low_words = 0;  ///< of at least low
  std::int64_t high = 0;
  std::int64_t next = 0;            ///< the smallest Q of a word of at least high + 2 doubt; INT64_MAX: none
  std::int64_t first = 0, end = 0;  ///< Q of the words to be looked at
  std::uint64_t beyond = 0;         ///< words of at least end
  std::uint64_t pairs = 0;          ///< of halves, to be looked at
  std::uint64_t rounds = 0;         ///< it took; 0: more than there were
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

  /// `halves` as BatchedHalves takes them.
  ThresholdBatch(const Device& device, std::span<const std::vector<LetterClasses>> halves);

  const BatchedHalves& halves() const { return halves_; }
  /// The longest job should come first. All are given so many rounds of counting; those that need more then get as
  /// many as any could take (of JASPAR 2024's motifs of up to 13 columns and three P-values: one in 6,204).
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

// Exact thresholds of a collection, many matrices at once.

/// Whether the devices and the options are such that batched_thresholds() is worth asking: `certified`, a uniform
/// background of order 0, and group kernels on all devices.
bool can_batch_thresholds(Devices devices, const PValueOptions& options);

/// results[i]: what certified_thresholds() has for matrices[i], where can_batch_thresholds(). Nothing for matrices that
/// have to go by themselves: too long, a P-value that all words together do not reach, too many words that tie.
/// O(P-values * half words) on the devices for all matrices together. options.progress counts those that have results.
/// A batch has as many matrices as a device has room for, and of at most `most_half_words`.
std::vector<std::optional<std::vector<Threshold>>> batched_thresholds(
    Devices devices, std::span<const ScoreMatrix> matrices, std::span<const double> ps, const PValueOptions& options,
    std::uint64_t most_half_words = std::numeric_limits<std::uint64_t>::max());

}  // namespace genocl::pwm
