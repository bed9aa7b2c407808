// Bases of a short sequence, two bits each: 32 of them are compared at once.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "genocl/sequence/packed_dna.hpp"
#include "marose/device_state.hpp"

namespace genocl::marose {

/// Packs 1 to 32 codes, the first in the highest bits, zeros after the last. If a code is no base, `others` receives
/// bits beyond the lowest two of any byte.
inline std::uint64_t pack_bases(const Code* codes, std::size_t count, std::uint64_t& others) noexcept {
  std::uint64_t word = 0;
  std::size_t i = 0;
  if constexpr (std::endian::native == std::endian::little) {
    for (; i + 8 <= count; i += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, codes + i, 8);
      others |= bytes;
      // Two codes to four bits, then four of these to 16: no product has a carry.
      const std::uint64_t pairs = (bytes & 0x0303030303030303u) * 0x401 >> 8 & 0x000f000f000f000fu;
      word = word << 16 | pairs * 0x1000010000100001u >> 48;
    }
  }
  for (; i < count; ++i) {
    others |= codes[i];
    word = word << 2 | (codes[i] & 3u);
  }
  return word << (64 - 2 * count);
}

inline constexpr std::uint64_t beyond_bases = 0xfcfcfcfcfcfcfcfcu;

/// Letters other than A, C, G and T are packed as one of them.
class PackedBases {
 public:
  void set(std::span<const Code> codes) {
    start(codes.size());
    std::uint64_t others = 0;
    for (std::size_t i = 0; i < size_; i += 32)
      words_[i / 32] = pack_bases(codes.data() + i, std::min<std::size_t>(32, size_ - i), others);
    bases_only_ = (others & beyond_bases) == 0;
  }
  void set_reverse_complement(const PackedBases& from) {
    start(from.size_);
    bases_only_ = from.bases_only_;
    for (std::size_t i = 0; i < size_; i += 32) {
      const std::size_t end = size_ - i;
      words_[i / 32] =
          end >= 32 ? reverse_complement(from.window(end - 32)) : reverse_complement(from.words_[0]) << (64 - 2 * end);
    }
  }
  /// Takes [begin, begin + size) of a reference.
  void set(const ReferenceView& reference, std::uint64_t begin, std::size_t size) {
    start(size);
    bases_only_ = !reference.is_ambiguous(begin, size);
    for (std::size_t i = 0; i < size; i += 32) words_[i / 32] = reference.window(begin + i);
    if (size % 32 != 0) words_[size / 32] &= ~std::uint64_t{0} << (64 - 2 * (size % 32));
  }

  std::size_t size() const noexcept { return size_; }
  /// Whether all letters are A, C, G or T.
  bool bases_only() const noexcept { return bases_only_; }
  /// Bases [i, i + 32), i < size(), the first in the highest bits, zeros after the last.
  std::uint64_t window(std::size_t i) const noexcept {
    const unsigned shift = 2 * static_cast<unsigned>(i % 32);
    return words_[i / 32] << shift | words_[i / 32 + 1] >> 1 >> (63 - shift);
  }

  /// Bases [i, i + 16) for every i < size(), zeros after the last.
  void starts(std::vector<std::uint32_t>& all) const {
    all.resize(32 * words_.size());
    for (std::size_t w = 0; w + 1 < words_.size(); ++w) {
      const std::uint64_t word = words_[w], next = words_[w + 1];
      std::uint32_t* const out = all.data() + 32 * w;
      out[0] = static_cast<std::uint32_t>(word >> 32);
      for (unsigned k = 1; k < 16; ++k) out[k] = static_cast<std::uint32_t>(word << (2 * k) >> 32);
      const std::uint64_t middle = word << 32 | next >> 32;
      for (unsigned k = 0; k < 16; ++k) out[16 + k] = static_cast<std::uint32_t>(middle << (2 * k) >> 32);
    }
  }

 private:
  void start(std::size_t size) {
    size_ = size;
    words_.resize(size / 32 + 2);
    words_[size / 32] = words_[size / 32 + 1] = 0;
  }

  std::size_t size_ = 0;
  bool bases_only_ = true;
  std::vector<std::uint64_t> words_;  // zeros after the last base, and one more word
};

/// The low bit of each differing pair among the first `count` bases, 1 to 32.
inline std::uint64_t differing(std::uint64_t a, std::uint64_t b, std::size_t count) noexcept {
  const std::uint64_t x = a ^ b;
  return (x | x >> 1) & 0x5555555555555555u & ~std::uint64_t{0} << (64 - 2 * count);
}

/// Index of the first differing base of differing(), which must not be 0.
inline std::size_t first_difference(std::uint64_t differences) noexcept {
  return static_cast<std::size_t>(std::countl_zero(differences)) / 2;
}
/// The same without the first differing base.
inline std::uint64_t without_first(std::uint64_t differences) noexcept {
  return differences & ~(std::uint64_t{1} << 63 >> std::countl_zero(differences));
}

/// Counts set bits of a word that has only low bits of pairs set. As fast as an instruction on processors without
/// one.
inline std::uint32_t count_low_bits(std::uint64_t x) noexcept {
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>(x * 0x0101010101010101u >> 56);
}

}  // namespace genocl::marose
