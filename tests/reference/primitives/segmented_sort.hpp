// Plain scalar oracle: stable sort of pairs inside segments.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace genocl_reference {

template <class Key, class Offset>
void segmented_sort(std::vector<Key>& keys, std::vector<std::uint32_t>& values, const std::vector<Offset>& offsets) {
  const std::vector<Key> old_keys = keys;
  const std::vector<std::uint32_t> old_values = values;
  for (std::size_t segment = 0; segment + 1 < offsets.size(); segment++) {
    std::vector<std::size_t> order(offsets[segment + 1] - offsets[segment]);
    std::iota(order.begin(), order.end(), offsets[segment]);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return old_keys[a] < old_keys[b]; });
    for (std::size_t i = 0; i < order.size(); i++) {
      keys[offsets[segment] + i] = old_keys[order[i]];
      values[offsets[segment] + i] = old_values[order[i]];
    }
  }
}

}  // namespace genocl_reference
