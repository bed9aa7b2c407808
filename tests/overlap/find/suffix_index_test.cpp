// Patterns in a text by its suffix array, against a comparison at every position.
#include "genocl/overlap/suffix_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::overlap;
using overlap_test::Bytes;
using overlap_test::bytes_of;
using overlap_test::drawn_variants;
using overlap_test::Random;
using overlap_test::random_text;
using overlap_test::test_seed;
using overlap_test::variants;

namespace {

/// Every position of the pattern within a record; a separator follows each record.
std::vector<std::uint32_t> places_of(const std::vector<Bytes>& records, const std::string& pattern) {
  std::vector<std::uint32_t> places;
  std::uint32_t begin = 0;
  for (const Bytes& record : records) {
    for (std::size_t i = 0; i + pattern.size() <= record.size(); ++i)
      if (std::equal(pattern.begin(), pattern.end(), record.begin() + static_cast<std::ptrdiff_t>(i),
                     [](char a, std::uint8_t b) { return static_cast<std::uint8_t>(a) == b; }))
        places.push_back(begin + static_cast<std::uint32_t>(i));
    begin += static_cast<std::uint32_t>(record.size()) + 1;
  }
  return places;
}

Text text_of(const Device& device, const std::vector<Bytes>& records) {
  std::vector<std::span<const std::uint8_t>> spans(records.begin(), records.end());
  return Text::separated(device, spans);
}

/// Pieces of the text, some of them changed, and some of other letters.
std::vector<std::string> patterns_for(Random& random, const std::vector<Bytes>& records, std::size_t count,
                                      std::size_t longest) {
  std::vector<std::string> patterns;
  while (patterns.size() < count) {
    const Bytes& record = records[random() % records.size()];
    const std::size_t length = 1 + random() % longest, begin = record.empty() ? 0 : random() % record.size();
    std::string pattern(record.begin() + static_cast<std::ptrdiff_t>(begin),
                        record.begin() + static_cast<std::ptrdiff_t>(std::min(record.size(), begin + length)));
    if (random() % 4 == 0 && !pattern.empty()) pattern[random() % pattern.size()] = "ACGT"[random() % 4];
    if (random() % 16 == 0) pattern += '!';
    if (!pattern.empty()) patterns.push_back(pattern);
  }
  return patterns;
}

void check_index(const SuffixIndex& index, const std::vector<Bytes>& records,
                 const std::vector<std::string>& patterns) {
  const std::vector<std::string_view> views(patterns.begin(), patterns.end());
  const std::vector<std::uint32_t> counts = index.count(views);
  const Occurrences all = index.locate(views), few = index.locate(views, 2);
  REQUIRE(counts.size() == patterns.size());
  REQUIRE(all.begins.size() == patterns.size() + 1);
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    CAPTURE(patterns[p]);
    const std::vector<std::uint32_t> expected = places_of(records, patterns[p]);
    CHECK(counts[p] == expected.size());
    const auto begin = all.positions.begin();
    CHECK(std::vector<std::uint32_t>(begin + static_cast<std::ptrdiff_t>(all.begins[p]),
                                     begin + static_cast<std::ptrdiff_t>(all.begins[p + 1])) == expected);
    CHECK(few.begins[p + 1] - few.begins[p] == std::min<std::uint64_t>(2, expected.size()));
    for (std::uint64_t i = few.begins[p]; i < few.begins[p + 1]; ++i)
      CHECK(std::ranges::binary_search(expected, few.positions[i]));
  }
}

}  // namespace

TEST_CASE("tiny: overlap find") {
  const std::vector<Bytes> records = {bytes_of("ACGTACGA"), bytes_of("TTACG")};
  for (const auto& variant : variants()) {
    CAPTURE(variant.name);
    const SuffixIndex index{SuffixArray(text_of(variant.device, records))};
    check_index(index, records, {"ACG", "A", "TT", "ACGTACGA", "GAT", "ACGAT", "C"});
  }
}

TEST_CASE("patterns in texts of all widths, with separators and repeats") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 8; ++round) {
    std::vector<Bytes> records;
    const unsigned letters = round % 4 == 0 ? 4 : round % 4 == 1 ? 9 : round % 4 == 2 ? 1 : 2;
    for (std::size_t i = 0, count = 1 + random() % 5; i < count; ++i)
      records.push_back(random_text(random, random() % 700, letters));
    if (round % 4 == 3) {
      Bytes bytes;
      for (int i = 0; i < 900; ++i) bytes.push_back(static_cast<std::uint8_t>(random() % 256));
      records.push_back(bytes);
    }
    for (int i = 0; i < 3; ++i) records.push_back(records[0]);
    records.push_back(bytes_of("ACGTTTGACA"));
    const std::vector<std::string> patterns = patterns_for(random, records, 120, round % 2 == 0 ? 12 : 150);
    for (const auto& variant : drawn_variants()) {
      CAPTURE(variant.name);
      CAPTURE(round);
      check_index(SuffixIndex{SuffixArray(text_of(variant.device, records))}, records, patterns);
    }
  }
}

TEST_CASE("several devices find what one does") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string();
  // The same device in both shapes, as two devices; and every one there is.
  std::vector<Device> two;
  for (const auto& variant : drawn_variants()) two.push_back(variant.device.with_own_queue());
  const std::vector<Device> all = Device::list();
  for (const unsigned letters : {2u, 9u}) {
    const std::vector<Bytes> records = {random_text(random, 600, letters), {}, random_text(random, 90, letters)};
    const std::vector<std::string> patterns = patterns_for(random, records, 150, 30);
    for (const std::vector<Device>& devices : {two, all}) {
      const SuffixIndex made(SuffixArray(text_of(devices.front(), records)), {"one", "none", "three"},
                             std::span(devices).subspan(1));
      check_index(made, records, patterns);
      check_index(made, records, {patterns.front()});
      made.save(path);
      const SuffixIndex opened = SuffixIndex::open(devices, path, true);
      CHECK(std::ranges::equal(opened.names(), made.names()));
      check_index(opened, records, patterns);
    }
  }
  const SuffixIndex index = SuffixIndex::open(two, path);
  std::vector<std::string_view> patterns(40, "A");
  CHECK(index.count(std::span(patterns).first(0)).empty());
  CHECK(index.locate(std::span(patterns).first(0)).begins == std::vector<std::uint64_t>{0});
  patterns[30] = {};
  CHECK_THROWS_WITH_AS(index.count(patterns), doctest::Contains("pattern 31"), InputError);
  CHECK_THROWS_AS(SuffixIndex::open(std::span<const Device>(), path), InputError);
}

TEST_CASE("an index is the same after it was saved and opened") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "index").string();
  const Device device = variants()[0].device;
  for (const unsigned letters : {4u, 12u}) {
    const std::vector<Bytes> records = {random_text(random, 500, letters), {}, random_text(random, 77, letters)};
    const SuffixIndex made{SuffixArray(text_of(device, records)), {"one", "none", "three"}};
    made.save(path);
    CHECK(SuffixIndex::is_index(path));
    const SuffixIndex opened = SuffixIndex::open(device, path, true);
    CHECK(opened.suffixes().download() == made.suffixes().download());
    CHECK(std::ranges::equal(opened.names(), made.names()));
    CHECK(std::ranges::equal(opened.suffixes().text().alphabet(), made.suffixes().text().alphabet()));
    check_index(opened, records, patterns_for(random, records, 60, 40));
    CHECK(opened.record_of(0) == 0);
    CHECK(opened.record_of(499) == 0);
    CHECK(opened.record_of(502) == 2);
  }
  // Anything changed, cut off or of another kind is refused.
  std::string bytes;
  {
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
  }
  for (const std::size_t at : {std::size_t{3}, std::size_t{70}, bytes.size() / 2, bytes.size() - 1}) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    std::ofstream(path, std::ios::binary) << other;
    CHECK_THROWS_AS(SuffixIndex::open(device, path), InputError);
  }
  std::ofstream(path, std::ios::binary) << bytes.substr(0, bytes.size() - 5000);
  CHECK_THROWS_AS(SuffixIndex::open(device, path), InputError);
  std::ofstream(path) << ">a\nACGT\n";
  CHECK_FALSE(SuffixIndex::is_index(path));
  CHECK_THROWS_AS(SuffixIndex::open(device, path), InputError);
}

TEST_CASE("what cannot be looked for") {
  const Device device = variants()[0].device;
  const std::vector<Bytes> records = {bytes_of("ACGT")};
  const Text text = text_of(device, records);
  const SuffixIndex index{SuffixArray(text)};
  const std::vector<std::string_view> empty = {"A", ""}, none;
  CHECK_THROWS_AS(index.count(empty), InputError);
  CHECK(index.count(none).empty());
  CHECK(index.locate(none).positions.empty());
  CHECK_THROWS_AS(SuffixIndex(SuffixArray(text), {"one", "two"}), InputError);
  CHECK_THROWS_AS(SuffixArray(text, Array<std::uint32_t>(device, 3)), InputError);
  const std::vector<std::string_view> two = {"A", "C"};
  const Patterns patterns(text, two);
  Array<std::uint32_t> first(device, 2), counts(device, 1);
  CHECK_THROWS_AS(index.find(patterns, first, counts), InputError);
}
