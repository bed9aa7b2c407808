// Suffix order by looking, of a text with separators.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

namespace genocl::reference {

inline constexpr int suffix_separator = -1;

/// `symbols`: codes, or suffix_separator. The end is smaller than a separator, a separator smaller than any symbol; of
/// two separators the earlier is the smaller.
inline bool suffix_less(const std::vector<int>& symbols, std::size_t a, std::size_t b) {
  if (a == b) return false;
  for (std::size_t depth = 0;; ++depth) {
    if (a + depth == symbols.size()) return true;
    if (b + depth == symbols.size()) return false;
    if (symbols[a + depth] != symbols[b + depth]) return symbols[a + depth] < symbols[b + depth];
    if (symbols[a + depth] == suffix_separator) return a < b;
  }
}

inline std::vector<std::uint32_t> suffix_order(const std::vector<int>& symbols) {
  std::vector<std::uint32_t> order(symbols.size());
  std::iota(order.begin(), order.end(), 0u);
  // By doubling, so that repeats cost no more than others.
  std::vector<std::uint64_t> ranks(symbols.size());
  std::vector<std::uint64_t> next(symbols.size());
  for (std::size_t i = 0; i < symbols.size(); ++i)
    ranks[i] = symbols[i] == suffix_separator ? i + 1 : static_cast<std::uint64_t>(symbols[i]) + symbols.size() + 1;
  for (std::size_t reach = 1;; reach *= 2) {
    const auto second = [&](std::size_t i) { return i + reach < symbols.size() ? ranks[i + reach] : 0; };
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : second(a) < second(b);
    };
    std::sort(order.begin(), order.end(), less);
    std::uint64_t rank = 0;
    for (std::size_t k = 0; k < order.size(); ++k)
      next[order[k]] = rank += k == 0 || less(order[k - 1], order[k]) ? 1 : 0;
    ranks = next;
    if (rank == symbols.size() || reach > symbols.size()) return order;
  }
}

}  // namespace genocl::reference
