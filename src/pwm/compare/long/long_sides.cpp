#include "pwm/compare/long/long_sides.hpp"

#include <algorithm>
#include <set>

#include "runtime/parallel.hpp"

namespace genocl::pwm {

LongSides::LongSides(const Device& device, std::span<const Side> sides, std::span<const std::uint32_t> other_lengths,
                     const Background& background, std::uint32_t bins)
    : bins_(bins), sides_(sides.size()) {
  for (const bool below : {false, true}) {
    std::vector<std::vector<std::uint32_t>> tails_of(sides.size());
    std::vector<Losses> losses_of(sides.size());
    runtime::parallel_for(sides.size(), runtime::threads_for(sides.size(), 1), [&](std::size_t i) {
      const RoundedLosses rounded = rounded_losses(sides[i], bins);
      losses_of[i] = below ? rounded.up : rounded.down;
      std::set<Window> windows;
      for (const std::uint32_t length : other_lengths)
        for (const Window& window : shared_windows(static_cast<std::uint32_t>(losses_of[i].size()), length))
          windows.insert(window);
      const std::vector<Window> all(windows.begin(), windows.end());
      const OtherTails others(losses_of[i], all, background, bins, !below);
      for (const Window& window : all) sides_[i].windows[window] = others.number(window);
      tails_of[i].assign(others.tails().begin(), others.tails().end());
    });
    std::vector<std::uint32_t> losses, tails;
    for (std::size_t i = 0; i < sides.size(); ++i) {
      One& one = sides_[i];
      one.length = static_cast<std::uint32_t>(losses_of[i].size());
      one.losses = static_cast<std::uint32_t>(losses.size());
      one.tails = static_cast<std::uint32_t>(tails.size());
      for (const auto& column : losses_of[i]) losses.insert(losses.end(), column.begin(), column.end());
      for (std::size_t column = one.length; column-- > 0;)
        losses.insert(losses.end(), losses_of[i][column].rbegin(), losses_of[i][column].rend());
      tails.insert(tails.end(), tails_of[i].begin(), tails_of[i].end());
    }
    losses_[below ? 1 : 0] = Array<std::uint32_t>(device, std::span<const std::uint32_t>(losses));
    tails_[below ? 1 : 0] = Array<std::uint32_t>(device, std::span<const std::uint32_t>(tails));
  }
}

std::uint32_t LongSides::longest() const {
  std::uint32_t longest = 0;
  for (const One& one : sides_) longest = std::max(longest, one.length);
  return longest;
}

}  // namespace genocl::pwm
