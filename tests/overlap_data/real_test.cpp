// Real data: regions, maximal matches and overlaps of reads, as mummer finds them or as is known of the sequences.
// Runs in the deep set: it takes half a minute.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "genocl/io/sequence_reader.hpp"
#include "genocl/overlap/matches.hpp"
#include "genocl/overlap/regions.hpp"
#include "genocl/overlap/suffix_prefix.hpp"

using namespace genocl;
using namespace genocl::overlap;

namespace {

/// Empty where the data is not.
SequenceSet data(const std::string& name) {
  const char* folder = std::getenv("GENOCL_TEST_DATA");
  const std::string path = std::string(folder != nullptr ? folder : "../shared/data") + "/" + name;
  if (std::filesystem::exists(path)) return io::read_sequences(path);
  MESSAGE("left out: " << path << " is not there");
  return SequenceSet();
}

const Device& device() {
  static const Device* const picked = new Device(Device::pick());
  return *picked;
}

/// 64-bit FNV-1a.
std::uint64_t hash(const std::string& line) {
  std::uint64_t value = 0xcbf29ce484222325u;
  for (const char c : line) value = (value ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return value;
}

std::vector<std::string> letters_of(const SequenceSet& set) {
  std::vector<std::string> records;
  for (std::size_t i = 0; i < set.size(); ++i) records.push_back(set.letters(i));
  return records;
}

/// Words of `length` bases in at least `quorum` of the records, with the records and places of each.
struct Standing {
  std::size_t last_record = 0, records = 0, places = 0;
};
std::unordered_map<std::string_view, Standing> shared_words(const std::vector<std::string>& records, std::size_t length,
                                                            std::size_t quorum) {
  std::unordered_map<std::string_view, Standing> words;
  for (std::size_t r = 0; r < records.size(); ++r) {
    std::size_t run = 0;
    for (std::size_t end = 1; end <= records[r].size(); ++end) {
      run = std::string_view("ACGT").find(records[r][end - 1]) == std::string_view::npos ? 0 : run + 1;
      if (run < length) continue;
      Standing& standing = words[std::string_view(records[r]).substr(end - length, length)];
      if (standing.places == 0 || standing.last_record != r) ++standing.records;
      standing.last_record = r;
      ++standing.places;
    }
  }
  std::erase_if(words, [&](const auto& word) { return word.second.records < quorum; });
  return words;
}

void check_matches(const SequenceSet& reference, const SequenceSet& queries, const MatchOptions& options,
                   std::size_t count, std::uint64_t sum) {
  const std::vector<MaximalMatch> matches = maximal_matches(device(), reference, queries, options);
  CHECK(matches.size() == count);
  std::uint64_t total = 0;
  for (const MaximalMatch& match : matches)
    total += hash(std::to_string(match.reference_position + 1) + " " + std::to_string(match.query_position + 1) + " " +
                  std::to_string(match.length) + " " + std::to_string(match.query_record) + " " +
                  (match.reverse ? "1" : "0"));
  CHECK(total == sum);
  CHECK(std::is_sorted(matches.begin(), matches.end(), [](const MaximalMatch& a, const MaximalMatch& b) {
    return std::tuple(a.query_record, a.reverse, a.query_position, a.reference_position) <
           std::tuple(b.query_record, b.reverse, b.query_position, b.reference_position);
  }));
}

}  // namespace

TEST_CASE("mitochondria of human and orang-utan share 134 bases") {
  const SequenceSet human = data("dna/MT-human.fa"), orang = data("dna/MT-orang.fa");
  if (human.empty() || orang.empty()) return;
  for (const KernelFamily family : {KernelFamily::cpu, KernelFamily::gpu})
    for (const bool both : {false, true}) {
      const std::vector<CommonRegion> regions =
          longest_common(device().with_family(family), human, orang, {.reverse_complement = both});
      REQUIRE(regions.size() == 1);
      CHECK(regions[0].length == 134);
      CHECK(regions[0].in_first == std::vector<Occurrence>{{0, 1108, false}});
      CHECK(regions[0].in_second == std::vector<Occurrence>{{0, 532, false}});
    }
  // The other way round for b's reverse complement.
  const std::vector<CommonRegion> regions =
      longest_common(device(), human, orang.reverse_complement(), {.reverse_complement = true});
  REQUIRE(regions.size() == 1);
  CHECK(regions[0].in_second == std::vector<Occurrence>{{0, orang.length(0) - 532 - 134, true}});
}

TEST_CASE("E. coli K-12 and Salmonella LT2") {
  const SequenceSet coli = data("dna/ecoli_k12.fa.gz"), salmonella = data("dna/salmonella_LT2_GCF_000006945.1.fa.gz");
  if (coli.empty() || salmonella.empty()) return;
  const std::vector<CommonRegion> regions = longest_common(device(), coli, salmonella, {.reverse_complement = true});
  REQUIRE(regions.size() == 2);
  for (const CommonRegion& region : regions) {
    CHECK(region.length == 589);
    for (const Occurrence& a : region.in_first)
      for (const Occurrence& b : region.in_second) {
        std::string there = salmonella.letters(b.record).substr(b.position, region.length);
        if (b.reverse) {
          SequenceSet word;
          word.append_letters("", there);
          there = word.reverse_complement().letters(0);
        }
        CHECK((coli.letters(a.record).substr(a.position, region.length) == there));
      }
  }
  // mummer -maxmatch -n -l 20 -b: as many lines, and the sum of their hashes.
  check_matches(coli, salmonella, {.min_length = 20, .both_strands = true}, 22'830, 0x7e217aeb96d2d11fu);
  check_matches(coli, salmonella, {.min_length = 50}, 2'058, 0x60a612ae726defe4u);
}

TEST_CASE("haplotypes share and repeat what their words say") {
  const SequenceSet set = data("dna/human_HLA_DRB1.fa.gz");
  if (set.empty()) return;
  const std::vector<std::string> records = letters_of(set);
  for (const std::size_t quorum : {2, 7, 12}) {
    CAPTURE(quorum);
    const std::vector<SharedRegion> regions = longest_shared(device(), set, quorum);
    REQUIRE_FALSE(regions.empty());
    const std::size_t length = regions.front().length;
    CHECK(shared_words(records, length + 1, quorum).empty());
    auto words = shared_words(records, length, quorum);
    CHECK(words.size() == regions.size());
    for (const SharedRegion& region : regions) {
      const Occurrence& first = region.occurrences.front();
      const auto word = words.find(std::string_view(records[first.record]).substr(first.position, length));
      REQUIRE(word != words.end());
      CHECK(word->second.records == region.records);
      CHECK(word->second.places == region.occurrences.size());
    }
  }
}

namespace {

/// By a, then b. `mates`: records 2r and 2r + 1 are of one read.
std::vector<ReadOverlap> overlaps_by_beginnings(const std::vector<std::string>& records, std::uint32_t min_length,
                                                bool mates) {
  std::vector<ReadOverlap> expected;
  std::set<std::pair<std::uint32_t, std::uint32_t>> known;
  std::size_t longest = 0;
  for (const std::string& record : records) longest = std::max(longest, record.size());
  for (std::size_t length = longest; length-- > min_length;) {
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> beginnings;
    const auto matches = [](std::string_view word) { return word.find_first_not_of("ACGT") == std::string_view::npos; };
    for (std::size_t b = 0; b < records.size(); ++b) {
      const std::string_view word = std::string_view(records[b]).substr(0, length);
      if (records[b].size() > length && matches(word)) beginnings[word].push_back(static_cast<std::uint32_t>(b));
    }
    for (std::size_t a = 0; a < records.size(); ++a) {
      if (records[a].size() <= length) continue;
      const auto found = beginnings.find(std::string_view(records[a]).substr(records[a].size() - length));
      if (found == beginnings.end()) continue;
      for (const std::uint32_t b : found->second)
        if (a != b && !(mates && a / 2 == b / 2) && known.emplace(static_cast<std::uint32_t>(a), b).second)
          expected.push_back({static_cast<std::uint32_t>(a), b, static_cast<std::uint32_t>(length)});
    }
  }
  std::sort(expected.begin(), expected.end(),
            [](const ReadOverlap& x, const ReadOverlap& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  return expected;
}

}  // namespace

TEST_CASE("28,160 reads: overlaps as a table of their beginnings tells") {
  const SequenceSet reads = data("reads/reads_100bp_28160.fq.gz");
  if (reads.empty()) return;
  constexpr std::uint32_t min_length = 20;
  const std::vector<ReadOverlap> expected = overlaps_by_beginnings(letters_of(reads), min_length, false);
  const std::vector<ReadOverlap> overlaps = suffix_prefix(device(), reads, {.min_length = min_length});
  CHECK(overlaps.size() == expected.size());
  MESSAGE(overlaps.size() << " overlaps");
  const bool same = overlaps == expected;
  CHECK(same);
  std::vector<ReadOverlap> best;
  for (const ReadOverlap& overlap : overlaps) {
    if (best.empty() || best.back().a != overlap.a)
      best.push_back(overlap);
    else if (overlap.length > best.back().length)
      best.back() = overlap;
  }
  const bool same_best = suffix_prefix(device(), reads, {.min_length = min_length, .best_only = true}) == best;
  CHECK(same_best);

  // Both strands, where an overlap is its mirror image.
  const std::vector<std::string> forward = letters_of(reads), backward = letters_of(reads.reverse_complement());
  std::vector<std::string> turned;
  for (std::size_t i = 0; i < forward.size(); ++i) turned.insert(turned.end(), {forward[i], backward[i]});
  std::vector<ReadOverlap> of_strands;
  for (const ReadOverlap& overlap : overlaps_by_beginnings(turned, min_length, true)) {
    const ReadOverlap read{overlap.a / 2, overlap.b / 2, overlap.length, overlap.a % 2 == 1, overlap.b % 2 == 1};
    if (read.a_reverse && read.b_reverse) continue;
    if (read.a_reverse == read.b_reverse || read.a < read.b) of_strands.push_back(read);
  }
  const bool same_strands =
      suffix_prefix(device(), reads, {.min_length = min_length, .both_strands = true}) == of_strands;
  CHECK(same_strands);
}
