// Suffix arrays by phrases that repeat.
#include "overlap/suffix/suffix_array.hpp"

#include <algorithm>

#include "overlap/order_cases.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

/// Many phrases in short texts.
const overlap::PhraseOptions forced = {.window = 3, .bits = 2, .even_if_many = true, .hash_bits = 24};

std::vector<std::uint32_t> phrase_order(const overlap::Text& text, const overlap::PhraseOptions& options) {
  overlap::BuildReport report;
  Array<std::uint32_t> positions(text.device(), text.size());
  if (!overlap::build_by_phrases(text.device(), genocl::runtime::state_of(text), positions, {}, report, options))
    return {};
  return positions.download();
}

void check_order(const overlap::Text& text, const overlap::PhraseOptions& options) {
  CHECK(phrase_order(text, options) == reference::suffix_order(symbols_of(text)));
}

}  // namespace

TEST_CASE("tiny: overlap phrases order short texts") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check_order(separated_texts(variant.device, 40, test_seed())[0].text, forced);
  }
}

TEST_CASE("overlap phrases order texts of all kinds") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    struct Size {
      std::size_t length;
      unsigned window, bits;
    };
    for (const Size& size : random.some_of<Size>({{30, 1, 1}, {30, 3, 2}, {700, 2, 1}, {700, 4, 3}, {5000, 8, 4}})) {
      CAPTURE(size.length);
      CAPTURE(size.window);
      const overlap::PhraseOptions options = {
          .window = size.window, .bits = size.bits, .even_if_many = true, .seed = static_cast<std::uint32_t>(random())};
      for (const auto& hard : hard_texts(size.length, test_seed())) {
        CAPTURE(hard.first);
        check_order(overlap::Text(variant.device, hard.second), options);
      }
      for (const OrderCase& test : separated_texts(variant.device, size.length, test_seed())) {
        CAPTURE(test.name);
        check_order(test.text, options);
      }
    }
  }
}

TEST_CASE("overlap phrases of near-identical copies are worth it, others are not") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
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
  for (const Variant& variant : drawn_variants()) {
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
  GENOCL_SHOW_SEED();
  Random random(test_seed());
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

TEST_CASE("tiny: overlap phrases of more places than 32 bits count are refused, not counted modulo 2^32") {
  // What a text of 4 Gb with many short gaps comes to, 1.27 times its size: modulo 2^32 it would pass for 1.05 G.
  const std::uint64_t size = 4'200'000'000, places = 5'340'000'000, phrases = 2'000'000;
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const std::vector<std::uint32_t> lengths(200, static_cast<std::uint32_t>(places / 200));
    CHECK(overlap::dictionary_places(variant.device, Array<std::uint32_t>(variant.device, lengths)) == places);
  }
  CHECK_FALSE(overlap::dictionary_is_worth_it(places, phrases, size, false));
  CHECK_FALSE(overlap::dictionary_is_worth_it(places, phrases, size, true));
  CHECK(overlap::dictionary_is_worth_it(places & 0xffff'ffffu, phrases, size, false));
  CHECK(overlap::dictionary_is_worth_it(900, 100, 3000, false));
  CHECK_FALSE(overlap::dictionary_is_worth_it(901, 100, 3000, false));
  CHECK(overlap::dictionary_is_worth_it(901, 100, 3000, true));
}
