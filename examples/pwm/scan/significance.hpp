// P-values of hits, and q-values: the share of false ones among the hits up to that one (Benjamini and Hochberg).
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "genocl/pwm.hpp"

namespace program {

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
            const genocl::pwm::POptions& options, std::vector<ScoreTable>& tables);
/// q of a hit: the least of P * tests / rank over it and all that are less significant. `tables`: of one motif, those
/// of both strands where each has its own; `tests`: words that were looked at.
void fill_q(std::span<ScoreTable* const> tables, double tests);

}  // namespace program
