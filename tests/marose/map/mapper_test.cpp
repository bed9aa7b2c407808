#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <iterator>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/device_work.hpp"
#include "marose/map/mapper_cases.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

constexpr std::initializer_list<KernelFamily> both_families = {KernelFamily::lanes, KernelFamily::group};

struct Reads {
  std::size_t length = 40;
  unsigned errors = 3;
  std::size_t count = 40;
};

void check_random(unsigned seed, std::size_t bases, const Reads& wanted, Model model, const IndexOptions& index_options,
                  std::initializer_list<KernelFamily> families = both_families) {
  Random random(seed);
  const SequenceSet text = hard_reference(random, bases);
  const SequenceSet reads = with_unknown(
      reads_from(random, text, wanted.count, wanted.length, wanted.errors + 1, model == Model::levenshtein));
  CAPTURE(seed);
  CAPTURE(wanted.length);
  CAPTURE(wanted.errors);
  const std::string name(to_string(model));
  CAPTURE(name);
  BruteForce brute_force(text, reads, model);
  for (const KernelFamily family : families) {
    CAPTURE(to_string(family));
    const Device device = test_device().with_family(family);
    const Index index = Index::build(device, text, index_options);
    CAPTURE(index.mask().pattern());
    check_all(device, reads, brute_force, index,
              {.errors = {.count = wanted.errors}, .model = model, .report = Report::all()});
  }
}

}  // namespace

TEST_CASE("tiny: marose maps with the canonical index") {
  for (const Model model : {Model::hamming, Model::levenshtein})
    check_random(1, 400, {36, 2, 3}, model, {.seed_mask = "########"});
}

// Every mask, every read length of another class and every family is another program to compile.
TEST_CASE("marose: all hits, canonical, as by brute force") {
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      check_random(seed, 2500, {36, 2}, model, {.seed_mask = "########"});
      check_random(seed, 1000 + 1000 * seed, {40, 3}, model, {.seed_mask = "########"});
      check_random(seed, 2000, {64, 3}, model, {.seed_mask = "########"});
      check_random(seed, 2500, {33, 0, 20}, model, {.seed_mask = "########"});
    }
  for (unsigned seed = 11; seed <= 13; ++seed) {
    check_random(seed, 2500, {100, 5, 20}, Model::levenshtein, {.seed_mask = "########"});
    check_random(seed, 2500, {65, 5, 20}, Model::levenshtein, {.seed_mask = "########"});
    check_random(seed, 2500, {100, 5, 20}, Model::hamming, {.seed_mask = "########"}, {KernelFamily::lanes});
  }
  check_random(14, 3000, {40, 3, 80}, Model::hamming, {.seed_mask = "####--####--####"}, {KernelFamily::lanes});
  check_random(15, 3000, {40, 3, 80}, Model::hamming, {.seed_mask = "###-###-#-###-###"}, {KernelFamily::group});
  check_random(16, 3000, {40, 3, 80}, Model::hamming, {.seed_mask = "##-##---#---##-##---#---##-##"},
               {KernelFamily::lanes});
}

TEST_CASE("marose: a hundred small references, as by brute force") {
  const std::uint64_t hits = map_small_references(1000, 1100, false);
  CHECK(hits > 200);
}

TEST_CASE("marose: all hits by the published methods, as by brute force") {
  // Both families look up the same in published_candidates_test.cpp.
  const std::pair<Method, KernelFamily> methods[] = {{Method::list, KernelFamily::lanes},
                                                     {Method::binary, KernelFamily::group},
                                                     {Method::phf, KernelFamily::lanes},
                                                     {Method::bitmap, KernelFamily::group},
                                                     {Method::offset, KernelFamily::lanes}};
  for (const auto& one : methods) {
    CAPTURE(to_string(one.first));
    const IndexOptions options{.seed_mask = "#####", .neighbourhood = 4, .method = one.first};
    check_random(80, 2500, {40, 3, 30}, Model::hamming, options, {one.second});
    check_random(81, 2500, {40, 3, 30}, Model::levenshtein, options, {one.second});
  }
  check_random(82, 2500, {36, 2, 30}, Model::hamming,
               {.seed_mask = "####-##", .neighbourhood = 4, .method = Method::list}, {KernelFamily::lanes});
  // The paper's own parameters, which miss none of 3 substitutions in 40 bases.
  Random random(83);
  const SequenceSet text = hard_reference(random, 4000);
  const SequenceSet reads = reads_from(random, text, 60, 40, 3, false);
  const Device& device = test_device();
  const Index index = Index::build(device, text, {.seed_mask = "######-##", .neighbourhood = 7, .method = Method::phf});
  BruteForce brute_force(text, reads, Model::hamming);
  check_all(device, reads, brute_force, index,
            {.errors = {.count = 3},
             .model = Model::hamming,
             .report = Report::all(),
             .shift = 1,
             .neighbourhood_errors = 1});
}

TEST_CASE("marose: segments of a reference give the same hits as the whole") {
  for (unsigned seed = 20; seed < 22; ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein})
      check_random(seed, 30'000, {40, 3, 12}, model, {.seed_mask = "########", .segment_bases = 20'000});
}

TEST_CASE("marose: reads of every length in one run, hits of either strand, reports") {
  Random random(40);
  SequenceSet text = hard_reference(random, 6000);
  // One read has two hits, whatever is drawn.
  const std::vector<Code> twin = random_bases(random, 50);
  text.append("twin", twin);
  text.append("other twin", twin);
  SequenceSet reads;
  reads.append("twin", twin);
  for (unsigned i = 0; i < 60; ++i) {
    const SequenceSet some = reads_from(random, text, 1, 1 + below(random, i < 10 ? 25 : 128), 4, true);
    reads.append("read" + std::to_string(i), some[0]);
  }
  reads.append("empty", std::span<const Code>());
  reads.append("unknown", std::vector<Code>(50, dna::unknown));
  reads.append("one base", std::vector<Code>(60, 2));
  BruteForce brute_force(text, reads, Model::levenshtein);
  for (const KernelFamily family : {KernelFamily::lanes, KernelFamily::group}) {
    const Device device = test_device().with_family(family);
    const Index index = Index::build(device, text, {.seed_mask = "########"});
    const MapOptions all{.errors = {.share = 0.06}, .report = Report::all()};
    check_all(device, reads, brute_force, index, all);
    const Hits hits = Mapper(device, index, all).map(reads);
    std::uint64_t too_short = 0, several = 0;
    for (std::size_t i = 0; i < reads.size(); ++i) {
      CHECK(hits.reads[i].too_short == (reads.length(i) < 20));
      CHECK(hits.reads[i].heuristic == false);
      too_short += hits.reads[i].too_short;
      several += hits.of(i).size() > 1;
    }
    CHECK(too_short > 1);
    CHECK(several > 0);

    // Picked on the host from all of them: checked against the list of all.
    const auto pick = [&](const Report& report) {
      MapOptions options = all;
      options.report = report;
      return Mapper(device, index, options).map(reads);
    };
    const Hits best = pick(Report::best()), strata = pick(Report::within(1)), most = pick(Report::most(3));
    MapOptions one_strand = all;
    one_strand.strands = Strands::reverse;
    const Hits reverse = Mapper(device, index, one_strand).map(reads);
    one_strand.strands = Strands::forward;
    const Hits forward = Mapper(device, index, one_strand).map(reads);
    for (std::size_t i = 0; i < reads.size(); ++i) {
      std::vector<Hit> fewest, near, first, on_reverse, on_forward;
      for (const Hit& hit : hits.of(i)) {
        if (hit.errors == hits.of(i)[0].errors) fewest.push_back(hit);
        if (hit.errors <= hits.of(i)[0].errors + 1) near.push_back(hit);
        if (first.size() < 3) first.push_back(hit);
        (hit.strand == Strand::reverse ? on_reverse : on_forward).push_back(hit);
      }
      CHECK(to_text(best.of(i)) == to_text(fewest));
      CHECK(to_text(strata.of(i)) == to_text(near));
      CHECK(to_text(most.of(i)) == to_text(first));
      CHECK(to_text(reverse.of(i)) == to_text(on_reverse));
      CHECK(to_text(forward.of(i)) == to_text(on_forward));
      CHECK(best.reads[i].hits == hits.reads[i].hits);
      CHECK(best.reads[i].best_hits == fewest.size());
    }
  }
}

TEST_CASE("marose: batches, streams and devices: one answer") {
  Random random(50);
  const SequenceSet text = hard_reference(random, 4000);
  const SequenceSet reads = reads_from(random, text, 300, 44, 3, true);
  const Device& device = test_device();
  const Index index = Index::build(device, text, {.seed_mask = "########"});
  const MapOptions options{.errors = {.count = 3}, .report = Report::all()};
  const Hits whole = Mapper(device, index, options).map(reads);
  CHECK(whole.hits.size() > 200);
  MapOptions pieces = options;
  pieces.batch_reads = 7;
  std::vector<Device> devices = Device::list("all");
  if (devices.size() == 1) devices.push_back(Device::pick());
  const Mapper mapper(devices, index, pieces);
  const Hits cut = mapper.map(reads);
  CHECK(cut.hits == whole.hits);
  CHECK(cut.offsets == whole.offsets);

  std::size_t next = 0;
  Hits streamed;
  std::atomic<unsigned> worked{0};
  mapper.map(
      [&](SequenceSet& batch) {
        if (next == reads.size()) return false;
        const std::size_t count = std::min<std::size_t>(11, reads.size() - next);
        batch = reads.slice(next, count);
        next += count;
        return true;
      },
      [&](Mapper::Batch& batch) {
        ++worked;
        batch.formatted = std::make_shared<std::size_t>(batch.reads.size());
      },
      [&](Mapper::Batch& batch) {
        CHECK(batch.first_read == streamed.reads.size());
        CHECK(*std::static_pointer_cast<std::size_t>(batch.formatted) == batch.reads.size());
        const std::uint64_t before = streamed.hits.size();
        streamed.hits.insert(streamed.hits.end(), batch.hits.hits.begin(), batch.hits.hits.end());
        for (std::size_t i = 1; i < batch.hits.offsets.size(); ++i)
          streamed.offsets.push_back(before + batch.hits.offsets[i]);
        streamed.reads.insert(streamed.reads.end(), batch.hits.reads.begin(), batch.hits.reads.end());
      });
  CHECK(worked == (reads.size() + 10) / 11);
  CHECK(streamed.hits == whole.hits);
  CHECK(streamed.offsets == whole.offsets);
}

TEST_CASE("marose: what a device is given does not depend on the others' order") {
  // A CPU: little at a time, for its own cores do the work. A GPU: much, and host threads that keep it fed.
  constexpr std::uint64_t gib = std::uint64_t{1} << 30;
  CHECK(device_work(KernelFamily::lanes, true, 2, 64, 20 * gib) ==
        DeviceWork{.reads = 1u << 14, .workers = 2, .bytes = 8 * gib});
  const auto group_workers = [&](std::size_t devices, unsigned cores, std::uint64_t free) {
    const DeviceWork work = device_work(KernelFamily::group, true, devices, cores, free);
    CHECK(work.reads == 1u << 17);
    CHECK(work.workers * work.bytes <= free);
    return work.workers;
  };
  CHECK(group_workers(2, 64, 130 * gib) == 16);
  CHECK(group_workers(4, 32, 130 * gib) == 8);
  CHECK(group_workers(4, 1, 130 * gib) == 2);
  for (const KernelFamily family : {KernelFamily::lanes, KernelFamily::group})
    CHECK(device_work(family, false, 2, 64, 10 * gib) == DeviceWork{.reads = 1u << 20, .workers = 1, .bytes = 8 * gib});

  // A human genome's index leaves 11 GiB of 24: fewer batches at a time, and the same reads in each.
  CHECK(group_workers(1, 64, 11 * gib) == 2);
  CHECK(reads_within(device_work(KernelFamily::group, true, 1, 64, 11 * gib).bytes, 8) > 1u << 17);
  // With little memory reads and entries go in parts.
  const DeviceWork little = device_work(KernelFamily::group, true, 1, 64, gib / 4);
  CHECK(reads_within(little.bytes, 32) < 4000);
  CHECK(reads_within(little.bytes, 32) > 100);
  CHECK(entries_within(little.bytes) * 40 < little.bytes);
  CHECK(reads_within(0, 32) == 1);

  // More reads than a CPU takes at a time, so that a GPU beside it has other batches.
  Random random(51);
  const SequenceSet text = hard_reference(random, 4000);
  const SequenceSet reads = reads_from(random, text, 20000, 36, 2, false);
  const Device lanes = test_device().with_family(KernelFamily::lanes);
  const Device group = test_device().with_family(KernelFamily::group);
  const Index index = Index::build(lanes, text, {.seed_mask = "########"});
  const MapOptions options{.errors = {.count = 2}, .model = Model::hamming, .report = Report::all()};
  const Hits alone = Mapper(lanes, index, options).map(reads);
  for (const std::vector<Device>& devices : {std::vector{lanes, group}, std::vector{group, lanes}}) {
    const Hits together = Mapper(devices, index, options).map(reads);
    CHECK(together.hits == alone.hits);
    CHECK(together.offsets == alone.offsets);
  }
}

TEST_CASE("marose: what is asked for and cannot be") {
  Random random(60);
  const Device& device = test_device();
  const SequenceSet text = hard_reference(random, 2000);
  const Index index = Index::build(device, text, {.seed_mask = "##########"});
  CHECK_THROWS_AS(Mapper(std::span<const Device>(), index, {}), InputError);
  CHECK_THROWS_AS(Mapper(device, index, {.shift = 1}), InputError);
  CHECK_THROWS_AS(Mapper(device, index, {.errors = {.share = 0.5}}), InputError);
  SequenceSet reads;
  reads.append("long", std::vector<Code>(1001, 0));
  CHECK_THROWS_WITH_AS(Mapper(device, index, {}).map(reads), doctest::Contains("read 1 (long)"), InputError);

  // 40 bases hold two seeds of ten beside 3 errors, and a bound of 6 is not proved.
  const Mapper lower(device, index, {.errors = {.count = 6}, .report = Report::all()});
  SequenceSet read;
  read.append_letters("r", "ACGTACGTACGTACGTACGTACGTACGTACGTACGTACGT");
  const Hits hits = lower.map(read);
  CHECK(hits.reads[0].lower_bound);
  CHECK(hits.reads[0].bound == 3);
  const Hits guessed = Mapper(device, index, {.errors = {.count = 6}, .heuristic = true}).map(read);
  CHECK_FALSE(guessed.reads[0].lower_bound);
  CHECK(guessed.reads[0].heuristic);
  CHECK(guessed.reads[0].bound == 6);

  CHECK_THROWS_WITH_AS(Index::build(device, SequenceSet()), doctest::Contains("not one"), InputError);
  SequenceSet unknown;
  unknown.append_letters("n", "NNNNNNNNNNNNNNNNNNNNNNNN");
  CHECK_THROWS_WITH_AS(Index::build(device, unknown), doctest::Contains("not one"), InputError);
  SequenceSet tiny;
  for (int i = 0; i < 50; ++i) tiny.append_letters("t", "ACGTACG");
  CHECK_THROWS_WITH_AS(Index::build(device, tiny, {.seed_mask = "##########"}), doctest::Contains("shorter than 10"),
                       InputError);
  CHECK_THROWS_AS(Index::build(device, text, {.seed_mask = "######-##", .method = Method::canonical}), InputError);
}

TEST_CASE("marose: an index written and opened again maps alike") {
  Random random(70);
  const SequenceSet text = hard_reference(random, 20'000);
  const SequenceSet reads = reads_from(random, text, 50, 40, 3, true);
  const Device& device = test_device();
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("genocl-mapper-test-" + std::to_string(std::random_device()()) + ".mrs"))
                               .string();
  for (const std::uint64_t segment : {0, 9000}) {
    const Index index = Index::build(device, text, {.seed_mask = "########", .segment_bases = segment});
    CHECK((index.segments() > 1) == (segment != 0));
    index.save(path);
    const Index opened = Index::open(path);
    std::filesystem::remove(path);
    CHECK(opened.mask() == index.mask());
    CHECK(opened.method() == index.method());
    CHECK(opened.segments() == index.segments());
    CHECK(opened.bytes() == index.bytes());
    REQUIRE(opened.contigs() == text.size());
    for (std::size_t contig = 0; contig < text.size(); ++contig) {
      CHECK(opened.name(contig) == text.name(contig));
      REQUIRE(opened.length(contig) == text.length(contig));
      std::vector<Code> codes(text.length(contig)), expected(text[contig].begin(), text[contig].end());
      for (Code& code : expected) code = std::min(code, dna::unknown);
      opened.reference(contig, 0, codes);
      CHECK(codes == expected);
      if (codes.size() > 10) {
        std::vector<Code> part(codes.size() - 7);
        index.reference(contig, 5, part);
        CHECK(std::equal(part.begin(), part.end(), expected.begin() + 5));
      }
    }
    const MapOptions options{.errors = {.count = 3}, .report = Report::all()};
    CHECK(Mapper(device, opened, options).map(reads).hits == Mapper(device, index, options).map(reads).hits);
  }
}

TEST_CASE("marose: an index built in little memory is the same, in less than it needs it has more segments") {
  Random random(71);
  const SequenceSet text = hard_reference(random, 60'000);
  const SequenceSet reads = reads_from(random, text, 30, 60, 3, true);
  const std::string path = (std::filesystem::temp_directory_path() /
                            ("genocl-mapper-test-" + std::to_string(std::random_device()()) + ".mrs"))
                               .string();
  const auto file_of = [&](const Index& index) {
    index.save(path);
    std::ifstream file(path, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(file), {}};
    std::filesystem::remove(path);
    return bytes;
  };
  for (const KernelFamily family : both_families) {
    const Device device = test_device().with_family(family);
    for (const char* mask : {"######", "####--####"}) {
      IndexOptions options{.seed_mask = mask};
      options.method = options.seed_mask.size() == 6 ? Method::kmers : Method::canonical;
      const Index whole = Index::build(device, text, options);
      REQUIRE(whole.segments() == 1);
      options.memory = text.residues() * (options.method == Method::kmers ? 9 : 13) + 350'000;
      const Index ranges = Index::build(device, SequenceSet(text), options);
      CHECK(ranges.segments() == 1);
      CHECK((file_of(ranges) == file_of(whole)));
      options.memory = 300'000;
      const Index cut = Index::build(device, text, options);
      CHECK(cut.segments() > 1);
      const MapOptions map{.errors = {.count = 3}, .report = Report::all()};
      CHECK(Mapper(device, cut, map).map(reads).hits == Mapper(device, whole, map).map(reads).hits);
      options.memory = 1000;
      CHECK_THROWS_AS(Index::build(device, text, options), CapacityError);
    }
  }
}

TEST_CASE("marose: mapping quality") {
  ReadSummary summary;
  CHECK(summary.mapping_quality() == 0);
  summary.hits = summary.best_hits = 1;
  summary.bound = 3;
  summary.known = 4;
  CHECK(summary.mapping_quality() == 60);
  summary.best = 3;  // another one may lie just beyond the bound
  CHECK(summary.mapping_quality() == 17);
  summary.hits = summary.best_hits = 2;
  CHECK(summary.mapping_quality() == 3);
  summary.best_hits = 4;
  CHECK(summary.mapping_quality() == 1);
  summary.best_hits = 1;
  summary.best = 0;
  summary.second = 1;
  summary.second_hits = 1;
  CHECK(summary.mapping_quality() == 17);
  summary.second = 2;
  CHECK(summary.mapping_quality() == 34);
}

TEST_CASE("marose: mapping quality never rises with errors") {
  // Errors of the best place from none to far beyond the bound, as those of a rescued pair may be: two reads of up to
  // 1,000 bases have at most 250 errors each within their bounds, and 500 each when they are rescued.
  for (unsigned bound = 0; bound <= 500; ++bound)
    for (const std::uint64_t second_hits : {0u, 1u, 2u, 7u, 1000u})
      for (const unsigned beyond_best : {0u, 1u, 2u, 3u, 5u, 400u}) {
        if (second_hits == 0 && beyond_best != 0) continue;
        unsigned before = 60;
        for (unsigned best = 0; best <= 1000; ++best) {
          ReadSummary summary;
          summary.best_hits = 1;
          summary.hits = 1 + second_hits;
          summary.bound = static_cast<std::uint16_t>(bound);
          summary.known = static_cast<std::uint16_t>(bound + 1);
          summary.best = static_cast<std::uint16_t>(best);
          summary.second_hits = second_hits;
          // Once at a distance from the best place, once wherever the best place is.
          if (second_hits > 0)
            summary.second = static_cast<std::uint16_t>(beyond_best == 0 ? bound : best + beyond_best);
          const unsigned quality = summary.mapping_quality();
          if (quality > before) FAIL("bound " << bound << ", best " << best << ": " << quality << " after " << before);
          before = quality;
        }
        if (before > 17 && second_hits == 0) FAIL("bound " << bound << ": " << before << " for 1,000 errors");
      }
  // Nor does it with the number of places.
  for (unsigned best = 0; best <= 8; ++best)
    for (unsigned second = best + 1; second <= 10; ++second) {
      unsigned before = 60;
      for (std::uint64_t places = 1; places <= 300; ++places) {
        ReadSummary summary;
        summary.best_hits = 1;
        summary.hits = 1 + places;
        summary.bound = 7;
        summary.known = 8;
        summary.best = static_cast<std::uint16_t>(best);
        summary.second = static_cast<std::uint16_t>(second);
        summary.second_hits = places;
        CHECK(summary.mapping_quality() <= before);
        before = summary.mapping_quality();
      }
    }
}

TEST_CASE("marose: long reads, many errors") {
  // Too many edits for a random read to have hits by chance: those are of copies and repeats.
  check_random(30, 6000, {250, 12, 12}, Model::levenshtein, {.seed_mask = "##########"});
  check_random(31, 6000, {1000, 50, 6}, Model::levenshtein, {.seed_mask = "##########"}, {KernelFamily::lanes});
  check_random(32, 6000, {1000, 50, 6}, Model::hamming, {.seed_mask = "##########"}, {KernelFamily::group});
}
