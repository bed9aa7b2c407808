// Longest common, shared and repeated regions against every word of a length.
#include "genocl/overlap/regions.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "overlap/record_cases.hpp"
#include "overlap/regions/regions.hpp"
#include "reference/overlap/overlap_regions.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

std::vector<SharedRegion> expected_shared(const reference::LongestWords& words) {
  std::vector<SharedRegion> regions;
  for (const reference::Places& places : words.places) {
    SharedRegion region{.length = words.length};
    for (const reference::Place& place : places) {
      if (region.occurrences.empty() || region.occurrences.back().record != place.record) ++region.records;
      region.occurrences.push_back({place.record, place.position, false});
    }
    regions.push_back(std::move(region));
  }
  return regions;
}

void check_same(const std::vector<SharedRegion>& regions, const std::vector<SharedRegion>& expected) {
  REQUIRE(regions.size() == expected.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    CHECK(regions[i].length == expected[i].length);
    CHECK(regions[i].records == expected[i].records);
    CHECK(regions[i].occurrences == expected[i].occurrences);
  }
}

/// Records of b and, from reversed_from on, their reverse complements, all behind the first `border`.
void check_same(const std::vector<CommonRegion>& regions, const reference::LongestWords& words,
                const reference::Records& records, std::size_t border, std::size_t reversed_from) {
  REQUIRE(regions.size() == words.places.size());
  for (std::size_t i = 0; i < regions.size(); ++i) {
    CHECK(regions[i].length == words.length);
    std::vector<Occurrence> first, second;
    for (const reference::Place& place : words.places[i]) {
      if (place.record < border)
        first.push_back({place.record, place.position, false});
      else if (place.record < reversed_from)
        second.push_back({place.record - border, place.position, false});
      else
        second.push_back(
            {place.record - reversed_from, records[place.record].size() - place.position - words.length, true});
    }
    std::sort(second.begin(), second.end());
    CHECK(regions[i].in_first == first);
    CHECK(regions[i].in_second == second);
  }
}

/// One device as a whole, or several in pieces of at most piece_suffixes suffixes.
struct By {
  std::span<const Device> devices;
  std::uint64_t piece_suffixes = 0;

  By(const Device& device) : devices(&device, 1) {}
  By(const std::vector<Device>& all, std::uint64_t most) : devices(all), piece_suffixes(most) {}
  RegionOptions options(Letters letters) const { return {.letters = letters, .piece_suffixes = piece_suffixes}; }
};

void check_common(const By& by, const std::vector<std::string>& a, const std::vector<std::string>& b,
                  bool reverse_complement, Letters letters) {
  CAPTURE(a);
  CAPTURE(b);
  const SequenceSet first = set_of(a), second = set_of(b);
  reference::Records records = letters_of(first, letters);
  for (reference::Record& record : letters_of(second, letters)) records.push_back(std::move(record));
  const std::size_t reversed_from = records.size();
  if (reverse_complement)
    for (reference::Record& record : letters_of(second.reverse_complement(), letters))
      records.push_back(std::move(record));
  RegionOptions options = by.options(letters);
  options.reverse_complement = reverse_complement;
  const reference::LongestWords expected = reference::longest_common(records, a.size());
  check_same(longest_common(by.devices, first, second, options), expected, records, a.size(), reversed_from);
  if (by.piece_suffixes != 0) return;
  for (const Algorithm algorithm : {Algorithm::published, Algorithm::dc3}) {
    options.algorithm = algorithm;
    check_same(longest_common(by.devices, first, second, options), expected, records, a.size(), reversed_from);
  }
}

void check_one_set(const By& by, const std::vector<std::string>& all, std::uint64_t quorum, Letters letters) {
  CAPTURE(all);
  CAPTURE(quorum);
  const SequenceSet set = set_of(all);
  const reference::Records records = letters_of(set, letters);
  if (quorum == 0)
    check_same(longest_repeated(by.devices, set, by.options(letters)),
               expected_shared(reference::longest_repeated(records)));
  else
    check_same(longest_shared(by.devices, set, quorum, by.options(letters)),
               expected_shared(reference::longest_shared(records, quorum)));
}

}  // namespace

TEST_CASE("tiny: overlap regions") {
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    HostSorted records(variant.device, {"ACGTTTGCANNACG", "TTTGCNACG"});
    const EnhancedSuffixArray& array = records.array();
    const reference::Records letters = letters_of(records.set(), Letters::bases);
    const std::vector<std::uint64_t>& begins = array.text().begins;
    for (const bool published : {false, true})
      check_same(shared_regions(common_of_text(array, static_cast<std::uint32_t>(begins[1]), published), begins),
                 expected_shared(reference::longest_common(letters, 1)));
    check_same(shared_regions(shared_of_text(array, 2), begins),
               expected_shared(reference::longest_shared(letters, 2)));
    // ACGTTTGCA is the longest string without a separator.
    const Regions runs = shared_of_text(array, 1);
    CHECK(runs.length == 9);
    CHECK((runs.positions == std::vector<std::vector<std::uint64_t>>{{0}}));
  }
}

TEST_CASE("overlap regions: hard records") {
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::vector<std::string>& records : hard_records()) {
      for (std::uint64_t quorum = 0; quorum <= records.size(); ++quorum)
        check_one_set(variant.device, records, quorum, Letters::bases);
      check_common(variant.device, records, {"CCCCNAAAC", "", "GTGT"}, true, Letters::bases);
      check_common(variant.device, {"CCCCNAAAC", "", "GTGT"}, records, false, Letters::written);
      check_common(variant.device, records, records, true, Letters::bases);
    }
  }
}

TEST_CASE("overlap regions: random records") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (unsigned round = 0; round < 12; ++round) {
      const unsigned letters = 1 + round % 4;
      const Letters meaning = round % 3 == 0 ? Letters::written : Letters::bases;
      const std::vector<std::string> records = related_records(random, 1 + random() % 8, 5 + random() % 60, letters);
      for (std::uint64_t quorum = 0; quorum <= records.size(); ++quorum)
        check_one_set(variant.device, records, quorum, meaning);
      const std::size_t cut = random() % (records.size() + 1);
      const auto middle = records.begin() + static_cast<std::ptrdiff_t>(cut);
      check_common(variant.device, {records.begin(), middle}, {middle, records.end()}, round % 2 == 0, meaning);
    }
  }
}

TEST_CASE("overlap regions: in pieces by two devices") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  // The same device in both shapes.
  std::vector<Device> two;
  for (const Variant& variant : drawn_variants()) two.push_back(variant.device.with_own_queue());
  for (const std::vector<std::string>& records : hard_records()) {
    for (std::uint64_t quorum = 0; quorum <= records.size(); ++quorum)
      check_one_set({two, 1000}, records, quorum, Letters::bases);
    check_common({two, 1000}, records, {"CCCCNAAAC", "", "GTGT"}, true, Letters::bases);
  }
  for (unsigned round = 0; round < 8; ++round) {
    const unsigned letters = 1 + round % 4;
    const Letters meaning = round % 3 == 0 ? Letters::written : Letters::bases;
    const std::vector<std::string> records = related_records(random, 2 + random() % 7, 5 + random() % 90, letters);
    for (std::uint64_t quorum = 0; quorum <= records.size(); ++quorum)
      check_one_set({two, round % 2 == 0 ? 40u : 1000u}, records, quorum, meaning);
    const auto middle = records.begin() + static_cast<std::ptrdiff_t>(records.size() / 2);
    check_common({two, 100}, {records.begin(), middle}, {middle, records.end()}, round % 2 == 0, meaning);
  }
}

TEST_CASE("overlap regions: byte strings") {
  const Bytes one = bytes_of("pear and apple"), two = bytes_of("apple\xff and"), three(5, 0), none;
  const std::vector<std::span<const std::uint8_t>> a = {one, three}, b = {none, two}, all = {one, two, three, none};
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const std::vector<CommonRegion> common = longest_common(variant.device, a, b);
    REQUIRE(common.size() == 1);
    CHECK(common[0].length == 5);
    CHECK(common[0].in_first == std::vector<Occurrence>{{0, 9, false}});
    CHECK(common[0].in_second == std::vector<Occurrence>{{1, 0, false}});
    const std::vector<SharedRegion> repeated = longest_repeated(variant.device, all);
    REQUIRE(repeated.size() == 1);
    CHECK(repeated[0].records == 2);
    const std::vector<SharedRegion> shared = longest_shared(variant.device, all, 3);
    CHECK(shared.empty());
    const std::vector<SharedRegion> longest = longest_shared(variant.device, all, 1);
    REQUIRE(longest.size() == 1);
    CHECK(longest[0].length == one.size());
    const RegionOptions pieces{.piece_suffixes = 20};
    const std::span<const Device> devices(&variant.device, 1);
    CHECK_THROWS_AS(longest_common(devices, a, b, {.piece_suffixes = 20, .algorithm = Algorithm::published}),
                    InputError);
    const std::vector<CommonRegion> same = longest_common(devices, a, b, pieces);
    REQUIRE(same.size() == 1);
    CHECK(same[0].length == 5);
    CHECK(same[0].in_first == common[0].in_first);
    CHECK(same[0].in_second == common[0].in_second);
    check_same(longest_repeated(devices, all, pieces), repeated);
    check_same(longest_shared(devices, all, 3, pieces), shared);
    check_same(longest_shared(devices, all, 1, pieces), longest);
  }
}

TEST_CASE("overlap regions: a single letter at very many places") {
  constexpr std::size_t size = 200'000;
  // No two letters in a row stand twice but within one another's records.
  const SequenceSet a = set_of({std::string(size, 'A')});
  SequenceSet b;
  std::string apart;
  for (std::size_t i = 0; i < size; ++i) apart += i % 2 == 0 ? 'A' : 'N';
  b.append_letters("b", apart);
  const Device& device = test_device();
  const std::vector<CommonRegion> common = longest_common(device, a, b);
  REQUIRE(common.size() == 1);
  CHECK(common[0].length == 1);
  CHECK(common[0].in_first.size() == size);
  CHECK(common[0].in_second.size() == size / 2);
  CHECK(common[0].in_second.back() == Occurrence{0, size - 2, false});
}

TEST_CASE("overlap regions: bad input") {
  const Device& device = test_device();
  const SequenceSet two = set_of({"ACGT", "CGTA"});
  const std::vector<std::span<const std::uint8_t>> strings(2);
  CHECK_THROWS_AS(longest_common(device, two, strings), InputError);
  CHECK_THROWS_AS(longest_common(device, strings, strings, {.reverse_complement = true}), InputError);
  CHECK_THROWS_AS(longest_shared(device, two, 0), InputError);
  CHECK_THROWS_AS(longest_shared(device, two, 3), InputError);
  CHECK_THROWS_AS(longest_shared(device, SequenceSet(), 1), InputError);
  CHECK_THROWS_AS(longest_common(device, SequenceSet(Alphabet::protein), SequenceSet(Alphabet::protein),
                                 {.reverse_complement = true}),
                  InputError);
  CHECK_THROWS_AS(longest_common(device, two, two, {.progress = [](const ProgressState&) { return false; }}),
                  Cancelled);
  double last = 0;
  longest_shared(device, two, 2, {.progress = [&](const ProgressState& state) {
                   CHECK(state.fraction >= last);
                   last = state.fraction;
                   return true;
                 }});
  CHECK(last == 1);
  const std::span<const Device> devices(&device, 1), none;
  last = 0;
  longest_shared(devices, two, 2, {.piece_suffixes = 5, .progress = [&](const ProgressState& state) {
                                     CHECK(state.fraction >= last);
                                     last = state.fraction;
                                     return true;
                                   }});
  CHECK(last == 1);
  CHECK_THROWS_AS(longest_common(devices, two, two,
                                 {.piece_suffixes = 5,
                                  .progress = [](const ProgressState& state) { return state.fraction < 0.7; }}),
                  Cancelled);
  CHECK_THROWS_AS(longest_repeated(none, two), InputError);
}
