// Maximal exact matches against every pair of places.
#include <algorithm>
#include <array>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/overlap/match_index.hpp"
#include "overlap/find/suffix_index.hpp"
#include "overlap/matches/match_cases.hpp"
#include "overlap/matches/match_index.hpp"
#include "overlap/text/text.hpp"
#include "runtime/helpers.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

void check(const Device& device, const std::vector<std::string>& reference, const std::vector<std::string>& queries,
           const MatchOptions& options) {
  CAPTURE(reference);
  CAPTURE(queries);
  CAPTURE(options.min_length);
  const SequenceSet first = set_of(reference), second = set_of(queries);
  const MatchIndex index(device, first, options.letters);
  for (const MatchKind kind : {MatchKind::all, MatchKind::unique_in_reference, MatchKind::unique}) {
    CAPTURE(static_cast<int>(kind));
    MatchOptions of_kind = options;
    of_kind.kind = kind;
    const bool same = index.find(second, of_kind) == expected(first, second, of_kind);
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("tiny: overlap maximal matches") {
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const HostSorted sorted(variant.device, {"ACGTTTGCAACGTTTGGA", "GTTTNGCA"});
    const MatchIndex index{SuffixIndex(sorted.suffixes())};
    const SequenceSet queries = set_of({"CCTTTGCNGTTTG", "GCAACGTTT"});
    for (const MatchKind kind : {MatchKind::all, MatchKind::unique}) {
      const MatchOptions options{.min_length = 3, .kind = kind};
      const bool same = index.find(queries, options) == expected(sorted.set(), queries, options);
      CHECK(same);
    }
  }
}

TEST_CASE("overlap maximal matches: hard and random records") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
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

TEST_CASE("overlap maximal matches: longer ones with few anchors") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (unsigned round = 0; round < 12; ++round) {
      const std::vector<std::string> records = related_records(random, 2 + random() % 6, 300 + random() % 300, 4);
      const auto middle = records.begin() + 1 + static_cast<std::ptrdiff_t>(random() % (records.size() - 1));
      check(variant.device, {records.begin(), middle}, {middle, records.end()},
            {.min_length = 12 + random() % 90, .both_strands = round % 2 == 0});
    }
  }
}

TEST_CASE("overlap maximal matches: in pieces") {
  Random random(7);  // texts with matches in more than one piece, unique ones too
  const SequenceSet reference = set_of(related_records(random, 6, 80, 2)),
                    queries = set_of(related_records(random, 6, 80, 2));
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const MatchIndex index(variant.device, reference);
    const SuffixIndex::State& state = genocl::runtime::state_of(index.index());
    const Text::State& text = genocl::runtime::state_of(state.suffixes.text());
    const Reference arrays{text, state.suffixes.positions(), state.table};
    const auto query = pack_as(text, variant.device, queries, false);
    for (const bool unique : {false, true}) {
      using Match = std::tuple<std::uint64_t, std::uint64_t, std::uint32_t>;
      std::vector<Match> whole;
      for (const std::uint64_t most : {100'000, 1}) {
        const MatchSearch search(variant.device, arrays, *query, {.step = 3, .depth = 2}, most);
        std::vector<Match> all;
        std::size_t pieces = 0;
        const auto take = [&](FoundMatches&& found) {
          const unsigned bits = search.position_bits();
          for (std::size_t i = 0; i < found.keys.size(); ++i)
            all.emplace_back(found.base + (found.keys[i] >> bits), found.keys[i] & ((1u << bits) - 1),
                             found.lengths[i]);
          ++pieces;
        };
        const std::uint64_t anchors = (query->size + 2) / 3, part = most == 1 ? 7 : anchors;
        for (std::uint64_t first = 0; first < anchors; first += part)
          search.find({first, std::min(part, anchors - first)}, unique, take);
        if (most > 1) whole = all;
        CHECK(all == whole);
        CHECK((most == 1) == (pieces > 1));
      }
      CHECK(!whole.empty());
    }
  }
}

TEST_CASE("overlap match index: kept in a file, on several devices, of other texts") {
  const Device& device = test_device();
  const std::vector<Device> twice = {device, device.with_own_queue()};
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet reference = set_of(related_records(random, 6, 200, 4)),
                    queries = set_of(related_records(random, 9, 200, 4));
  const MatchOptions options{.min_length = 6, .both_strands = true};
  const std::vector<MaximalMatch> matches = expected(reference, queries, options);
  const MatchIndex index(twice, reference);
  CHECK(index.find(queries, options) == matches);
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "reference.sfx").string();
  index.index().save(path);
  CHECK(MatchIndex::open(twice, path).find(queries, options) == matches);

  // What the reference has not matches nothing.
  const SequenceSet two_letters = set_of({"ACCACACCCAACA"}), all_letters = set_of({"GACCACATNCCCAACA"});
  CHECK(MatchIndex(device, two_letters).find(all_letters, {.min_length = 5}) ==
        expected(two_letters, all_letters, {.min_length = 5}));
  // Bytes match by value.
  const std::string bytes = "ACGTTGCAX";
  const std::span<const std::uint8_t> view(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  const MatchIndex of_bytes{SuffixIndex(SuffixArray(Text::separated(device, std::span(&view, 1))))};
  const std::vector<MaximalMatch> in_bytes = of_bytes.find(set_of({"TTTGCAA"}), {.min_length = 4});
  REQUIRE(in_bytes.size() == 1);
  CHECK(in_bytes[0] == MaximalMatch{0, 3, 0, 1, 5, false});
}

TEST_CASE("overlap maximal matches: bad input") {
  const Device& device = test_device();
  const SequenceSet dna = set_of({"ACGT"}), protein(Alphabet::protein);
  CHECK_THROWS_AS(maximal_matches(device, dna, dna, {.min_length = 0}), InputError);
  CHECK_THROWS_AS(maximal_matches(device, protein, protein, {.both_strands = true}), InputError);
  CHECK_THROWS_AS(maximal_matches(device, dna, protein), InputError);
  CHECK_THROWS_AS(MatchIndex(std::span<const Device>(), dna), InputError);
  CHECK_THROWS_AS(MatchIndex(SuffixIndex(SuffixArray(Text::concatenated(device, dna)))), InputError);
  CHECK(maximal_matches(device, dna, SequenceSet()).empty());
  CHECK(maximal_matches(device, dna, dna, {.min_length = std::uint64_t{1} << 40}).empty());
}
