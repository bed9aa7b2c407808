// Meeting in the middle: two sorted lists against each other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace genocl::pwm {

/// Calls use(i, j) for each beginning i, in order: with ends[j] and those behind it, and no others, it adds up to at
/// least `bound`. Both lists ascend; the larger the beginning, the smaller the ends that suffice, so two pointers do.
template <class Use>
void walk(std::span<const std::int64_t> beginnings, std::span<const std::int64_t> ends, std::int64_t bound,
          const Use& use) {
  std::size_t j = ends.size();
  for (std::size_t i = 0; i < beginnings.size(); ++i) {
    const std::int64_t rest = bound - beginnings[i];
    while (j > 0 && ends[j - 1] >= rest) --j;
    use(i, j);
  }
}

}  // namespace genocl::pwm
