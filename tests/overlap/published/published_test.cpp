// The published algorithm against the oracle and against the others.
#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <span>

#include "genocl/error.hpp"
#include "overlap/order_cases.hpp"
#include "overlap/suffix/suffix_array.hpp"

using namespace genocl;
using namespace overlap_test;
using overlap::Algorithm;

namespace {

std::vector<std::uint32_t> order_by(Algorithm algorithm, const overlap::Text& text) {
  return overlap::SuffixArray(text, {.algorithm = algorithm}).download();
}

void check_order(const overlap::Text& text) {
  CHECK(order_by(Algorithm::published, text) == reference::suffix_order(symbols_of(text)));
}

void check_all(const Device& device, std::size_t length, std::uint64_t seed) {
  for (const auto& hard : hard_texts(length, seed)) {
    CAPTURE(hard.first);
    check_order(overlap::Text(device, hard.second));
  }
  for (const OrderCase& test : separated_texts(device, length, seed)) {
    CAPTURE(test.name);
    check_order(test.text);
  }
}

void check_sort(const Device& device, Random& random, std::size_t size, unsigned bits) {
  CAPTURE(size);
  CAPTURE(bits);
  const std::uint32_t mask = bits == 32 ? std::numeric_limits<std::uint32_t>::max() : (1u << bits) - 1;
  std::vector<std::uint32_t> keys(size), order(size);
  for (std::uint32_t& key : keys) key = static_cast<std::uint32_t>(random());
  std::iota(order.begin(), order.end(), 0u);
  Array<std::uint32_t> on_device(device, keys), values(device, order);
  overlap::chunk_sort(device, on_device, values, bits);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return (keys[a] & mask) < (keys[b] & mask); });
  std::vector<std::uint32_t> sorted(size);
  for (std::size_t i = 0; i < size; ++i) sorted[i] = keys[order[i]];
  CHECK(values.download() == order);
  CHECK(on_device.download() == sorted);
}

}  // namespace

TEST_CASE("tiny: overlap published orders short texts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Bytes letters = random_text(random, 90, 3);
  const std::array<std::span<const std::uint8_t>, 3> records = {letters, {}, std::span(letters).first(30)};
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check_order(overlap::Text(variant.device, letters));
    check_order(overlap::Text::separated(variant.device, records));
  }
}

TEST_CASE("the sort of chunks keeps the order of equal keys") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t size : {0u, 1u, 2u, 3u, 255u, 256u, 257u, 511u, 513u, 769u, 5'000u, 70'001u})
      for (const unsigned bits : {0u, 1u, 2u, 9u, 31u, 32u}) check_sort(variant.device, random, size, bits);
  }
}

TEST_CASE("overlap published orders the paper's example, and goes down to where all names differ") {
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const auto built = [&](const Bytes& bytes) {
      return overlap::SuffixArray(variant.device, bytes, {.algorithm = Algorithm::published});
    };
    const overlap::SuffixArray paper = built(bytes_of("ATTGCTAC"));
    CHECK(paper.download() == std::vector<std::uint32_t>{6, 0, 7, 4, 3, 5, 2, 1});
    CHECK(paper.report().algorithm == Algorithm::published);
    CHECK(paper.report().levels == 0);
    CHECK(built(bytes_of("AAAA")).report().levels == 0);
    CHECK(built(bytes_of("AAAAA")).report().levels == 1);
    // A name of level k stands for 3^(k + 1) symbols: that of level 6 for more than there are.
    CHECK(built(Bytes(2'000, 'A')).report().levels == 6);
  }
}

TEST_CASE("overlap published orders texts of all lengths") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (std::size_t length = 0; length < 40; ++length) {
      CAPTURE(length);
      for (const unsigned letters : {1u, 2u, 15u})
        check_order(overlap::Text(variant.device, random_text(random, length, letters)));
    }
  }
}

TEST_CASE("overlap published orders long and hard texts") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1'000u, 20'011u}) check_all(variant.device, length, test_seed() + length);
  }
}

TEST_CASE("overlap published orders as hybrid and dc3 do") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    // Long enough that memory is let go between the levels.
    Bytes bytes = random_text(random, 1'100'000);
    std::copy_n(bytes.begin(), 200'000, bytes.begin() + 700'000);
    const overlap::Text text(variant.device, bytes);
    const std::vector<std::uint32_t> order = order_by(Algorithm::published, text);
    CHECK(order == order_by(Algorithm::hybrid, text));
    CHECK(order == order_by(Algorithm::dc3, text));
  }
}

TEST_CASE("overlap published: report, memory and cancellation") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (unsigned shift = 20; shift <= 31; ++shift)
      for (const unsigned bits : {2u, 4u, 8u}) {
        CAPTURE(shift);
        CAPTURE(bits);
        const std::uint64_t size = std::uint64_t{1} << shift;
        const std::uint64_t bytes =
            overlap::SuffixArray::peak_bytes(variant.device, size, bits, true, Algorithm::published);
        CHECK(bytes > 19 * size);
        CHECK(bytes <= 21 * size);
      }
    const overlap::Text text(variant.device, random_text(random, 50'000));
    std::vector<double> seen;
    const overlap::SuffixArrayOptions watched{.algorithm = Algorithm::published,
                                              .progress =
                                                  [&](const ProgressState& state) {
                                                    seen.push_back(state.fraction);
                                                    return true;
                                                  },
                                              .time_steps = true};
    overlap::SuffixArray suffixes(text, watched);
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.size() > 3 * suffixes.report().levels);
    CHECK(seen.front() == 0);
    CHECK(seen.back() == 1);
    CHECK(suffixes.report().steps.size() == 4);
    CHECK(suffixes.report().peak_bytes ==
          overlap::SuffixArray::peak_bytes(variant.device, text.size(), 2, false, Algorithm::published));
    // Also in the middle of the work.
    const overlap::SuffixArrayOptions stop{.algorithm = Algorithm::published,
                                           .progress = [](const ProgressState& state) { return state.fraction < 0.4; }};
    CHECK_THROWS_AS(suffixes.rebuild(text, stop), Cancelled);
    CHECK(suffixes.size() == 0);
  }
}
