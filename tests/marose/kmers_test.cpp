// Mapping by the rarest windows of each read, against brute force over all strata.
// Runs in the deep set: it takes half a minute.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/marose.hpp"
#include "marose/device_state.hpp"
#include "marose/kmers.hpp"
#include "marose/plan.hpp"
#include "marose/segments.hpp"
#include "marose/texts.hpp"
#include "random.hpp"
#include "reference/marose/marose.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

struct Case {
  unsigned seed = 1;
  std::size_t bases = 2500, reads = 40;
  unsigned length = 60, errors = 4;
  Model model = Model::levenshtein;
  const char* mask = "######";
  std::uint64_t segment_bases = 0;
};

struct Told {
  std::size_t hits = 0, less_known = 0;
};

std::vector<Hit> up_to(std::vector<Hit> hits, unsigned strata) {
  std::erase_if(hits, [&](const Hit& hit) { return hit.errors >= strata; });
  return hits;
}

// The summary of a read must be true, and all hits that the report promises present.
void check_read(const Hits& hits, std::size_t i, const std::vector<Hit>& all, const Report& report, Told& told) {
  const ReadSummary& summary = hits.reads[i];
  const std::vector<Hit> found(hits.of(i).begin(), hits.of(i).end());
  CAPTURE(i);
  REQUIRE_FALSE(summary.capped);
  CHECK(summary.explored <= summary.bound + 1);
  told.hits += found.size();
  told.less_known += summary.explored <= summary.bound;
  if (all.empty()) {
    CHECK(found.empty());
    CHECK(summary.explored == summary.bound + 1);
    return;
  }
  const unsigned best = all.front().errors;
  REQUIRE(summary.explored > best);
  CHECK(summary.best == best);
  const std::vector<Hit> known = up_to(all, summary.explored);
  CHECK(summary.hits == known.size());
  const auto second = std::find_if(known.begin(), known.end(), [&](const Hit& hit) { return hit.errors > best; });
  CHECK(summary.best_hits == static_cast<std::uint64_t>(second - known.begin()));
  CHECK(summary.second == (second == known.end() ? 0 : second->errors));
  switch (report.kind) {
    case Report::Kind::best:
      CHECK(found == up_to(all, best + 1));
      break;
    case Report::Kind::strata:
      CHECK(found == up_to(all, best + report.strata + 1));
      break;
    default:
      CHECK(summary.explored == summary.bound + 1);
      CHECK(found == all);
  }
}

Told compare(const Case& c, const SequenceSet& text, const SequenceSet& reads, const Report& report,
             KernelFamily family) {
  const Device device = genocl_test::device_under_test().with_family(family);
  const Index index =
      Index::build(device, text, {.seed_mask = c.mask, .method = Method::kmers, .segment_bases = c.segment_bases});
  const Mapper mapper(device, index, {.errors = {.count = c.errors}, .model = c.model, .report = report});
  const Hits hits = mapper.map(reads);
  CAPTURE(c.seed);
  CAPTURE(c.length);
  CAPTURE(c.errors);
  CAPTURE(to_string(c.model));
  CAPTURE(to_string(family));
  CAPTURE(static_cast<int>(report.kind));
  CAPTURE(report.strata);
  Told told;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    const unsigned bound = hits.reads[i].bound;
    check_read(hits, i, reference::map_read(text, reads[i], bound, c.model), report, told);
  }
  return told;
}

Told compare(const Case& c, const Report& report, KernelFamily family) {
  Random random(c.seed);
  const SequenceSet text = hard_reference(random, c.bases);
  const SequenceSet reads =
      with_unknown(reads_from(random, text, c.reads, c.length, c.errors + 1, c.model == Model::levenshtein));
  return compare(c, text, reads, report, family);
}

/// Short contigs with single Ns, and reads from their ends; some extend beyond.
SequenceSet short_contigs(Random& random, unsigned length) {
  SequenceSet text;
  for (unsigned i = 0; i < 30; ++i) {
    std::vector<Code> contig = random_bases(random, length - 2 + below(random, length));
    for (unsigned n = below(random, 3); n > 0; --n) contig[below(random, contig.size())] = dna::unknown;
    text.append("short" + std::to_string(i), contig);
  }
  return text;
}

SequenceSet reads_at_ends(Random& random, const SequenceSet& text, unsigned length, unsigned errors, bool with_gaps,
                          std::size_t count) {
  SequenceSet reads;
  while (reads.size() < count) {
    const std::span<const Code> contig = text[below(random, text.size())];
    std::vector<Code> read(contig.begin(), contig.end());
    for (Code& code : read)
      if (code > 3) code = static_cast<Code>(below(random, 4));
    const bool at_front = below(random, 2) != 0;
    const unsigned beyond = below(random, 3);
    const std::vector<Code> more = random_bases(random, beyond);
    read.insert(at_front ? read.begin() : read.end(), more.begin(), more.end());
    if (read.size() < length) continue;
    if (at_front)
      read.resize(length);
    else
      read.erase(read.begin(), read.end() - length);
    edit(random, read, errors - beyond, with_gaps);
    read.resize(length, 0);
    if (below(random, 2) != 0) {
      std::vector<Code> turned(read.size());
      dna::reverse_complement(read, turned);
      read = turned;
    }
    reads.append("r", read);
  }
  return reads;
}

constexpr KernelFamily both_families[] = {KernelFamily::cpu, KernelFamily::gpu};

/// Both in long tests, otherwise one, drawn in each call: each family compiles its own kernels.
std::vector<KernelFamily> families() {
  static Random random(static_cast<unsigned>(genocl_test::test_seed()));
  if (genocl_test::long_tests()) return {both_families[0], both_families[1]};
  return {both_families[below(random, 2)]};
}

const Report reports[] = {Report::best(), Report::all(), Report::within(0), Report::within(1)};

SequenceSet together(const SequenceSet& one, const SequenceSet& other) {
  SequenceSet both;
  for (const SequenceSet* const set : {&one, &other})
    for (std::size_t i = 0; i < set->size(); ++i) both.append(set->name(i), (*set)[i]);
  return both;
}

/// Puts Ns into some of the reads, many into few.
SequenceSet with_many_unknown(Random& random, const SequenceSet& reads) {
  SequenceSet changed;
  for (std::size_t i = 0; i < reads.size(); ++i) {
    std::vector<Code> read(reads[i].begin(), reads[i].end());
    if (below(random, 3) == 0)
      for (unsigned n = below(random, 1 + below(random, 8)); n > 0; --n)
        read[below(random, read.size())] = dna::unknown;
    changed.append(reads.name(i), read);
  }
  return changed;
}

/// A case of any shape: lengths, bounds and k-mers as they come. In short tests k-mers have the lengths of other cases,
/// whose programs are compiled.
std::size_t map_any(unsigned seed) {
  Random random(seed);
  Case c{.seed = seed, .bases = 800 + below(random, 3000), .reads = 20};
  const std::string mask(genocl_test::long_tests() ? 4 + below(random, 8) : 6 + 2 * below(random, 2), '#');
  c.mask = mask.c_str();
  c.length = 20 + static_cast<unsigned>(below(random, below(random, 3) == 0 ? 180 : 50));
  const unsigned most = std::min(12u, max_kmer_errors(c.length, static_cast<unsigned>(mask.size())));
  c.errors = static_cast<unsigned>(below(random, most + 1));
  c.model = below(random, 3) == 0 ? Model::hamming : Model::levenshtein;
  if (below(random, 3) == 0) c.segment_bases = std::max<std::uint64_t>(c.bases / 2, 600);
  const bool with_gaps = c.model == Model::levenshtein;
  const SequenceSet text = together(hard_reference(random, c.bases), short_contigs(random, c.length));
  const SequenceSet reads = with_many_unknown(
      random, together(reads_from(random, text, c.reads, c.length, c.errors + 1, with_gaps),
                       reads_at_ends(random, text, c.length, std::max(c.errors, 2u), with_gaps, c.reads)));
  const Report report = reports[below(random, std::size(reports))];
  return compare(c, text, reads, report, both_families[below(random, 2)]).hits;
}

}  // namespace

TEST_CASE("tiny: marose k-mers") {
  for (const Model model : {Model::hamming, Model::levenshtein})
    for (const KernelFamily family : both_families)
      CHECK(
          compare({.bases = 400, .reads = 6, .length = 40, .errors = 3, .model = model}, Report::best(), family).hits >
          0);
}

TEST_CASE("tiny: marose k-mers, a few entries at a time") {
  Random random(2);
  const SequenceSet text = hard_reference(random, 400);
  const SequenceSet reads = with_unknown(reads_from(random, text, 6, 40, 3, true));
  const Plan plan = make_plan({.length = 40, .errors = 3, .method = Method::kmers, .mask = SeedMask("######")});
  const std::vector<std::uint32_t> plans(reads.size(), 0);
  std::vector<std::uint32_t> all(reads.size());
  std::iota(all.begin(), all.end(), 0u);
  for (const KernelFamily family : both_families) {
    const Device device = genocl_test::device_under_test().with_family(family);
    const DeviceSegment segment = canonical_segment(device, text, plan.mask);
    const PlanTable table = make_plan_table(device, std::span(&plan, 1));
    const ReadBatch batch = pack_all(device, reads, plans);
    const auto found = [&](std::uint64_t entries_at_once) {
      SegmentStrata strata;
      return download(find_kmers(device, segment, batch, table, both_strands,
                                 {.gap = all_strata, .entries_at_once = entries_at_once}, all, {}, strata),
                      true);
    };
    const HitLists whole = found(~std::uint64_t{0}), pieces = found(7);
    CHECK(whole.keys.size() > 0);
    CHECK(pieces.keys == whole.keys);
    CHECK(pieces.values == whole.values);
  }
}

TEST_CASE("marose: by k-mers the results of reads with too many places are correct") {
  unsigned capped = 0, unproved = 0;
  for (const KernelFamily family : families())
    for (const std::uint32_t gap : {std::uint32_t{3}, all_strata}) {
      Random random(8);
      const SequenceSet text = hard_reference(random, 3000);
      const SequenceSet reads = reads_from(random, text, 60, 60, 5, true);
      const Plan plan = make_plan({.length = 60, .errors = 4, .method = Method::kmers, .mask = SeedMask("######")});
      const std::vector<std::uint32_t> plans(reads.size(), 0);
      std::vector<std::uint32_t> all(reads.size());
      std::iota(all.begin(), all.end(), 0u);
      const Device device = genocl_test::device_under_test().with_family(family);
      const DeviceSegment segment = canonical_segment(device, text, plan.mask);
      const PlanTable table = make_plan_table(device, std::span(&plan, 1));
      const ReadBatch batch = pack_all(device, reads, plans);
      SegmentStrata strata;
      Verified found = find_kmers(device, segment, batch, table, both_strands, {.gap = gap, .cap = 9}, all, {}, strata);
      std::vector<RawHit> raw;
      const PackedDna packed(text);
      append_hits(resolve(device, segment, batch, table, std::move(found)),
                  {.length = packed.size(), .own = {0, packed.size()}}, false, all, 0, raw);
      std::vector<ReadSummary> summaries(reads.size());
      for (ReadSummary& summary : summaries) summary.bound = 4;
      ExploredStrata explored(all, 0, summaries);
      explored.add(strata, all);
      explored.prune_hits(raw, 0, all, 0);
      const Hits hits = report_hits(raw, std::move(summaries), Report::explored(), packed.offsets());
      for (std::size_t i = 0; i < reads.size(); ++i) {
        const ReadSummary& summary = hits.reads[i];
        CAPTURE(to_string(family));
        CAPTURE(i);
        capped += summary.capped;
        const std::vector<Hit> found_hits(hits.of(i).begin(), hits.of(i).end());
        const std::vector<Hit> expected =
            up_to(reference::map_read(text, reads[i], 4, Model::levenshtein), summary.explored);
        CHECK(up_to(found_hits, summary.explored) == expected);
        if (summary.hits == 0 || summary.best < summary.explored) continue;
        ++unproved;
        CHECK(summary.capped);
        CHECK(summary.mapping_quality() == 0);
      }
    }
  CHECK(capped > 0);
  CHECK(unproved > 0);
}

TEST_CASE("marose: by k-mers every stratum is known that is said to be") {
  std::size_t less_known = 0;
  // Of 13 and 22 some hits have errors by an N of the text, which a diagonal does not count; of 132 an N of a read is
  // one base too many.
  for (const unsigned seed : {1u, 2u, 3u, 4u, 5u, 6u, 13u, 22u, 132u})
    for (const Model model : {Model::hamming, Model::levenshtein})
      for (const KernelFamily family : families())
        for (const Report& report : reports) {
          const Told told = compare({.seed = seed, .model = model}, report, family);
          CHECK(told.hits > 10);
          less_known += told.less_known;
        }
  CHECK(less_known > 0);
}

TEST_CASE("marose: by k-mers short reads are mapped without loss by windows that may have an error") {
  for (unsigned seed = 1; seed <= genocl_test::rounds(4); ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein})
      for (const KernelFamily family : families()) {
        const Case c{.seed = seed, .length = 20, .errors = 3, .model = model, .mask = "########"};
        CHECK(compare(c, Report::best(), family).hits > 0);
        CHECK(compare(c, Report::all(), family).hits > 20);
      }
}

TEST_CASE("marose: by k-mers a bound of more errors than exact windows prove costs only reads with that number") {
  for (unsigned seed = 1; seed <= genocl_test::rounds(3); ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein})
      for (const KernelFamily family : families()) {
        const Case c{.seed = seed, .length = 45, .errors = 7, .model = model, .mask = "########"};
        for (const Report& report : reports) CHECK(compare(c, report, family).hits > 10);
      }
}

TEST_CASE("marose: by k-mers across segments, and long reads with more errors than a band's word tells") {
  for (const KernelFamily family : families()) {
    CHECK(compare({.seed = 5, .bases = 6000, .segment_bases = 1500}, Report::best(), family).hits > 20);
    CHECK(compare({.seed = 6, .bases = 6000, .segment_bases = 1500}, Report::all(), family).hits > 20);
    CHECK(compare({.seed = 7, .bases = 6000, .reads = 12, .length = 400, .errors = 40}, Report::best(), family).hits >
          0);
  }
}

TEST_CASE("marose: by k-mers across segments, bounds beyond the strata that are asked of all segments first") {
  std::size_t hits = 0;
  const unsigned seeds = genocl_test::rounds(3);
  for (unsigned seed = 1; seed <= seeds; ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein})
      for (const KernelFamily family : families())
        for (const Report& report : reports) {
          const Case c{.seed = seed,
                       .bases = 5000,
                       .length = 90 + 5 * seed,
                       .errors = 7 + seed % 3,
                       .model = model,
                       .mask = "#######",
                       .segment_bases = 1300};
          hits += compare(c, report, family).hits;
        }
  CHECK(hits > seeds * 100);
}

TEST_CASE("marose: by k-mers what a plan finds that may miss is true, in one segment and in several") {
  std::size_t places = 0, best_found = 0, heuristic = 0;
  for (const std::uint64_t segment_bases : {0, 1300})
    for (const KernelFamily family : families())
      for (const Report& report : {Report::best(), Report::all()}) {
        Random random(9);
        const SequenceSet text = hard_reference(random, 5000);
        const SequenceSet reads = reads_from(random, text, 60, 50, 9, true);
        const Device device = genocl_test::device_under_test().with_family(family);
        const Index index = Index::build(
            device, text, {.seed_mask = "########", .method = Method::kmers, .segment_bases = segment_bases});
        const Mapper mapper(device, index, {.errors = {.count = 12}, .report = report, .heuristic = true});
        const Hits hits = mapper.map(reads);
        CAPTURE(segment_bases);
        CAPTURE(to_string(family));
        for (std::size_t i = 0; i < reads.size(); ++i) {
          CAPTURE(i);
          heuristic += hits.reads[i].heuristic;
          CHECK(hits.reads[i].bound == 12);
          const std::vector<Hit> all = reference::map_read(text, reads[i], 12, Model::levenshtein);
          for (const Hit& hit : hits.of(i)) CHECK(std::find(all.begin(), all.end(), hit) != all.end());
          if (all.empty()) continue;
          ++places;
          best_found += !hits.of(i).empty() && hits.of(i).front().errors == all.front().errors;
        }
      }
  CHECK(heuristic > 0);
  CHECK(places > 100);
  CHECK(best_found * 100 >= places * 90);
}

TEST_CASE("marose: an index made without options loses nothing of reads of 36 to 250 bases with 2 to 12 errors") {
  struct Shape {
    unsigned length, errors;
    Model model;
  };
  // As on a small reference, and with the seed that a human genome has.
  for (const char* const mask : {"", "##############"})
    for (const Shape& shape :
         {Shape{36, 2, Model::hamming}, Shape{40, 3, Model::hamming}, Shape{100, 5, Model::levenshtein},
          Shape{150, 7, Model::levenshtein}, Shape{250, 12, Model::levenshtein}}) {
      const Case c{.seed = shape.length,
                   .bases = 4000,
                   .reads = 20,
                   .length = shape.length,
                   .errors = shape.errors,
                   .model = shape.model,
                   .mask = mask};
      const KernelFamily family = genocl_test::device_under_test().family();
      CHECK(compare(c, Report::best(), family).hits > 0);
      CHECK(compare(c, Report::all(), family).hits > 0);
    }
}

TEST_CASE("marose: by k-mers windows that may have an error are found at Ns and at the ends of contigs") {
  std::size_t hits = 0;
  const unsigned seeds = genocl_test::rounds(12);
  for (unsigned seed = 1; seed <= seeds; ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein})
      for (const KernelFamily family : families()) {
        Random random(seed);
        const Case c{
            .seed = seed, .length = 22 + seed % 20, .errors = 2 + seed % 3, .model = model, .mask = "###########"};
        const SequenceSet text = short_contigs(random, c.length);
        const SequenceSet reads = reads_at_ends(random, text, c.length, c.errors, model == Model::levenshtein, 200);
        hits += compare(c, text, reads, Report::all(), family).hits;
      }
  CHECK(hits > seeds * 40);
}

TEST_CASE("marose: by k-mers reads of any length, bound, k-mer and text are mapped as by brute force") {
  std::size_t hits = 0;
  const unsigned seeds = genocl_test::rounds(12);
  for (unsigned seed = 1; seed <= seeds; ++seed) hits += map_any(seed);
  CHECK(hits > seeds * 8);
}
