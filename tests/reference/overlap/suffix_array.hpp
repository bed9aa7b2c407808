// Suffix arrays on the host: by doubling, and whether an array is one, in a time that suits real texts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace reference {

/// What a symbol of a text with separators is compared as: the end is smaller than a separator, of two separators the
/// earlier one is smaller, and a separator is smaller than any symbol. `broken[i]`: a separator at i; empty for none.
inline std::vector<std::uint64_t> letters_of(std::span<const std::uint8_t> text, const std::vector<bool>& broken) {
  std::vector<std::uint64_t> letters(text.size());
  for (std::size_t i = 0; i < text.size(); ++i)
    letters[i] = !broken.empty() && broken[i] ? 1 + i : 1 + text.size() + text[i];
  return letters;
}

/// positions[i]: where the i-th smallest suffix begins. By doubling, O(n log^2 n).
inline std::vector<std::uint32_t> suffix_array(std::span<const std::uint8_t> text,
                                               const std::vector<bool>& broken = {}) {
  const std::size_t size = text.size();
  std::vector<std::uint32_t> positions(size);
  std::iota(positions.begin(), positions.end(), 0u);
  std::vector<std::uint64_t> ranks = letters_of(text, broken), next(size);
  for (std::size_t depth = 0;; depth = depth == 0 ? 1 : 2 * depth) {
    // What follows the first `depth` symbols; for depth 0 nothing does, and the letters alone count.
    const auto later = [&](std::uint32_t i) { return depth == 0 || i + depth >= size ? 0 : ranks[i + depth]; };
    const auto less = [&](std::uint32_t a, std::uint32_t b) {
      return ranks[a] != ranks[b] ? ranks[a] < ranks[b] : later(a) < later(b);
    };
    std::sort(positions.begin(), positions.end(), less);
    std::uint64_t rank = 1;
    for (std::size_t i = 0; i < size; ++i) {
      if (i != 0 && less(positions[i - 1], positions[i])) ++rank;
      next[positions[i]] = rank;
    }
    ranks.swap(next);
    if (size == 0 || rank == size) return positions;
  }
}

/// The first index at which `positions` is not the suffix array of the text: a permutation, each suffix smaller than
/// the next by its first letter and the rank of what follows. O(n).
inline std::optional<std::size_t> first_error(std::span<const std::uint8_t> text, const std::vector<bool>& broken,
                                              std::span<const std::uint32_t> positions) {
  const std::size_t size = text.size();
  if (positions.size() != size) return std::min(size, positions.size());
  const std::vector<std::uint64_t> letters = letters_of(text, broken);
  std::vector<std::uint32_t> ranks(size + 1, 0);
  for (std::size_t i = 0; i < size; ++i) {
    if (positions[i] >= size || ranks[positions[i]] != 0) return i;
    ranks[positions[i]] = static_cast<std::uint32_t>(i + 1);
  }
  for (std::size_t i = 0; i + 1 < size; ++i) {
    const std::size_t a = positions[i], b = positions[i + 1];
    if (letters[a] != letters[b] ? letters[a] > letters[b] : ranks[a + 1] > ranks[b + 1]) return i + 1;
  }
  return std::nullopt;
}

}  // namespace reference
