#include "overlap/pieces/difference_cover.hpp"

#include <algorithm>

namespace genocl::overlap {

DifferenceCover::DifferenceCover(unsigned bits) : period_bits(bits) {
  const std::uint64_t wanted = period();
  std::uint32_t r = 1;
  while (24 * std::uint64_t{r} * r + 36 * r + 13 < wanted) ++r;
  std::uint32_t at = 0;
  const auto steps = [&](std::uint32_t count, std::uint32_t step) {
    for (std::uint32_t i = 0; i < count; ++i) elements.push_back(at += step);
  };
  elements.push_back(0);
  steps(r, 1);
  steps(1, r + 1);
  steps(r, 2 * r + 1);
  steps(2 * r + 1, 4 * r + 3);
  steps(r + 1, 2 * r + 2);
  steps(r, 1);
}

std::uint64_t DifferenceCover::samples(std::uint64_t size) const {
  const auto rest = static_cast<std::uint32_t>(size & (period() - 1));
  const auto last = std::ranges::lower_bound(elements, rest) - elements.begin();
  return (size >> period_bits) * elements.size() + static_cast<std::uint64_t>(last);
}

std::vector<std::uint32_t> DifferenceCover::table(std::uint64_t size) const {
  const std::uint32_t mask = period() - 1;
  std::vector<std::uint32_t> table(2 * std::size_t{period()}, 0xffff'ffffu);
  for (const std::uint32_t a : elements)
    for (const std::uint32_t b : elements) table[(b - a) & mask] = a;
  std::uint64_t begin = 0;
  for (const std::uint32_t element : elements) {
    table[period() + element] = static_cast<std::uint32_t>(begin);
    begin += (size >> period_bits) + ((size & mask) > element ? 1 : 0);
  }
  return table;
}

}  // namespace genocl::overlap
