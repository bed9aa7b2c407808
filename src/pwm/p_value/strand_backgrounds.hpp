// Whose words are random.
#pragma once

#include <vector>

#include "genocl/pwm/p_value.hpp"

namespace genocl::pwm {

/// The backgrounds of whose words the mean of the probabilities is asked for: one, or those of both strands where they
/// differ.
inline std::vector<Background> backgrounds_of(const POptions& options) {
  if (options.strands == Strands::forward) return {options.background};
  const Background other = options.background.reverse_complement();
  if (options.strands == Strands::reverse) return {other};
  if (other == options.background) return {other};
  return {options.background, other};
}

}  // namespace genocl::pwm
