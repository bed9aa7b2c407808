// Diagonals with k-mers in common, and adapters of overlapping mates.
#include "marose/align.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "marose/clip.hpp"
#include "random.hpp"

namespace {

using namespace genocl;
using namespace genocl::marose;
using genocl_test::Random;
using genocl_test::test_seed;

using Sequence = std::vector<Code>;

/// K-mers that both have, on each diagonal.
std::map<std::int64_t, std::uint32_t> counts(const Sequence& query, const Sequence& text) {
  std::map<std::int64_t, std::uint32_t> all;
  for (std::size_t i = 0; i + DiagonalSearch::k <= query.size(); ++i)
    for (std::size_t j = 0; j + DiagonalSearch::k <= text.size(); ++j)
      if (std::equal(query.begin() + static_cast<std::ptrdiff_t>(i),
                     query.begin() + static_cast<std::ptrdiff_t>(i + DiagonalSearch::k),
                     text.begin() + static_cast<std::ptrdiff_t>(j)) &&
          std::all_of(text.begin() + static_cast<std::ptrdiff_t>(j),
                      text.begin() + static_cast<std::ptrdiff_t>(j + DiagonalSearch::k), dna::is_base))
        ++all[static_cast<std::int64_t>(j) - static_cast<std::int64_t>(i)];
  return all;
}

Sequence turned(const Sequence& codes) {
  Sequence result(codes.size());
  dna::reverse_complement(codes, result);
  return result;
}

}  // namespace

TEST_CASE("marose: the diagonal of a read in a text is found") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  DiagonalSearch search;
  for (int round = 0; round < 100; ++round) {
    Sequence text = random.values_below<Code>(300 + random.below(700), 4);
    const std::size_t length = 40 + random.below(110), at = random.below(text.size() - length);
    Sequence query(text.begin() + static_cast<std::ptrdiff_t>(at),
                   text.begin() + static_cast<std::ptrdiff_t>(at + length));
    for (std::size_t i = 20; i < length; i += 30) query[i] = static_cast<Code>((query[i] + 1) % 4);
    if (round % 5 == 0) text[random.below(text.size())] = query[random.below(length)] = dna::unknown;
    search.set_query(query);
    const auto found = search.find(text, 4, 2);
    REQUIRE(!found.empty());
    CHECK(std::abs(found[0].shift - static_cast<std::int64_t>(at)) <= DiagonalSearch::bin);
    std::uint32_t nearby = 0;
    for (const auto& [diagonal, kmers] : counts(query, text))
      if (std::abs(diagonal - found[0].shift) < DiagonalSearch::bin || diagonal == found[0].shift - DiagonalSearch::bin)
        nearby += kmers;
    CHECK(found[0].kmers == nearby);
    for (std::size_t i = 1; i < found.size(); ++i) CHECK(found[i].kmers <= found[i - 1].kmers);
  }
  search.set_query(random.values_below<Code>(100, 4));
  CHECK(search.find(random.values_below<Code>(500, 4), 6, 2).empty());
  search.set_query({});
  CHECK(search.find(random.values_below<Code>(50, 4), 1, 2).empty());
  search.set_query(random.values_below<Code>(100, 4));
  CHECK(search.find({}, 1, 2).empty());
}

TEST_CASE("marose: mates are cut to their insert") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Sequence adapter = encode(Alphabet::dna, "AGATCGGAAGAGCACACGTCTGAACTCCAGTCACATCACGATCTCGTATGCCGTCTTCTGCTTG");
  const auto mates = [&](std::size_t insert, std::size_t length) {
    const Sequence fragment = random.values_below<Code>(insert, 4);
    const auto read = [&](Sequence codes) {
      codes.insert(codes.end(), adapter.begin(), adapter.end());
      while (codes.size() < length) codes.push_back(0);
      codes.resize(length);
      return codes;
    };
    return std::pair(read(fragment), read(turned(fragment)));
  };
  const auto kept = [](const Sequence& first, const Sequence& second) {
    ReadPart a{0, static_cast<std::uint16_t>(first.size())}, b{0, static_cast<std::uint16_t>(second.size())};
    OverlapTrimmer().trim(first, second, a, b);
    CHECK(a.first == 0);
    return std::pair<std::size_t, std::size_t>(a.length, b.length);
  };
  for (std::size_t insert = 20; insert < 150; insert += 1 + random.below(9)) {
    CAPTURE(insert);
    auto [first, second] = mates(insert, 150);
    CHECK(kept(first, second) == std::pair(insert, insert));
    // A tenth of the overlap may differ.
    for (std::size_t i = 0; i < insert / 10; ++i) first[i * 10] = static_cast<Code>((first[i * 10] + 1) % 4);
    CHECK(kept(first, second) == std::pair(insert, insert));
    first.resize(100);
    const std::size_t shorter = std::min<std::size_t>(insert, 100);
    if (insert <= 130) CHECK(kept(first, second) == std::pair(shorter, insert));
  }
  // Inserts of the reads' length and beyond, and too short overlaps, leave them whole.
  for (const std::size_t insert :
       {std::size_t{10}, std::size_t{19}, std::size_t{150}, std::size_t{151}, std::size_t{400}}) {
    CAPTURE(insert);
    const auto [first, second] = mates(insert, 150);
    CHECK(kept(first, second) == std::pair<std::size_t, std::size_t>(150, 150));
  }
  // Repeats overlap in several ways.
  Sequence repeat;
  for (std::size_t i = 0; i < 150; ++i) repeat.push_back(static_cast<Code>(i % 3));
  CHECK(kept(repeat, turned(repeat)) == std::pair<std::size_t, std::size_t>(150, 150));
  CHECK(kept({}, repeat) == std::pair<std::size_t, std::size_t>(0, 150));
}
