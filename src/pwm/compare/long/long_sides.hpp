// Matrices whose hits are too many to be listed, with what bounds need of them on a device.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "genocl/array.hpp"
#include "pwm/compare/compare_steps.hpp"
#include "pwm/compare/long/loss_bins.hpp"

namespace genocl::pwm {

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

}  // namespace genocl::pwm
