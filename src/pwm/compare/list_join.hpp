// The best overlap of each pair of two collections whose hits are listed.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "genocl/pwm/p_value.hpp"
#include "pwm/compare/hit_lists.hpp"

namespace genocl::pwm {

/// Of a matrix of the rows and one of the columns.
struct JoinedPair {
  bool any = false;  ///< no shift at which they share a letter has a word with a hit of both
  bool reverse = false;
  int shift = 0;
  std::uint64_t words = 0;  ///< of the union, with a hit of both; uniform background only
  PValue both;              ///< any other background
};

/// pairs[row * (columns.lists() / 2) + column]: the overlap of at least a letter in which a hit of both is most
/// probable beside a hit of either. `row_p` [matrix] and `column_p` [list] are the probabilities of a hit.
///
/// For each number of letters the lists are gone through once, and each pair of words that meet costs an addition; the
/// sums of what does not weigh all words alike are in integers of 2^-62 of a row's probability, and the same on every
/// device. The device holds 8 bytes for each row and list of the columns besides the lists and as much again.
std::vector<JoinedPair> join_lists(const Device& device, const HitLists& rows, const HitLists& columns,
                                   std::span<const double> row_p, std::span<const double> column_p,
                                   const Background& background);

}  // namespace genocl::pwm
