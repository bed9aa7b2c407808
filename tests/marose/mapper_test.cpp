#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <initializer_list>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/mapper_cases.hpp"
#include "marose/read_batches.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

constexpr std::initializer_list<KernelFamily> both_families = {KernelFamily::cpu, KernelFamily::gpu};

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
    check_random(seed, 2500, {100, 5, 20}, Model::hamming, {.seed_mask = "########"}, {KernelFamily::cpu});
  }
  check_random(14, 3000, {40, 3, 80}, Model::hamming, {.seed_mask = "####--####--####"}, {KernelFamily::cpu});
  check_random(15, 3000, {40, 3, 80}, Model::hamming, {.seed_mask = "###-###-#-###-###"}, {KernelFamily::gpu});
  check_random(16, 3000, {40, 3, 80}, Model::hamming, {.seed_mask = "##-##---#---##-##---#---##-##"},
               {KernelFamily::cpu});
}

TEST_CASE("marose: a hundred small references, as by brute force") {
  const std::uint64_t hits = map_small_references(1000, 1100, false);
  CHECK(hits > 200);
}

TEST_CASE("marose: all hits by the published methods, as by brute force") {
  // Both families look up the same in published_candidates_test.cpp.
  const std::pair<Method, KernelFamily> methods[] = {
      {Method::list, KernelFamily::cpu},   {Method::binary, KernelFamily::gpu},
      {Method::phf, KernelFamily::cpu},    {Method::phf_published, KernelFamily::gpu},
      {Method::bitmap, KernelFamily::gpu}, {Method::offset, KernelFamily::cpu}};
  for (const auto& one : methods) {
    CAPTURE(to_string(one.first));
    const IndexOptions options{.seed_mask = "#####", .neighbourhood = 4, .method = one.first};
    check_random(80, 2500, {40, 3, 30}, Model::hamming, options, {one.second});
    check_random(81, 2500, {40, 3, 30}, Model::levenshtein, options, {one.second});
  }
  check_random(82, 2500, {36, 2, 30}, Model::hamming,
               {.seed_mask = "####-##", .neighbourhood = 4, .method = Method::list}, {KernelFamily::cpu});
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
  for (const KernelFamily family : genocl_test::families_under_test()) {
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
        CHECK(batch.text.empty());
        batch.text = std::to_string(batch.reads.size());
      },
      [&](Mapper::Batch& batch) {
        CHECK(batch.first_read == streamed.reads.size());
        CHECK(batch.text == std::to_string(batch.reads.size()));
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
  CHECK(device_work(KernelFamily::cpu, true, 2, 64, 20 * gib) ==
        DeviceWork{.reads = 1u << 14, .workers = 2, .bytes = 8 * gib});
  const auto group_workers = [&](std::size_t devices, unsigned cores, std::uint64_t free) {
    const DeviceWork work = device_work(KernelFamily::gpu, true, devices, cores, free);
    CHECK(work.reads == 1u << 16);
    CHECK(work.workers * work.bytes <= free);
    return work.workers;
  };
  CHECK(group_workers(2, 64, 130 * gib) == 16);
  CHECK(group_workers(4, 32, 130 * gib) == 8);
  CHECK(group_workers(4, 1, 130 * gib) == 2);
  for (const KernelFamily family : genocl_test::families_under_test())
    CHECK(device_work(family, false, 2, 64, 10 * gib) == DeviceWork{.reads = 1u << 20, .workers = 1, .bytes = 8 * gib});

  // A human genome's index leaves 11 GiB of 24: fewer batches at a time, and the same reads in each.
  CHECK(group_workers(1, 64, 11 * gib) == 4);
  CHECK(reads_within(device_work(KernelFamily::gpu, true, 1, 64, 11 * gib).bytes, 8) > 1u << 16);
  // With little memory reads and entries go in parts.
  const DeviceWork little = device_work(KernelFamily::gpu, true, 1, 64, gib / 4);
  CHECK(reads_within(little.bytes, 32) < 4000);
  CHECK(reads_within(little.bytes, 32) > 100);
  CHECK(entries_within(little.bytes) * 40 < little.bytes);
  CHECK(reads_within(0, 32) == 1);

  // More reads than a CPU takes at a time: a GPU gets other batches.
  Random random(51);
  const SequenceSet text = hard_reference(random, 4000);
  const SequenceSet reads = reads_from(random, text, 20000, 36, 2, false);
  const Device lanes = test_device().with_family(KernelFamily::cpu);
  const Device group = test_device().with_family(KernelFamily::gpu);
  const Index index = Index::build(lanes, text, {.seed_mask = "########"});
  const MapOptions options{.errors = {.count = 2}, .model = Model::hamming, .report = Report::all()};
  const Hits alone = Mapper(lanes, index, options).map(reads);
  for (const std::vector<Device>& devices : {std::vector{lanes, group}, std::vector{group, lanes}}) {
    const Hits together = Mapper(devices, index, options).map(reads);
    CHECK(together.hits == alone.hits);
    CHECK(together.offsets == alone.offsets);
  }
}

TEST_CASE("marose: impossible options") {
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

  // 40 bases contain two seeds of ten with 3 errors; a bound of 6 is not proved.
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

TEST_CASE("marose: long reads, many errors") {
  // Too many edits for a random read to have hits by chance: those are of copies and repeats.
  check_random(30, 6000, {250, 12, 12}, Model::levenshtein, {.seed_mask = "##########"});
  check_random(31, 6000, {1000, 50, 6}, Model::levenshtein, {.seed_mask = "##########"}, {KernelFamily::cpu});
  check_random(32, 6000, {1000, 50, 6}, Model::hamming, {.seed_mask = "##########"}, {KernelFamily::gpu});
}
