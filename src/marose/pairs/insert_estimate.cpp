#include <algorithm>
#include <cmath>

#include "genocl/marose/pair_mapper.hpp"

namespace genocl::marose {

std::optional<InsertRange> estimate_insert(std::span<const std::uint64_t> template_lengths) {
  constexpr std::size_t fewest = 32;
  if (template_lengths.size() < fewest) return std::nullopt;
  std::vector<double> lengths(template_lengths.begin(), template_lengths.end());
  std::sort(lengths.begin(), lengths.end());
  const double low = lengths[lengths.size() / 4], high = lengths[lengths.size() * 3 / 4], between = high - low;
  // Chimeras far outside say nothing of the mean.
  double sum = 0, squares = 0;
  std::size_t count = 0;
  for (const double length : lengths) {
    if (length < low - 2 * between || length > high + 2 * between) continue;
    sum += length;
    squares += length * length;
    ++count;
  }
  const double mean = sum / static_cast<double>(count);
  const double deviation = std::sqrt(std::max(0.0, squares / static_cast<double>(count) - mean * mean));
  const double least = std::min(low - 3 * between, mean - 4 * deviation);
  const double most = std::max(high + 3 * between, mean + 4 * deviation);
  return InsertRange{.least = static_cast<std::uint64_t>(std::max(0.0, std::floor(least))),
                     .most = static_cast<std::uint64_t>(std::ceil(most))};
}

}  // namespace genocl::marose
