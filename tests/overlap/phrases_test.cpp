// Suffix arrays by phrases that repeat.
#include "overlap/phrases.hpp"

#include <algorithm>

#include "overlap/order_cases.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

/// Many phrases in short texts.
const overlap::PhraseOptions forced = {.window = 3, .bits = 2, .even_if_many = true};

std::vector<std::uint32_t> phrase_order(const overlap::Text& text, const overlap::PhraseOptions& options) {
  overlap::BuildReport report;
  Array<std::uint32_t> positions(text.device(), text.size());
  if (!overlap::build_by_phrases(text.device(), text.state(), positions, {}, report, options)) return {};
  return positions.download();
}

void check_order(const overlap::Text& text, const overlap::PhraseOptions& options) {
  CHECK(phrase_order(text, options) == reference::suffix_order(symbols_of(text)));
}

}  // namespace

TEST_CASE("tiny: overlap phrases order short texts") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check_order(separated_texts(variant.device, 100, seed)[0].text, forced);
    check_order(overlap::Text(variant.device, hard_texts(200, seed)[12].second), forced);
  }
}

TEST_CASE("overlap phrases order texts of all kinds") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {30u, 700u, 5000u})
      for (unsigned window = 1; window <= 8; window += 3)
        for (unsigned bits = 1; bits <= 5; bits += 2) {
          CAPTURE(length);
          CAPTURE(window);
          CAPTURE(bits);
          const overlap::PhraseOptions options = {
              .window = window, .bits = bits, .even_if_many = true, .seed = static_cast<std::uint32_t>(random())};
          for (const auto& [name, bytes] : hard_texts(length, seed)) {
            CAPTURE(name);
            check_order(overlap::Text(variant.device, bytes), options);
          }
          for (const OrderCase& test : separated_texts(variant.device, length, seed)) {
            CAPTURE(test.name);
            check_order(test.text, options);
          }
        }
  }
}

TEST_CASE("overlap phrases of near-identical copies are worth it, others are not") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const Bytes genome = random_text(random, 4000);
  SequenceSet records;
  Bytes all;
  for (unsigned copy = 0; copy < 25; ++copy) {
    Bytes other = genome;
    for (unsigned k = 0; k < 3; ++k) other[random() % other.size()] = "ACGT"[random() % 4];
    records.append_letters("copy", std::string(other.begin(), other.end()));
    all.insert(all.end(), other.begin(), other.end());
  }
  const std::array<const SequenceSet*, 1> sets = {&records};
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check_order(overlap::Text(variant.device, all), {});
    check_order(overlap::Text::separated(variant.device, sets), {});
    for (const char* letter : {"A", "AC", "ACG"}) {
      Bytes equal;
      while (equal.size() < 200'000) equal.insert(equal.end(), letter, letter + std::string(letter).size());
      const overlap::Text text(variant.device, equal);
      const std::vector<std::uint32_t> order = phrase_order(text, {});
      CHECK((order.empty() || order == reference::suffix_order(symbols_of(text))));
    }
    CHECK(phrase_order(overlap::Text(variant.device, random_text(random, 50'000)), {}).empty());
    CHECK(phrase_order(overlap::Text(variant.device, Bytes(300'000, 'A')), {}).empty());
    CHECK(phrase_order(overlap::Text(variant.device, Bytes()), {}).empty());
  }
}

TEST_CASE("overlap phrases do not trust hashes") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const overlap::Text text(test_device(), random_text(random, 3000));
  overlap::PhraseOptions options = forced;
  options.hash_bits = 3;  // every attempt finds different phrases of one hash
  CHECK(phrase_order(text, options).empty());
  for (unsigned bits = 8; bits <= 20; bits += 2) {
    options.hash_bits = bits;
    const std::vector<std::uint32_t> order = phrase_order(text, options);
    CHECK((order.empty() || order == reference::suffix_order(symbols_of(text))));
  }
}
