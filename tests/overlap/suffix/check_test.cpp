// first_error, inverse and the Burrows-Wheeler transform.
#include "overlap/suffix/suffix_array.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "overlap/order_cases.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

using Order = std::vector<std::uint32_t>;

std::optional<std::uint64_t> error_of(const overlap::Text& text, const Order& order) {
  return overlap::first_error(text, Array<std::uint32_t>(text.device(), order));
}

/// The first index that is wrong, by the words of the declaration.
std::optional<std::uint64_t> expected_error(const std::vector<int>& symbols, const Order& order) {
  std::vector<bool> seen(symbols.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (order[i] >= symbols.size() || seen[order[i]]) return i;
    seen[order[i]] = true;
  }
  std::vector<std::uint64_t> ranks(order.size() + 1, 0);
  for (std::size_t i = 0; i < order.size(); ++i) ranks[order[i]] = i + 1;
  for (std::size_t i = 1; i < order.size(); ++i) {
    const std::uint32_t a = order[i - 1], b = order[i];
    const bool less = symbols[a] != symbols[b]                    ? symbols[a] < symbols[b]
                      : symbols[a] == reference::suffix_separator ? a < b
                                                                  : ranks[a + 1] < ranks[b + 1];
    if (!less) return i;
  }
  return std::nullopt;
}

void check_errors(const overlap::Text& text, Random& random) {
  const std::vector<int> symbols = symbols_of(text);
  const Order right = reference::suffix_order(symbols);
  CHECK(error_of(text, right) == std::nullopt);
  if (right.size() < 2) return;
  for (unsigned trial = 0; trial < 4; ++trial) {
    CAPTURE(trial);
    Order wrong = right;
    const std::size_t a = random() % wrong.size(), b = random() % wrong.size();
    switch (trial) {
      case 0:  // two neighbours
        std::swap(wrong[a], wrong[a == 0 ? 1 : a - 1]);
        break;
      case 1:  // any two
        std::swap(wrong[a], wrong[b]);
        break;
      case 2:  // one twice
        wrong[a] = wrong[b];
        break;
      default:
        wrong[a] = static_cast<std::uint32_t>(wrong.size() + b);
    }
    CHECK(error_of(text, wrong) == expected_error(symbols, wrong));
    CHECK(error_of(text, wrong).has_value() == (wrong != right));
  }
}

}  // namespace

TEST_CASE("tiny: overlap check finds the first error, inverts and transforms") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    Random random(test_seed());
    const overlap::Text text(variant.device, bytes_of("ATTGCTAC"));
    check_errors(text, random);
    const Order order = {6, 0, 7, 4, 3, 5, 2, 1};
    const Array<std::uint32_t> positions(variant.device, order);
    CHECK(overlap::inverse_of(variant.device, positions, 8).download() == Order{1, 7, 6, 4, 3, 5, 0, 2});
    Bytes symbols(8);
    CHECK(overlap::bwt_of(genocl::runtime::state_of(text), positions, symbols) == 2);
    CHECK(symbols == bytes_of("CTAGTCTA"));
    CHECK(overlap::inverse_bwt(variant.device, symbols, 2) == bytes_of("ATTGCTAC"));
    const std::vector<std::uint64_t> begins = {0, 3, 3, 8};
    CHECK(overlap::documents_of(variant.device, positions, 8, begins).download() == Order{2, 0, 2, 2, 2, 2, 0, 0});
  }
}

TEST_CASE("overlap check agrees with its definition") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    Random random(test_seed());
    for (const auto& hard : hard_texts(700, test_seed())) {
      CAPTURE(hard.first);
      check_errors(overlap::Text(variant.device, hard.second), random);
    }
    for (const OrderCase& test : separated_texts(variant.device, 500, test_seed())) {
      CAPTURE(test.name);
      check_errors(test.text, random);
    }
    const overlap::Text text(variant.device, bytes_of("ACGT"));
    CHECK_THROWS_AS(error_of(text, Order(3)), InputError);
  }
}

TEST_CASE("overlap bwt can be undone") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const auto& hard : hard_texts(900, test_seed())) {
      CAPTURE(hard.first);
      const overlap::Text text(variant.device, hard.second);
      const overlap::SuffixArray suffixes(text);
      const overlap::BurrowsWheeler transform = overlap::bwt(suffixes);
      const Order order = suffixes.download(), ranks = overlap::inverse(suffixes).download();
      CHECK(ranks.size() == order.size());
      for (std::size_t i = 0; i < ranks.size(); ++i) CHECK(order[ranks[i]] == i);
      CHECK(transform.symbols.size() == hard.second.size());
      // Rows with the missing one; the k-th row that ends in a symbol is the k-th that begins with it.
      std::vector<int> last(transform.symbols.begin(), transform.symbols.end());
      if (!hard.second.empty()) last.insert(last.begin() + static_cast<std::ptrdiff_t>(transform.primary), -1);
      std::vector<std::size_t> row(last.size());
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = i;
      std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) { return last[a] < last[b]; });
      Bytes undone;
      std::size_t at = transform.primary;
      for (std::size_t i = 0; i < hard.second.size(); ++i) {
        at = row[at];
        undone.push_back(static_cast<std::uint8_t>(last[at]));
      }
      CHECK(undone == hard.second);
      const bool inverse_is_right =
          overlap::inverse_bwt(variant.device, transform.symbols, transform.primary) == hard.second;
      CHECK(inverse_is_right);
    }
    // Longer than a walk, with all kinds of repeats.
    for (const auto& hard : hard_texts(30'000, test_seed())) {
      CAPTURE(hard.first);
      const overlap::BurrowsWheeler transform = overlap::bwt(overlap::SuffixArray(variant.device, hard.second));
      const bool inverse_is_right =
          overlap::inverse_bwt(variant.device, transform.symbols, transform.primary) == hard.second;
      CHECK(inverse_is_right);
    }
    // What no text has: two cycles, and rows that there are not.
    CHECK_THROWS_AS(overlap::inverse_bwt(variant.device, bytes_of("AB"), 1), InputError);
    CHECK_THROWS_AS(overlap::inverse_bwt(variant.device, bytes_of("AB"), 0), InputError);
    CHECK_THROWS_AS(overlap::inverse_bwt(variant.device, bytes_of("AB"), 3), InputError);
    CHECK(overlap::inverse_bwt(variant.device, {}, 0).empty());
    SequenceSet records;
    records.append_letters("a", "ACGTACGT");
    const std::array<const SequenceSet*, 1> sets = {&records};
    const overlap::Text separated = overlap::Text::separated(variant.device, sets);
    Bytes symbols(separated.size());
    CHECK_THROWS_AS(overlap::bwt_of(genocl::runtime::state_of(separated),
                                    Array<std::uint32_t>(variant.device, separated.size()), symbols),
                    InputError);
    const overlap::SuffixArray suffixes(variant.device, bytes_of("ACGT"));
    CHECK_THROWS_AS(overlap::bwt(suffixes, std::span(symbols).first(3)), InputError);
  }
}

TEST_CASE("overlap document arrays tell the record of each suffix") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : drawn_variants())
    for (const OrderCase& test : separated_texts(variant.device, 500, test_seed())) {
      CAPTURE(test.name);
      const overlap::SuffixArray suffixes(test.text);
      const std::vector<std::uint32_t> positions = suffixes.download(), records = document_array(suffixes).download();
      const auto begins = test.text.begins();
      REQUIRE(records.size() == positions.size());
      for (std::size_t i = 0; i < records.size(); ++i)
        CHECK((begins[records[i]] <= positions[i] && positions[i] < begins[records[i] + 1]));
    }
}
