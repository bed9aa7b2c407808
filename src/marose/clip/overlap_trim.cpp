#include "marose/clip/overlap_trim.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <vector>

namespace genocl::marose {
namespace {

constexpr std::size_t shortest_overlap = 20;

/// Two bits a base, to compare 32 bases at once; other letters count as A.
class Packed {
 public:
  void set(std::span<const Code> codes) {
    words_.assign(codes.size() / 32 + 2, 0);
    for (std::size_t i = 0; i < codes.size(); ++i) words_[i / 32] |= std::uint64_t{codes[i] & 3u} << (2 * (i % 32));
  }
  std::uint64_t window(std::size_t i) const {
    const unsigned shift = 2 * static_cast<unsigned>(i % 32);
    return shift == 0 ? words_[i / 32] : words_[i / 32] >> shift | words_[i / 32 + 1] << (64 - shift);
  }

 private:
  std::vector<std::uint64_t> words_;
};

int differences(std::uint64_t a, std::uint64_t b, std::size_t bases) {
  std::uint64_t x = a ^ b;
  x = (x | x >> 1) & 0x5555555555555555u;
  if (bases < 32) x &= (std::uint64_t{1} << (2 * bases)) - 1;
  return std::popcount(x);
}

/// Whether a and b agree but for a tenth of their bases.
bool agree(std::span<const Code> a, std::span<const Code> b) {
  const std::size_t most = a.size() / 10;
  std::size_t mismatches = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i] != b[i] && ++mismatches > most) return false;
  return true;
}

}  // namespace

void trim_overlap(std::span<const Code> first, std::span<const Code> second, ReadPart& first_kept,
                  ReadPart& second_kept) {
  const std::span<const Code> a = first_kept.of(first), b = second_kept.of(second);
  const std::size_t longest = std::max(a.size(), b.size()), shorter = std::min(a.size(), b.size());
  if (shorter < shortest_overlap) return;
  thread_local std::vector<Code> turned;
  turned.resize(b.size());
  dna::reverse_complement(b, turned);
  thread_local Packed packed_a, packed_b;
  packed_a.set(a);
  packed_b.set(turned);
  // An insert of n bases: base i of the first mate is base i + (b - n) of the turned second one.
  std::optional<std::size_t> found;
  for (std::size_t insert = shortest_overlap; insert <= a.size() + b.size() - shortest_overlap; ++insert) {
    const std::size_t a_first = insert > b.size() ? insert - b.size() : 0;
    const std::size_t b_first = insert < b.size() ? b.size() - insert : 0;
    const std::size_t overlap = std::min(std::min(insert, a.size()) - a_first, b.size() - b_first);
    if (overlap < shortest_overlap) continue;
    const int few = differences(packed_a.window(a_first), packed_b.window(b_first), overlap);
    if (few > static_cast<int>(overlap / 10) || few > 16) continue;
    if (!agree(a.subspan(a_first, overlap), std::span<const Code>(turned).subspan(b_first, overlap))) continue;
    // Repeats overlap in several ways: none of them is sure.
    if (found) return;
    found = insert;
  }
  if (!found || *found >= longest) return;
  first_kept.length = static_cast<std::uint16_t>(std::min<std::size_t>(first_kept.length, *found));
  second_kept.length = static_cast<std::uint16_t>(std::min<std::size_t>(second_kept.length, *found));
}

}  // namespace genocl::marose
