// This declares the subcommands of genocl-pwm.
#pragma once

#include "pwm/options.hpp"

namespace program {

void scan_text(const ScanSettings& settings);
void write_p_values(const ScoreSettings& settings);
void write_thresholds(const ScoreSettings& settings);
void write_distributions(const ScoreSettings& settings);
void compare_motifs(const CompareSettings& settings);
void draw_logos(const LogoSettings& settings);

}  // namespace program
