// Plain scalar oracle: histogram of a bit field.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace genocl_reference {

template <class Count>
std::vector<Count> histogram(std::span<const std::uint32_t> keys, std::size_t bins, unsigned first_bit = 0,
                             unsigned bits = 32) {
  std::vector<Count> counts(bins);
  for (const std::uint32_t key : keys) {
    const std::uint64_t bin = (key >> first_bit) % (std::uint64_t{1} << bits);
    if (bin < bins) counts[bin]++;
  }
  return counts;
}

}  // namespace genocl_reference
