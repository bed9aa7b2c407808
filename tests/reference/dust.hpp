// Symmetric DUST by its definition (Morgulis and others 2006): every interval that scores above the level, and no part
// of which scores higher.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/sequence/sequence_set.hpp"

namespace genocl_reference {

/// Whether each letter of a text of A, C, G and T is masked. O(n * window).
inline std::vector<bool> dust(std::span<const genocl::Code> dna, std::size_t window, double level) {
  std::vector<bool> masked(dna.size(), false);
  if (dna.size() < 3) return masked;
  const std::size_t n = dna.size() - 2, most = window - 2;
  // best[size][begin]: the highest score of a part of the triplets [begin, begin + size).
  std::vector<std::vector<double>> best(most + 1, std::vector<double>(n, 0));
  for (std::size_t size = 2; size <= std::min(most, n); ++size)
    for (std::size_t begin = 0; begin + size <= n; ++begin) {
      std::array<int, 64> counts{};
      int sum = 0;
      for (std::size_t i = begin; i < begin + size; ++i) sum += counts[dna[i] * 16 + dna[i + 1] * 4 + dna[i + 2]]++;
      const double score = sum / (static_cast<double>(size) - 1);
      const double inside = std::max(best[size - 1][begin], best[size - 1][begin + 1]);
      best[size][begin] = std::max(score, inside);
      if (score > level && score >= inside)
        std::fill_n(masked.begin() + static_cast<std::ptrdiff_t>(begin), size + 2, true);
    }
  return masked;
}

}  // namespace genocl_reference
