// Hits that can be written only when more is known of them.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pwm/options.hpp"
#include "pwm/scan/packed_hits.hpp"
#include "pwm/scan/significance.hpp"
#include "pwm/scan/strand_model.hpp"

namespace program {

/// All hits, whose exact P-values or q-values depend on what else was found.
class CollectedHits {
 public:
  CollectedHits(std::size_t motifs, bool apart) : apart_(apart) {
    for (std::vector<ScoreTable>& of_strand : scores_) of_strand.resize(motifs);
  }
  /// As HitMaker packs them, in order.
  void add(std::string bytes);
  /// P of every score that was found. Everybody of the team calls it.
  void compute_p(std::span<const genocl::Device> devices, std::span<const pwm::ScoreMatrix> matrices,
                 const StrandModel& model);
  /// And q. `tests`: [motif], words that were looked at.
  void compute_q(const std::vector<double>& tests);
  /// In their order, with what is known of them.
  void read(const std::function<void(const PackedHit&, const Significance&)>& use) const;

 private:
  std::size_t strand_of(bool reverse) const { return apart_ && reverse ? 1 : 0; }

  HitSpill spill_;
  bool apart_ = false;                             ///< each strand has its own P-values
  std::array<std::vector<ScoreTable>, 2> scores_;  ///< [strand][motif]; the first one for both unless `apart`
};

/// The most significant hit of each motif in each record or region.
class BestHits {
 public:
  explicit BestHits(std::function<void(const PackedHit&)> use) : use_(std::move(use)) {}
  /// As HitMaker packs them, in order. `use` has those of a record by position and motif when the next one begins.
  void add(std::string_view bytes);
  void finish();

 private:
  struct Kept {
    PackedHit hit;
    std::string name, letters;
  };
  std::function<void(const PackedHit&)> use_;
  std::uint64_t record_ = 0;
  std::map<std::uint32_t, Kept> best_;  ///< [motif], of that record
};

}  // namespace program
