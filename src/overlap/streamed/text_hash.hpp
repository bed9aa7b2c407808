// Hashes of strings of bytes on the host: fingerprints by which equal strings are found before they are compared.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

namespace genocl::overlap {

/// The finaliser of MurmurHash3 (Appleby): a bijection in which every bit of the input changes every bit of the output.
constexpr std::uint64_t mixed_bits(std::uint64_t value) noexcept {
  value = (value ^ (value >> 33)) * 0xff51afd7ed558ccdU;
  value = (value ^ (value >> 33)) * 0xc4ceb9fe1a85ec53U;
  return value ^ (value >> 33);
}

/// The bytes of a word at an unaligned address.
template <class Word>
std::uint64_t loaded_word(const std::uint8_t* bytes) noexcept {
  Word word = 0;
  std::memcpy(&word, bytes, sizeof word);
  return word;
}

/// 64 bits that depend on all bytes, their number and the seed. O(size), 8 bytes a step. The same on every machine of
/// one byte order.
inline std::uint64_t text_hash(const std::uint8_t* bytes, std::uint64_t size, std::uint64_t seed) noexcept {
  std::uint64_t hash = mixed_bits(seed ^ (size * 0x9e3779b97f4a7c15U));
  const auto add = [&hash](std::uint64_t word) {
    hash = (std::rotl(hash, 27) ^ (std::rotl(word * 0x87c37b91114253d5U, 31) * 0x4cf5ad432745937fU)) * 5 + 0x52dce729U;
  };
  // The last word overlaps the one before, which is faster than words of other sizes.
  if (size >= 8) {
    const std::uint8_t* const last = bytes + size - 8;
    for (; bytes < last; bytes += 8) add(loaded_word<std::uint64_t>(bytes));
    add(loaded_word<std::uint64_t>(last));
  } else if (size >= 4) {
    add(loaded_word<std::uint32_t>(bytes) | loaded_word<std::uint32_t>(bytes + size - 4) << 32);
  } else if (size > 0) {
    add(bytes[0] | std::uint64_t{bytes[size / 2]} << 8 | std::uint64_t{bytes[size - 1]} << 16);
  }
  return mixed_bits(hash);
}

}  // namespace genocl::overlap
