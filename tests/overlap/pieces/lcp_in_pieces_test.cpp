// LCP values of arrays in pieces, against Kasai's and against Lcp.
#include "overlap/pieces/sort_in_pieces.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "genocl/error.hpp"
#include "genocl/overlap/lcp.hpp"
#include "overlap/pieces/piece_cases.hpp"
#include "reference/overlap/lcp.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace overlap_test;
using overlap::LcpPieceOptions;
using overlap::LcpPieceReport;
using overlap::Text;

namespace {

using Numbers = std::vector<std::uint32_t>;

/// Positions that count from `base`.
overlap::PositionSource source_of(const Numbers& positions, std::uint64_t base) {
  return [&positions, base](std::uint64_t first, std::span<std::uint64_t> some) {
    for (std::size_t i = 0; i < some.size(); ++i) some[i] = base + positions[first + i];
  };
}

template <class Value>
std::vector<Value> values_of(std::span<const Device> devices, const Text& text, const Numbers& positions,
                             std::uint64_t most, std::uint64_t base = far) {
  std::vector<Value> values;
  const overlap::PositionSink<Value> sink = [&](std::span<const Value> some) {
    CHECK(some.size() <= std::max<std::uint64_t>(most, 1));
    values.insert(values.end(), some.begin(), some.end());
  };
  const LcpPieceReport report = overlap::pieces::lcp(devices, text, base, positions.size(), source_of(positions, base),
                                                     sink, {.piece_values = most});
  CHECK(report.pieces == (positions.size() + most - 1) / most);
  return values;
}

/// With 64 bits, far from 0, and with 32.
void check(const Device& device, const Text& text, const Numbers& positions, const Numbers& expected,
           std::uint64_t most) {
  CAPTURE(most);
  const std::span<const Device> only(&device, 1);
  CHECK(std::ranges::equal(values_of<std::uint64_t>(only, text, positions, most), expected));
  CHECK(values_of<std::uint32_t>(only, text, positions, most, 0) == expected);
}

/// A text as it is, or in records; its array and its values by the oracle.
struct Case {
  Text text;
  Numbers positions, values;

  explicit Case(const Bytes& bytes) : Case(Text(overlap::on_host, bytes), {bytes.begin(), bytes.end()}) {}
  explicit Case(const std::vector<Bytes>& records) : Case(text_of(records), symbols_of(records)) {}

 private:
  Case(Text packed, const std::vector<int>& symbols)
      : text(std::move(packed)),
        positions(genocl_reference::sorted_suffixes(symbols)),
        values(genocl_reference::kasai(symbols, positions)) {}
  static Text text_of(const std::vector<Bytes>& records) {
    const std::vector<std::span<const std::uint8_t>> views(records.begin(), records.end());
    return Text::separated(overlap::on_host, views);
  }
  static std::vector<int> symbols_of(const std::vector<Bytes>& records) {
    std::vector<int> symbols;
    for (const Bytes& record : records) {
      symbols.insert(symbols.end(), record.begin(), record.end());
      symbols.push_back(-1);
    }
    return symbols;
  }
};

void check(const Device& device, const Case& of, std::uint64_t most) {
  check(device, of.text, of.positions, of.values, most);
}

}  // namespace

TEST_CASE("tiny: overlap common prefixes in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // Longer than one item compares, in two equal records, with others around.
  const Bytes twice = random_text(random, 620);
  const Case records(std::vector<Bytes>{random_text(random, 50), twice, {}, bytes_of("A"), twice, bytes_of("AA"), {}});
  const Case plain(random_text(random, 150)), eight(random_text(random, 60, 15));
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check(variant.device, records, 900);
    if (variant.name == "vendor") continue;
    check(variant.device, plain, 100);
    check(variant.device, eight, 60);
  }
}

TEST_CASE("common prefixes in pieces: hard texts, with and without separators") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const auto& hard : random.some_of(hard_texts(2'000, test_seed()))) {
    const auto& name = hard.first;
    const auto& bytes = hard.second;
    CAPTURE(name);
    // The same cut into records at places that fall where they may, and once more behind itself.
    std::vector<Bytes> cut;
    for (std::size_t at = 0; at < bytes.size();) {
      const std::size_t length = std::min<std::size_t>(bytes.size() - at, random() % 5 == 0 ? 0 : random() % 400);
      cut.emplace_back(bytes.begin() + static_cast<std::ptrdiff_t>(at),
                       bytes.begin() + static_cast<std::ptrdiff_t>(at + length));
      at += length;
    }
    cut.push_back(bytes);
    const Case plain(bytes), records(cut);
    for (const Variant& variant : variants()) {
      CAPTURE(variant.name);
      for (const Case* const one : {&plain, &records})
        for (const std::uint64_t most : {one->text.size() / 9 + 1, one->text.size() + 1})
          check(variant.device, *one, most);
    }
  }
}

TEST_CASE("common prefixes in pieces: random small texts, one value at a time") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 60; ++round) {
    CAPTURE(round);
    std::vector<Bytes> records(1 + random() % 4);
    for (Bytes& record : records) record = random_text(random, random() % 40, 1 + static_cast<unsigned>(random() % 6));
    const Case of(records);
    for (const Variant& variant : variants()) {
      CAPTURE(variant.name);
      check(variant.device, of, 1 + random() % 12);
    }
  }
}

TEST_CASE("common prefixes in pieces are those of Lcp") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // Two equal halves, a run and copies with changes: lengths from none to many windows of a group.
  Bytes bytes = random_text(random, 200'000);
  bytes.insert(bytes.end(), bytes.begin(), bytes.end());
  bytes.insert(bytes.end(), 50'000, 'A');
  for (unsigned copy = 0; copy < 4; ++copy) {
    bytes.insert(bytes.end(), bytes.begin() + 1'000, bytes.begin() + 31'000);
    for (unsigned k = 0; k < 30; ++k) bytes[bytes.size() - 1 - random() % 30'000] = 'C';
  }
  const overlap::SuffixArray suffixes(test_device(), bytes);
  const Numbers positions = suffixes.download(), expected = overlap::Lcp(suffixes).download();
  const Text text(overlap::on_host, bytes);
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    check(variant.device, text, positions, expected, 100'000);
  }
  // The same device in both shapes, as two devices; and every one there is.
  std::vector<Device> two;
  for (const Variant& variant : variants()) two.push_back(variant.device.with_own_queue());
  for (const std::uint64_t most : {7'000, 300'000})
    CHECK(std::ranges::equal(values_of<std::uint64_t>(two, text, positions, most), expected));
  CHECK(values_of<std::uint32_t>(Device::list(), text, positions, 50'000, 0) == expected);
  // All equal: the array is known.
  const std::uint32_t length = 1'000'003;
  Numbers backwards(length), counted(length);
  std::iota(backwards.rbegin(), backwards.rend(), 0u);
  std::iota(counted.begin(), counted.end(), 0u);
  check(cpu_device(), Text(overlap::on_host, Bytes(length, 'A')), backwards, counted, 300'000);
}

TEST_CASE("common prefixes in pieces: cancellation and reports") {
  const Bytes bytes = bytes_of("ATTGCTAC");
  const Text text(overlap::on_host, bytes);
  const Numbers positions = {6, 0, 7, 4, 3, 5, 2, 1};
  const std::span<const Device> device(&test_device(), 1);
  std::vector<std::uint64_t> values;
  const overlap::PositionSink<std::uint64_t> sink = [&](std::span<const std::uint64_t> some) {
    values.insert(values.end(), some.begin(), some.end());
  };
  std::uint64_t last = 0;
  const LcpPieceReport report = overlap::lcp_in_pieces(device, text, 8, source_of(positions, 0), sink,
                                                       {.piece_values = 3, .progress = [&](const ProgressState& state) {
                                                          CHECK(state.items_done >= last);
                                                          CHECK(state.items_total == 16);
                                                          last = state.items_done;
                                                          return true;
                                                        }});
  CHECK(values == std::vector<std::uint64_t>{0, 1, 0, 1, 0, 0, 1, 1});
  CHECK(last == 16);
  CHECK(report.pieces == 3);
  CHECK(report.largest_piece == 3);
  CHECK(report.irreducible == 8);
  CHECK(report.device_bytes > text.bytes());
  CHECK(report.host_bytes > 0);

  values.clear();
  const auto never = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(overlap::lcp_in_pieces(device, text, 8, source_of(positions, 0), sink, {.progress = never}),
                  Cancelled);
  CHECK_THROWS_AS(overlap::lcp_in_pieces({}, text, 8, source_of(positions, 0), sink), InputError);
  CHECK_THROWS_AS(overlap::lcp_in_pieces(device, text, 7, source_of(positions, 0), sink), InputError);
  // Positions that the text has not are never read.
  for (const std::uint64_t wrong : {std::uint64_t{8}, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
    const overlap::PositionSource bad = [&](std::uint64_t first, std::span<std::uint64_t> some) {
      source_of(positions, 0)(first, some);
      if (first <= 4 && 4 < first + some.size()) some[4 - first] = wrong;
    };
    CHECK_THROWS_AS(overlap::lcp_in_pieces(device, text, 8, bad, sink), InputError);
  }
  CHECK(values.empty());
  // Another permutation gives an error or meaningless values.
  const Numbers twice = {6, 0, 6, 0, 6, 0, 6, 0}, same(8, 2), none;
  CHECK_THROWS_AS(overlap::lcp_in_pieces(device, text, 8, source_of(twice, 0), sink), InputError);
  overlap::lcp_in_pieces(device, text, 8, source_of(same, 0), sink);
  CHECK(values.size() == 8);
  CHECK(overlap::lcp_in_pieces(device, Text(overlap::on_host, Bytes()), 0, source_of(none, 0), sink).pieces == 0);
}

TEST_CASE("common prefixes in pieces are planned before the start") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Bytes bytes = random_text(random, 3'000'000);
  const Text text(overlap::on_host, bytes);
  const overlap::SuffixArray suffixes(test_device(), bytes);
  const Numbers positions = suffixes.download(), expected = overlap::Lcp(suffixes).download();
  const auto small = [&](std::uint64_t memory) {
    const genocl_test::Environment limit("GENOCL_DEVICE_MEMORY", std::to_string(memory));
    return Device::pick(std::to_string(test_device().info().index));
  };
  std::vector<std::uint32_t> values;
  const overlap::PositionSink<std::uint32_t> sink = [&](std::span<const std::uint32_t> some) {
    values.insert(values.end(), some.begin(), some.end());
  };
  const Device little = small(std::uint64_t{6} << 20);
  const LcpPieceReport report =
      overlap::lcp_in_pieces(std::span(&little, 1), text, bytes.size(), source_of(positions, 0), sink);
  CHECK(report.pieces > 1);
  CHECK(report.device_bytes <= std::uint64_t{6} << 20);
  CHECK(values == expected);
  values.clear();
  const Device less = small(std::uint64_t{2} << 20);
  std::string said;
  try {
    overlap::lcp_in_pieces(std::span(&less, 1), text, bytes.size(), source_of(positions, 0), sink);
  } catch (const CapacityError& error) {
    said = error.what();
  }
  CHECK(said.find("common prefixes in pieces") != std::string::npos);
  CHECK(values.empty());
}
