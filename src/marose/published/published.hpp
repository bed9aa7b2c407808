// Shared parts of the published methods.
//
// Tables (uint32 unless stated; "words" are packed, 16 bits up to 8 bases of neighbourhood, otherwise 32):
//    list    "first" [4^weight + 1] of the block of each seed; "neighbourhoods" words, "positions" [entry], in the
//            order of positions within a block
//    binary  the same in the order of neighbourhoods
//    phf     "heads" [2 (4^weight + 1)], "values": perfect hashes (cl/marose/published/bdz.clh); "words",
//            "positions" [vertex], "several" one bit for each vertex, "lists": see cl/marose/published/index_phf.cl
//    phf-published  "heads", "values": perfect hashes with the hash of the paper; first level "words" (8, 16 or 32 bits)
//            and "begins" [vertex + 1]; second level "positions": see cl/marose/published/index_phf_published.cl
//    bitmap  "sectors" [8 * sector] (cl/marose/published/bitmap_sectors.clh); "first" [distinct pattern + 1],
//            "positions"
//    offset  "first" [4^weight + 1], "positions"
#pragma once

#include <cstdint>

#include "genocl/array.hpp"
#include "marose/pipeline.hpp"
#include "runtime/defines.hpp"

namespace genocl::marose {

/// Maximum weight of the methods with one block for each seed.
constexpr unsigned max_block_weight = 12;
constexpr unsigned longest_neighbourhood = 16;
/// Maximum length in bases of a pattern with a bit in a bitmap.
constexpr unsigned longest_bitmap_pattern = 16;
/// Words of a sector of 32 bytes of bitmap_sectors.clh; the rest is a count.
constexpr std::uint64_t sector_bits = 224;

/// Smallest number of items for which a CPU kernel starts another worker.
constexpr std::uint64_t worth_a_worker = 4096;

/// @throws InputError for a seed or a neighbourhood that the method does not support
void check_published(const SeedMask& mask, unsigned neighbourhood, Method method);

/// Bits of a stored neighbourhood: WORD_BITS of cl/marose/published/patterns.clh.
constexpr unsigned word_bits(unsigned neighbourhood, Method method) {
  if (method == Method::phf_published && neighbourhood <= 4) return 8;
  return neighbourhood > 8 ? 32 : 16;
}

/// Number of 32-bit words for `count` packed neighbourhoods, with padding: they are read 32 bytes at a time.
constexpr std::uint64_t packed_words(std::uint64_t count, unsigned neighbourhood, Method method) {
  return (count * word_bits(neighbourhood, method) + 31) / 32 + 16;
}

/// SEED_..., NEIGHBOURHOOD and the other defines of the method.
runtime::Defines published_defines(const SeedMask& mask, unsigned neighbourhood, Method method);

/// Number of candidates of find_candidates_published(): performs only the look-ups.
std::uint64_t count_candidates_published(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                         const PlanTable& plans, StrandBits strands);

/// Builds the tables of `phf` or `phf_published` from sorted patterns (a seed followed by a neighbourhood, in 32 or 64
/// bits) and their positions.
///
/// @param starts  [d]: first entry of the d-th distinct pattern, and one more element
template <class Key>
Tables build_phf(const Device& device, const runtime::Defines& defines, unsigned neighbourhood, Method method,
                 Array<Key>&& keys, const Array<std::uint32_t>& positions, const Array<std::uint32_t>& starts,
                 std::uint32_t seeds);

/// Candidates of `phf_published`: a work-group has a read, and sorts its candidates. In all they are sorted.
Candidates find_candidates_by_groups(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                     const PlanTable& plans, StrandBits strands);
/// Their number: performs only the look-ups.
std::uint64_t count_candidates_by_groups(const Device& device, const DeviceSegment& segment, const ReadBatch& batch,
                                         const PlanTable& plans, StrandBits strands);

/// The table of that name. Throws InputError if the segment has none.
const Array<std::uint32_t>& table_of(const DeviceSegment& segment, std::string_view name);

/// Value of a vertex that no word owns: NOBODYS of cl/marose/published/bdz.clh.
constexpr std::uint8_t nobodys_vertex = 3;

/// Perfect hashes of many small sets of words: the concatenated vertex tables of all blocks. Block b has the vertices
/// [heads[2 b], heads[2 b + 2]) and the hash seed heads[2 b + 1].
struct PerfectHashes {
  std::uint32_t vertices = 0;
  Array<std::uint32_t> heads;   ///< 2 * (blocks + 1)
  Array<std::uint32_t> values;  ///< two bits for each vertex
};

/// Builds the hashes. Deterministic; needs up to 23 additional bytes for each word. O(words): a graph of 1.23
/// vertices for each word is acyclic with a probability that approaches 1 for large blocks. Small blocks take up to 6
/// seeds on average (at 7 or 12 words), those of 100 words four, of 1,000 words two. Throws CapacityError.
///
/// @param blocks  [word]: its block, ascending; a word occurs once in its block
/// @param first   [block]: its first word, and one more element
/// @param word_chunks  number of 8-bit chunks of a word, for the hash of the paper; 0: the hash of `phf`
PerfectHashes build_perfect_hashes(const Device& device, const Array<std::uint32_t>& words,
                                   const Array<std::uint32_t>& blocks, const Array<std::uint32_t>& first,
                                   unsigned word_chunks = 0);

}  // namespace genocl::marose
