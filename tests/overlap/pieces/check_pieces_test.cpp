// Errors of suffix arrays, checked piece by piece.
#include "overlap/pieces/sort_in_pieces.hpp"

#include <algorithm>
#include <utility>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "reference/overlap/suffix_array.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

using Positions = std::vector<std::uint64_t>;

/// As it is, and with changes of each kind.
void check(const Device& device, const overlap::Text& text, const Positions& right, Random& random) {
  const auto error = [&](const Positions& positions) {
    const overlap::PositionSource source = [&positions](std::uint64_t first, std::span<std::uint64_t> some) {
      std::copy_n(positions.begin() + static_cast<std::ptrdiff_t>(first), some.size(), some.begin());
    };
    const std::optional<std::uint64_t> found = overlap::pieces::first_error(device, text, source, positions.size());
    CHECK(overlap::pieces::first_error(device, text, source, positions.size() / 7 + 1).has_value() ==
          found.has_value());
    return found;
  };
  CHECK_FALSE(error(right).has_value());
  const std::size_t size = right.size();
  if (size == 0) return;
  Positions wrong = right;
  wrong[random() % size] = size + random() % 3;
  CHECK(error(wrong).has_value());
  wrong = right;
  wrong[random() % size] = ~std::uint64_t{0};
  CHECK(error(wrong).has_value());
  // The same in 32 bits, which loses the upper bits.
  wrong = right;
  wrong[random() % size] += std::uint64_t{1} << 32;
  CHECK(error(wrong).has_value());
  if (size < 2) return;
  for (unsigned change = 0; change < 4; ++change) {
    wrong = right;
    const std::size_t a = random() % size, b = (a + 1 + random() % (size - 1)) % size;
    std::swap(wrong[a], wrong[b]);
    const std::optional<std::uint64_t> found = error(wrong);
    CHECK(found.has_value());
    CHECK(found.value_or(size) < size);
    wrong = right;
    wrong[a] = wrong[b];
    CHECK(error(wrong).has_value());
  }
  std::rotate(wrong.begin(), wrong.begin() + 1, wrong.end());
  CHECK(error(wrong).has_value());
}

void check_bytes(const Device& device, const Bytes& bytes, Random& random) {
  const std::vector<std::uint32_t> right = reference::suffix_array(bytes);
  check(device, overlap::Text(overlap::on_host, bytes), Positions(right.begin(), right.end()), random);
  const std::vector<std::span<const std::uint8_t>> records = {bytes, bytes, std::span(bytes).first(bytes.size() / 2)};
  Bytes all;
  std::vector<bool> in_records;
  for (const auto record : records) {
    all.insert(all.end(), record.begin(), record.end());
    in_records.resize(all.size(), false);
    all.push_back(0);
    in_records.push_back(true);
  }
  const std::vector<std::uint32_t> separated = reference::suffix_array(all, in_records);
  check(device, overlap::Text::separated(overlap::on_host, records), Positions(separated.begin(), separated.end()),
        random);
}

}  // namespace

TEST_CASE("tiny: overlap checks of arrays in pieces") {
  Random random(7);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const Bytes bytes = bytes_of("ATTGCTACATTG");
    const std::vector<std::uint32_t> right = reference::suffix_array(bytes);
    Positions positions(right.begin(), right.end());
    const overlap::Text text(overlap::on_host, bytes);
    CHECK_FALSE(overlap::first_error(variant.device, text, std::span<const std::uint64_t>(positions)).has_value());
    std::swap(positions[4], positions[5]);
    CHECK(overlap::first_error(variant.device, text, std::span<const std::uint64_t>(positions)).has_value());
  }
}

TEST_CASE("arrays in pieces are checked") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : {1, 2, 33, 3'000})
      for (const auto& hard : hard_texts(length, test_seed())) {
        const auto& name = hard.first;
        const auto& bytes = hard.second;
        CAPTURE(name);
        check_bytes(variant.device, bytes, random);
      }
  }
}

TEST_CASE("arrays in pieces are checked from wherever they lie") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Bytes bytes = random_text(random, 20'000);
  const std::vector<std::uint32_t> right = reference::suffix_array(bytes);
  const overlap::Text text(overlap::on_host, bytes);
  CHECK_FALSE(overlap::first_error(test_device(), text, std::span<const std::uint32_t>(right)).has_value());
  std::uint64_t asked = 0;
  const overlap::PositionSource source = [&](std::uint64_t first, std::span<std::uint64_t> some) {
    asked += some.size();
    std::copy_n(right.begin() + static_cast<std::ptrdiff_t>(first), some.size(), some.begin());
  };
  CHECK_FALSE(overlap::first_error(test_device(), text, right.size(), source).has_value());
  CHECK(asked == 2 * right.size());
  CHECK_THROWS_AS(overlap::first_error(test_device(), text, 7, source), InputError);
  CHECK_THROWS_AS(
      overlap::first_error(test_device(), text, right.size(), source, [](const ProgressState&) { return false; }),
      Cancelled);
}
