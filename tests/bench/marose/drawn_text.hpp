// Text for benchmarks of mapping, each word of it drawn by itself.
#pragma once

#include <cstdint>

#include "genocl/sequence.hpp"

namespace genocl_bench {

/// splitmix64
inline std::uint64_t hashed(std::uint64_t x) {
  x = (x + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9;
  x = (x ^ (x >> 27)) * 0x94d049bb133111eb;
  return x ^ (x >> 31);
}

/// 32 bases of the text. Of 1,024 blocks of 1,024 bases `copies` are copies, on either strand, of 300 templates, with
/// one base in 16 replaced; the others are random.
inline std::uint64_t text_word(std::uint64_t word, unsigned copies) {
  const std::uint64_t block = word / 32, of_block = hashed(~block);
  if (of_block % 1024 >= copies) return hashed(word);
  const std::uint64_t templ = (of_block >> 10) % 300, within = word % 32;
  const bool reverse = of_block >> 63 != 0;
  std::uint64_t bases = hashed((templ << 40) + (reverse ? 31 - within : within));
  if (reverse) bases = genocl::reverse_complement(bases);
  const std::uint64_t which = hashed(word + (std::uint64_t{1} << 50)), more = hashed(word + (std::uint64_t{1} << 51));
  for (unsigned i = 0; i < 32; ++i)
    if (((i < 16 ? which : more) >> 4 * (i % 16) & 15) == 7) bases ^= (1 + (word >> 3) % 3) << 2 * i;
  return bases;
}

}  // namespace genocl_bench
