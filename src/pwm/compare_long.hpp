// Bounds for matrices whose hits are too many to be listed.
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

/// [column][letter]: bins; no_hit for a letter that allows none.
using Losses = std::vector<std::array<std::uint32_t, 4>>;
/// More than any sum of bins; 128 of them still fit 32 bits.
inline constexpr std::uint32_t no_hit = 1u << 24;

/// What the smallest floats may have lost of a sum of probabilities.
inline constexpr double lost_floats = 1e-28;

struct RoundedLosses {
  bool none = false, all = false;  ///< no word is a hit, or every word
  Losses down, up;                 ///< losses from 0 to bins - 1 are hits
};

RoundedLosses rounded_losses(const Side& side, std::uint32_t bins);

/// distribution[loss] of some columns becomes that of one more column with them; what is beyond the bins is left out.
void add_losses(std::vector<double>& distribution, const std::array<std::uint32_t, 4>& column,
                const std::array<double, 4>& frequencies);

/// Columns [first, second) of a matrix.
using Window = std::pair<std::uint32_t, std::uint32_t>;

/// The windows of a matrix of m columns that one of n can share with it.
std::vector<Window> shared_windows(std::uint32_t m, std::uint32_t n);

/// For windows of a matrix: the probability that the other columns lose no more than 0, 1, ... bins - 1, in units of
/// 2^-31, rounded down or up.
class OtherTails {
 public:
  static constexpr double unit = 1.0 / (std::uint64_t{1} << 31);

  /// O(m^2 * bins).
  OtherTails(const Losses& losses, std::span<const Window> windows, const Background& background, std::uint32_t bins,
             bool round_up);

  /// [window][bins], one behind the other.
  std::span<const std::uint32_t> tails() const { return tails_; }
  /// The number of a window of those given.
  std::uint32_t number(const Window& window) const { return numbers_.at(window); }

 private:
  std::map<Window, std::uint32_t> numbers_;
  std::vector<std::uint32_t> tails_;
};

// Matrices whose hits are too many to be listed, with what bounds need of them on a device.

/// Bounds from above go by losses rounded down and tails rounded up, those from below (`below`) the other way round.
class LongSides {
 public:
  /// For the windows that matrices of `other_lengths` columns can share with each. O(m^2 * bins) for each side of m
  /// columns; 8 * bins bytes of the device for each window.
  LongSides(const Device& device, std::span<const Side> sides, std::span<const std::uint32_t> other_lengths,
            const Background& background, std::uint32_t bins);

  std::size_t size() const { return sides_.size(); }
  std::uint32_t bins() const { return bins_; }
  std::uint32_t length(std::size_t i) const { return sides_[i].length; }
  std::uint32_t longest() const;
  /// Where the losses of a matrix begin at a column, or with `turned` at one of its reverse complement.
  std::uint32_t losses_at(std::size_t i, std::uint32_t column, bool turned = false) const {
    return sides_[i].losses + 4 * (column + (turned ? sides_[i].length : 0));
  }
  /// Where the tails of a window of the matrix begin.
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

// Matrices whose hits are too many to be listed, beside one another.

/// pairs[j][shift + n - 1]: bounds on the probability of a hit of both side `row` of a, of m columns, and side j of b,
/// of n, for shifts of 1 - n to m - 1. Both have pair_bins bins. One launch for all, of O(columns shared * 2^18) steps
/// each; the bounds lie apart by what the losses in those columns rounded to 2^-8 of the threshold's distance from the
/// best score make.
std::vector<std::vector<PValue>> join_pairs(const Device& device, const LongSides& a, std::size_t row,
                                            const LongSides& b, const Background& background);

inline constexpr std::uint32_t pair_bins = 1u << 10;

// Matrices whose hits are too many to be listed, beside many whose hits are.

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
