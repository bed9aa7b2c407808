// What is looked for on each strand, and how probable it is there.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "pwm/options.hpp"

namespace program {

/// How P-values are found: for each strand, or for both together.
struct StrandModel {
  pwm::POptions forward, reverse;  ///< the same unless `apart`
  bool apart = false;              ///< a word is not as probable on one strand as on the other

  StrandModel(const ScanSettings& settings, const pwm::Background& background);
};

/// [matrix]. The team computes together. `motifs`: with their own thresholds, where these are asked for.
std::vector<pwm::StrandThresholds> thresholds_of(const ScanSettings& settings, std::span<const genocl::Device> devices,
                                                 std::span<const pwm::Motif> motifs,
                                                 std::span<const pwm::ScoreMatrix> matrices, const StrandModel& model);

/// What is said of motifs that are not looked for; empty where all are.
std::string left_out(const ScanSettings& settings, std::span<const pwm::StrandThresholds> thresholds);

}  // namespace program
