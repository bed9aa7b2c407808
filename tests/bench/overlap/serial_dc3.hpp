// The peer of Table V and Figure 6 of Zhong and others: the difference cover algorithm on one thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace genocl_bench {

/// Sorts `from` stably into `to` by key(i), which is at most `largest`. O(from + largest).
template <class Key>
void counting_sort(const std::vector<std::uint32_t>& from, std::vector<std::uint32_t>& to, std::uint32_t largest,
                   Key key) {
  std::vector<std::uint32_t> begin(std::size_t{largest} + 2, 0);
  for (const std::uint32_t i : from) ++begin[std::size_t{key(i)} + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  to.resize(from.size());
  for (const std::uint32_t i : from) to[begin[key(i)]++] = i;
}

/// The suffix array of `text`, whose symbols are from 1 to `largest` (Kärkkäinen and Sanders, "Simple linear work
/// suffix array construction", ICALP 2003). A suffix that is a prefix of another is smaller. O(n) time and memory, one
/// thread.
inline std::vector<std::uint32_t> serial_dc3(std::span<const std::uint32_t> text, std::uint32_t largest) {
  const auto size = static_cast<std::uint32_t>(text.size());
  if (size < 3) {
    std::vector<std::uint32_t> order(size);
    std::iota(order.begin(), order.end(), 0U);
    if (size == 2 && text[1] <= text[0]) std::swap(order[0], order[1]);
    return order;
  }
  const auto symbol = [&](std::uint32_t i) { return i < size ? text[i] : 0U; };
  // Positions of residues 1 and 2; of residue 1 also the position behind the end where the size is 1 modulo 3, so that
  // every suffix of residue 0 has a successor among them.
  std::vector<std::uint32_t> sample, sorted;
  for (std::uint32_t i = 0; i < size + (size % 3 == 1 ? 1 : 0); ++i)
    if (i % 3 != 0) sample.push_back(i);
  counting_sort(sample, sorted, largest, [&](std::uint32_t i) { return symbol(i + 2); });
  counting_sort(sorted, sample, largest, [&](std::uint32_t i) { return symbol(i + 1); });
  counting_sort(sample, sorted, largest, [&](std::uint32_t i) { return symbol(i); });

  // Names of triples, by residue 1 first and residue 2 behind.
  const std::uint32_t ones = (size + 2) / 3, count = static_cast<std::uint32_t>(sorted.size());
  const auto place = [&](std::uint32_t i) { return i % 3 == 1 ? i / 3 : ones + i / 3; };
  std::vector<std::uint32_t> names(std::size_t{ones} + size / 3 + 1, 0);
  std::uint32_t name = 0;
  for (std::uint32_t k = 0; k < count; ++k) {
    const std::uint32_t i = sorted[k], before = k == 0 ? 0 : sorted[k - 1];
    const bool same = k != 0 && symbol(i) == symbol(before) && symbol(i + 1) == symbol(before + 1) &&
                      symbol(i + 2) == symbol(before + 2);
    names[place(i)] = name += same ? 0 : 1;
  }
  std::vector<std::uint32_t> rank(std::size_t{size} + 3, 0);
  if (name < count) {
    // The last triple of residue 1 is padded, so its name is unlike that of a triple within the text.
    const std::vector<std::uint32_t> order = serial_dc3(std::span(names).first(count), name);
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t at = order[k];
      sorted[k] = at < ones ? 3 * at + 1 : 3 * (at - ones) + 2;
    }
  }
  for (std::uint32_t k = 0; k < count; ++k) rank[sorted[k]] = k + 1;

  std::vector<std::uint32_t> zeros, zeros_sorted;
  for (const std::uint32_t i : sorted)
    if (i % 3 == 1) zeros.push_back(i - 1);
  counting_sort(zeros, zeros_sorted, largest, [&](std::uint32_t i) { return symbol(i); });

  std::vector<std::uint32_t> positions;
  positions.reserve(size);
  std::size_t s = sorted.size() > 0 && sorted[0] >= size ? 1 : 0, z = 0;
  // A suffix of residue 1 is compared by a symbol and the rank behind it, one of residue 2 by two symbols and the rank
  // of i + 2.
  const auto sample_first = [&](std::uint32_t a, std::uint32_t b) {
    if (a % 3 == 1) return symbol(a) != symbol(b) ? symbol(a) < symbol(b) : rank[a + 1] < rank[b + 1];
    if (symbol(a) != symbol(b)) return symbol(a) < symbol(b);
    if (symbol(a + 1) != symbol(b + 1)) return symbol(a + 1) < symbol(b + 1);
    return rank[a + 2] < rank[b + 2];
  };
  while (s < sorted.size() && z < zeros_sorted.size())
    positions.push_back(sample_first(sorted[s], zeros_sorted[z]) ? sorted[s++] : zeros_sorted[z++]);
  while (s < sorted.size()) positions.push_back(sorted[s++]);
  while (z < zeros_sorted.size()) positions.push_back(zeros_sorted[z++]);
  return positions;
}

}  // namespace genocl_bench
