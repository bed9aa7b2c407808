// Perfect hashes of many small sets of words at once: see cl/marose/published/bdz.clh.
#pragma once

#include <cstdint>

#include "genocl/array.hpp"

namespace genocl::marose {

/// What a vertex that is no word's own holds: NOBODYS of cl/marose/published/bdz.clh.
constexpr std::uint8_t nobodys_vertex = 3;

/// A vertex table for each block, all in one: block b has the vertices [heads[2 b], heads[2 b + 2]) and the seed
/// heads[2 b + 1] of its hash.
struct PerfectHashes {
  std::uint32_t vertices = 0;
  Array<std::uint32_t> heads;   ///< 2 * (blocks + 1)
  Array<std::uint32_t> values;  ///< two bits for each vertex
};

/// words[i] belongs to block blocks[i] (ascending), in which it is there once; block b begins at first[b], and
/// first.size() is the number of blocks + 1. Needs up to 23 bytes a word besides. What comes out is the same on every
/// device. O(words): a graph of 1.23 vertices a word is acyclic with a probability that nears 1 for large blocks; small
/// ones take up to 6 seeds on average (at 7 or 12 words), those of 100 words four, of 1,000 two. Throws CapacityError.
PerfectHashes build_perfect_hashes(const Device& device, const Array<std::uint32_t>& words,
                                   const Array<std::uint32_t>& blocks, const Array<std::uint32_t>& first);

}  // namespace genocl::marose
