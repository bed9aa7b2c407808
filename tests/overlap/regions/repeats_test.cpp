// Repeated spans, against a comparison of every pair of positions.
#include "genocl/overlap/repeats.hpp"

#include <doctest/doctest.h>

#include "genocl/error.hpp"
#include "overlap/record_cases.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

std::vector<SequenceInterval> expected(const reference::Records& records, std::size_t length, bool later_only) {
  struct Place {
    std::size_t record, position;
  };
  std::vector<Place> places;
  std::vector<std::vector<bool>> covered;
  for (std::size_t r = 0; r < records.size(); ++r) {
    covered.emplace_back(records[r].size());
    for (std::size_t i = 0; i + length <= records[r].size(); ++i) places.push_back({r, i});
  }
  for (std::size_t a = 0; a < places.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const Place &here = places[a], &there = places[b];
      if (reference::common_from(records[here.record], here.position, records[there.record], there.position) < length)
        continue;
      for (std::size_t i = 0; i < length; ++i) {
        covered[here.record][here.position + i] = true;
        if (!later_only) covered[there.record][there.position + i] = true;
      }
    }
  std::vector<SequenceInterval> spans;
  for (std::size_t r = 0; r < records.size(); ++r)
    for (std::size_t i = 0; i < covered[r].size(); ++i) {
      if (!covered[r][i]) continue;
      if (i > 0 && covered[r][i - 1])
        ++spans.back().end;
      else
        spans.push_back({r, i, i + 1});
    }
  return spans;
}

void check(const Device& device, const std::vector<std::string>& letters, RepeatOptions options) {
  CAPTURE(letters);
  CAPTURE(options.min_length);
  CAPTURE(options.piece_symbols);
  const SequenceSet records = set_of(letters);
  for (const bool later_only : {false, true}) {
    options.later_only = later_only;
    const auto spans = expected(letters_of(records, options.letters), options.min_length, later_only);
    const bool same = repeated_spans(std::span(&device, 1), records, options) == spans;
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("tiny: overlap repeated spans") {
  for (const Variant& variant : variants())
    for (const std::uint64_t piece : {0, 32})
      check(variant.device, {"ACGTTTGCAACGTTTGGA", "GTTTNGCAAC", "CCTTTGCNGTTTG"},
            {.min_length = 4, .piece_symbols = piece});
}

TEST_CASE("overlap repeated spans: hard and random records, in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::vector<std::string>& records : hard_records()) {
      check(variant.device, records, {.min_length = 3});
      check(variant.device, records, {.min_length = 2, .letters = Letters::written, .piece_symbols = 32});
    }
    for (unsigned round = 0; round < 12; ++round)
      check(variant.device, related_records(random, 1 + random() % 8, 5 + random() % 90, 1 + round % 4),
            {.min_length = 1 + random() % 40,
             .letters = round % 3 == 0 ? Letters::written : Letters::bases,
             .piece_symbols = round % 2 == 0 ? 0 : 32u * (1 + random() % 4)});
  }
}

TEST_CASE("overlap repeated spans: bytes, on several devices") {
  const Device& device = test_device();
  const std::vector<Device> twice = {device, device.with_own_queue()};
  const std::vector<std::string> texts = {"the cat sat on the mat", "", "a cat sat on it",
                                          std::string("\0\xff\0\xff", 4)};
  std::vector<std::span<const std::uint8_t>> records;
  reference::Records values;
  for (const std::string& text : texts) {
    records.emplace_back(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    values.emplace_back(records.back().begin(), records.back().end());
  }
  for (const std::uint64_t piece : {0, 32})
    for (const bool later : {false, true})
      for (const std::uint64_t length : {1, 2, 4, 9}) {
        const auto spans = repeated_spans(twice, ByteStrings(records),
                                          {.min_length = length, .later_only = later, .piece_symbols = piece});
        CHECK(spans == expected(values, length, later));
      }
  // Kept once, and no other words.
  CHECK(repeated_spans(twice, ByteStrings(records), {.min_length = 9, .later_only = true}) ==
        std::vector<SequenceInterval>{{2, 1, 13}});
}

TEST_CASE("overlap repeated spans: bad input") {
  const Device& device = test_device();
  const SequenceSet records = set_of({"ACGTACGT"});
  CHECK_THROWS_AS(repeated_spans(std::span(&device, 1), records, {.min_length = 0}), InputError);
  CHECK_THROWS_AS(repeated_spans({}, records, {.min_length = 2}), InputError);
  CHECK_THROWS_AS(repeated_spans(std::span(&device, 1), records, {.piece_symbols = std::uint64_t{1} << 32}),
                  InputError);
  CHECK(repeated_spans(std::span(&device, 1), SequenceSet(), {}).empty());
  CHECK(repeated_spans(std::span(&device, 1), records, {.min_length = std::uint64_t{1} << 40}).empty());
  CHECK_THROWS_AS(repeated_spans(std::span(&device, 1), records,
                                 {.min_length = 4, .progress = [](const ProgressState&) { return false; }}),
                  Cancelled);
}
