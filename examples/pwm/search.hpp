// Motifs, thresholds and P-values of a scan, once the files are read.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "genocl/pwm.hpp"
#include "pwm/inputs.hpp"
#include "pwm/options.hpp"
#include "pwm/significance.hpp"

namespace program {

struct Search {
  MotifCollection collection;
  pwm::Background background;
  std::vector<pwm::ScoreMatrix> matrices;
  std::vector<genocl::Device> devices;
  StrandModel model;
  std::vector<pwm::StrandThresholds> thresholds;
  std::optional<pwm::HitPValues> p_values;  ///< none for counts

  /// All members of the team call it.
  explicit Search(const ScanSettings& settings);
  /// Number of letters that consecutive pieces of a text share.
  std::uint64_t overlap() const;
  std::uint64_t piece_residues() const;
};

}  // namespace program
