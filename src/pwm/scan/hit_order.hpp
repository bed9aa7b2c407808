// Hits of a piece, sorted as they stand in the text.
#pragma once

#include <vector>

#include "genocl/pwm/scan.hpp"

namespace genocl::pwm {

/// Where a hit is in its piece.
struct PieceHit {
  std::uint64_t key = 0;  ///< (letter << 32) | 2 * matrix + reverse
  double score = 0;
};

/// By key. O(hits): letters that are close are put together first.
void sort_by_letter(std::vector<PieceHit>& hits, std::uint32_t letters);

}  // namespace genocl::pwm
