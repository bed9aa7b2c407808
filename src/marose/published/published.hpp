// What the steps of the published methods share.
//
// Tables (uint32 unless said; "words" are 16 bits up to 8 bases of neighbourhood, else 32, packed):
//   list    "first" [4^weight + 1] of each seed's block; "neighbourhoods" words, "positions" [entry], in the order of
//           positions within a block
//   binary  the same in the order of neighbourhoods
//   phf     "heads" [2 (4^weight + 1)], "values": the perfect hashes (cl/marose/published/bdz.clh); "words",
//   "positions" [vertex],
//           "several" a bit for each vertex, "lists": see cl/marose/published/index_phf.cl
//   bitmap  "sectors" [8 * sector] (cl/marose/published/bitmap_sectors.clh); "first" [distinct pattern + 1],
//   "positions" offset  "first" [4^weight + 1], "positions"
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "marose/pipeline.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// Seeds of the methods that have a block for each.
constexpr unsigned most_block_weight = 12;
constexpr unsigned longest_neighbourhood = 16;
/// Bases of a pattern that a bitmap has bits for.
constexpr unsigned longest_bitmap_pattern = 16;
/// A sector of 32 bytes of bitmap_sectors.clh holds as many words, and a count.
constexpr std::uint64_t sector_bits = 224;

/// Smallest number of items for which a CPU kernel starts another worker.
constexpr std::uint64_t worth_a_worker = 4096;

/// Throws InputError for what a method cannot hold.
void check_published(const SeedMask& mask, unsigned neighbourhood, Method method);

/// How many bits a neighbourhood is held in: WORD_BITS of cl/marose/published/patterns.clh.
constexpr unsigned word_bits(unsigned neighbourhood) { return neighbourhood > 8 ? 32 : 16; }

/// 32-bit words for `count` packed words of a neighbourhood, and some to spare: they are read 32 bytes at a time.
constexpr std::uint64_t packed_words(std::uint64_t count, unsigned neighbourhood) {
  return (count * word_bits(neighbourhood) + 31) / 32 + 16;
}

/// SEED_... and NEIGHBOURHOOD, and what the method has besides.
runtime::Defines published_defines(const SeedMask& mask, unsigned neighbourhood, Method method);

/// How many candidates find_candidates_published() gives: the look-ups alone.
std::uint64_t count_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                         const PlanTable& plans, StrandBits strands);

/// Builds the tables of `phf` from sorted patterns (a seed and behind it a neighbourhood, in 32 or 64 bits) and their
/// positions; starts[d]: where the d-th distinct pattern begins, and one more.
template <class Key>
Tables build_phf(const Device& device, const runtime::Defines& defines, unsigned neighbourhood, Array<Key>&& keys,
                 const Array<std::uint32_t>& positions, const Array<std::uint32_t>& starts, std::uint32_t seeds);

// Perfect hashes of many small sets of words at once: see cl/marose/published/bdz.clh.

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
