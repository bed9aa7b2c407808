// DC3 by name.
#include <algorithm>

#include "genocl/error.hpp"
#include "overlap/order_cases.hpp"
#include "overlap/suffix/dc3.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

std::vector<std::uint32_t> dc3_order(const overlap::Text& text, overlap::BuildReport* report = nullptr,
                                     unsigned window_bits = 0) {
  overlap::BuildReport own;
  Array<std::uint32_t> positions(text.device(), text.size());
  overlap::build_dc3_by_windows(text.device(), genocl::runtime::state_of(text), positions, {},
                                report != nullptr ? *report : own, window_bits);
  return positions.download();
}

/// Random, except one string with three occurrences: a few names repeat.
Bytes with_repeats(Random& random, std::size_t length, std::size_t stretch) {
  Bytes text = random_text(random, length);
  for (const std::size_t part : {3u, 5u})
    std::copy_n(text.begin() + 1, stretch, text.begin() + static_cast<std::ptrdiff_t>(length * part / 7));
  return text;
}

void check_all(const Device& device, std::size_t length, std::uint64_t seed) {
  for (const auto& hard : hard_texts(length, seed)) {
    CAPTURE(hard.first);
    const overlap::Text text(device, hard.second);
    CHECK(dc3_order(text) == reference::suffix_order(symbols_of(text)));
  }
  for (const OrderCase& test : separated_texts(device, length, seed)) {
    CAPTURE(test.name);
    CHECK(dc3_order(test.text) == reference::suffix_order(symbols_of(test.text)));
  }
}

}  // namespace

TEST_CASE("tiny: overlap dc3 orders short texts") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    Random random(test_seed());
    const Bytes letters = with_repeats(random, 400, 22);
    const std::array<std::span<const std::uint8_t>, 3> records = {letters, {}, std::span(letters).first(3)};
    const overlap::Text text = overlap::Text::separated(variant.device, records);
    overlap::BuildReport report;
    CHECK(dc3_order(text, &report, 36) == reference::suffix_order(symbols_of(text)));
    CHECK(report.levels > 0);
  }
}

TEST_CASE("tiny: overlap dc3 orders a string of names") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // More than are ranked at once, from large numbers and small ones; some triples are equal.
  std::vector<std::uint32_t> names(520);
  for (std::uint32_t& name : names) name = random() % 3 == 0 ? 200u : 1u + static_cast<std::uint32_t>(random() % 2);
  const std::vector<int> symbols(names.begin(), names.end());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const Array<std::uint32_t> string(variant.device, names);
    Array<std::uint32_t> order(variant.device, names.size());
    CHECK(overlap::sort_suffixes_of_names(variant.device, string.buffer(), names.size(), 200, order.buffer()) > 0);
    CHECK(order.download() == reference::suffix_order(symbols));
  }
}

TEST_CASE("overlap dc3 orders texts in which few names repeat") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    Random random(test_seed());
    for (std::size_t length = 300; length < 20'000; length *= 3)
      for (const std::size_t part : {12u, 30u, 60u}) {
        CAPTURE(length);
        CAPTURE(part);
        const Bytes letters = with_repeats(random, length, 16 + length / part);
        const overlap::Text text(variant.device, letters);
        CHECK(dc3_order(text) == reference::suffix_order(symbols_of(text)));
        const std::array<std::span<const std::uint8_t>, 2> records = {letters, std::span(letters).first(length / 20)};
        const overlap::Text separated = overlap::Text::separated(variant.device, records);
        CHECK(dc3_order(separated) == reference::suffix_order(symbols_of(separated)));
      }
  }
}

TEST_CASE("overlap dc3 orders the paper's example, and a text by many levels") {
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    overlap::BuildReport report;
    CHECK(dc3_order(overlap::Text(variant.device, bytes_of("ATTGCTAC")), &report) ==
          std::vector<std::uint32_t>{6, 0, 7, 4, 3, 5, 2, 1});
    CHECK(report.levels == 0);
    const overlap::Text random(variant.device, hard_texts(1000, 1)[9].second);
    for (unsigned bits = 8; bits <= 64; bits += 7) {
      CAPTURE(bits);
      CHECK(dc3_order(random, nullptr, bits) == reference::suffix_order(symbols_of(random)));
    }
    const overlap::Text equal(variant.device, Bytes(2000, 'A'));
    CHECK(dc3_order(equal, &report) == reference::suffix_order(symbols_of(equal)));
    CHECK(report.levels > 2);
  }
}

TEST_CASE("overlap dc3 takes 20 bytes a symbol at most") {
  for (const Variant& variant : variants())
    for (unsigned shift = 20; shift <= 31; ++shift)
      for (const unsigned bits : {2u, 4u, 8u})
        for (const bool has_separators : {false, true}) {
          CAPTURE(shift);
          CAPTURE(bits);
          const std::uint64_t size = std::uint64_t{1} << shift;
          const std::uint64_t text = size * bits / 8 + (has_separators ? size / 8 : 0);
          // The sort on a CPU has tables for each worker.
          const std::uint64_t cores = variant.device.info().compute_units;
          const std::uint64_t tables = variant.name == "cpu" && cores > 2 ? cores << 20 : 0;
          CHECK(overlap::dc3_bytes(variant.device, size, bits, has_separators) + text + 4 * size <= 20 * size + tables);
        }
}

TEST_CASE("overlap dc3 orders texts of all lengths") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
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
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1000u, 5000u, 20011u}) check_all(variant.device, length, test_seed() + length);
  }
}
