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

/// How P-values are found: for each strand, or for both together.
struct StrandModel {
  pwm::PValueOptions forward, reverse;  ///< the same unless `apart`
  bool apart = false;                   ///< a word is not as probable on one strand as on the other

  StrandModel(const ScanSettings& settings, const pwm::Background& background);
};

/// [matrix]. The team computes together. `motifs`: with their own thresholds for --own-thresholds.
std::vector<pwm::StrandThresholds> thresholds_of(const ScanSettings& settings, std::span<const genocl::Device> devices,
                                                 std::span<const pwm::Motif> motifs,
                                                 std::span<const pwm::ScoreMatrix> matrices, const StrandModel& model);

/// Returns a note about motifs without a threshold, or an empty text: with -p, they are too short to reach the P-value.
std::string left_out(const ScanSettings& settings, std::span<const pwm::Motif> motifs,
                     std::span<const pwm::StrandThresholds> thresholds);

/// Places of a text where a word of some length has only bases.
class PlaceCount {
 public:
  void add(std::span<const genocl::Code> record);
  /// Letters that were added twice.
  void remove(std::span<const genocl::Code> letters);
  std::uint64_t places(std::size_t length) const;

 private:
  void add(std::span<const genocl::Code> letters, std::int64_t times);

  std::map<std::uint64_t, std::int64_t> stretches_;  ///< of bases, by length
};

/// What is known of a motif's hits with one score.
struct Significance {
  std::uint64_t hits = 0;  ///< with exactly that score
  double p = 1, q = 1;
};
/// It is sorted by score, the highest first.
using ScoreTable = std::map<double, Significance, std::greater<>>;

/// [matrix]: P of every score that is in its table, on the strand of the options. The root's tables count: the team
/// computes together, each member for some of the matrices.
void fill_p(std::span<const genocl::Device> devices, std::span<const genocl::pwm::ScoreMatrix> matrices,
            const genocl::pwm::PValueOptions& options, std::vector<ScoreTable>& tables);
/// q of a hit: the least of P * tests / rank over it and all that are less significant. `tables`: of one motif, those
/// of both strands where each has its own; `tests`: words that were looked at.
void fill_q(std::span<ScoreTable* const> tables, double tests);

}  // namespace program
