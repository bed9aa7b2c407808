// Patterns in a text by its FM-index, against the suffix array and a comparison at every position.
#include "genocl/overlap/fm_index.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
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

SequenceSet dna_of(const std::vector<Bytes>& records) {
  SequenceSet set(Alphabet::dna);
  for (const Bytes& record : records)
    set.append_letters({}, std::string_view(reinterpret_cast<const char*>(record.data()), record.size()));
  return set;
}

/// Every position of the pattern in a record, by comparison.
std::vector<std::uint32_t> places_in(const std::vector<Bytes>& records, std::string_view pattern) {
  std::vector<std::uint32_t> places;
  std::size_t begin = 0;
  for (const Bytes& record : records) {
    const std::string_view text(reinterpret_cast<const char*>(record.data()), record.size());
    for (std::size_t at = text.find(pattern); at != std::string_view::npos; at = text.find(pattern, at + 1))
      places.push_back(static_cast<std::uint32_t>(begin + at));
    begin += record.size() + 1;
  }
  return places;
}

/// Pieces of records, a third of them changed; A, C, G and T only, and one letter that no text has.
std::vector<std::string> pieces_of(Random& random, const std::vector<Bytes>& records, std::size_t count,
                                   std::size_t longest) {
  std::vector<std::string> pieces = {"A", "C", "G", "T", "N", "ACGNT"};
  for (std::size_t tries = 0; pieces.size() < count && tries < 20 * count; ++tries) {
    const Bytes& record = records[random() % records.size()];
    if (record.empty()) continue;
    const std::size_t begin = random() % record.size();
    std::string piece;
    for (std::size_t i = begin; i < std::min(record.size(), begin + 1 + random() % longest); ++i)
      piece += static_cast<char>(record[i]);
    if (random() % 3 == 0) piece[random() % piece.size()] = "ACGT"[random() % 4];
    if (piece.find('N') == std::string::npos) pieces.push_back(piece);
  }
  return pieces;
}

void check_fm(const FmIndex& index, const std::vector<Bytes>& records, const std::vector<std::string>& patterns) {
  const std::vector<std::string_view> views(patterns.begin(), patterns.end());
  const std::vector<std::uint32_t> counts = index.count(views);
  const Occurrences all = index.locate(views);
  REQUIRE(counts.size() == patterns.size());
  REQUIRE(all.begins.size() == patterns.size() + 1);
  for (std::size_t p = 0; p < patterns.size(); ++p) {
    CAPTURE(patterns[p]);
    std::vector<std::uint32_t> expected = places_in(records, patterns[p]);
    // N matches nothing.
    if (patterns[p].find('N') != std::string::npos) expected.clear();
    CHECK(counts[p] == expected.size());
    CHECK(std::vector<std::uint32_t>(all.positions.begin() + static_cast<std::ptrdiff_t>(all.begins[p]),
                                     all.positions.begin() + static_cast<std::ptrdiff_t>(all.begins[p + 1])) ==
          expected);
  }
}

}  // namespace

TEST_CASE("tiny: overlap FM-index") {
  const std::vector<Bytes> records = {bytes_of("ACGTACGA"), bytes_of("TTACG")};
  for (const auto& variant : variants()) {
    CAPTURE(variant.name);
    const FmIndex index{SuffixArray(Text::separated(variant.device, dna_of(records)))};
    check_fm(index, records, {"ACG", "A", "TT", "ACGTACGA", "GAT", "ACGAT", "C"});
    CHECK(index.size() == 15);
    CHECK(index.record_of(8) == 0);
    CHECK(index.record_of(9) == 1);
  }
}

TEST_CASE("an FM-index of records, runs of N and repeats finds what a comparison finds") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 8; ++round) {
    std::vector<Bytes> records;
    for (std::size_t i = 0, count = 1 + random() % 40; i < count; ++i)
      records.push_back(random_text(random, random() % 900, round % 4 == 1 ? 1 : round % 4 == 2 ? 2 : 4));
    // Lengths at the ends of blocks of 192 rows.
    if (round == 3) records = {random_text(random, 191 + random() % 3, 4)};
    if (round % 2 == 0)
      for (Bytes& record : records)
        for (std::size_t i = 0; i < record.size(); ++i)
          if (i % 97 < 5) record[i] = 'N';
    records.push_back(records[0]);
    const std::vector<std::string> patterns = pieces_of(random, records, 200, round < 4 ? 12 : 120);
    const SequenceSet set = dna_of(records);
    for (const auto& variant : drawn_variants()) {
      CAPTURE(variant.name);
      CAPTURE(round);
      const SuffixArray suffixes(Text::separated(variant.device, set));
      const FmIndex index(suffixes);
      check_fm(index, records, patterns);
      const std::vector<std::string_view> views(patterns.begin(), patterns.end());
      const Occurrences few = index.locate(views, 3);
      const SuffixIndex full{SuffixArray(Text::separated(variant.device, set))};
      CHECK(few.begins == full.locate(views, 3).begins);
      CHECK(few.positions == full.locate(views, 3).positions);
    }
  }
}

TEST_CASE("a text without separators, of one record, and without letters has an FM-index") {
  for (const auto& variant : variants()) {
    CAPTURE(variant.name);
    const Bytes bytes = bytes_of("banana");
    const FmIndex index{SuffixArray(variant.device, bytes)};
    check_fm(index, {bytes}, {"a", "ana", "nan", "banana", "ban", "x"});
    const std::vector<Bytes> none = {{}, bytes_of("NNN")};
    check_fm(FmIndex{SuffixArray(Text::separated(variant.device, dna_of(none)))}, none, {"A", "ACGT"});
  }
}

TEST_CASE("an FM-index made in pieces, stored and on several devices is the same") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const genocl_test::TemporaryFolder folder;
  const std::string whole = (folder.path() / "whole").string(), pieces = (folder.path() / "pieces").string();
  const auto content = [](const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  std::vector<Device> two;
  for (const auto& variant : drawn_variants()) two.push_back(variant.device.with_own_queue());
  const std::vector<Bytes> records = {
      random_text(random, 5000, 4), {}, random_text(random, 700, 4), bytes_of("NNACGTN")};
  const std::vector<std::string> patterns = pieces_of(random, records, 150, 30);
  const std::vector<std::string> names = {"one", "none", "three", "four"};
  const SequenceSet set = dna_of(records);
  const FmIndex made(SuffixArray(Text::separated(two[0], set)), names, std::span(two).subspan(1));
  check_fm(made, records, patterns);
  made.save(whole);
  for (const bool check : {false, true}) {
    FmIndex::in_pieces(two, Text::separated(on_host, set), names, check, {.piece_suffixes = 1000}).save(pieces);
    CHECK(content(pieces) == content(whole));
  }
  CHECK(FmIndex::is_index(whole));
  CHECK_FALSE(SuffixIndex::is_index(whole));
  const FmIndex opened = FmIndex::open(two, whole);
  CHECK(std::ranges::equal(opened.names(), names));
  CHECK(std::ranges::equal(opened.begins(), made.begins()));
  CHECK(opened.bytes() == made.bytes());
  check_fm(opened, records, patterns);
  // Anything changed, cut off or of another kind is refused.
  const std::string bytes = content(whole);
  for (const std::size_t at : {std::size_t{3}, std::size_t{70}, bytes.size() / 2, bytes.size() - 1}) {
    std::string other = bytes;
    other[at] = static_cast<char>(other[at] ^ 4);
    std::ofstream(pieces, std::ios::binary) << other;
    CHECK_THROWS_AS(FmIndex::open(two, pieces), InputError);
  }
  std::ofstream(pieces, std::ios::binary) << bytes.substr(0, bytes.size() - 5000);
  CHECK_THROWS_AS(FmIndex::open(two, pieces), InputError);
  SuffixIndex(SuffixArray(Text::separated(two[0], set))).save(pieces);
  CHECK_FALSE(FmIndex::is_index(pieces));
  CHECK_THROWS_AS(FmIndex::open(two, pieces), InputError);
}

TEST_CASE("an FM-index of more rows than are made at a time is that of the suffix array") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device device = variants()[0].device;
  const std::vector<Bytes> records = {random_text(random, (192 << 16) + 5000, 4), random_text(random, 70'000, 4)};
  const SuffixIndex full{SuffixArray(Text::separated(device, dna_of(records)))};
  const FmIndex index(full.suffixes());
  std::vector<std::string> patterns;
  for (std::size_t at = 0; at + 60 < records[0].size(); at += 9973)
    patterns.emplace_back(records[0].begin() + static_cast<std::ptrdiff_t>(at),
                          records[0].begin() + static_cast<std::ptrdiff_t>(at + 9 + at % 50));
  const std::vector<std::string_view> views(patterns.begin(), patterns.end());
  const Occurrences found = index.locate(views), expected = full.locate(views);
  CHECK(found.begins == expected.begins);
  CHECK(found.positions == expected.positions);
}

TEST_CASE("what an FM-index refuses") {
  const Device device = variants()[0].device;
  CHECK_THROWS_WITH_AS(FmIndex{SuffixArray(device, bytes_of("five letters"))}, doctest::Contains("at most 4"),
                       InputError);
  const std::vector<Bytes> records = {bytes_of("ACGT")};
  const SuffixArray suffixes(Text::separated(device, dna_of(records)));
  CHECK_THROWS_AS(FmIndex(suffixes, {"one", "two"}), InputError);
  const FmIndex index(suffixes);
  const std::vector<std::string_view> empty = {"A", ""}, none;
  CHECK_THROWS_AS(index.count(empty), InputError);
  CHECK(index.count(none).empty());
  CHECK(index.locate(none).positions.empty());
  CHECK_THROWS_AS(FmIndex::open(std::span<const Device>(), "x"), InputError);
}
