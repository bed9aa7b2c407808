// Thresholds and P-values of a scan, by strand.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "genocl/pwm.hpp"
#include "pwm/options.hpp"

namespace program {

/// P-values for each strand, or for both strands together.
struct StrandModel {
  pwm::PValueOptions forward, reverse;  ///< the same unless `apart`
  bool apart = false;                   ///< a word is not as probable on one strand as on the other

  StrandModel(const ScanSettings& settings, const pwm::Background& background);
};

/// Returns the thresholds of each matrix. The members of the team share the computation. `motifs`: with their own
/// thresholds for --own-thresholds.
std::vector<pwm::StrandThresholds> thresholds_of(const ScanSettings& settings, std::span<const genocl::Device> devices,
                                                 std::span<const pwm::Motif> motifs,
                                                 std::span<const pwm::ScoreMatrix> matrices, const StrandModel& model);

/// Returns a note about motifs without a threshold, or an empty text: with -p, they are too short to reach the P-value.
std::string left_out(const ScanSettings& settings, std::span<const pwm::Motif> motifs,
                     std::span<const pwm::StrandThresholds> thresholds);

/// Counts the positions of a text at which a word contains only bases.
class PlaceCount {
 public:
  void add(std::span<const genocl::Code> record);
  /// Removes letters that were added twice.
  void remove(std::span<const genocl::Code> letters);
  std::uint64_t places(std::size_t length) const;

 private:
  void add(std::span<const genocl::Code> letters, std::int64_t times);

  std::map<std::uint64_t, std::int64_t> stretches_;  ///< of bases, by length
};

/// The hits of a motif with one score.
struct Significance {
  std::uint64_t hits = 0;  ///< with exactly that score
  double p = 1, q = 1;
};
/// By score, the highest first.
using ScoreTable = std::map<double, Significance, std::greater<>>;

/// Computes the P-value of every score in tables[matrix], on the strand of the options. The tables of the root count.
/// The members of the team share the computation.
void fill_p(std::span<const genocl::Device> devices, std::span<const genocl::pwm::ScoreMatrix> matrices,
            const genocl::pwm::PValueOptions& options, std::vector<ScoreTable>& tables);
/// Computes q-values: the minimum of P * tests / rank over a hit and all less significant ones. `tables`: of one motif,
/// one for each strand that has its own; `tests`: number of words that were scored.
void fill_q(std::span<ScoreTable* const> tables, double tests);

}  // namespace program
