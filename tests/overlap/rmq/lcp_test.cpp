// LCP values against Kasai's.
#include "genocl/overlap/lcp.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "overlap/rmq/enhanced_suffix_array.hpp"
#include "reference/overlap/lcp.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

std::vector<int> symbols_of(const Bytes& bytes) { return {bytes.begin(), bytes.end()}; }

void check_lcp(const Device& device, const overlap::Text& text, std::span<const std::uint32_t> positions,
               const std::vector<std::uint32_t>& expected) {
  const Array<std::uint32_t> on_device(device, positions);
  CHECK(overlap::lcp_values(text, on_device).download() == expected);
  CHECK(overlap::kasai_values(text, on_device).download() == expected);
}

/// Records and their text by Text::separated.
struct Records {
  std::vector<Bytes> records;
  std::vector<int> symbols;

  explicit Records(std::vector<Bytes> all) : records(std::move(all)) {
    for (const Bytes& record : records) {
      symbols.insert(symbols.end(), record.begin(), record.end());
      symbols.push_back(-1);
    }
  }
  overlap::Text text(const Device& device) const {
    const std::vector<std::span<const std::uint8_t>> views(records.begin(), records.end());
    return overlap::Text::separated(device, views);
  }
};

void check_records(const Records& all) {
  const std::vector<std::uint32_t> positions = genocl_reference::sorted_suffixes(all.symbols);
  const std::vector<std::uint32_t> expected = genocl_reference::kasai(all.symbols, positions);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check_lcp(variant.device, all.text(variant.device), positions, expected);
  }
}

}  // namespace

TEST_CASE("tiny: overlap common prefixes of neighbours") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& [name, bytes] : hard_texts(300, test_seed())) {
    if (name == "Thue-Morse" || name == "two letters") continue;
    const std::string which = name;
    CAPTURE(which);
    const std::vector<int> symbols = symbols_of(bytes);
    const std::vector<std::uint32_t> positions = genocl_reference::sorted_suffixes(symbols);
    const std::vector<std::uint32_t> expected = genocl_reference::kasai(symbols, positions);
    for (const Variant& variant : variants()) {
      CAPTURE(variant.name);
      const overlap::Text text(variant.device, bytes);
      check_lcp(variant.device, text, positions, expected);
    }
  }
  // Longer than one item compares, in two equal records, with others around.
  const Bytes twice = random_text(random, 700);
  check_records(Records({random_text(random, 50), twice, {}, bytes_of("A"), twice, bytes_of("AA"), {}}));
}

TEST_CASE("overlap common prefixes: hard texts, with and without separators") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& [name, bytes] : hard_texts(5000, test_seed())) {
    const std::string which = name;
    CAPTURE(which);
    const std::vector<int> symbols = symbols_of(bytes);
    const std::vector<std::uint32_t> positions = genocl_reference::sorted_suffixes(symbols);
    const std::vector<std::uint32_t> expected = genocl_reference::kasai(symbols, positions);
    for (const Variant& variant : drawn_variants()) {
      CAPTURE(variant.name);
      const overlap::Text text(variant.device, bytes);
      check_lcp(variant.device, text, positions, expected);
    }
    // The same cut into records at places that fall where they may, and once more behind itself.
    std::vector<Bytes> pieces;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = std::min<std::size_t>(bytes.size() - at, random() % 5 == 0 ? 0 : random() % 900);
      pieces.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                          bytes.begin() + static_cast<std::ptrdiff_t>(at + length));
      at += length;
    }
    pieces.push_back(bytes);
    check_records(Records(pieces));
  }
}

TEST_CASE("overlap common prefixes: random small texts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 300; ++round) {
    CAPTURE(round);
    std::vector<Bytes> records(1 + random() % 4);
    for (Bytes& record : records) record = random_text(random, random() % 60, 1 + static_cast<unsigned>(random() % 6));
    check_records(Records(records));
  }
}

TEST_CASE("overlap common prefixes longer than many windows of a group") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // Two equal halves of a random text: the second half's suffix stands before the first one's.
  const std::size_t half = 300'000;
  Bytes bytes = random_text(random, half);
  bytes.insert(bytes.end(), bytes.begin(), bytes.end());
  const std::vector<int> symbols = symbols_of(bytes);
  std::vector<std::uint32_t> positions(bytes.size());
  std::iota(positions.begin(), positions.end(), 0u);
  // Random: 64 symbols tell all places of one half apart.
  const std::string letters(bytes.begin(), bytes.end());
  std::sort(positions.begin(), positions.end(), [&](std::uint32_t a, std::uint32_t b) {
    const int order = letters.compare(a, 64, letters, b, 64);
    return order != 0 ? order < 0 : a > b;
  });
  const std::vector<std::uint32_t> expected = genocl_reference::kasai(symbols, positions);
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    check_lcp(variant.device, overlap::Text(variant.device, bytes), positions, expected);
    // All equal: the array is known.
    const std::size_t length = 1'000'003;
    std::vector<std::uint32_t> backwards(length), counted(length);
    for (std::uint32_t i = 0; i < length; ++i) {
      backwards[i] = static_cast<std::uint32_t>(length) - 1 - i;
      counted[i] = i;
    }
    check_lcp(variant.device, overlap::Text(variant.device, Bytes(length, 'A')), backwards, counted);
  }
}

TEST_CASE("overlap common prefixes by name") {
  for (const overlap::LcpMethod method : {overlap::LcpMethod::irreducible, overlap::LcpMethod::kasai}) {
    CHECK(overlap::lcp_method_named(overlap::to_string(method)) == method);
    const overlap::SuffixArray suffixes(test_device(), bytes_of("ATTGCTAC"));
    CHECK(overlap::Lcp(suffixes, method).download() == std::vector<std::uint32_t>{0, 1, 0, 1, 0, 0, 1, 1});
    CHECK(overlap::Lcp(overlap::SuffixArray(test_device(), Bytes()), method).size() == 0);
  }
  CHECK_THROWS_AS(overlap::lcp_method_named("phi"), InputError);
}
