// Tables of the published methods.

#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/primitives.hpp"
#include "marose/arguments.hpp"
#include "marose/canonical.hpp"
#include "marose/published/published.hpp"
#include "primitives/sort_replacing.hpp"
#include "runtime/launch.hpp"

namespace genocl::marose {
namespace {

using Words = Array<std::uint32_t>;

constexpr const char* blocks_file = "marose/published/index_blocks.cl";

// Never empty: a kernel needs a buffer.
Words new_words(const Device& device, std::uint64_t size) { return Words(device, std::max<std::uint64_t>(size, 1)); }

Words prefix(const Device& device, Words&& words, std::uint64_t size) {
  if (size == words.size()) return std::move(words);
  Words kept(device, size);
  kept.copy_from(words, size);
  return kept;
}

// State of one build.
template <class Key>
struct Build {
  const Device& device;
  const DeviceReference& reference;
  const SeedMask& mask;
  unsigned neighbourhood;
  Method method;
  runtime::Defines defines = {};
  Words positions = {};  ///< of every indexed pattern, sorted by key
  Array<Key> keys = {};

  bool by_neighbourhood() const { return method != Method::list && method != Method::offset; }
  std::uint32_t seeds() const { return std::uint32_t{1} << 2 * mask.weight(); }
  std::uint32_t entries() const { return static_cast<std::uint32_t>(positions.size()); }

  template <class... Arguments>
  void launch(const char* kernel, const runtime::Defines& with, std::uint64_t items, std::uint64_t item_bytes,
              const Arguments&... arguments) const {
    runtime::launch_items(device, blocks_file, kernel, with,
                          {.items = items, .bytes = items * item_bytes, .least = worth_a_worker}, arguments...);
  }

  void sort_patterns() {
    const std::uint64_t n = reference.length;
    {
      Array<std::uint8_t> flags(device, n);
      launch("indexed_positions", defines, n, 1, reference_arguments(reference), flags);
      Words all(device, n);
      const std::uint64_t count = n == 0 ? 0 : primitives::select_indices(device, flags, all);
      positions = prefix(device, std::move(all), count);
    }
    const unsigned bases = mask.weight() + (by_neighbourhood() ? neighbourhood : 0);
    keys = Array<Key>(device, positions.size());
    launch("pattern_keys", defines, entries(), 12 + sizeof(Key), reference.words, positions, entries(), keys);
    if (entries() != 0) primitives::sort_replacing(device, keys, positions, {.last_bit = 2 * bases});
  }

  Words block_begins() const {
    Words first(device, seeds() + std::uint64_t{1});
    if (entries() == 0) first.fill(0);
    launch("block_begins", defines, entries(), sizeof(Key), keys, entries(), seeds(), first);
    return first;
  }

  Words neighbourhoods() const {
    Words result(device, packed_words(entries(), neighbourhood, method));
    result.fill(0);  // including the padding
    const std::uint64_t items = runtime::ceil_div(entries(), 32 / word_bits(neighbourhood, method));
    launch("block_neighbourhoods", defines, items, 16, reference.words, positions, entries(), result);
    return result;
  }

  // First entry of each pattern, and the end of the last one.
  Words pattern_begins() const {
    Array<std::uint8_t> flags(device, entries());
    launch("distinct_keys", defines, entries(), sizeof(Key) + 1, keys, entries(), flags);
    Words all = new_words(device, entries());
    const std::uint64_t distinct = entries() == 0 ? 0 : primitives::select_indices(device, flags, all);
    Words starts(device, distinct + 1);
    starts.copy_from(all, distinct);
    const std::uint32_t end = entries();
    starts.upload(std::span(&end, 1), distinct);
    return starts;
  }

  Words sectors(const Words& starts) const {
    const unsigned bits = 2 * (mask.weight() + neighbourhood);
    const auto count = static_cast<std::uint32_t>(runtime::ceil_div(std::uint64_t{1} << bits, sector_bits));
    Words result(device, std::uint64_t{8} * count);
    runtime::launch_items(device, "marose/published/index_bitmap.cl", "bitmap_sectors",
                          runtime::Defines().set("SECTOR_BITS", sector_bits),
                          {.items = count, .bytes = 32ull * count, .least = worth_a_worker}, keys, starts,
                          static_cast<std::uint32_t>(starts.size() - 1), count, result);
    return result;
  }

  Tables run() {
    defines = published_defines(mask, neighbourhood, method);
    defines.set("KEY", sizeof(Key) == 8 ? "ulong" : "uint")
        .set("KEY_NEIGHBOURHOOD", by_neighbourhood() ? neighbourhood : 0u);
    sort_patterns();
    if (method == Method::phf || method == Method::phf_published)
      return build_phf(device, defines, neighbourhood, method, std::move(keys), positions, pattern_begins(), seeds());
    Tables tables;
    if (method == Method::bitmap) {
      Words starts = pattern_begins();
      if constexpr (sizeof(Key) == 4) tables.emplace("sectors", sectors(starts));
      tables.emplace("first", std::move(starts));
    } else {
      tables.emplace("first", block_begins());
      keys = Array<Key>(device, 0);
      if (method != Method::offset) tables.emplace("neighbourhoods", neighbourhoods());
    }
    if (positions.empty()) {
      positions = new_words(device, 1);
      positions.fill(0);
    }
    tables.emplace("positions", std::move(positions));
    return tables;
  }
};

}  // namespace

void check_published(const SeedMask& mask, unsigned neighbourhood, Method method) {
  const auto fail = [&](const std::string& wrong) {
    throw InputError("method " + std::string(to_string(method)) + " with the seed " + mask.pattern() + " and " +
                     std::to_string(neighbourhood) + " bases of neighbourhood: " + wrong);
  };
  if (method == Method::automatic || method == Method::canonical) fail("not one of the published methods");
  if (method == Method::bitmap) {
    if (mask.weight() + neighbourhood > longest_bitmap_pattern) fail("more than 16 bases together");
  } else if (mask.weight() > max_block_weight) {
    fail("more than 12 bases of seed");
  }
  if (method == Method::offset) return;
  if (neighbourhood == 0) fail("there must be one");
  if (neighbourhood > longest_neighbourhood) fail("more than 16 bases");
}

runtime::Defines published_defines(const SeedMask& mask, unsigned neighbourhood, Method method) {
  runtime::Defines defines = seed_defines(mask);
  const unsigned bases = method == Method::offset ? 0 : neighbourhood;
  defines.set("NEIGHBOURHOOD", bases).set("WORD_BITS", word_bits(bases, method));
  if (method == Method::bitmap) defines.set("SECTOR_BITS", sector_bits);
  if (method == Method::phf || method == Method::phf_published) defines.set("NOBODYS", nobodys_vertex);
  if (method == Method::phf_published) defines.set("WORD_CHUNKS", word_bits(bases, method) / 8);
  return defines;
}

Tables build_published(const Device& device, const DeviceReference& reference, const SeedMask& mask,
                       unsigned neighbourhood, Method method) {
  check_published(mask, neighbourhood, method);
  const bool seed_only = method == Method::list || method == Method::offset;
  if (seed_only || mask.weight() + neighbourhood <= 16)
    return Build<std::uint32_t>{device, reference, mask, neighbourhood, method}.run();
  return Build<std::uint64_t>{device, reference, mask, neighbourhood, method}.run();
}

}  // namespace genocl::marose
