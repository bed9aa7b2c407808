// Matrices whose hits are too many to be listed, beside many whose hits are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "pwm/compare/compare_steps.hpp"
#include "pwm/compare/hit_lists.hpp"
#include "pwm/compare/long/long_sides.hpp"

namespace genocl::pwm {

/// Bounds on the probability of a hit of both, of each list 0, step, 2 step, ... and each matrix at each place where
/// they share a letter. The bounds lie apart by what m losses rounded to 2^-12 of the threshold's distance from the
/// best score make.
///
/// For each number of letters the runs of all lists are sorted, and each matrix looks at those that do not begin with
/// letters which lose too much by themselves. The device holds 16 bytes for each result besides the lists and as much
/// again; matrices are taken in groups that fit.
class LongJoin {
 public:
  LongJoin(const Device& device, const HitLists& lists, std::uint32_t step, std::span<const Side> matrices,
           const Background& background);

  /// The matrix, of m columns, begins `at` letters after the list's words of n: 1 - m to n - 1.
  PValue both(std::size_t matrix, std::uint64_t list, int at) const;

 private:
  void join(const Device& device, const HitLists& lists, std::span<const Side> matrices, const Background& background);

  std::uint32_t step_;
  std::uint64_t targets_, stride_ = 0;
  std::vector<std::uint32_t> columns_;  ///< of the matrices
  std::vector<double> low_, high_;      ///< [matrix][target][at + m - 1]
};

}  // namespace genocl::pwm
