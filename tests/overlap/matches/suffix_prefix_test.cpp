// Overlaps of reads against every pair of them.
#include "genocl/overlap/suffix_prefix.hpp"

#include <array>

#include "genocl/error.hpp"
#include "overlap/matches/suffix_prefix_steps.hpp"
#include "overlap/record_cases.hpp"
#include "reference/overlap/overlap_matches.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

std::vector<ReadOverlap> on_device_type(const std::vector<reference::Overlap>& overlaps) {
  std::vector<ReadOverlap> result;
  for (const reference::Overlap& overlap : overlaps)
    result.push_back({static_cast<std::uint32_t>(overlap.a), static_cast<std::uint32_t>(overlap.b),
                      static_cast<std::uint32_t>(overlap.length)});
  return result;
}

void check(const Device& device, const std::vector<std::string>& records, std::uint32_t min_length,
           Letters letters = Letters::bases) {
  CAPTURE(records);
  CAPTURE(min_length);
  const SequenceSet reads = set_of(records);
  const auto all = reference::suffix_prefix(letters_of(reads, letters), min_length);
  CHECK((suffix_prefix(device, reads, {.min_length = min_length, .letters = letters}) == on_device_type(all)));
  CHECK((suffix_prefix(device, reads, {.min_length = min_length, .best_only = true, .letters = letters}) ==
         on_device_type(reference::best_overlaps(all))));
}

}  // namespace

TEST_CASE("tiny: overlap suffix-prefix") {
  const Progress none;
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const HostSorted reads(variant.device, {"AAAACCCC", "CCCCGGGG", "CCCCNGGGG", "GGGGTTTT", "CCCC", "", "CCCCGGGG"});
    const SortedText sorted = reads.sorted();
    const auto expected = reference::suffix_prefix(letters_of(reads.set(), Letters::bases), 2);
    const ReadOverlaps overlaps(sorted, Rmq(variant.device, sorted.lcp), 2);
    CHECK((overlaps.all(Stages(none, sorted.size())) == on_device_type(expected)));
    CHECK((overlaps.best() == on_device_type(reference::best_overlaps(expected))));
  }
}

TEST_CASE("overlap suffix-prefix: hard and random reads") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::vector<std::string>& records : hard_records())
      for (const std::uint32_t min_length : {1u, 4u}) {
        check(variant.device, records, min_length);
        check(variant.device, records, min_length, Letters::written);
      }
    for (unsigned round = 0; round < 16; ++round)
      check(variant.device, related_records(random, 1 + random() % 30, 5 + random() % 30, 1 + round % 4), 1 + round / 4,
            round % 3 == 0 ? Letters::written : Letters::bases);
  }
}

TEST_CASE("overlap suffix-prefix: in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet reads = set_of(related_records(random, 40, 50, 2));
  const auto expected = on_device_type(reference::suffix_prefix(letters_of(reads, Letters::bases), 3));
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const std::array<const SequenceSet*, 1> sets = {&reads};
    const Text text = Text::separated(variant.device, sets);
    const Progress none;
    const Stages stages(none, text.size());
    const Sorting sorting(text, "overlaps", bytes_of_overlapping, stages);
    const SortedText sorted = sorting.sorted();
    const Rmq minima(variant.device, sorted.lcp);
    for (const OverlapPieces& pieces : {OverlapPieces{7, 100}, OverlapPieces{1000, 1}}) {
      const ReadOverlaps overlaps(sorted, minima, 3, pieces);
      CHECK((overlaps.all(stages) == expected));
      std::vector<ReadOverlap> parts;
      for (const std::uint64_t first : {0, 1, 5, 6}) {
        const std::uint64_t end = first == 0 ? 1 : first == 1 ? 5 : first == 5 ? 6 : ~std::uint64_t{0};
        const std::vector<ReadOverlap> part = overlaps.all(stages, first, end);
        parts.insert(parts.end(), part.begin(), part.end());
      }
      CHECK((parts == expected));
    }
  }
}

TEST_CASE("overlap suffix-prefix: bad input") {
  const Device& device = test_device();
  CHECK_THROWS_AS(suffix_prefix(device, set_of({"ACGT"}), {.min_length = 0}), InputError);
  CHECK(suffix_prefix(device, SequenceSet()).empty());
  CHECK(suffix_prefix(device, set_of({"ACGT", "CGTA"}), {.min_length = 20}).empty());
}
