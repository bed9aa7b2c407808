// Plain scalar oracle: a stable sort by some bits of the key.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace genocl_reference {

/// The bits [first_bit, last_bit) of a key, shifted down.
template <class Key>
Key bits_of(Key key, unsigned first_bit, unsigned last_bit) {
  if (first_bit >= last_bit) return 0;
  const Key shifted = static_cast<Key>(key >> first_bit);
  const unsigned bits = last_bit - first_bit;
  return bits >= sizeof(Key) * 8 ? shifted : static_cast<Key>(shifted & ((Key{1} << bits) - 1));
}

/// order[i]: which item comes i-th.
template <class Key>
std::vector<std::uint32_t> stable_order(std::span<const Key> keys, unsigned first_bit, unsigned last_bit) {
  std::vector<std::uint32_t> order(keys.size());
  std::iota(order.begin(), order.end(), 0u);
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    return bits_of(keys[a], first_bit, last_bit) < bits_of(keys[b], first_bit, last_bit);
  });
  return order;
}

}  // namespace genocl_reference
