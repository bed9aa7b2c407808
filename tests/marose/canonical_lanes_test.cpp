// map_canonical_lanes() against every place of a small reference.
#include "genocl/device.hpp"
#include "marose/canonical.hpp"
#include "marose/plan_table.hpp"
#include "marose/steps.hpp"
#include "marose/texts.hpp"
#include "reference/marose_lanes.hpp"

#include <doctest/doctest.h>

#include <map>
#include <numeric>
#include <set>

namespace {

using namespace genocl::marose;
using genocl::Code;
using genocl::SequenceSet;
using marose_test::below;
using marose_test::Random;
using reference::Diagonal;
using reference::Unknown;

constexpr genocl::KernelFamily families[] = {genocl::KernelFamily::lanes, genocl::KernelFamily::group};

Plan plan_without_places(const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  Plan plan;
  plan.length = length;
  plan.errors = errors;
  plan.model = model;
  plan.mask = mask;
  return plan;
}

/// One seed more than there are errors, side by side; each checked over the whole read.
Plan whole_plan(const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  Plan plan = plan_without_places(mask, length, errors, model);
  for (unsigned i = 0; i <= errors; ++i) plan.places.push_back({i * mask.span(), 0, length, errors});
  return plan;
}

/// Pairs of neighbouring seeds, of which one has at most one error: errors / 2 + 1 pairs.
Plan pair_plan(const SeedMask& mask, unsigned length, unsigned errors, Model model) {
  Plan plan = plan_without_places(mask, length, errors, model);
  const unsigned pairs = errors / 2 + 1, piece = length / (2 * pairs);
  for (unsigned pair = 0; pair < pairs; ++pair) {
    const unsigned begin = 2 * pair * piece, end = pair + 1 == pairs ? length : begin + 2 * piece;
    plan.places.push_back({begin + piece - mask.span(), begin, end, std::min(errors, 1u)});
    plan.places.push_back({begin + piece, begin, end, std::min(errors, 1u)});
  }
  return plan;
}

/// The most errors for which a plan of that kind fits reads of that length, at most `most`.
unsigned errors_that_fit(const SeedMask& mask, unsigned length, unsigned most) {
  return std::min(most, length / mask.span() - 1);
}

struct Batch {
  std::vector<Plan> plans;
  SequenceSet reads;
  std::vector<std::uint32_t> plan_of;

  void add(const Plan& plan, const SequenceSet& more) {
    for (std::size_t i = 0; i < more.size(); ++i) {
      reads.append("read", more[i]);
      plan_of.push_back(static_cast<std::uint32_t>(plans.size()));
    }
    plans.push_back(plan);
  }
};

/// The diagonals of each read, with their errors (0 with Levenshtein errors).
using Found = std::vector<std::map<Diagonal, std::uint32_t>>;

Found map_lanes(const genocl::Device& device, const SequenceSet& contigs, const Batch& batch, unsigned strands) {
  const genocl::PackedDna packed(contigs);
  DeviceSegment segment;
  segment.mask = batch.plans.front().mask;
  segment.reference = upload_reference(device, packed, {0, packed.size(), 0, packed.size()});
  segment.tables = build_canonical(device, segment.reference, segment.mask);
  const PlanTable plans = make_plan_table(device, batch.plans);
  std::vector<std::uint32_t> which(batch.reads.size());
  std::iota(which.begin(), which.end(), 0);
  const ReadBatch reads = pack_reads(device, batch.reads, which, batch.plan_of);
  const Verified verified = map_canonical_lanes(device, segment, reads, plans, strands);
  Found found(batch.reads.size());
  if (verified.count == 0) return found;
  std::vector<std::uint64_t> keys = verified.keys.download();
  keys.resize(verified.count);
  std::vector<std::uint32_t> errors(verified.count);
  if (plans.model == Model::hamming) verified.values.download(std::span(errors));
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (i > 0) REQUIRE(keys[i - 1] < keys[i]);
    REQUIRE((keys[i] >> 33) < found.size());
    const std::int64_t diagonal = static_cast<std::int64_t>(keys[i] & 0xffffffffu) - diagonal_bias;
    found[keys[i] >> 33].emplace(Diagonal(keys[i] >> 32 & 1, diagonal), errors[i]);
  }
  return found;
}

/// Every window of every contig within the bound.
std::map<Diagonal, std::uint32_t> hamming_windows(const reference::Segment& segment, std::span<const Code> read,
                                                  unsigned bound, unsigned strands) {
  std::map<Diagonal, std::uint32_t> found;
  const auto length = static_cast<std::int64_t>(read.size());
  for (unsigned strand = 0; strand < 2; ++strand) {
    if ((strands >> strand & 1) == 0) continue;
    std::vector<Code> pattern(read.begin(), read.end());
    if (strand == 1) genocl::dna::reverse_complement(read, pattern);
    for (std::int64_t begin = 0; begin + length <= segment.size(); ++begin) {
      std::uint32_t errors = 0;
      for (std::int64_t i = 0; i < length && errors <= bound; ++i)
        errors += !reference::fits(pattern[static_cast<std::size_t>(i)], segment.at(begin + i), Unknown::fits_nothing);
      if (errors <= bound && segment.in_one_contig(begin, begin + length))
        found.emplace(Diagonal(strand, begin), errors);
    }
  }
  return found;
}

void check_hamming(const SequenceSet& contigs, const Batch& batch, unsigned strands, const Found& found) {
  const reference::Segment segment(contigs);
  for (std::size_t read = 0; read < found.size(); ++read) {
    CAPTURE(read);
    CAPTURE(batch.reads.letters(read));
    CHECK(found[read] == hamming_windows(segment, batch.reads[read], batch.plans[batch.plan_of[read]].errors, strands));
  }
}

/// Returns how many diagonals there were to find.
std::size_t check_levenshtein(const SequenceSet& contigs, const Batch& batch, unsigned strands, const Found& found) {
  const reference::Segment segment(contigs);
  const std::int64_t side = context_layout(batch.plans.front().mask).side;
  const bool plain = std::all_of(segment.text.begin(), segment.text.end(), [](Code code) { return code < 4; });
  std::size_t expected = 0;
  for (std::size_t read = 0; read < found.size(); ++read) {
    const Plan& plan = batch.plans[batch.plan_of[read]];
    CAPTURE(read);
    CAPTURE(batch.reads.letters(read));
    const auto least = passing_diagonals(segment, batch.reads[read], plan, strands, side, Unknown::fits_nothing);
    const auto most = passing_diagonals(segment, batch.reads[read], plan, strands, side, Unknown::fits_all);
    expected += least.size();
    for (const auto& [strand, diagonal] : least) {
      CAPTURE(strand);
      CAPTURE(diagonal);
      CHECK(found[read].count({strand, diagonal}) == 1);
    }
    for (const auto& [where, errors] : found[read]) {
      CAPTURE(std::get<0>(where));
      CAPTURE(std::get<1>(where));
      CHECK(most.count(where) == 1);
      // Far from the ends, with no N, there is no room between the two.
      const std::int64_t diagonal = std::get<1>(where);
      const std::span<const Code> codes = batch.reads[read];
      const std::int64_t far = plan.errors + side + 1;
      if (plain && std::all_of(codes.begin(), codes.end(), [](Code code) { return code < 4; }) && diagonal >= far &&
          diagonal + plan.length + far <= segment.size())
        CHECK(least.count(where) == 1);
    }
  }
  return expected;
}

SequenceSet one_contig(const std::vector<Code>& codes) {
  SequenceSet set;
  set.append("contig", codes);
  return set;
}

void check(const genocl::Device& device, const SequenceSet& contigs, const Batch& batch, unsigned strands) {
  const Found found = map_lanes(device, contigs, batch, strands);
  if (batch.plans.front().model == Model::hamming)
    check_hamming(contigs, batch, strands, found);
  else
    check_levenshtein(contigs, batch, strands, found);
}

}  // namespace

TEST_CASE("tiny: marose canonical on CPUs") {
  const genocl::Device picked = genocl::Device::pick();
  Random random(5);
  for (const Model model : {Model::hamming, Model::levenshtein}) {
    const SequenceSet contigs = marose_test::hard_reference(random, 150);
    Batch batch;
    const SeedMask mask = SeedMask::solid(4);
    batch.add(pair_plan(mask, 20, 1, model),
              marose_test::reads_from(random, contigs, 3, 20, 1, model == Model::levenshtein));
    batch.add(whole_plan(mask, 22, 2, model),
              marose_test::reads_from(random, contigs, 2, 22, 2, model == Model::levenshtein));
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
    const SequenceSet contigs = marose_test::hard_reference(random, 500 + below(random, 4000));
    const SeedMask mask(masks[seed % std::size(masks)]);
    Batch batch;
    const unsigned lengths = 1 + below(random, 5);
    for (unsigned i = 0; i < lengths; ++i) {
      const unsigned longest = below(random, 3) == 0 ? 300 : 80;
      const unsigned length = std::max(20u, 2 * mask.span()) + below(random, longest - 20);
      const unsigned errors = errors_that_fit(mask, length, 1 + below(random, 6));
      const bool pairs = mask.is_solid() && length / (errors / 2 + 1) >= 2 * mask.span() && below(random, 2) != 0;
      batch.add((pairs ? pair_plan : whole_plan)(mask, length, errors, Model::hamming),
                marose_test::reads_from(random, contigs, 1 + below(random, 60), length, errors, false));
    }
    check(device, contigs, batch, seed % 5 == 0 ? 1 : seed % 5 == 1 ? 2 : both_strands);
  }
}

TEST_CASE("marose canonical on CPUs, Hamming: overlapping places of a palindromic mask") {
  const genocl::Device device = genocl::Device::pick().with_family(genocl::KernelFamily::lanes);
  Random random(77);
  const SequenceSet contigs = marose_test::hard_reference(random, 6000);
  Plan plan = plan_without_places(SeedMask("####--####--####"), 40, 3, Model::hamming);
  for (const unsigned offset : {0, 2, 4, 20, 22, 24}) plan.places.push_back({offset, 0, 40, 3});
  Batch batch;
  batch.add(plan, marose_test::reads_from(random, contigs, 400, 40, 3, false));
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
    SequenceSet contigs = marose_test::hard_reference(random, 500 + below(random, 2500));
    if (seed % 4 < 2) contigs = one_contig(marose_test::random_bases(random, 3000));
    const SeedMask mask(masks[seed % std::size(masks)]);
    Batch batch;
    const unsigned lengths = 1 + below(random, 4);
    for (unsigned i = 0; i < lengths; ++i) {
      const unsigned longest = below(random, 3) == 0 ? 200 : 80;
      const unsigned length = 20 + below(random, longest - 20);
      const unsigned errors = errors_that_fit(mask, length, seed < 12 ? below(random, 6) : below(random, 12));
      const bool pairs = mask.is_solid() && length / (errors / 2 + 1) >= 2 * mask.span() && below(random, 4) != 0;
      batch.add((pairs ? pair_plan : whole_plan)(mask, length, errors, Model::levenshtein),
                marose_test::reads_from(random, contigs, 1 + below(random, 30), length, errors, true));
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
    const SequenceSet contigs = one_contig(marose_test::random_bases(random, 4000));
    const unsigned length = std::max(30u, 10 * (errors + 1) + 7);
    Batch batch;
    batch.add(whole_plan(SeedMask::solid(10), length, errors, Model::levenshtein),
              marose_test::reads_from(random, contigs, 40, length, errors, true));
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
  const std::vector<Code> unit = marose_test::random_bases(random, 7), plain = marose_test::random_bases(random, 2000);
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
    const std::vector<Code> piece = marose_test::random_bases(random, 60);
    std::vector<Code> text;
    for (unsigned copy = 0; copy < copies; ++copy) {
      const std::vector<Code> between = marose_test::random_bases(random, 1 + below(random, 30));
      text.insert(text.end(), piece.begin(), piece.end());
      text.insert(text.end(), between.begin(), between.end());
    }
    const SequenceSet contigs = one_contig(text);
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      SequenceSet reads;
      for (unsigned i = 0; i < 100; ++i) {
        std::vector<Code> read(piece.begin() + below(random, 20), piece.end());
        read.resize(40);
        marose_test::edit(random, read, below(random, 3), false);
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
