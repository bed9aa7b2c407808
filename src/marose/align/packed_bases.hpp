// Bases of a short sequence, two bits each, to compare 32 at once.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "genocl/sequence/alphabet.hpp"

namespace genocl::marose {

/// Letters other than A, C, G and T count as one of them.
class PackedBases {
 public:
  void set(std::span<const Code> codes) {
    size_ = codes.size();
    words_.assign(size_ / 32 + 2, 0);
    std::size_t i = 0;
    for (; i + 8 <= size_; i += 8) words_[i / 32] |= eight(codes.data() + i) << (2 * (i % 32));
    for (; i < size_; ++i) words_[i / 32] |= std::uint64_t{codes[i] & 3u} << (2 * (i % 32));
  }

  std::size_t size() const noexcept { return size_; }
  /// Bases [i, i + 32), i < size(); the first lowest, zeros behind the last.
  std::uint64_t window(std::size_t i) const noexcept {
    const unsigned shift = 2 * static_cast<unsigned>(i % 32);
    return shift == 0 ? words_[i / 32] : words_[i / 32] >> shift | words_[i / 32 + 1] << (64 - shift);
  }

  /// Bases [i, i + 16) for every i < size(), zeros behind the last.
  void starts(std::vector<std::uint32_t>& all) const {
    all.resize(32 * words_.size());
    for (std::size_t w = 0; w + 1 < words_.size(); ++w) {
      const std::uint64_t word = words_[w], next = words_[w + 1];
      std::uint32_t* const out = all.data() + 32 * w;
      out[0] = static_cast<std::uint32_t>(word);
      for (unsigned k = 1; k < 32; ++k) out[k] = static_cast<std::uint32_t>(word >> (2 * k) | next << (64 - 2 * k));
    }
  }

 private:
  static std::uint64_t eight(const Code* codes) noexcept {
    std::uint64_t word = 0;
    for (unsigned k = 0; k < 8; ++k) word |= std::uint64_t{codes[k] & 3u} << (2 * k);
    return word;
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

/// The low bit of each of the first `count` pairs of bases that differ, 1 to 32 of them.
inline std::uint64_t differing(std::uint64_t a, std::uint64_t b, std::size_t count) noexcept {
  std::uint64_t x = a ^ b;
  x = (x | x >> 1) & 0x5555555555555555u;
  return count < 32 ? x & ((std::uint64_t{1} << (2 * count)) - 1) : x;
}

/// Counts bits that are only ever the low ones of pairs. As fast as an instruction where the processor has none.
inline std::uint32_t count_low_bits(std::uint64_t x) noexcept {
  x = (x & 0x3333333333333333u) + (x >> 2 & 0x3333333333333333u);
  x = (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0fu;
  return static_cast<std::uint32_t>(x * 0x0101010101010101u >> 56);
}

}  // namespace genocl::marose
