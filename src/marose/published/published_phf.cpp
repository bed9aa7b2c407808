#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/published/bdz.hpp"
#include "marose/published/published.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

using Words = Array<std::uint32_t>;

constexpr const char* file = "marose/published/index_phf.cl";
constexpr std::uint64_t worth_a_worker = 4096;

}  // namespace

template <class Key>
Tables build_phf(const Device& device, const runtime::Defines& defines, unsigned neighbourhood, Array<Key>&& keys,
                 const Words& positions, const Words& starts, std::uint32_t seeds) {
  const auto distinct = static_cast<std::uint32_t>(starts.size() - 1);
  Words words(device, distinct), blocks(device, distinct), first(device, seeds + std::uint64_t{1});
  runtime::launch_items(device, file, "phf_words", defines,
                        {.items = distinct, .bytes = (12 + sizeof(Key)) * distinct, .least = worth_a_worker}, keys,
                        starts, distinct, words, blocks);
  keys = Array<Key>();
  if (distinct == 0) first.fill(0);
  runtime::Defines of_blocks = defines;
  of_blocks.set("KEY", "uint").set("KEY_NEIGHBOURHOOD", 0);
  runtime::launch_items(device, "marose/published/index_blocks.cl", "block_begins", of_blocks,
                        {.items = distinct, .bytes = 4ull * distinct, .least = worth_a_worker}, blocks, distinct, seeds,
                        first);

  PerfectHashes hashes = build_perfect_hashes(device, words, blocks, first);

  Words sizes(device, distinct), list_begins(device, distinct);
  runtime::launch_items(device, file, "phf_list_sizes", defines,
                        {.items = distinct, .bytes = 8ull * distinct, .least = worth_a_worker}, starts, distinct,
                        sizes);
  const std::uint64_t list_entries = primitives::wide_sum(device, sizes);
  if (list_entries > 0xffffffffu)
    throw CapacityError("the second level of perfect hashing, 32-bit indices", 4 * list_entries,
                        std::uint64_t{4} << 32);
  primitives::exclusive_scan(device, sizes, list_begins);
  sizes = Words();

  Words first_words(device, packed_words(hashes.vertices, neighbourhood)),
      first_positions(device, std::max(hashes.vertices, 1u)), several(device, hashes.vertices / 32 + 1),
      lists(device, std::max<std::uint64_t>(list_entries, 1));
  // Vertices that are nobody's, too: so the same bytes come out everywhere.
  first_words.fill(0);
  first_positions.fill(0);
  several.fill(0);
  if (list_entries == 0) lists.fill(0);
  runtime::launch_items(device, file, "phf_entries", defines,
                        {.items = distinct, .bytes = 40ull * distinct, .least = worth_a_worker}, hashes.heads,
                        hashes.values, words, blocks, starts, list_begins, distinct, positions, first_words,
                        first_positions, several, lists);
  Tables tables;
  tables.emplace("heads", std::move(hashes.heads));
  tables.emplace("values", std::move(hashes.values));
  tables.emplace("words", std::move(first_words));
  tables.emplace("positions", std::move(first_positions));
  tables.emplace("several", std::move(several));
  tables.emplace("lists", std::move(lists));
  return tables;
}

template Tables build_phf(const Device&, const runtime::Defines&, unsigned, Array<std::uint32_t>&&, const Words&,
                          const Words&, std::uint32_t);
template Tables build_phf(const Device&, const runtime::Defines&, unsigned, Array<std::uint64_t>&&, const Words&,
                          const Words&, std::uint32_t);

}  // namespace genocl::marose
