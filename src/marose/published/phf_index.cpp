// Tables of `phf` and of `phf_published`.
#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/published/published.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

using Words = Array<std::uint32_t>;

constexpr const char* phf_file = "marose/published/index_phf.cl";
constexpr const char* published_file = "marose/published/index_phf_published.cl";

/// The distinct patterns: words[d] is the neighbourhood of pattern d, blocks[d] its seed; the words of seed s begin at
/// first[s].
struct DistinctPatterns {
  std::uint32_t count = 0;
  Words words, blocks, first;
};

template <class Key>
DistinctPatterns distinct_patterns(const Device& device, const runtime::Defines& defines, const Array<Key>& keys,
                                   const Words& starts, std::uint32_t seeds) {
  DistinctPatterns patterns;
  patterns.count = static_cast<std::uint32_t>(starts.size() - 1);
  patterns.words = Words(device, patterns.count);
  patterns.blocks = Words(device, patterns.count);
  patterns.first = Words(device, seeds + std::uint64_t{1});
  runtime::launch_items(
      device, phf_file, "phf_words", defines,
      {.items = patterns.count, .bytes = (12 + sizeof(Key)) * patterns.count, .least = worth_a_worker}, keys, starts,
      patterns.count, patterns.words, patterns.blocks);
  if (patterns.count == 0) patterns.first.fill(0);
  runtime::Defines of_blocks = defines;
  of_blocks.set("KEY", "uint").set("KEY_NEIGHBOURHOOD", 0);
  runtime::launch_items(device, "marose/published/index_blocks.cl", "block_begins", of_blocks,
                        {.items = patterns.count, .bytes = 4ull * patterns.count, .least = worth_a_worker},
                        patterns.blocks, patterns.count, seeds, patterns.first);
  return patterns;
}

// One list for each word with several positions, and a bit that says so.
Tables phf_tables(const Device& device, const runtime::Defines& defines, unsigned neighbourhood,
                  const DistinctPatterns& patterns, PerfectHashes&& hashes, const Words& positions,
                  const Words& starts) {
  const std::uint32_t distinct = patterns.count;
  Words sizes(device, distinct), list_begins(device, distinct);
  runtime::launch_items(device, phf_file, "phf_list_sizes", defines,
                        {.items = distinct, .bytes = 8ull * distinct, .least = worth_a_worker}, starts, distinct,
                        sizes);
  const std::uint64_t list_entries = primitives::wide_sum(device, sizes);
  if (list_entries > 0xffffffffu)
    throw CapacityError("the second level of perfect hashing, 32-bit indices", 4 * list_entries,
                        std::uint64_t{4} << 32);
  primitives::exclusive_scan(device, sizes, list_begins);
  sizes = Words();

  Words first_words(device, packed_words(hashes.vertices, neighbourhood, Method::phf)),
      first_positions(device, std::max(hashes.vertices, 1u)), several(device, hashes.vertices / 32 + 1),
      lists(device, std::max<std::uint64_t>(list_entries, 1));
  // Also the vertices without owner: the bytes are the same on every device.
  first_words.fill(0);
  first_positions.fill(0);
  several.fill(0);
  if (list_entries == 0) lists.fill(0);
  runtime::launch_items(device, phf_file, "phf_entries", defines,
                        {.items = distinct, .bytes = 40ull * distinct, .least = worth_a_worker}, hashes.heads,
                        hashes.values, patterns.words, patterns.blocks, starts, list_begins, distinct, positions,
                        first_words, first_positions, several, lists);
  Tables tables;
  tables.emplace("heads", std::move(hashes.heads));
  tables.emplace("values", std::move(hashes.values));
  tables.emplace("words", std::move(first_words));
  tables.emplace("positions", std::move(first_positions));
  tables.emplace("several", std::move(several));
  tables.emplace("lists", std::move(lists));
  return tables;
}

// The positions of all words, in the order of their vertices.
Tables two_level_tables(const Device& device, const runtime::Defines& defines, unsigned neighbourhood,
                        const DistinctPatterns& patterns, PerfectHashes&& hashes, const Words& positions,
                        const Words& starts) {
  const std::uint32_t distinct = patterns.count;
  Words words(device, packed_words(hashes.vertices, neighbourhood, Method::phf_published)), vertices(device, distinct),
      sizes(device, hashes.vertices + std::uint64_t{1}), begins(device, hashes.vertices + std::uint64_t{1}),
      lists(device, std::max<std::uint64_t>(positions.size(), 1));
  words.fill(0);
  sizes.fill(0);
  if (positions.empty()) lists.fill(0);
  runtime::launch_items(device, published_file, "phf_first_level", defines,
                        {.items = distinct, .bytes = 30ull * distinct, .least = worth_a_worker}, hashes.heads,
                        hashes.values, patterns.words, patterns.blocks, starts, distinct, vertices, words, sizes);
  primitives::exclusive_scan(device, sizes, begins);
  runtime::launch_items(device, published_file, "phf_second_level", defines,
                        {.items = distinct, .bytes = 12ull * distinct, .least = worth_a_worker}, vertices, starts,
                        begins, distinct, positions, lists);
  Tables tables;
  tables.emplace("heads", std::move(hashes.heads));
  tables.emplace("values", std::move(hashes.values));
  tables.emplace("words", std::move(words));
  tables.emplace("begins", std::move(begins));
  tables.emplace("positions", std::move(lists));
  return tables;
}

}  // namespace

template <class Key>
Tables build_phf(const Device& device, const runtime::Defines& defines, unsigned neighbourhood, Method method,
                 Array<Key>&& keys, const Words& positions, const Words& starts, std::uint32_t seeds) {
  const bool published = method == Method::phf_published;
  const DistinctPatterns patterns = distinct_patterns(device, defines, keys, starts, seeds);
  keys = Array<Key>();
  PerfectHashes hashes = build_perfect_hashes(device, patterns.words, patterns.blocks, patterns.first,
                                              published ? word_bits(neighbourhood, method) / 8 : 0);
  return published ? two_level_tables(device, defines, neighbourhood, patterns, std::move(hashes), positions, starts)
                   : phf_tables(device, defines, neighbourhood, patterns, std::move(hashes), positions, starts);
}

template Tables build_phf(const Device&, const runtime::Defines&, unsigned, Method, Array<std::uint32_t>&&,
                          const Words&, const Words&, std::uint32_t);
template Tables build_phf(const Device&, const runtime::Defines&, unsigned, Method, Array<std::uint64_t>&&,
                          const Words&, const Words&, std::uint32_t);

}  // namespace genocl::marose
