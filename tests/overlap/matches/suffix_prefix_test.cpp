// Overlaps of reads against every pair of them.
#include "genocl/overlap/suffix_prefix.hpp"

#include <array>

#include "genocl/error.hpp"
#include "overlap/matches/suffix_prefix.hpp"
#include "overlap/record_cases.hpp"
#include "reference/overlap/overlap_matches.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

std::vector<RecordOverlap> of_records(const std::vector<reference::Overlap>& overlaps) {
  std::vector<RecordOverlap> result;
  for (const reference::Overlap& overlap : overlaps)
    result.push_back({static_cast<std::uint32_t>(overlap.a), static_cast<std::uint32_t>(overlap.b),
                      static_cast<std::uint32_t>(overlap.length)});
  return result;
}

/// The expected overlaps of reads; with `mates` of reads with their reverse complements as records.
std::vector<ReadOverlap> of_reads(const std::vector<reference::Overlap>& overlaps, bool mates, bool best) {
  std::vector<ReadOverlap> result;
  for (const reference::Overlap& overlap : overlaps) {
    const std::size_t strands = mates ? 2 : 1;
    const ReadOverlap read{static_cast<std::uint32_t>(overlap.a / strands),
                           static_cast<std::uint32_t>(overlap.b / strands),
                           static_cast<std::uint32_t>(overlap.length),
                           overlap.a % strands == 1,
                           overlap.b % strands == 1,
                           static_cast<std::uint32_t>(overlap.errors)};
    // Of an overlap and its mirror image the one whose a comes first, or is forward.
    const bool mirrored = read.a_reverse && read.b_reverse;
    const bool later = read.a_reverse != read.b_reverse && read.b < read.a;
    if (best || !(mirrored || later)) result.push_back(read);
  }
  return result;
}

void check(const Device& device, const std::vector<std::string>& records, SuffixPrefixOptions options) {
  CAPTURE(records);
  CAPTURE(options.min_length);
  CAPTURE(options.errors);
  const SequenceSet reads = set_of(records);
  for (const bool both_strands : {false, true}) {
    options.both_strands = both_strands;
    CAPTURE(both_strands);
    const reference::Records forward = letters_of(reads, options.letters),
                             backward = letters_of(reads.reverse_complement(), options.letters);
    reference::Records all_records = forward;
    if (both_strands) {
      all_records.clear();
      for (std::size_t i = 0; i < forward.size(); ++i) {
        all_records.push_back(forward[i]);
        all_records.push_back(backward[i]);
      }
    }
    const auto all = reference::suffix_prefix(all_records, options.min_length, options.errors, both_strands);
    options.best_only = false;
    const bool all_same = suffix_prefix(device, reads, options) == of_reads(all, both_strands, false);
    CHECK(all_same);
    options.best_only = true;
    const bool best_same =
        suffix_prefix(device, reads, options) == of_reads(reference::best_overlaps(all), both_strands, true);
    CHECK(best_same);
  }
}

}  // namespace

TEST_CASE("tiny: overlap suffix-prefix") {
  const Progress none;
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    HostSorted reads(variant.device, {"AAAACCCC", "CCCCGGGG", "CCCCNGGGG", "GGGGTTTT", "CCCC", "", "CCCCGGGG"});
    const auto expected = reference::suffix_prefix(letters_of(reads.set(), Letters::bases), 2);
    const ReadOverlaps overlaps(reads.array(), 2);
    CHECK((overlaps.all(Stages(none, 1)) == of_records(expected)));
    CHECK((overlaps.best() == of_records(reference::best_overlaps(expected))));
  }
}

TEST_CASE("overlap suffix-prefix: hard and random reads") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::vector<std::string>& records : hard_records())
      for (const std::uint32_t min_length : {1u, 4u}) {
        check(variant.device, records, {.min_length = min_length});
        check(variant.device, records, {.min_length = min_length, .letters = Letters::written});
        check(variant.device, records, {.min_length = min_length + 1, .errors = 1});
      }
    for (unsigned round = 0; round < 16; ++round)
      check(variant.device, related_records(random, 1 + random() % 30, 5 + random() % 30, 1 + round % 4),
            {.min_length = 1 + round / 4, .letters = round % 3 == 0 ? Letters::written : Letters::bases});
  }
}

TEST_CASE("overlap suffix-prefix: with errors") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (unsigned round = 0; round < 16; ++round) {
      const auto errors = static_cast<std::uint32_t>(1 + random() % 5);
      const auto more = static_cast<std::uint32_t>(1 + random() % 30);
      check(variant.device, related_records(random, 1 + random() % 20, 20 + random() % 80, 2 + round % 3),
            {.min_length = errors + more,
             .errors = errors,
             .letters = round % 4 == 0 ? Letters::written : Letters::bases});
    }
  }
}

TEST_CASE("tiny: overlap suffix-prefix with errors") {
  const Progress none;
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const HostSorted reads(variant.device, {"AAAACCCTC", "CCCCGGGG", "CCCCNGGGG", "GTGGTTTT", "CCCC", "", "CGCCGGGG"});
    const SuffixIndex index(reads.suffixes());
    const auto expected = reference::suffix_prefix(letters_of(reads.set(), Letters::bases), 4, 1);
    CHECK(expected.size() > 3);
    for (const std::uint64_t candidates : {1, 1000}) {
      const auto found = error_overlaps(index, {.min_length = 4, .errors = 1, .candidates = candidates}, 0,
                                        reads.set().size(), Stages(none, 1));
      CHECK(std::vector<RecordOverlap>(found.begin(), found.end()) == of_records(expected));
    }
  }
}

TEST_CASE("overlap suffix-prefix: in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet reads = set_of(related_records(random, 40, 50, 2));
  const auto expected = of_records(reference::suffix_prefix(letters_of(reads, Letters::bases), 3));
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const std::array<const SequenceSet*, 1> sets = {&reads};
    const Text text = Text::separated(variant.device, sets);
    const Progress none;
    const Stages stages(none, text.size());
    EnhancedSuffixArray array(text, "overlaps", bytes_of_overlapping, stages);
    for (const OverlapPieces& pieces : {OverlapPieces{7, 100}, OverlapPieces{1000, 1}}) {
      const ReadOverlaps overlaps(array, 3, false, pieces);
      CHECK((overlaps.all(stages) == expected));
      std::vector<RecordOverlap> parts;
      for (const std::uint64_t first : {0, 1, 5, 6}) {
        const std::uint64_t end = first == 0 ? 1 : first == 1 ? 5 : first == 5 ? 6 : ~std::uint64_t{0};
        const std::vector<RecordOverlap> part = overlaps.all(stages, first, end);
        parts.insert(parts.end(), part.begin(), part.end());
      }
      CHECK((parts == expected));
    }
  }
}

TEST_CASE("overlap suffix-prefix: by several devices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<Device> devices;
  for (const Variant& variant : drawn_variants()) devices.push_back(variant.device.with_own_queue());
  devices.push_back(test_device().with_own_queue());
  for (const std::size_t count : {1, 2, 40}) {
    const SequenceSet reads = set_of(related_records(random, count, 90, 4));
    for (const bool both : {false, true})
      for (const bool best : {false, true})
        for (const std::uint32_t errors : {0u, 2u}) {
          SuffixPrefixOptions options{.min_length = 8, .best_only = best, .both_strands = both, .errors = errors};
          const bool same = suffix_prefix(devices, reads, options) == suffix_prefix(test_device(), reads, options);
          CHECK(same);
          options.first_read = 3;
          options.read_count = 11;
          const bool part_same = suffix_prefix(devices, reads, options) == suffix_prefix(test_device(), reads, options);
          CHECK(part_same);
        }
  }
  const SequenceSet reads = set_of({"ACGTACGTAA", "GTACGTAACC"});
  CHECK_THROWS_AS(suffix_prefix(devices, reads, {.progress = [](const ProgressState&) { return false; }}), Cancelled);
  CHECK_THROWS_AS(suffix_prefix(std::span<const Device>(), reads), InputError);
}

TEST_CASE("overlap suffix-prefix: bad input") {
  const Device& device = test_device();
  CHECK_THROWS_AS(suffix_prefix(device, set_of({"ACGT"}), {.min_length = 0}), InputError);
  CHECK_THROWS_AS(suffix_prefix(device, set_of({"ACGT"}), {.min_length = 3, .errors = 3}), InputError);
  CHECK_THROWS_AS(suffix_prefix(device, SequenceSet(Alphabet::protein), {.both_strands = true}), InputError);
  CHECK(suffix_prefix(device, SequenceSet()).empty());
  CHECK(suffix_prefix(device, set_of({"ACGT", "CGTA"}), {.min_length = 20}).empty());
}
