// Maximal exact matches against every pair of places.
#include <array>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/overlap/matches.hpp"
#include "overlap/matches/maximal_matches_steps.hpp"
#include "overlap/record_cases.hpp"
#include "reference/overlap/overlap_matches.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

std::vector<MaximalMatch> expected(const SequenceSet& reference, const SequenceSet& queries,
                                   const MatchOptions& options) {
  const reference::Records records = letters_of(reference, options.letters);
  const reference::Records forward = letters_of(queries, options.letters),
                           backward = letters_of(queries.reverse_complement(), options.letters);
  std::vector<MaximalMatch> matches;
  for (std::size_t query = 0; query < queries.size(); ++query)
    for (const bool reverse : {false, true}) {
      if (reverse && !options.both_strands) continue;
      for (const reference::Match& match :
           reference::maximal_matches(records, (reverse ? backward : forward)[query], options.min_length))
        matches.push_back({match.record, match.position, query, match.query_position, match.length, reverse});
    }
  return matches;
}

void check(const Device& device, const std::vector<std::string>& reference, const std::vector<std::string>& queries,
           const MatchOptions& options) {
  CAPTURE(reference);
  CAPTURE(queries);
  CAPTURE(options.min_length);
  const SequenceSet first = set_of(reference), second = set_of(queries);
  const bool same = maximal_matches(device, first, second, options) == expected(first, second, options);
  CHECK(same);
}

}  // namespace

TEST_CASE("tiny: overlap maximal matches") {
  const Progress none;
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const HostSorted records(variant.device, {"ACGTTTGCAACGTTTGGA", "GTTTNGCA", "CCTTTGCNGTTTG"});
    const SortedText sorted = records.sorted();
    const reference::Records letters = letters_of(records.set(), Letters::bases);
    const std::vector<std::uint64_t>& begins = sorted.text.begins;
    const unsigned bits = sorted.position_bits();
    std::vector<reference::Match> matches;
    maximal_matches_of_text(
        sorted, Rmq(variant.device, sorted.lcp), static_cast<std::uint32_t>(begins[2]), 3, 1000,
        Stages(none, sorted.size()), [&](std::span<const std::uint64_t> keys, std::span<const std::uint32_t> lengths) {
          for (std::size_t i = 0; i < keys.size(); ++i) {
            const std::uint64_t place = keys[i] & ((std::uint64_t{1} << bits) - 1), record = place >= begins[1];
            matches.push_back({keys[i] >> bits, record, place - begins[record], lengths[i]});
          }
        });
    for (reference::Match& match : matches) match.query_position -= begins[2];
    const bool same = matches == reference::maximal_matches({letters[0], letters[1]}, letters[2], 3);
    CHECK(same);
  }
}

TEST_CASE("overlap maximal matches: hard and random records") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::vector<std::string>& records : hard_records()) {
      check(variant.device, records, {"CCCCNAAAC", "", "GTGT"}, {.min_length = 1, .both_strands = true});
      check(variant.device, {"CCCCNAAAC", "", "GTGTACGTNA"}, records, {.min_length = 2});
      check(variant.device, records, records, {.min_length = 4, .both_strands = true, .letters = Letters::written});
    }
    for (unsigned round = 0; round < 16; ++round) {
      const std::vector<std::string> records =
          related_records(random, 1 + random() % 8, 5 + random() % 60, 1 + round % 4);
      const auto middle = records.begin() + static_cast<std::ptrdiff_t>(random() % (records.size() + 1));
      check(variant.device, {records.begin(), middle}, {middle, records.end()},
            {.min_length = 1 + round / 3,
             .both_strands = round % 2 == 0,
             .letters = round % 3 == 0 ? Letters::written : Letters::bases});
    }
  }
}

TEST_CASE("overlap maximal matches: in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet reference = set_of(related_records(random, 6, 80, 2)),
                    queries = set_of(related_records(random, 6, 80, 2));
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const std::array<const SequenceSet*, 2> sets = {&reference, &queries};
    const Text text = Text::separated(variant.device, sets);
    const Progress none;
    const Stages stages(none, text.size());
    const Sorting sorting(text, "matches", bytes_of_matching, stages);
    const SortedText sorted = sorting.sorted();
    const Rmq minima(variant.device, sorted.lcp);
    const auto border = static_cast<std::uint32_t>(text.begins()[reference.size()]);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> whole;
    for (const std::uint64_t most : {100'000, 50, 1}) {
      std::vector<std::pair<std::uint64_t, std::uint32_t>> all;
      std::size_t pieces = 0;
      maximal_matches_of_text(sorted, minima, border, 3, most, stages,
                              [&](std::span<const std::uint64_t> keys, std::span<const std::uint32_t> lengths) {
                                for (std::size_t i = 0; i < keys.size(); ++i) all.emplace_back(keys[i], lengths[i]);
                                ++pieces;
                              });
      if (most == 100'000) whole = all;
      CHECK(all == whole);
      CHECK((most < whole.size()) == (pieces > 1));
    }
  }
}

TEST_CASE("overlap maximal matches: bad input") {
  const Device& device = test_device();
  const SequenceSet dna = set_of({"ACGT"}), protein(Alphabet::protein);
  CHECK_THROWS_AS(maximal_matches(device, dna, dna, {.min_length = 0}), InputError);
  CHECK_THROWS_AS(maximal_matches(device, protein, protein, {.both_strands = true}), InputError);
  CHECK_THROWS_AS(maximal_matches(device, dna, protein), InputError);
  CHECK(maximal_matches(device, dna, SequenceSet()).empty());
  CHECK(maximal_matches(device, dna, dna, {.min_length = std::uint64_t{1} << 40}).empty());
}
