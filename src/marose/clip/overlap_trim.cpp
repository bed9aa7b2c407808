#include "marose/clip/overlap_trim.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace genocl::marose {
namespace {

constexpr std::size_t shortest_overlap = 20;

/// Whether a and b agree but for a tenth of their bases.
bool agree(std::span<const Code> a, std::span<const Code> b) {
  const std::size_t most = a.size() / 10;
  std::size_t mismatches = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && ++mismatches > most) return false;
  return true;
}

}  // namespace

void OverlapTrimmer::trim(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept,
                          ReadPart& second_kept) {
  const std::span<const Code> a = first_kept.of(first), b = second_kept.of(second);
  const std::size_t longest = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  if (shorter < shortest_overlap) return;
  turned_.resize(b.size());
  dna::reverse_complement(b, turned_);
  a_.set(a);
  b_.set(turned_);
  // An insert of n bases: base i of the first mate is base i + (b - n) of the turned second one.
  const auto overlaps = [&](std::size_t insert) {
    const std::size_t a_first = insert > b.size() ? insert - b.size() : 0;
    const std::size_t b_first = insert < b.size() ? b.size() - insert : 0;
    const std::size_t overlap = std::min(std::min(insert, a.size()) - a_first, b.size() - b_first);
    if (overlap < shortest_overlap) return false;
    const std::uint32_t few =
        count_low_bits(differing(a_.window(a_first), b_.window(b_first), std::min<std::size_t>(overlap, 32)));
    if (few > overlap / 10) return false;
    return agree(a.subspan(a_first, overlap), std::span<const Code>(turned_).subspan(b_first, overlap));
  };
  std::size_t found = 0, count = 0;
  for (std::size_t insert = shortest_overlap; insert < longest; ++insert)
    if (overlaps(insert)) found = insert, ++count;
  if (count != 1) return;
  // Repeats overlap in several ways: none of them is sure.
  for (std::size_t insert = longest; insert <= a.size() + b.size() - shortest_overlap; ++insert)
    if (overlaps(insert)) return;
  first_kept.length = static_cast<std::uint16_t>(std::min<std::size_t>(first_kept.length, found));
  second_kept.length = static_cast<std::uint16_t>(std::min<std::size_t>(second_kept.length, found));
}

}  // namespace genocl::marose
