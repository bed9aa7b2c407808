// map_canonical_lanes() against every place of a small reference.
#include "marose/canonical/canonical_lanes_cases.hpp"

using namespace marose_test::lanes;
using namespace marose_test;

TEST_CASE("tiny: marose canonical on CPUs") {
  const genocl::Device picked = genocl::Device::pick();
  Random random(5);
  for (const Model model : {Model::hamming, Model::levenshtein}) {
    const SequenceSet contigs = hard_reference(random, 150);
    Batch batch;
    const SeedMask mask = SeedMask::solid(4);
    batch.add(pair_plan(mask, 20, 1, model), reads_from(random, contigs, 3, 20, 1, model == Model::levenshtein));
    batch.add(whole_plan(mask, 22, 2, model), reads_from(random, contigs, 2, 22, 2, model == Model::levenshtein));
    check(picked.with_family(families[model == Model::hamming ? 0 : 1]), contigs, batch, both_strands);
  }
}

TEST_CASE("marose canonical on CPUs, Hamming: every window within the bound") {
  const genocl::Device picked = genocl::Device::pick();
  const char* const masks[] = {"##########", "#########", "###-###", "##-#-##-#-##"};
  for (unsigned seed = 0; seed < 24; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const genocl::Device device = picked.with_family(families[seed % 2]);
    const SequenceSet contigs = hard_reference(random, 500 + below(random, 4000));
    const SeedMask mask(masks[seed % std::size(masks)]);
    Batch batch;
    const unsigned lengths = 1 + below(random, 5);
    for (unsigned i = 0; i < lengths; ++i) {
      const unsigned longest = below(random, 3) == 0 ? 300 : 80;
      const unsigned length = std::max(20u, 2 * mask.span()) + below(random, longest - 20);
      const unsigned errors = errors_that_fit(mask, length, 1 + below(random, 6));
      const bool pairs = mask.is_solid() && length / (errors / 2 + 1) >= 2 * mask.span() && below(random, 2) != 0;
      batch.add((pairs ? pair_plan : whole_plan)(mask, length, errors, Model::hamming),
                reads_from(random, contigs, 1 + below(random, 60), length, errors, false));
    }
    check(device, contigs, batch, seed % 5 == 0 ? 1 : seed % 5 == 1 ? 2 : both_strands);
  }
}

TEST_CASE("marose canonical on CPUs, Hamming: overlapping places of a palindromic mask") {
  const genocl::Device device = genocl::Device::pick().with_family(genocl::KernelFamily::lanes);
  Random random(77);
  const SequenceSet contigs = hard_reference(random, 6000);
  Plan plan = plan_without_places(SeedMask("####--####--####"), 40, 3, Model::hamming);
  for (const unsigned offset : {0, 2, 4, 20, 22, 24}) plan.places.push_back({offset, 0, 40, 3});
  Batch batch;
  batch.add(plan, reads_from(random, contigs, 400, 40, 3, false));
  check(device, contigs, batch, both_strands);
}

TEST_CASE("marose canonical on CPUs, Levenshtein: diagonals by definition") {
  const genocl::Device picked = genocl::Device::pick();
  const char* const masks[] = {"########", "##########", "###-###"};
  std::size_t expected = 0;
  for (unsigned seed = 0; seed < 18; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const genocl::Device device = picked.with_family(families[seed % 2]);
    // Half of them without N, where what is found is exactly known.
    SequenceSet contigs = hard_reference(random, 500 + below(random, 2500));
    if (seed % 4 < 2) contigs = one_contig(random_bases(random, 3000));
    const SeedMask mask(masks[seed % std::size(masks)]);
    Batch batch;
    const unsigned lengths = 1 + below(random, 4);
    for (unsigned i = 0; i < lengths; ++i) {
      const unsigned longest = below(random, 3) == 0 ? 200 : 80;
      const unsigned length = 20 + below(random, longest - 20);
      const unsigned errors = errors_that_fit(mask, length, seed < 12 ? below(random, 6) : below(random, 12));
      const bool pairs = mask.is_solid() && length / (errors / 2 + 1) >= 2 * mask.span() && below(random, 4) != 0;
      batch.add((pairs ? pair_plan : whole_plan)(mask, length, errors, Model::levenshtein),
                reads_from(random, contigs, 1 + below(random, 30), length, errors, true));
    }
    const unsigned strands = seed % 5 == 0 ? 1 : seed % 5 == 1 ? 2 : both_strands;
    const Found found = map_lanes(device, contigs, batch, strands);
    expected += check_levenshtein(contigs, batch, strands, found);
  }
  CHECK(expected > 1000);
}

TEST_CASE("marose canonical on CPUs, Levenshtein: bands of every width of lane") {
  const genocl::Device device = genocl::Device::pick().with_family(genocl::KernelFamily::lanes);
  for (const unsigned errors : {0, 5, 6, 12, 13, 31, 32}) {
    CAPTURE(errors);
    Random random(errors);
    const SequenceSet contigs = one_contig(random_bases(random, 4000));
    const unsigned length = std::max(30u, 10 * (errors + 1) + 7);
    Batch batch;
    batch.add(whole_plan(SeedMask::solid(10), length, errors, Model::levenshtein),
              reads_from(random, contigs, 40, length, errors, true));
    const Found found = map_lanes(device, contigs, batch, both_strands);
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
  const genocl::Device picked = genocl::Device::pick();
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
    const Found found = map_lanes(picked.with_family(genocl::KernelFamily::lanes), contigs, batch, both_strands);
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
  const genocl::Device device = genocl::Device::pick().with_family(genocl::KernelFamily::lanes);
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
      const Found found = map_lanes(device, contigs, batch, both_strands);
      if (model == Model::hamming)
        check_hamming(contigs, batch, both_strands, found);
      else
        for (const auto& diagonals : found) CHECK(diagonals.size() >= copies);
    }
  }
}

TEST_CASE("marose canonical on CPUs: nothing to map, nothing found") {
  const genocl::Device device = genocl::Device::pick().with_family(genocl::KernelFamily::lanes);
  for (const Model model : {Model::hamming, Model::levenshtein}) {
    Batch batch;
    batch.add(pair_plan(SeedMask::solid(10), 40, 3, model), SequenceSet());
    const SequenceSet contigs = one_contig(std::vector<Code>(1000, 1));
    CHECK(map_lanes(device, contigs, batch, both_strands).empty());
    Batch unknown;
    SequenceSet reads;
    reads.append("N", std::vector<Code>(40, genocl::dna::unknown));
    reads.append("A", std::vector<Code>(40, 0));
    unknown.add(batch.plans[0], reads);
    for (const auto& found : map_lanes(device, contigs, unknown, both_strands)) CHECK(found.empty());
  }
}
