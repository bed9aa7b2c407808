// Leftmost range minima: by looking at every value, and for many long ranges by a table of all powers of two.
#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace genocl_reference {

/// Where the leftmost minimum of values[first..last] is.
inline std::uint64_t range_minimum(std::span<const std::uint32_t> values, std::uint64_t first, std::uint64_t last) {
  std::uint64_t place = first;
  for (std::uint64_t i = first + 1; i <= last; ++i)
    if (values[i] < values[place]) place = i;
  return place;
}

/// The same in O(1), after O(n log n).
class RangeMinima {
 public:
  explicit RangeMinima(std::span<const std::uint32_t> values) : values_(values), levels_(1) {
    for (std::uint32_t i = 0; i < values.size(); ++i) levels_[0].push_back(i);
    for (std::uint64_t width = 1; 2 * width <= values.size(); width *= 2) {
      const std::vector<std::uint32_t>& half = levels_.back();
      std::vector<std::uint32_t> level;
      for (std::uint64_t i = 0; i + 2 * width <= values.size(); ++i)
        level.push_back(values[half[i + width]] < values[half[i]] ? half[i + width] : half[i]);
      levels_.push_back(std::move(level));
    }
  }
  std::uint64_t operator()(std::uint64_t first, std::uint64_t last) const {
    const auto level = static_cast<std::size_t>(std::bit_width(last - first + 1) - 1);
    const std::uint32_t left = levels_[level][first];
    const std::uint32_t right = levels_[level][last + 1 - (std::uint64_t{1} << level)];
    return values_[right] < values_[left] ? right : left;
  }

 private:
  std::span<const std::uint32_t> values_;
  std::vector<std::vector<std::uint32_t>> levels_;
};

}  // namespace genocl_reference
