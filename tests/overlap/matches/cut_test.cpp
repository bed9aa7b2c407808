// Matches with an index that is cut, against every pair of places and against one that is not.
#include "overlap/matches/cut_index.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/match_index.hpp"
#include "overlap/matches/match_cases.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

constexpr std::array all_kinds = {MatchKind::all, MatchKind::unique_in_reference, MatchKind::unique};

CutIndex cut_index(std::span<const Device> devices, const SequenceSet& reference, Letters letters, std::uint64_t most,
                   bool wide) {
  const Text text = Text::separated(on_host, reference, {.letters = letters});
  return {devices, text, sort_on_host(devices, text, wide, {}), most};
}

std::string contents(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<MaximalMatch> found_by(CutIndex& index, const SequenceSet& queries, const MatchOptions& options) {
  std::vector<MaximalMatch> matches;
  index.find(queries, options,
             [&](std::span<const MaximalMatch> some) { matches.insert(matches.end(), some.begin(), some.end()); });
  return matches;
}

/// In pieces of several sizes, one after the other, for each kind.
void check(std::span<const Device> devices, const std::vector<std::string>& reference,
           const std::vector<std::string>& queries, const MatchOptions& options, bool wide) {
  CAPTURE(reference);
  CAPTURE(queries);
  CAPTURE(options.min_length);
  CAPTURE(wide);
  const SequenceSet first = set_of(reference), second = set_of(queries);
  const std::uint64_t size = first.residues() + first.size();
  if (size == 0 || options.min_length > first.residues() || options.min_length > second.residues()) return;
  for (const std::uint64_t most : {size / 2 + 1, size / 7 + 1}) {
    CutIndex index = cut_index(devices, first, options.letters, most, wide);
    CAPTURE(most);
    CHECK(index.pieces() >= (size + most - 1) / most);
    for (const MatchKind kind : all_kinds) {
      CAPTURE(static_cast<int>(kind));
      MatchOptions of_kind = options;
      of_kind.kind = kind;
      const bool same = found_by(index, second, of_kind) == expected(first, second, of_kind);
      CHECK(same);
    }
  }
}

/// A device that has no other memory.
Device small_device(std::uint64_t memory) {
  const genocl_test::Environment limit("GENOCL_DEVICE_MEMORY", std::to_string(memory));
  return Device::pick(std::to_string(test_device().info().index));
}

/// Records of random letters with stretches of earlier ones, some of them changed.
std::vector<std::string> repeated_records(Random& random, std::size_t count, std::size_t length) {
  std::vector<std::string> records;
  std::string all;
  for (std::size_t record = 0; record < count; ++record) {
    const Bytes letters = random_text(random, length);
    std::string text(letters.begin(), letters.end());
    for (unsigned k = 0; !all.empty() && k < 12; ++k) {
      const std::size_t part = std::min(all.size(), 20 + random() % (length / 20));
      text.replace(random() % (length - part), part, all, random() % (all.size() - part + 1), part);
    }
    for (std::size_t k = 0; k < length / 5'000; ++k) text[random() % length] = "ACGTN"[random() % 5];
    all += text;
    records.push_back(std::move(text));
  }
  return records;
}

}  // namespace

TEST_CASE("tiny: overlap matches with an index in pieces") {
  const SequenceSet reference = set_of({"ACGTTTGCAACGTTTGGA", "GTTTNGCA"}),
                    queries = set_of({"CCTTTGCNGTTTG", "GCAACG"});
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const HostSorted sorted(variant.device, {"ACGTTTGCAACGTTTGGA", "GTTTNGCA"});
    const std::vector<std::uint32_t> narrow = sorted.suffixes().download();
    const std::vector<std::uint64_t> wide(narrow.begin(), narrow.end());
    const Text text = Text::separated(on_host, reference);
    CutIndex of_32(std::span(&variant.device, 1), text, {.narrow = narrow, .wide = {}, .keeps = {}}, 11);
    CutIndex of_64(std::span(&variant.device, 1), text, {.narrow = {}, .wide = wide, .keeps = {}}, 14);
    const MatchOptions all{.min_length = 3}, unique{.min_length = 3, .kind = MatchKind::unique};
    const bool same = found_by(of_32, queries, unique) == expected(reference, queries, unique);
    CHECK(same);
    if (variant.name == "vendor") continue;
    const bool same_wide = found_by(of_64, queries, all) == expected(reference, queries, all);
    CHECK(same_wide);
  }
}

TEST_CASE("overlap matches with an index in pieces: hard and random records") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    const std::span<const Device> device(&variant.device, 1);
    for (const std::vector<std::string>& records : hard_records()) {
      check(device, records, {"CCCCNAAAC", "", "GTGT"}, {.min_length = 1, .both_strands = true}, false);
      check(device, records, records, {.min_length = 4, .both_strands = true, .letters = Letters::written}, true);
    }
    for (unsigned round = 0; round < 12; ++round) {
      const std::vector<std::string> records =
          related_records(random, 2 + random() % 8, 5 + random() % 60, 1 + round % 4);
      const auto middle = records.begin() + 1 + static_cast<std::ptrdiff_t>(random() % (records.size() - 1));
      check(device, {records.begin(), middle}, {middle, records.end()},
            {.min_length = 1 + round / 3,
             .both_strands = round % 2 == 0,
             .letters = round % 3 == 0 ? Letters::written : Letters::bases},
            round % 2 == 1);
    }
  }
  // Pieces that several devices share.
  std::vector<Device> devices;
  for (const Variant& variant : variants()) devices.push_back(variant.device.with_own_queue());
  for (unsigned round = 0; round < 4; ++round) {
    const std::vector<std::string> records = related_records(random, 6, 200, 4);
    check(devices, {records.begin(), records.begin() + 3}, {records.begin() + 3, records.end()},
          {.min_length = 6 + 5 * round, .both_strands = true}, round % 2 == 1);
  }
}

TEST_CASE("overlap matches with too little memory for the index are the same") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<std::string> records = repeated_records(random, 5, 220'000), others = repeated_records(random, 2, 30'000);
  for (std::string& query : others)
    for (unsigned k = 0; k < 20; ++k) {
      const std::string& from = records[random() % records.size()];
      const std::size_t part = 20 + random() % 3'000;
      query.replace(random() % (query.size() - part), part, from, random() % (from.size() - part), part);
    }
  const SequenceSet reference = set_of(records), queries = set_of(others);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < records.size(); ++i) names.push_back("record " + std::to_string(i));
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "reference.sfx").string();
  // A string that occurs in two pieces occurs twice.
  const SequenceSet twice = set_of({records[0], records[1], records[2], records[3], records[0]});
  const MatchOptions once{.min_length = 50, .kind = MatchKind::unique_in_reference};
  std::vector<std::pair<MatchOptions, std::vector<MaximalMatch>>> found;
  std::vector<MaximalMatch> found_once;
  std::vector<std::uint64_t> begins;
  {
    const MatchIndex whole(std::span(&test_device(), 1), reference, Letters::bases, names);
    CHECK(whole.pieces() == 1);
    whole.index().save(path);
    begins.assign(whole.begins().begin(), whole.begins().end());
    for (const MatchKind kind : all_kinds)
      for (const bool both : {false, true}) {
        const MatchOptions options{.min_length = 20, .kind = kind, .both_strands = both};
        found.emplace_back(options, whole.find(queries, options));
        CHECK(found.back().second.size() > 5);  // random parts overwrite others
      }
    found_once = MatchIndex(test_device(), twice).find(queries, once);
  }
  // Devices of the same hardware share its memory.
  test_device().release_scratch();

  const Device small = small_device(12'500'000);
  const auto check_index = [&](const MatchIndex& index, const std::vector<std::string>& index_names) {
    CAPTURE(index.pieces());
    CHECK(index.pieces() > 1);
    CHECK(std::ranges::equal(index.begins(), begins));
    CHECK(std::ranges::equal(index.names(), index_names));
    CHECK_THROWS_AS(index.index(), InputError);
    // The file is the same as that of the whole.
    const std::string again = (folder.path() / "again.sfx").string();
    index.save(again);
    if (index_names == names) CHECK(contents(again) == contents(path));
    CHECK(std::ranges::equal(MatchIndex::open(std::span(&test_device(), 1), again).names(), index_names));
    for (const auto& [options, matches] : found) {
      const bool same = index.find(queries, options) == matches;
      CHECK(same);
    }
  };
  check_index(MatchIndex::open(std::span(&small, 1), path, true), names);
  {
    const MatchIndex cut(std::span(&small, 1), reference, Letters::bases, names);
    check_index(cut, names);
    std::uint64_t last = 0, total = 0;
    MatchOptions told{.min_length = 20, .progress = [&](const ProgressState& state) {
                        CHECK(state.items_done >= last);
                        last = state.items_done;
                        total = state.items_total;
                        return true;
                      }};
    cut.find(queries, told);
    CHECK(last == total);
    told.progress = [](const ProgressState&) { return false; };
    CHECK_THROWS_AS(cut.find(queries, told), Cancelled);
    // The object stays usable.
    const bool same = cut.find(queries, found.front().first) == found.front().second;
    CHECK(same);
  }
  {
    const MatchIndex of_twice(std::span(&small, 1), twice);
    CHECK(of_twice.pieces() > 1);
    const bool same = of_twice.find(queries, once) == found_once;
    CHECK(same);
  }
  // Also as two devices that share the memory.
  const std::vector<Device> two = {small_device(12'500'000), small_device(12'500'000)};
  check_index(MatchIndex::open(two, path), names);
  const Device less = small_device(std::uint64_t{1} << 18);
  CHECK_THROWS_AS(MatchIndex(std::span(&less, 1), reference), CapacityError);
}
