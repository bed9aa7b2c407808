// Perfect hashes against a scalar reading of their tables.
#include "marose/published/published.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <set>

#include "device_under_test.hpp"
#include "genocl/error.hpp"
#include "random.hpp"

namespace {

using namespace genocl_test;
using genocl::Array;
using genocl::marose::PerfectHashes;

struct Sets {
  std::vector<std::uint32_t> words, blocks, first = {0};
};

// Each of random words without repetition, below `bound` (0: all 32 bits).
Sets random_sets(Random& random, const std::vector<std::size_t>& sizes, std::uint64_t bound) {
  Sets sets;
  for (std::size_t block = 0; block < sizes.size(); ++block) {
    std::set<std::uint32_t> words;
    while (words.size() < sizes[block])
      words.insert(static_cast<std::uint32_t>(bound == 0 ? random.value<std::uint32_t>() : random.below(bound)));
    for (const std::uint32_t word : words) {
      sets.words.push_back(word);
      sets.blocks.push_back(static_cast<std::uint32_t>(block));
    }
    sets.first.push_back(static_cast<std::uint32_t>(sets.words.size()));
  }
  return sets;
}

// One block, words 0 to size - 1.
Sets first_words(std::uint32_t size) {
  Sets sets;
  for (std::uint32_t word = 0; word < size; ++word) {
    sets.words.push_back(word);
    sets.blocks.push_back(0);
  }
  sets.first.push_back(size);
  return sets;
}

// This is how Bob Jenkins wrote it down in 1996.
void mix(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c) {
  a -= b, a -= c, a ^= c >> 13;
  b -= c, b -= a, b ^= a << 8;
  c -= a, c -= b, c ^= b >> 13;
  a -= b, a -= c, a ^= c >> 12;
  b -= c, b -= a, b ^= a << 16;
  c -= a, c -= b, c ^= b >> 5;
  a -= b, a -= c, a ^= c >> 3;
  b -= c, b -= a, b ^= a << 10;
  c -= a, c -= b, c ^= b >> 15;
}

constexpr std::uint32_t nothing = 0xffffffff;

struct Host {
  std::vector<std::uint32_t> heads, values;
  unsigned chunks;  // 0: not the hash of the paper

  Host(const PerfectHashes& hashes, unsigned word_chunks)
      : heads(hashes.heads.download()), values(hashes.values.download()), chunks(word_chunks) {}

  std::uint32_t value(std::uint32_t vertex) const { return values[vertex / 16] >> 2 * (vertex % 16) & 3; }
  std::uint32_t vertices(std::size_t block) const { return heads[2 * block + 2] - heads[2 * block]; }

  // The vertices of a word by Jenkins' function for strings of bytes (1997), with the initial value J.
  std::array<std::uint32_t, 3> published_edge(std::uint32_t word, std::uint32_t seed, std::uint32_t part) const {
    std::uint32_t a = 0x9e3779b9, b = a, c = seed + chunks;
    std::array<std::uint8_t, 4> bytes{};
    for (unsigned i = 0; i < chunks; ++i) bytes[i] = static_cast<std::uint8_t>(word >> 8 * i);
    a += bytes[0] + (std::uint32_t{bytes[1]} << 8) + (std::uint32_t{bytes[2]} << 16) + (std::uint32_t{bytes[3]} << 24);
    mix(a, b, c);
    return {a % part, part + b % part, 2 * part + c % part};
  }

  std::uint32_t vertex_of(std::size_t block, std::uint32_t word) const {
    const std::uint32_t count = vertices(block), begin = heads[2 * block], seed = heads[2 * block + 1];
    if (count == 0) return nothing;
    if (chunks != 0) {
      const std::array<std::uint32_t, 3> edge = published_edge(word, seed, count / 3);
      std::uint32_t sum = 0;
      for (const std::uint32_t vertex : edge) sum += value(begin + vertex) % 3;
      return value(begin + edge[sum % 3]) == 3 ? nothing : begin + edge[sum % 3];
    }
    if (count == 1) return begin;
    if (count == 2) return begin + (word >> seed & 1);
    std::uint32_t a = 0x9e3779b9 + word, b = 0x9e3779b9 + word * 0x85ebca6b, c = (2 * seed + 1) * 0x9e3779b9;
    mix(a, b, c);
    const std::uint64_t part = count / 3;
    std::array<std::uint32_t, 3> edge{};
    std::uint32_t sum = 0, i = 0;
    for (const std::uint64_t hash : {a, b, c}) {
      edge[i] = begin + static_cast<std::uint32_t>(i * part + (hash * part >> 32));
      sum += value(edge[i]) % 3;
      ++i;
    }
    return value(edge[sum % 3]) == 3 ? nothing : edge[sum % 3];
  }
};

PerfectHashes build(const genocl::Device& device, const Sets& sets, unsigned chunks = 0) {
  const Array<std::uint32_t> words(device, sets.words), blocks(device, sets.blocks), first(device, sets.first);
  return genocl::marose::build_perfect_hashes(device, words, blocks, first, chunks);
}

// Returns how many blocks needed another seed than the first.
std::size_t check(const PerfectHashes& hashes, const Sets& sets, unsigned chunks = 0) {
  const Host host(hashes, chunks);
  std::set<std::uint32_t> taken;
  std::size_t again = 0;
  for (std::size_t block = 0; block + 1 < sets.first.size(); ++block) {
    const std::uint32_t size = sets.first[block + 1] - sets.first[block];
    CAPTURE(block);
    CAPTURE(size);
    REQUIRE(host.vertices(block) >= size);
    const bool graph = size > 2 || (chunks != 0 && size > 0);
    REQUIRE(host.vertices(block) <= (graph ? std::max<double>(6, 1.23 * size + 3) : size));
    again += graph && host.heads[2 * block + 1] != (chunks != 0 ? 0x2545f491 : 0);
    for (std::uint32_t i = sets.first[block]; i < sets.first[block + 1]; ++i) {
      const std::uint32_t vertex = host.vertex_of(block, sets.words[i]);
      REQUIRE(vertex != nothing);
      REQUIRE(vertex >= host.heads[2 * block]);
      REQUIRE(vertex < host.heads[2 * block + 2]);
      REQUIRE(taken.insert(vertex).second);
    }
  }
  return again;
}

TEST_CASE("tiny: marose perfect hashes") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 71);
  for (const DeviceVariant& variant : device_variants()) {
    const Sets small = random_sets(random, {3, 0, 1, 4, 2, 5, 20, 3, 3, 4, 4}, 64);
    check(build(variant.device, small), small);
    // All words together; the first seed makes a cycle.
    const Sets large = first_words(257);
    CHECK(check(build(variant.device, large), large) == 1);
  }
}

TEST_CASE("tiny: marose perfect hashes with the hash of the paper") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 75);
  for (const DeviceVariant& variant : device_variants()) {
    const Sets small = random_sets(random, {3, 0, 1, 4, 2, 5, 20, 2, 2, 4, 1}, 256);
    check(build(variant.device, small, 1), small, 1);
    // All words together.
    const Sets large = first_words(257);
    check(build(variant.device, large, 2), large, 2);
  }
}

TEST_CASE("marose perfect hashes with the hash of the paper, of blocks of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 76);
  for (const unsigned chunks : {1u, 2u, 4u}) {
    const std::uint64_t words = std::uint64_t{1} << 8 * chunks;
    std::vector<std::size_t> sizes;
    for (std::size_t size = 0; size < 256; ++size) sizes.push_back(size);
    for (int i = 0; i < 5'000; ++i) sizes.push_back(random.below(12));
    if (chunks > 1) sizes.push_back(30'000);
    sizes.push_back(chunks == 1 ? 256 : 300);
    const Sets sets = random_sets(random, sizes, words);
    std::vector<std::uint32_t> heads, values;
    for (const DeviceVariant& variant : device_variants()) {
      CAPTURE(variant.name);
      CAPTURE(chunks);
      const PerfectHashes hashes = build(variant.device, sets, chunks);
      CHECK(check(hashes, sets, chunks) > 300);
      if (heads.empty()) {
        heads = hashes.heads.download();
        values = hashes.values.download();
      }
      CHECK(heads == hashes.heads.download());
      CHECK(values == hashes.values.download());
    }
  }
}

TEST_CASE("marose perfect hashes of blocks of every size") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 72);
  std::vector<std::size_t> sizes;
  for (std::size_t size = 0; size < 300; ++size) sizes.push_back(size);
  for (int i = 0; i < 20'000; ++i) sizes.push_back(random.below(12));
  sizes.push_back(30'000);
  const Sets sets = random_sets(random, sizes, 0);
  std::vector<std::uint32_t> heads, values;
  for (const DeviceVariant& variant : device_variants()) {
    CAPTURE(variant.name);
    const PerfectHashes hashes = build(variant.device, sets);
    const std::size_t again = check(hashes, sets);
    // Graphs with a cycle there must have been.
    CHECK(again > 1000);
    MESSAGE(variant.name, ": ", again, " of ", sizes.size(), " blocks with another seed than the first, ",
            16.0 * static_cast<double>(hashes.values.size()) * 2 / static_cast<double>(sets.words.size()),
            " bits a word");
    if (heads.empty()) {
      heads = hashes.heads.download();
      values = hashes.values.download();
    }
    CHECK(heads == hashes.heads.download());
    CHECK(values == hashes.values.download());
  }
}

TEST_CASE("marose perfect hashes of all words of few bases, and of none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 73);
  for (const DeviceVariant& variant : device_variants()) {
    for (const std::uint64_t bound : {4u, 16u, 256u, 65536u}) {
      const Sets sets =
          random_sets(random, {static_cast<std::size_t>(bound), 0, static_cast<std::size_t>(bound) / 2}, bound);
      check(build(variant.device, sets), sets);
    }
    const Sets none = random_sets(random, {0, 0, 0}, 0);
    check(build(variant.device, none), none);
  }
}

TEST_CASE("marose perfect hashes: a word that is not in the set gets a vertex of the block or none") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 74);
  const Sets sets = random_sets(random, {7, 1, 2, 0, 500}, 4096);
  const PerfectHashes hashes = build(device_under_test(), sets);
  const Host host(hashes, 0);
  std::size_t none = 0;
  for (std::size_t block = 0; block < 5; ++block) {
    for (std::uint32_t word = 0; word < 4096; ++word) {
      const std::uint32_t vertex = host.vertex_of(block, word);
      if (vertex == nothing)
        ++none;
      else
        REQUIRE((vertex >= host.heads[2 * block] && vertex < host.heads[2 * block + 2]));
    }
  }
  CHECK(none > 4096);  // the empty block, and vertices that are nobody's
}

TEST_CASE("marose perfect hashes: a word twice in a block is refused") {
  for (const std::uint32_t size : {3u, 257u}) {
    Sets sets = first_words(size);
    sets.words.back() = 1;
    CHECK_THROWS_AS(build(device_under_test(), sets), genocl::Error);
    CHECK_THROWS_AS(build(device_under_test(), sets, 2), genocl::Error);
  }
}

}  // namespace
