// DC3 by name.
#include <algorithm>

#include "genocl/error.hpp"
#include "overlap/build.hpp"
#include "overlap/dc3.hpp"
#include "overlap/order_cases.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

std::vector<std::uint32_t> dc3_order(const overlap::Text& text, overlap::BuildReport* report = nullptr) {
  overlap::BuildReport own;
  Array<std::uint32_t> positions(text.device(), text.size());
  overlap::build_dc3(text.device(), text.state(), positions, {}, report != nullptr ? *report : own);
  return positions.download();
}

void check_all(const Device& device, std::size_t length, std::uint64_t seed) {
  for (const auto& [name, bytes] : hard_texts(length, seed)) {
    CAPTURE(name);
    const overlap::Text text(device, bytes);
    CHECK(dc3_order(text) == reference::suffix_order(symbols_of(text)));
  }
  for (const OrderCase& test : separated_texts(device, length, seed)) {
    CAPTURE(test.name);
    CHECK(dc3_order(test.text) == reference::suffix_order(symbols_of(test.text)));
  }
}

}  // namespace

TEST_CASE("tiny: overlap dc3 orders short texts") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    CHECK(dc3_order(overlap::Text(variant.device, bytes_of("ATTGCTAC"))) ==
          std::vector<std::uint32_t>{6, 0, 7, 4, 3, 5, 2, 1});
    std::mt19937_64 random(seed);
    const OrderCase separated = separated_texts(variant.device, 60, seed)[1];
    CHECK(dc3_order(separated.text) == reference::suffix_order(symbols_of(separated.text)));
    // Two levels and the short string's end.
    const overlap::Text equal(variant.device, Bytes(1200, 'A'));
    overlap::BuildReport report;
    CHECK(dc3_order(equal, &report) == reference::suffix_order(symbols_of(equal)));
    CHECK(report.levels > 1);
  }
}

TEST_CASE("tiny: overlap dc3 sorts names that do not fit one word by three") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  std::vector<std::uint32_t> names(600);
  for (std::size_t i = 0; i < names.size(); ++i)
    names[i] = i % 3 == 0 ? 4'000'000'000u + static_cast<std::uint32_t>(random() % 2)
                          : 1 + static_cast<std::uint32_t>(random() % 2);
  // The oracle's symbols are int: the names' ranks.
  std::vector<int> symbols;
  for (const std::uint32_t name : names)
    symbols.push_back(name >= 4'000'000'000u ? static_cast<int>(name - 4'000'000'000u) + 3 : static_cast<int>(name));
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const Array<std::uint32_t> string(variant.device, names);
    Array<std::uint32_t> order(variant.device, names.size());
    overlap::sort_suffixes_of_names(variant.device, string.buffer(), names.size(), 4'000'000'001u, order.buffer());
    CHECK(order.download() == reference::suffix_order(symbols));
  }
}

TEST_CASE("overlap dc3 orders texts of all lengths") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (std::size_t length = 0; length < 40; ++length) {
      CAPTURE(length);
      for (const unsigned letters : {1u, 2u, 15u}) {
        const overlap::Text text(variant.device, random_text(random, length, letters));
        CHECK(dc3_order(text) == reference::suffix_order(symbols_of(text)));
      }
    }
  }
}

TEST_CASE("overlap dc3 orders long and hard texts") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1000u, 5000u, 20011u}) check_all(variant.device, length, seed + length);
  }
}
