// Longest common extensions against comparing symbol by symbol.
#include <array>
#include <optional>
#include <span>

#include "genocl/error.hpp"
#include "genocl/overlap/rmq.hpp"
#include "overlap/cases.hpp"
#include "reference/overlap/lcp.hpp"

using namespace genocl;
using namespace overlap_test;
using overlap::Extensions;
using overlap::PositionPair;
using overlap::RmqStructure;

namespace {

std::vector<PositionPair> random_pairs(std::size_t size, std::size_t count, Random& random) {
  std::vector<PositionPair> pairs(count);
  for (PositionPair& pair : pairs) {
    pair = {static_cast<std::uint32_t>(random() % size), static_cast<std::uint32_t>(random() % size)};
    if (random() % 8 == 0) pair.b = pair.a;
  }
  return pairs;
}

/// Of -1 as separators.
void check_pairs(const Extensions& extensions, std::span<const int> symbols, std::span<const PositionPair> pairs) {
  const std::vector<std::uint32_t> answers = extensions.common(pairs);
  REQUIRE(answers.size() == pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::uint64_t expected = genocl_reference::common_symbols(symbols, pairs[i].a, pairs[i].b);
    if (answers[i] == expected) continue;
    CAPTURE(pairs[i].a);
    CAPTURE(pairs[i].b);
    CHECK(answers[i] == expected);
    return;
  }
}

struct Separated {
  std::vector<int> symbols;
  std::vector<Bytes> records;

  Separated(Random& random, std::size_t count, std::size_t longest) {
    for (std::size_t i = 0; i < count; ++i) {
      records.push_back(i > 1 && i % 2 == 0 ? records[i - 2] : random_text(random, random() % (longest + 1), 3));
      symbols.insert(symbols.end(), records[i].begin(), records[i].end());
      symbols.push_back(-1);
    }
  }
  overlap::Text text(const Device& device) const {
    const std::vector<std::span<const std::uint8_t>> views(records.begin(), records.end());
    return overlap::Text::separated(device, views);
  }
};

}  // namespace

TEST_CASE("tiny: overlap common extensions of two positions") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Separated records(random, 7, 60);
  const Bytes bytes = random_text(random, 100, 2);
  const std::vector<int> symbols(bytes.begin(), bytes.end());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check_pairs(Extensions(overlap::SuffixArray(records.text(variant.device))), records.symbols,
                random_pairs(records.symbols.size(), 60, random));
    check_pairs(Extensions(overlap::SuffixArray(variant.device, bytes)), symbols, random_pairs(100, 60, random));
  }
}

TEST_CASE("overlap common extensions: hard texts and all structures") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& [name, bytes] : hard_texts(3000, test_seed())) {
    if (bytes.empty()) continue;
    const std::string which = name;
    CAPTURE(which);
    const std::vector<int> symbols(bytes.begin(), bytes.end());
    const std::vector<PositionPair> pairs = random_pairs(symbols.size(), 500, random);
    for (const Variant& variant : drawn_variants()) {
      CAPTURE(variant.name);
      const overlap::SuffixArray suffixes(variant.device, bytes);
      for (const RmqStructure structure : {RmqStructure::block, RmqStructure::sparse, RmqStructure::bv1}) {
        CAPTURE(overlap::to_string(structure));
        check_pairs(Extensions(suffixes, structure), symbols, pairs);
      }
    }
  }
}

TEST_CASE("overlap common extensions end at separators, however far the next one is") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Separated records(random, 15, 9000);
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    std::optional<overlap::SuffixArray> suffixes(records.text(variant.device));
    const Extensions extensions(*suffixes);
    suffixes.reset();
    check_pairs(extensions, records.symbols, random_pairs(records.symbols.size(), 2000, random));
    // Each record and its copy, from the begin and from the middle.
    std::vector<PositionPair> pairs;
    std::uint32_t begin = 0;
    std::vector<std::uint32_t> begins;
    for (const Bytes& record : records.records) {
      begins.push_back(begin);
      begin += static_cast<std::uint32_t>(record.size()) + 1;
    }
    for (std::size_t i = 2; i < begins.size(); i += 2) {
      pairs.push_back({begins[i - 2], begins[i]});
      const auto middle = static_cast<std::uint32_t>(records.records[i].size() / 2);
      pairs.push_back({begins[i] + middle, begins[i - 2] + middle});
      pairs.push_back({begins[i], begins[i]});
    }
    check_pairs(extensions, records.symbols, pairs);
  }
}

TEST_CASE("overlap common extensions: positions out of range") {
  const Device& device = test_device();
  const Bytes bytes = bytes_of("ATTGCTAC");
  const Extensions extensions{overlap::SuffixArray(device, bytes)};
  const std::array<PositionPair, 3> pairs = {{{0, 6}, {8, 0}, {3, 3}}};
  CHECK(extensions.common(std::span(pairs).first(1)) == std::vector<std::uint32_t>{1});
  CHECK_THROWS_WITH_AS(extensions.common(pairs), "pair 1: positions 8 and 0 of a text of 8", InputError);
  CHECK(extensions.common({}).empty());
  const Array<PositionPair> asked(device, pairs);
  Array<std::uint32_t> answers(device, 3), too_few(device, 2);
  extensions.common(asked, answers);
  CHECK(answers.download() == std::vector<std::uint32_t>{1, 0, 5});
  CHECK_THROWS_AS(extensions.common(asked, too_few), InputError);
  const Extensions of_none{overlap::SuffixArray(device, Bytes())};
  of_none.common(asked, answers);
  CHECK(answers.download() == std::vector<std::uint32_t>{0, 0, 0});
}
