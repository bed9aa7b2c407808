// genocl-pwm compare --format tomtom: motifs whose columns are alike, as Tomtom's table has them.
#pragma once

#include "pwm/options.hpp"

namespace program {

/// Writes the matches of each motif of the first file with those of the second, by P-value.
void write_tomtom_table(const CompareSettings& settings);

}  // namespace program
