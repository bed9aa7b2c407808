// The tables of `canonical` against their definition: the positions of each key, and their contexts.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/primitives.hpp"
#include "genocl/sequence.hpp"
#include "marose/canonical.hpp"
#include "marose/segments.hpp"
#include "random.hpp"
#include "reference/marose/marose_diagonals.hpp"

namespace {

using namespace genocl::marose;
using genocl::Device;
using genocl_reference::complement_strand;
using genocl_reference::PlainReference;
using genocl_test::Random;
using genocl_test::test_seed;

PlainReference random_reference(Random& random, std::size_t bases) {
  PlainReference reference;
  while (reference.text.size() < bases) {
    std::string contig(1 + random.below(bases), 'A');
    // Some contigs of few letters, so that keys have many entries.
    const std::uint64_t letters = 1 + random.below(4);
    for (char& base : contig) base = "ACGT"[random.below(letters)];
    for (std::uint64_t i = 0, count = random.below(4); i < count; ++i) contig[random.below(contig.size())] = 'N';
    contig.resize(std::min(contig.size(), bases - reference.text.size()));
    reference.append(contig);
  }
  return reference;
}

/// The bases of the seed, or of the context, of an extended window.
std::string pick(const std::string& window, std::uint64_t bits) {
  std::string picked;
  for (std::size_t i = 0; i < window.size(); ++i)
    if (bits >> i & 1) picked += window[i];
  return picked;
}

std::uint32_t packed(const std::string& bases) {
  std::uint32_t number = 0;
  for (const char base : bases) number = number << 2 | static_cast<std::uint32_t>(std::string("ACGT").find(base));
  return number;
}

struct Entry {
  std::string word, context;                    // as they lie
  std::string reversed_word, reversed_context;  // of the other strand
};

Entry entry_at(const PlainReference& reference, const SeedMask& mask, std::size_t position) {
  const ContextLayout layout = context_layout(mask);
  std::string window;
  for (unsigned i = 0; i < layout.extended; ++i) {
    const std::int64_t at = static_cast<std::int64_t>(position + i) - layout.side;
    const char base = reference.at(at);
    window += base == 'N' ? 'A' : base;
  }
  const std::string reversed = complement_strand(window);
  const std::uint64_t seed = mask.bits() << layout.side;
  return {pick(window, seed), pick(window, layout.bits), pick(reversed, seed), pick(reversed, layout.bits)};
}

bool has_seed(const PlainReference& reference, const SeedMask& mask, std::size_t position) {
  if (!reference.in_one_contig(static_cast<std::int64_t>(position), static_cast<std::int64_t>(position) + mask.span()))
    return false;
  return pick(reference.text.substr(position, mask.span()), mask.bits()).find('N') == std::string::npos;
}

/// Whether all entries of a key have the context of their position in the orientation of `word`.
bool all_turned_to(const std::string& word, const std::vector<Entry>& entries, const std::uint32_t* contexts) {
  for (std::size_t i = 0; i < entries.size(); ++i)
    if (contexts[i] != packed(entries[i].word == word ? entries[i].context : entries[i].reversed_context)) return false;
  return true;
}

void check_tables(const PlainReference& reference, const SeedMask& mask, const Tables& tables) {
  const std::vector<std::uint32_t> first = tables.at("first").download(), positions = tables.at("positions").download(),
                                   contexts = tables.at("contexts").download();
  REQUIRE(first.size() == canonical_keys(mask.weight()) + 1);
  std::size_t expected = 0;
  for (std::size_t at = 0; at < reference.text.size(); ++at) expected += has_seed(reference, mask, at);
  REQUIRE(first.front() == 0);
  REQUIRE(first.back() == expected);
  REQUIRE(positions.size() >= expected);
  REQUIRE(contexts.size() >= expected);
  std::map<std::string, std::size_t> key_of;  // by the lesser of a word and its reverse complement
  for (std::size_t key = 0; key + 1 < first.size(); ++key) {
    REQUIRE(first[key] <= first[key + 1]);
    if (first[key] == first[key + 1]) continue;
    std::vector<Entry> entries;
    for (std::uint32_t e = first[key]; e < first[key + 1]; ++e) {
      REQUIRE(positions[e] < reference.text.size());
      CHECK(has_seed(reference, mask, positions[e]));
      if (e > first[key]) CHECK(positions[e - 1] < positions[e]);
      entries.push_back(entry_at(reference, mask, positions[e]));
      // One key for a word and its reverse complement, another for every other word.
      const auto [known, is_new] = key_of.emplace(std::min(entries.back().word, entries.back().reversed_word), key);
      CHECK(known->second == key);
      CHECK((is_new || e > first[key]));
      CHECK((e == first[key] || !is_new));
    }
    CHECK((all_turned_to(entries[0].word, entries, contexts.data() + first[key]) ||
           all_turned_to(entries[0].reversed_word, entries, contexts.data() + first[key])));
  }
}

void check_buckets(const DeviceSegment& segment) {
  const SeedMask& mask = segment.mask;
  const std::vector<std::uint32_t> first = segment.tables.at("first").download(),
                                   contexts = segment.tables.at("contexts").download(),
                                   buckets = segment.buckets.download();
  const std::uint64_t keys = canonical_keys(mask.weight()), words = buckets.size() / (keys + 1);
  CHECK(words == bucket_words(mask, contexts.size()));
  const unsigned shift = context_layout(mask).bases == 16 ? 2 : 0;
  for (std::uint64_t key = 0; key <= keys; ++key) {
    const std::uint32_t* record = buckets.data() + key * words;
    CHECK(record[0] == first[key]);
    const std::uint64_t count = key == keys ? 0 : first[key + 1] - first[key];
    for (std::uint64_t w = 1; w < words; ++w) {
      CHECK((record[w] >> 31 != 0) == (w > count));
      if (w > count) continue;
      CHECK((record[w] & 0x3fffffffu) == contexts[first[key] + w - 1] >> shift);
      CHECK((record[w] >> 30 != 0) == (w == 1 && count >= words));
    }
  }
}

void check_mask(const Device& device, Random& random, const char* pattern, std::size_t bases) {
  CAPTURE(std::string(pattern));
  CAPTURE(bases);
  const SeedMask mask(pattern);
  const PlainReference plain = random_reference(random, bases);
  DeviceSegment segment = marose_test::canonical_segment(device, marose_test::contigs_of(plain), mask);
  check_tables(plain, mask, segment.tables);
  add_buckets(device, segment, std::uint64_t{1} << 30);
  const bool wanted =
      device.family() == genocl::KernelFamily::gpu && bucket_words(mask, segment.tables.at("contexts").size()) != 0;
  REQUIRE(segment.buckets.empty() != wanted);
  if (wanted) check_buckets(segment);
}

std::vector<Device> both_families() {
  const Device& device = genocl_test::device_under_test();
  return {device.with_family(genocl::KernelFamily::cpu), device.with_family(genocl::KernelFamily::gpu)};
}

/// Whether both have the same tables, byte for byte.
bool same_tables(const Tables& a, const Tables& b) {
  return std::ranges::equal(a, b, [](const auto& x, const auto& y) {
    return x.first == y.first && x.second.download() == y.second.download();
  });
}

/// Builds by ranges of keys in `memory` bytes, and all at once on a GPU's kernels; compares with the definition and
/// with one another.
void check_ranges(const Device& device, const PlainReference& plain, const SeedMask& mask, std::uint64_t memory,
                  unsigned min_ranges = 1) {
  CAPTURE(mask.pattern());
  const DeviceSegment segment = marose_test::whole_segment(device, marose_test::contigs_of(plain), mask);
  unsigned ranges = 0;
  double done = 0;
  const Tables tables =
      build_canonical(device, segment.reference, mask, {.memory = memory, .progress = [&](double now) {
                                                          CHECK(now > done);
                                                          done = now;
                                                          ++ranges;
                                                        }});
  const bool any = tables.at("first").download().back() != 0;
  CHECK(done == (any ? 1 : 0));
  CHECK(ranges >= (any ? min_ranges : 0));
  check_tables(plain, mask, tables);
  const Tables whole = build_canonical(device, segment.reference, mask);
  CHECK(same_tables(tables, whole));
  const Tables without = build_canonical(device, segment.reference, mask, {.with_contexts = false, .memory = memory});
  CHECK(without.size() == 2);
  for (const char* name : {"first", "positions"}) CHECK((without.at(name).download() == whole.at(name).download()));
}

TEST_CASE("tiny: marose tables of canonical") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 311);
  for (const Device& device : both_families()) check_mask(device, random, "##-##", 200);
}

TEST_CASE("tiny: marose tables of canonical by ranges of keys") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 314);
  const SeedMask mask("###");
  for (const Device& device : both_families()) {
    // Memory for about three ranges: each is a dozen launches.
    const std::uint64_t sorted = 70, bases = 200;
    const std::uint64_t memory = canonical_bytes(mask, true, bases) + 8 * sorted +
                                 genocl::primitives::sort_scratch_bytes<std::uint32_t>(device, sorted, true);
    check_ranges(device, random_reference(random, bases), mask, memory);
  }
}

TEST_CASE("tables of canonical by ranges of keys are those of all keys at once") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 315);
  for (const Device& device : both_families())
    for (const char* pattern : {"#", "##", "###", "##-#-##", "#####", "##-------##-------##", "##########"})
      // The last has several blocks in both families.
      for (const std::size_t bases : {1u, 31u, 32u, 40u, 900u, 5000u, 60'000u}) {
        CAPTURE(bases);
        check_ranges(device, random_reference(random, bases), SeedMask(pattern), 1 + random.below(8 * bases));
      }
}

TEST_CASE("tables of canonical by many ranges of keys") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 316);
  PlainReference plain;
  std::string text(100'000, 'N');
  for (char& base : text) base = "ACGT"[random.below(4)];
  plain.append(text);
  for (const Device& device : both_families())
    for (const char* pattern : {"######", "#######", "###-####-###"})
      check_ranges(device, plain, SeedMask(pattern), 1, 30);
}

TEST_CASE("tables of canonical by ranges of keys: texts of Ns, of one letter, with and without many Ns at the end") {
  GENOCL_SHOW_SEED();
  for (const Device& device : both_families())
    for (const std::string& text :
         {std::string(500, 'N'), std::string(500, 'A'), std::string(500, 'T'), std::string(20'000, 'C') + "NNN",
          std::string(300, 'A') + std::string(300, 'N'), std::string(5, 'N') + std::string(1500, 'G') + "ACGTTTGA"}) {
      PlainReference plain;
      plain.append(text);
      for (const char* pattern : {"####", "#-##-#", "#####"}) {
        const DeviceSegment segment =
            marose_test::whole_segment(device, marose_test::contigs_of(plain), SeedMask(pattern));
        const Tables tables = build_canonical(device, segment.reference, segment.mask, {.memory = 1});
        check_tables(plain, segment.mask, tables);
        CHECK(same_tables(tables, build_canonical(device, segment.reference, segment.mask)));
      }
    }
}

TEST_CASE("the longest text whose tables fit a memory") {
  const Device& device = genocl_test::device_under_test();
  const SeedMask mask = SeedMask::solid(14);
  const std::uint64_t gib = std::uint64_t{1} << 30;
  // A human genome fits 24 GiB with something left, and its tables take no more than 5 bytes a base.
  CHECK(longest_canonical(device, mask, false, 24 * gib - 2 * gib) > 3'200'000'000);
  CHECK(canonical_bytes(mask, false, 3'100'000'000) < std::uint64_t{5} * 3'100'000'000);
  CHECK(longest_canonical(device, mask, true, 24 * gib) < longest_canonical(device, mask, false, 24 * gib));
  CHECK(longest_canonical(device, mask, false, 4 * canonical_keys(14)) == 0);
  CHECK(longest_canonical(device, mask, false, ~std::uint64_t{0}) == longest_segment);
  for (const std::uint64_t memory : {gib, 3 * gib, 17 * gib})
    CHECK(canonical_bytes(mask, false, longest_canonical(device, mask, false, memory)) <= memory);
}

TEST_CASE("tables of canonical") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 312);
  for (const Device& device : both_families())
    for (const char* pattern :
         {"#", "##", "###", "##-##", "##-#-##", "######", "#####", "#---#---#", "##-------##-------##", "########"})
      for (const std::size_t bases : {40u, 900u, 5000u}) check_mask(device, random, pattern, bases);
}

TEST_CASE("tables of canonical: records of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 313);
  for (const Device& device : both_families())
    for (const std::size_t bases : {400u, 1200u, 4000u, 12'000u}) check_mask(device, random, "##-#-##", bases);
}

}  // namespace
