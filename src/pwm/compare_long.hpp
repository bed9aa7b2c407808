// Bounds for matrices with too many hits to list, by losses in whole bins.
//
// The loss of a word is the sum over its letters of their distance from the best letter of the column. A hit loses at
// most the distance of the best word from the threshold. Losses rounded down to bins find too many words, rounded up
// too few. The best letters lose nothing and are never rounded.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "genocl/array.hpp"
#include "pwm/compare.hpp"
#include "pwm/hit_lists.hpp"

namespace genocl::pwm {

/// [column][letter]: bins; no_hit for a letter that allows no hit.
using Losses = std::vector<std::array<std::uint32_t, 4>>;
/// Larger than any sum of bins; 128 times this fits 32 bits.
inline constexpr std::uint32_t no_hit = 1u << 24;

/// Maximum loss of a sum of probabilities by float underflow.
inline constexpr double lost_floats = 1e-28;

struct RoundedLosses {
  bool none = false, all = false;  ///< no word is a hit, or every word is
  Losses down, up;                 ///< losses from 0 to bins - 1 are hits
};

RoundedLosses rounded_losses(const Side& side, std::uint32_t bins);

/// Extends the distribution of the losses of some columns by one column; losses beyond the bins are dropped.
void add_losses(std::vector<double>& distribution, const std::array<std::uint32_t, 4>& column,
                const std::array<double, 4>& frequencies);

/// Columns [first, second) of a matrix.
using Window = std::pair<std::uint32_t, std::uint32_t>;

/// The windows of a matrix of m columns that one of n can share with it.
std::vector<Window> shared_windows(std::uint32_t m, std::uint32_t n);

/// For windows of a matrix: the probability that the other columns lose at most 0, 1, ... bins - 1, in units of
/// 2^-31, rounded down or up.
class OtherTails {
 public:
  static constexpr double unit = 1.0 / (std::uint64_t{1} << 31);

  /// O(m^2 * bins).
  OtherTails(const Losses& losses, std::span<const Window> windows, const Background& background, std::uint32_t bins,
             bool round_up);

  /// [window][bins].
  std::span<const std::uint32_t> tails() const { return tails_; }
  /// Index of a window among the given ones.
  std::uint32_t number(const Window& window) const { return numbers_.at(window); }

 private:
  std::map<Window, std::uint32_t> numbers_;
  std::vector<std::uint32_t> tails_;
};

// Matrices with too many hits to list, with the device data of their bounds.

/// Upper bounds use losses rounded down and tails rounded up; lower bounds (`below`) the reverse.
class LongSides {
 public:
  /// For the windows that matrices of `other_lengths` columns can share with each. O(m^2 * bins) for each matrix of m
  /// columns; 8 * bins bytes of device memory for each window.
  LongSides(const Device& device, std::span<const Side> sides, std::span<const std::uint32_t> other_lengths,
            const Background& background, std::uint32_t bins);

  std::size_t size() const { return sides_.size(); }
  std::uint32_t bins() const { return bins_; }
  std::uint32_t length(std::size_t i) const { return sides_[i].length; }
  std::uint32_t longest() const;
  /// Index of the losses of a matrix from a column on; with `turned`, of its reverse complement.
  std::uint32_t losses_at(std::size_t i, std::uint32_t column, bool turned = false) const {
    return sides_[i].losses + 4 * (column + (turned ? sides_[i].length : 0));
  }
  /// Index of the tails of a window of the matrix.
  std::uint32_t tails_at(std::size_t i, const Window& window) const {
    return sides_[i].tails + sides_[i].windows.at(window) * bins_;
  }
  const Array<std::uint32_t>& losses(bool below) const { return losses_[below ? 1 : 0]; }
  const Array<std::uint32_t>& tails(bool below) const { return tails_[below ? 1 : 0]; }

 private:
  struct One {
    std::uint32_t length = 0, losses = 0, tails = 0;
    std::map<Window, std::uint32_t> windows;
  };
  std::uint32_t bins_;
  std::vector<One> sides_;
  Array<std::uint32_t> losses_[2], tails_[2];
};

// Pairs of matrices with too many hits to list.

/// pairs[j][shift + n - 1]: bounds of the probability of a hit of both side `row` of a, of m columns, and side j of
/// b, of n columns, for shifts of 1 - n to m - 1. Both have pair_bins bins. One launch for all, of O(shared columns *
/// 2^18) steps each. The distance of the bounds is due to losses in the shared columns, rounded to 2^-8 of the
/// threshold's distance from the best score.
std::vector<std::vector<PValue>> join_pairs(const Device& device, const LongSides& a, std::size_t row,
                                            const LongSides& b, const Background& background);

inline constexpr std::uint32_t pair_bins = 1u << 10;

// Matrices with too many hits to list, against many with listed hits.

/// Bounds of the probability of a hit of both, for each of the lists 0, step, 2 step, ... and each matrix at each
/// position with a common letter. The distance of the bounds is due to m losses rounded to 2^-12 of the threshold's
/// distance from the best score.
///
/// For each number of letters the runs of all lists are sorted, and each matrix visits those whose first letters do
/// not lose too much by themselves. The device memory is 16 bytes for each result plus twice the lists; matrices are
/// processed in groups that fit.
class LongJoin {
 public:
  LongJoin(const Device& device, const HitLists& lists, std::uint32_t step, std::span<const Side> matrices,
           const Background& background);

  /// The matrix, of m columns, begins `at` letters after the words of the list, of n letters: 1 - m to n - 1.
  PValue both(std::size_t matrix, std::uint64_t list, int at) const;

 private:
  void join(const Device& device, const HitLists& lists, std::span<const Side> matrices, const Background& background);

  std::uint32_t step_;
  std::uint64_t targets_, stride_ = 0;
  std::vector<std::uint32_t> columns_;  ///< of the matrices
  std::vector<double> low_, high_;      ///< [matrix][target][at + m - 1]
};

}  // namespace genocl::pwm
