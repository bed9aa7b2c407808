// map_canonical_cpu() against every place of a small reference.
#include "device_under_test.hpp"

#include <algorithm>
#include "marose/canonical_cpu_cases.hpp"
#include "random.hpp"

using namespace marose_test::lanes;
using namespace marose_test;

namespace {

/// The device of all cases; the tables are built by the kernels of either family in turn.
genocl::Device family_device(unsigned round) {
  return genocl_test::device_under_test().with_family(families[round % 2]);
}

/// Parameters that are compiled into a program, which takes seconds for each. In addition to a plan for reads of
/// `length` bases and `errors` errors there are others for shorter ones, if there are several. Other parameters vary
/// in each round.
struct Shape {
  const char* mask;
  unsigned length, errors, plans;
};

/// A plan of seeds that are looked up as they are, or of pairs of them, where these fit.
Plan random_plan(Random& random, const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  const bool pairs = mask.is_solid() && length / (errors / 2 + 1) >= 2 * mask.span() && below(random, 3) != 0;
  return (pairs ? pair_plan : whole_plan)(mask, length, errors, model);
}

/// Reads of each plan; one of the first plan's holds an N.
Batch random_batch(Random& random, const Shape& shape, const SequenceSet& contigs, std::size_t max_reads, Model model) {
  const SeedMask mask(shape.mask);
  Batch batch;
  for (unsigned i = 0; i < shape.plans; ++i) {
    const unsigned shortest = std::max(20u, 2 * mask.span());
    const unsigned length = i == 0 ? shape.length : shortest + below(random, shape.length - shortest + 1);
    const unsigned errors = i == 0 ? shape.errors : errors_that_fit(mask, length, below(random, shape.errors + 1));
    const SequenceSet reads =
        reads_from(random, contigs, 1 + below(random, max_reads), length, errors, model == Model::levenshtein);
    batch.add(random_plan(random, mask, length, errors, model), i == 0 ? with_unknown(reads) : reads);
  }
  return batch;
}

unsigned strands_of(unsigned round) { return round % 4 == 2 ? 1 : round % 4 == 3 ? 2 : both_strands; }

}  // namespace

TEST_CASE("tiny: marose canonical on CPUs") {
  Random random(5);
  for (const Model model : {Model::hamming, Model::levenshtein}) {
    const SequenceSet contigs = hard_reference(random, 150);
    Batch batch;
    const SeedMask mask = SeedMask::solid(4);
    batch.add(pair_plan(mask, 20, 1, model), reads_from(random, contigs, 3, 20, 1, model == Model::levenshtein));
    batch.add(whole_plan(mask, 22, 2, model), reads_from(random, contigs, 2, 22, 2, model == Model::levenshtein));
    check(family_device(model == Model::hamming ? 0 : 1), contigs, batch, both_strands);
  }
}

TEST_CASE("marose canonical on CPUs, Hamming: every window within the bound") {
  // Reads of two words, of four, of eight and of sixteen.
  const Shape shapes[] = {
      {"##########", 64, 3, 3}, {"#########", 250, 6, 5}, {"###-###", 100, 5, 1}, {"##-#-##-#-##", 300, 4, 4}};
  unsigned seed = 0;
  for (const Shape& shape : shapes)
    for (unsigned round = 0; round < 6; ++round) {
      CAPTURE(seed);
      Random random(seed++);
      const SequenceSet contigs = hard_reference(random, 500 + below(random, 4000));
      const Batch batch = random_batch(random, shape, contigs, 60, Model::hamming);
      check(family_device(round), contigs, batch, strands_of(round));
    }
}

TEST_CASE("marose canonical on CPUs, Hamming: overlapping places of a palindromic mask") {
  const genocl::Device device = family_device(0);
  Random random(77);
  const SequenceSet contigs = hard_reference(random, 6000);
  Plan plan = plan_without_places(SeedMask("####--####--####"), 40, 3, Model::hamming);
  for (const unsigned offset : {0, 2, 4, 20, 22, 24}) plan.places.push_back({offset, 0, 40, 3});
  Batch batch;
  batch.add(plan, reads_from(random, contigs, 400, 40, 3, false));
  check(device, contigs, batch, both_strands);
}

TEST_CASE("marose canonical on CPUs, Levenshtein: diagonals by definition") {
  // Lanes of 16 bits, of 32 and of 64; reads of one plan and of several.
  const Shape shapes[] = {
      {"########", 60, 4, 1}, {"##########", 120, 5, 4}, {"###-###", 110, 11, 3}, {"########", 190, 14, 1}};
  std::size_t expected = 0;
  unsigned seed = 0;
  for (const Shape& shape : shapes)
    for (unsigned round = 0; round < 4; ++round) {
      CAPTURE(seed);
      Random random(seed++);
      // Half of them have no N, so that the result is known exactly.
      SequenceSet contigs = hard_reference(random, 500 + below(random, 2500));
      if (round % 4 >= 2) contigs = one_contig(random_bases(random, 3000));
      const Batch batch = random_batch(random, shape, contigs, 30, Model::levenshtein);
      const Found found = map_cpu(family_device(round), contigs, batch, strands_of(round + 1));
      expected += check_levenshtein(contigs, batch, strands_of(round + 1), found);
    }
  CHECK(expected > 800);
}

TEST_CASE("marose canonical on CPUs, Levenshtein: bands of every width of lane") {
  // The narrowest and the widest of each, in reads of the same length, and one wider than any.
  const struct {
    unsigned errors, length;
  } bands[] = {{0, 67}, {5, 67}, {6, 137}, {12, 137}, {13, 337}, {31, 337}, {32, 337}};
  for (const auto& band : bands) {
    const unsigned errors = band.errors, length = band.length;
    CAPTURE(errors);
    Random random(errors);
    const SequenceSet contigs = one_contig(random_bases(random, 4000));
    Batch batch;
    batch.add(whole_plan(SeedMask::solid(10), length, errors, Model::levenshtein),
              reads_from(random, contigs, 40, length, errors, true));
    const Found found = map_cpu(family_device(0), contigs, batch, both_strands);
    if (errors <= 31) {
      CHECK(check_levenshtein(contigs, batch, both_strands, found) > 0);
    } else {  // wider than any lane: all candidates
      const reference::Segment segment(contigs);
      for (std::size_t read = 0; read < found.size(); ++read)
        for (const Diagonal& diagonal :
             passing_diagonals(segment, batch.reads[read], batch.plans[0], both_strands, 8, Unknown::fits_nothing))
          CHECK(found[read].count(diagonal) == 1);
    }
  }
}

TEST_CASE("marose canonical on CPUs: reads with more hits than a worker holds") {
  Random random(11);
  std::vector<Code> text(9000, 0);  // A
  const std::vector<Code> unit = random_bases(random, 7), plain = random_bases(random, 2000);
  for (unsigned i = 0; i < 9000; ++i) text.push_back(unit[i % unit.size()]);
  text.insert(text.end(), plain.begin(), plain.end());
  const SequenceSet contigs = one_contig(text);
  for (const Model model : {Model::hamming, Model::levenshtein}) {
    SequenceSet reads;
    const auto read_at = [&](std::size_t begin) {
      reads.append("read", std::span<const Code>(text).subspan(begin, 40));
    };
    for (unsigned i = 0; i < 3; ++i) {
      read_at(18000 + 100 * i);
      read_at(i);
      reads.append("read", std::vector<Code>(40, 3));  // T: the other strand of A
      read_at(9000 + i);
      read_at(18100 + 100 * i);
    }
    Batch batch;
    batch.add(pair_plan(SeedMask::solid(10), 40, 3, model), reads);
    batch.plans[0].errors = 3;
    const Found found = map_cpu(family_device(0), contigs, batch, both_strands);
    CHECK(found[1].size() > 8900);
    CHECK(found[2].size() > 8900);
    CHECK(found[3].size() > 1200);
    if (model == Model::hamming) {
      check_hamming(contigs, batch, both_strands, found);
    } else {
      // On all of A every diagonal passes.
      for (std::int64_t diagonal = 0; diagonal + 40 <= 9000; ++diagonal) {
        CHECK(found[1].count({0u, diagonal}) == 1);
        CHECK(found[2].count({1u, diagonal}) == 1);
      }
      CHECK(found[0].count({0u, 18000}) == 1);
    }
  }
}

TEST_CASE("marose canonical on CPUs: many reads with many hits") {
  const genocl::Device device = family_device(0);
  for (const unsigned copies : {130, 270, 333, 500, 610}) {
    CAPTURE(copies);
    Random random(copies);
    // Copies of one piece between other bases.
    const std::vector<Code> piece = random_bases(random, 60);
    std::vector<Code> text;
    for (unsigned copy = 0; copy < copies; ++copy) {
      const std::vector<Code> between = random_bases(random, 1 + below(random, 30));
      text.insert(text.end(), piece.begin(), piece.end());
      text.insert(text.end(), between.begin(), between.end());
    }
    const SequenceSet contigs = one_contig(text);
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      SequenceSet reads;
      for (unsigned i = 0; i < 100; ++i) {
        std::vector<Code> read(piece.begin() + below(random, 20), piece.end());
        read.resize(40);
        edit(random, read, below(random, 3), false);
        reads.append("read", read);
      }
      Batch batch;
      batch.add(pair_plan(SeedMask::solid(10), 40, 3, model), reads);
      const Found found = map_cpu(device, contigs, batch, both_strands);
      if (model == Model::hamming)
        check_hamming(contigs, batch, both_strands, found);
      else
        for (const auto& diagonals : found) CHECK(diagonals.size() >= copies);
    }
  }
}

TEST_CASE("marose canonical on CPUs: nothing to map, nothing found") {
  const genocl::Device device = family_device(0);
  for (const Model model : {Model::hamming, Model::levenshtein}) {
    Batch batch;
    batch.add(pair_plan(SeedMask::solid(10), 40, 3, model), SequenceSet());
    const SequenceSet contigs = one_contig(std::vector<Code>(1000, 1));
    CHECK(map_cpu(device, contigs, batch, both_strands).empty());
    Batch unknown;
    SequenceSet reads;
    reads.append("N", std::vector<Code>(40, genocl::dna::unknown));
    reads.append("A", std::vector<Code>(40, 0));
    unknown.add(batch.plans[0], reads);
    for (const auto& found : map_cpu(device, contigs, unknown, both_strands)) CHECK(found.empty());
  }
}
