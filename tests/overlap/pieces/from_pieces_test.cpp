// Arrays derived from pieces, against those that a device derives from the whole array.
#include "genocl/overlap/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_index.hpp"
#include "overlap/cases.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::overlap;
using overlap_test::Bytes;
using overlap_test::bytes_of;
using overlap_test::BytesInRecords;
using overlap_test::Random;
using overlap_test::random_text;
using overlap_test::test_device;
using overlap_test::test_seed;

namespace {

/// The same device in both shapes, as two devices.
std::vector<Device> two_devices() {
  std::vector<Device> two;
  for (const auto& variant : overlap_test::variants()) two.push_back(variant.device.with_own_queue());
  return two;
}

template <class Position>
PositionSink<Position> sink_of(const std::function<void(std::span<const Position>)>& take) {
  return take;
}

template <class Position>
void check_bytes(std::span<const Device> devices, const Bytes& bytes, std::uint64_t most) {
  const Text text(overlap::on_host, bytes);
  BwtFromPieces transform(text);
  InverseFromPieces inverse(bytes.size(), sizeof(Position) == 8);
  Bytes symbols;
  sort_in_pieces(devices, text, sink_of<Position>([&](std::span<const Position> some) {
                   const std::span<const std::uint8_t> next = transform.add(some);
                   symbols.insert(symbols.end(), next.begin(), next.end());
                   inverse.add(some);
                 }),
                 {.piece_suffixes = most});
  const SuffixArray whole(test_device(), bytes);
  const BurrowsWheeler expected = bwt(whole);
  CHECK(symbols == expected.symbols);
  CHECK(transform.primary() == expected.primary);
  const std::vector<std::uint32_t> ranks = overlap::inverse(whole).download();
  CHECK(inverse.narrow().size() + inverse.wide().size() == ranks.size());
  CHECK((std::ranges::equal(inverse.narrow(), ranks) || std::ranges::equal(inverse.wide(), ranks)));
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

}  // namespace

TEST_CASE("a transform and an inverse of pieces are those of the whole array") {
  const std::vector<Device> two = two_devices();
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Bytes& text : {Bytes(), bytes_of("G"), bytes_of("ATTGCTAC"), Bytes(1000, 'A'), random_text(random, 3000),
                            random_text(random, 2000, 2)})
    check_bytes<std::uint32_t>(two, text, 700);
  check_bytes<std::uint32_t>(std::span(two).first(1), random_text(random, 1500, 15), 400);
  check_bytes<std::uint64_t>(two, random_text(random, 3000), 700);
  // More than a thread of the host takes at a time.
  check_bytes<std::uint32_t>(two, random_text(random, 300'000), 0);
}

TEST_CASE("records of pieces, and the file of an index, are those of the whole array") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Device> two = two_devices();
  const genocl_test::TemporaryFolder folder;
  const std::string saved = (folder.path() / "whole").string(), in_pieces = (folder.path() / "pieces").string();
  for (const unsigned letters : {3u, 7u, 15u}) {
    const Bytes bytes = random_text(random, 4000, letters);
    const BytesInRecords apart(bytes, 6);
    const Text text = Text::separated(on_host, apart.records);
    const SuffixArray whole(Text::separated(test_device(), apart.records));
    const std::vector<std::uint32_t> expected = document_array(whole).download();
    const std::vector<std::uint32_t> positions = whole.download();
    std::vector<std::uint32_t> records(expected.size()), of_wide(expected.size());
    documents_of(text, positions, records);
    CHECK(records == expected);
    documents_of(text, std::vector<std::uint64_t>(positions.begin(), positions.end()), of_wide);
    CHECK(of_wide == expected);

    const std::vector<std::string> names = {"a", "b", "c", "d", "e", "f"};
    SuffixIndex(SuffixArray(whole.text(), Array<std::uint32_t>(test_device(), positions)), names).save(saved);
    for (const bool check : {false, true}) {
      save_index_in_pieces(two, text, names, in_pieces, check, {.piece_suffixes = 900});
      CHECK(contents(in_pieces) == contents(saved));
    }
    CHECK_THROWS_AS(save_index_in_pieces(two, text, {"a"}, in_pieces), InputError);
  }
}

TEST_CASE("the transform of records is that of a set of strings, and gives the records back") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const std::vector<Device> two = two_devices();
  for (const unsigned count : {1u, 2u, 7u, 200u}) {
    // Equal records, empty ones, and ends that are equal for long.
    std::vector<Bytes> records;
    for (unsigned r = 0; r < count; ++r)
      records.push_back(r % 5 == 4 ? records[random.below(records.size())] : random_text(random, random.below(60), 3));
    std::vector<std::span<const std::uint8_t>> views(records.begin(), records.end());
    const Text text = Text::separated(on_host, views);
    BwtFromPieces transform(text);
    Bytes symbols;
    sort_in_pieces(two, text, sink_of<std::uint32_t>([&](std::span<const std::uint32_t> some) {
                     const std::span<const std::uint8_t> next = transform.add(some);
                     symbols.insert(symbols.end(), next.begin(), next.end());
                   }),
                   {.piece_suffixes = 300});
    struct Row {
      Bytes suffix;
      unsigned record;
      std::uint8_t before;
    };
    std::vector<Row> rows;
    for (unsigned r = 0; r < count; ++r)
      for (std::size_t i = 0; i <= records[r].size(); ++i)
        rows.push_back({Bytes(records[r].begin() + static_cast<std::ptrdiff_t>(i), records[r].end()), r,
                        i == 0 ? std::uint8_t{'$'} : records[r][i - 1]});
    std::ranges::sort(rows, [](const Row& a, const Row& b) {
      return a.suffix != b.suffix ? std::ranges::lexicographical_compare(a.suffix, b.suffix) : a.record < b.record;
    });
    Bytes expected;
    for (const Row& row : rows) expected.push_back(row.before);
    CHECK(symbols == expected);
    CHECK(transform.primary() == 0);
    CHECK(inverse_bwt_of_records(symbols) == records);
  }
  CHECK(inverse_bwt_of_records({}).empty());
  CHECK_THROWS_AS(inverse_bwt_of_records(bytes_of("AC")), InputError);
  CHECK_THROWS_AS(inverse_bwt_of_records(bytes_of("$A")), InputError);
  CHECK_THROWS_AS(inverse_bwt_of_records(bytes_of("AA$$CC")), InputError);
}

TEST_CASE("arrays derived from pieces: bad input") {
  const Bytes bytes = bytes_of("ACGT");
  const BytesInRecords apart(bytes, 2);
  CHECK_THROWS_AS(BwtFromPieces(Text::separated(on_host, apart.records), 'G'), InputError);
  const Text text(overlap::on_host, bytes);
  const std::vector<std::uint32_t> beyond = {0, 4}, two = {0, 1}, three = {1, 2, 3};
  CHECK_THROWS_AS(BwtFromPieces(text).add(beyond), InputError);
  InverseFromPieces inverse(4, false);
  CHECK_THROWS_AS(inverse.add(beyond), InputError);
  CHECK_THROWS_AS(InverseFromPieces(std::uint64_t{1} << 32, false), InputError);
  InverseFromPieces full(4, false);
  full.add(two);
  CHECK_THROWS_AS(full.add(three), InputError);
  CHECK_THROWS_AS(full.add(std::vector<std::uint64_t>{1}), InputError);
  std::vector<std::uint32_t> records(2), few(1);
  CHECK_THROWS_AS(documents_of(text, beyond, records), InputError);
  CHECK_THROWS_AS(documents_of(text, two, few), InputError);
}
