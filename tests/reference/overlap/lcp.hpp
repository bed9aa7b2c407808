// Suffix arrays and longest common prefixes as plainly as they can be written; a symbol below 0 is a separator.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace genocl_reference {

/// How many symbols the text from a and from b on has in common, up to the first separator.
inline std::uint64_t common_symbols(std::span<const int> text, std::uint64_t a, std::uint64_t b) {
  std::uint64_t length = 0;
  while (std::max(a, b) + length < text.size() && text[a + length] == text[b + length] && text[a + length] >= 0)
    ++length;
  return length;
}

/// Positions of suffixes by comparing them: a separator is smaller than any symbol and than any later separator, the
/// end smaller than either.
inline std::vector<std::uint32_t> sorted_suffixes(std::span<const int> text) {
  std::vector<std::uint32_t> positions(text.size());
  std::iota(positions.begin(), positions.end(), 0u);
  std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
    if (a == b) return false;
    const std::uint64_t length = common_symbols(text, a, b), at_a = a + length, at_b = b + length;
    if (std::max(at_a, at_b) == text.size()) return at_a == text.size();
    if (text[at_a] >= 0 || text[at_b] >= 0) return text[at_a] < text[at_b];
    return a < b;
  });
  return positions;
}

/// Kasai et al., "Linear-time longest-common-prefix computation in suffix arrays", CPM 2001.
inline std::vector<std::uint32_t> kasai(std::span<const int> text, std::span<const std::uint32_t> positions) {
  std::vector<std::uint32_t> ranks(text.size()), values(text.size());
  for (std::uint32_t rank = 0; rank < positions.size(); ++rank) ranks[positions[rank]] = rank;
  std::uint64_t length = 0;
  for (std::uint64_t i = 0; i < text.size(); ++i) {
    if (ranks[i] == 0) {
      length = 0;
      continue;
    }
    const std::uint64_t j = positions[ranks[i] - 1];
    while (std::max(i, j) + length < text.size() && text[i + length] == text[j + length] && text[i + length] >= 0)
      ++length;
    values[ranks[i]] = static_cast<std::uint32_t>(length);
    if (length > 0) --length;
  }
  return values;
}

}  // namespace genocl_reference
