// The checksum of section files: four chains of xor, multiply and rotate, so that a core keeps up with its memory. Each
// step is a bijection of the chain's state for a given word, and of the word for a given state, so a change within one
// word always shows. Pieces of fixed size have checksums of their own, from which that of the whole is made, so that
// threads can share the work.
#include <algorithm>
#include <bit>
#include <cstring>

#include "files/section_file.hpp"
#include "runtime/parallel.hpp"

namespace genocl::runtime {
namespace {

constexpr std::size_t piece_size = std::size_t{4} << 20;
constexpr std::uint64_t multiplier = 0x9e3779b97f4a7c15u;  // 2^64 / golden ratio, odd
constexpr unsigned most_threads = 64;

std::uint64_t step(std::uint64_t state, std::uint64_t word) { return std::rotl((state ^ word) * multiplier, 29); }

/// Every bit of the state in every bit of the result.
std::uint64_t finish(std::uint64_t state) {
  state = (state ^ state >> 32) * 0xd6e8feb86659fd93u;
  state = (state ^ state >> 32) * 0xd6e8feb86659fd93u;
  return state ^ state >> 32;
}

std::uint64_t load(const std::byte* from, std::size_t size = 8) {
  std::uint64_t word = 0;
  std::memcpy(&word, from, size);
  return word;
}

std::uint64_t checksum_of_piece(std::span<const std::byte> bytes, std::uint64_t seed) {
  std::uint64_t chains[4] = {seed, seed + 1, seed + 2, seed + 3};
  std::size_t i = 0;
  for (; i + 32 <= bytes.size(); i += 32)
    for (std::size_t chain = 0; chain < 4; ++chain)
      chains[chain] = step(chains[chain], load(bytes.data() + i + 8 * chain));
  for (std::size_t chain = 0; i < bytes.size(); i += 8, ++chain)
    chains[chain] = step(chains[chain], load(bytes.data() + i, std::min<std::size_t>(8, bytes.size() - i)));
  std::uint64_t all = finish(bytes.size());
  for (const std::uint64_t chain : chains) all = step(all, finish(chain));
  return finish(all);
}

}  // namespace

std::uint64_t checksum(std::span<const std::byte> bytes) {
  const std::size_t pieces = bytes.size() / piece_size + 1;
  std::vector<std::uint64_t> sums(pieces);
  runtime::parallel_for(pieces, runtime::threads_for(pieces, 1, most_threads), [&](std::size_t i) {
    sums[i] = checksum_of_piece(bytes.subspan(i * piece_size, std::min(piece_size, bytes.size() - i * piece_size)),
                                i * multiplier);
  });
  return checksum_of_piece(std::as_bytes(std::span(sums)), bytes.size());
}

}  // namespace genocl::runtime
