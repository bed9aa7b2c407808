// map_canonical_gpu() against every place of a small reference.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/sequence.hpp"
#include "marose/canonical.hpp"
#include "marose/device_state.hpp"
#include "marose/segments.hpp"
#include "marose/texts.hpp"
#include "random.hpp"
#include "reference/marose/marose_diagonals.hpp"

namespace {

using namespace genocl_reference;
using namespace genocl::marose;
using genocl::Code;
using genocl::Device;
using genocl::SequenceSet;
using marose_test::below;
using marose_test::Random;

Random random_stream(unsigned stream) {
  return Random(static_cast<Random::result_type>(genocl_test::test_seed() + stream));
}

/// In letters; everything except bases is N.
std::string plain_letters(std::span<const Code> codes) {
  std::string letters;
  for (const Code code : codes) letters += "ACGTN"[std::min<Code>(code, 4)];
  return letters;
}

struct Case {
  PlainReference reference;
  std::vector<std::string> reads;
  std::vector<Plan> plans;                 // of each read
  std::vector<Plan> distinct;              // as in the table
  std::vector<std::uint32_t> plan_number;  // of each read

  void add_read(const std::string& read, const Plan& plan) {
    std::uint32_t number = 0;
    while (number < distinct.size() &&
           (distinct[number].length != plan.length || distinct[number].places != plan.places))
      ++number;
    if (number == distinct.size()) distinct.push_back(plan);
    reads.push_back(read);
    plans.push_back(plan);
    plan_number.push_back(number);
  }
};

/// The data on the device.
struct Uploaded {
  DeviceSegment segment;
  ReadBatch batch;
  PlanTable plans;

  Uploaded(const Device& device, const Case& c, bool buckets) {
    SequenceSet reads;
    for (const std::string& read : c.reads) reads.append_letters("r", read);
    segment = marose_test::canonical_segment(device, marose_test::contigs_of(c.reference), c.distinct.front().mask);
    if (buckets) add_buckets(device, segment, std::uint64_t{1} << 32);
    REQUIRE(segment.buckets.empty() != buckets);
    batch = marose_test::pack_all(device, reads, c.plan_number);
    plans = make_plan_table(device, c.distinct);
  }
};

std::vector<PlainHit> download(const Verified& verified, bool with_errors) {
  const marose_test::HitLists lists = marose_test::download(verified, with_errors);
  std::vector<PlainHit> hits;
  for (std::size_t i = 0; i < lists.keys.size(); ++i)
    hits.push_back(
        {lists.read(lists.keys[i]), lists.strand(lists.keys[i]), lists.diagonal(lists.keys[i]), lists.values[i]});
  return hits;
}

std::vector<unsigned> bounds(const Case& c) {
  std::vector<unsigned> errors;
  for (const Plan& plan : c.plans) errors.push_back(plan.errors);
  return errors;
}

Device gpu_device() { return genocl_test::device_under_test().with_family(genocl::KernelFamily::gpu); }

/// Everything, in order, and nothing else.
void compare_hamming(const Case& c, const GpuTuning& tuning, bool buckets = false) {
  const Device device = gpu_device();
  const Uploaded u(device, c, buckets);
  const std::vector<PlainHit> expected = all_hamming_hits(c.reference, c.reads, bounds(c));
  const std::vector<PlainHit> found =
      download(map_canonical_gpu(device, u.segment, u.batch, u.plans, both_strands, tuning), true);
  CHECK(found.size() == expected.size());
  CHECK((found == expected));
  // One strand alone.
  for (const StrandBits strand : {1u, 2u}) {
    std::vector<PlainHit> of_strand;
    for (const PlainHit& hit : expected)
      if (strand >> hit.strand & 1) of_strand.push_back(hit);
    CHECK((download(map_canonical_gpu(device, u.segment, u.batch, u.plans, strand, tuning), true) == of_strand));
  }
}

/// All required hits are found, and all found ones are within the bound.
void compare_levenshtein(const Case& c, const GpuTuning& tuning) {
  const Device device = gpu_device();
  const Uploaded u(device, c, false);
  const PlainDiagonals expected = levenshtein_diagonals(c.reference, c.reads, c.plans);
  const std::vector<PlainHit> found =
      download(map_canonical_gpu(device, u.segment, u.batch, u.plans, both_strands, tuning), false);
  CHECK(std::is_sorted(found.begin(), found.end()));
  CHECK(std::adjacent_find(found.begin(), found.end()) == found.end());
  std::size_t wanted = 0, unwanted = 0;
  for (const PlainHit& hit : found) {
    const PlainDiagonals::Diagonal diagonal{hit.read, hit.strand, hit.diagonal};
    wanted += expected.wanted.count(diagonal);
    unwanted += expected.allowed.count(diagonal) == 0;
  }
  CHECK(wanted == expected.wanted.size());
  CHECK(unwanted == 0);
}

/// A seed at each of these offsets; the check is the whole read.
Plan plan_of(const char* mask, unsigned length, unsigned errors, Model model, const std::vector<unsigned>& offsets) {
  Plan plan{.length = length, .errors = errors, .model = model, .mask = SeedMask(mask)};
  for (const unsigned offset : offsets) plan.places.push_back({offset, 0, length, errors});
  return plan;
}

/// One seed in each of errors + 1 parts of the read: one part has no error.
Plan parts_plan(const char* mask, unsigned length, unsigned errors, Model model) {
  std::vector<unsigned> offsets;
  for (unsigned part = 0; part <= errors; ++part) offsets.push_back(length * part / (errors + 1));
  return plan_of(mask, length, errors, model, offsets);
}

/// 40 bases, 3 errors: one of the two halves has at most one, and one half of that none.
Plan pairs_plan(Model model) {
  Plan plan{.length = 40, .errors = 3, .model = model, .mask = SeedMask::solid(10)};
  for (const unsigned offset : {0u, 10u, 20u, 30u})
    plan.places.push_back({offset, offset / 20 * 20, offset / 20 * 20 + 20, 1});
  return plan;
}

/// Reads from the whole of a hard reference, some of each plan; `unknown`: with N, which one of them holds at least.
Case make_case(Random& random, std::size_t bases, std::size_t reads, const std::vector<Plan>& plans, bool unknown) {
  const SequenceSet contigs = marose_test::hard_reference(random, bases);
  Case c;
  for (std::size_t i = 0; i < contigs.size(); ++i) c.reference.append(plain_letters(contigs[i]));
  for (std::size_t i = 0; i < std::max(reads, plans.size()); ++i) {
    const Plan& plan = plans[i % plans.size()];
    const SequenceSet one =
        marose_test::reads_from(random, contigs, 1, plan.length, plan.errors + 1, plan.model == Model::levenshtein);
    std::string read = plain_letters(one[0]);
    for (char& base : read)
      if (base == 'N' && !unknown) base = "ACGT"[below(random, 4)];
    if (i == 0 && unknown) read[below(random, read.size())] = 'N';
    c.add_read(read, plan);
  }
  return c;
}

/// Parameters that are compiled into a program, which takes seconds for each. In addition to a plan for reads of
/// `length` bases there are others for shorter ones, if there are several. Other parameters vary in each round.
struct Shape {
  const char* mask;
  unsigned length, plans;
  bool unknown;
  GpuTuning tuning;
};

/// The reads of one word of the smallest groups, which several cases share.
constexpr GpuTuning small_groups{.group_size = 64, .lanes = 2, .items_per_lane = 1, .items = 16};

TEST_CASE("tiny: marose map_canonical_gpu") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(301);
  for (const bool buckets : {false, true})
    compare_hamming(make_case(random, 300, 9, {parts_plan("##-##", 24, 2, Model::hamming)}, true), small_groups,
                    buckets);
}

TEST_CASE("tiny: marose map_canonical_gpu with insertions and deletions") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(302);
  compare_levenshtein(make_case(random, 300, 9, {parts_plan("####", 24, 2, Model::levenshtein)}, true), small_groups);
}

TEST_CASE("map_canonical_gpu: hits equal brute force") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(303);
  // Reads of one word, of two, of more; groups with more hits than are sorted in local memory.
  const Shape shapes[] = {
      {"##-##", 32, 1, true, small_groups},
      {"##-#-##", 64, 5, true, {.group_size = 128, .lanes = 4, .items_per_lane = 2, .order_capacity = 16}},
      {"###--###", 200, 4, false, {.group_size = 64, .lanes = 1, .items_per_lane = 1}},
      {"#####", 60, 1, false, {.group_size = 128, .lanes = 8, .items_per_lane = 8}},
      {"####", 120, 3, true, {.group_size = 64, .lanes = 8, .items_per_lane = 4, .order_capacity = 16}}};
  for (const Shape& shape : shapes)
    for (unsigned round = 0; round < genocl_test::rounds(5); ++round) {
      CAPTURE(shape.mask);
      CAPTURE(round);
      std::vector<Plan> plans;
      for (unsigned i = 0; i < shape.plans; ++i) {
        const unsigned length = i == 0 ? shape.length : 24 + below(random, shape.length - 23);
        plans.push_back(parts_plan(shape.mask, length, std::min(length / 8 - 1, below(random, 6)), Model::hamming));
      }
      GpuTuning tuning = shape.tuning;
      tuning.items = 1 + below(random, 600);
      // Too small a capacity at first.
      if (below(random, 3) == 0) tuning.chunk_capacity = 8 + below(random, 100);
      compare_hamming(make_case(random, 200 + below(random, 4000), 1 + below(random, 80), plans, shape.unknown),
                      tuning);
    }
}

/// The same with additional adjacent seeds: a hit is found by several look-ups.
Plan crowded_plan(const char* mask, unsigned length, unsigned errors) {
  std::vector<unsigned> offsets;
  for (unsigned offset = 0; offset + SeedMask(mask).span() <= length; ++offset)
    if (offset % 10 < 6 || offset % 10 == 8) offsets.push_back(offset);
  return plan_of(mask, length, errors, Model::hamming, offsets);
}

TEST_CASE("map_canonical_gpu: records of keys") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(304);
  // So many bases that records of each size are there, and too small for some keys. Masks of odd and even weight, and
  // contexts of 15 and of 16 bases.
  const struct {
    const char* mask;
    std::size_t bases;
    unsigned lanes, words;
    bool crowded;
  } cases[] = {{"####-####", 40'000, 1, 8, true},
               {"###-#-###", 70'000, 0, 16, true},
               {"##-#-##", 4'500, 1, 16, false},
               {"###--###", 40'000, 2, 32, false},
               {"#######", 110'000, 1, 32, true}};
  for (const auto& one : cases) {
    const char* const mask = one.mask;
    CAPTURE(mask);
    CHECK(bucket_words(SeedMask(mask), one.bases) == one.words);
    const Plan plan = one.crowded ? crowded_plan(mask, 40, 3) : parts_plan(mask, 40, 3, Model::hamming);
    compare_hamming(make_case(random, one.bases, 40, {plan}, one.crowded), {.lanes = one.lanes}, true);
  }
}

TEST_CASE("map_canonical_gpu: the plans for 40 bases and 3 substitutions") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(305);
  const Plan plans[] = {plan_of("####--####--####", 40, 3, Model::hamming, {0, 2, 4, 20, 22, 24}),
                        plan_of("###-###-#-###-###", 40, 3, Model::hamming, {0, 1, 2, 3, 20, 21, 22, 23}),
                        pairs_plan(Model::hamming)};
  for (const Plan& plan : plans) {
    const bool unknown = &plan == &plans[1];
    for (unsigned round = 0; round < genocl_test::rounds(3); ++round)
      compare_hamming(make_case(random, 6000, 120, {plan}, unknown), {});
  }
}

TEST_CASE("map_canonical_gpu: nothing but A, and more hits than anything holds") {
  Case c;
  c.reference.append(std::string(9000, 'A'));
  c.reference.append(std::string(500, 'T'));
  const Plan plan = parts_plan("##-##", 24, 2, Model::hamming);
  for (int i = 0; i < 4; ++i) c.add_read(i == 3 ? std::string(24, 'N') : std::string(24, i == 1 ? 'T' : 'A'), plan);
  GpuTuning tuning = small_groups;
  tuning.items = 0;
  compare_hamming(c, tuning);
  tuning.chunk_capacity = 100;
  compare_hamming(c, tuning);
}

TEST_CASE("map_canonical_gpu: reads of 1,000 bases") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(306);
  compare_hamming(make_case(random, 9000, 12, {parts_plan("####-#-####", 1000, 20, Model::hamming)}, true), {});
}

TEST_CASE("map_canonical_gpu: insertions and deletions") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(307);
  const Shape shapes[] = {
      {"####", 30, 1, true, small_groups},
      {"##-##", 64, 4, true, {.group_size = 128, .lanes = 4, .items_per_lane = 2, .order_capacity = 16}},
      {"#####", 84, 4, false, {.group_size = 64, .lanes = 1, .items_per_lane = 1}},
      {"######", 60, 1, true, {.group_size = 128, .lanes = 8, .items_per_lane = 8}}};
  for (const Shape& shape : shapes)
    for (unsigned round = 0; round < genocl_test::rounds(4); ++round) {
      CAPTURE(shape.mask);
      CAPTURE(round);
      std::vector<Plan> plans;
      for (unsigned i = 0; i < shape.plans; ++i) {
        const unsigned length = i == 0 ? shape.length : 24 + below(random, shape.length - 23);
        plans.push_back(parts_plan(shape.mask, length, below(random, length / 8), Model::levenshtein));
        // Checks of no error and of one, on either side.
        if (below(random, 2) == 0)
          for (SeedLookup& place : plans.back().places) {
            place.check_first = place.offset - below(random, std::min(place.offset, 12u) + 1);
            const unsigned end = place.offset + plans.back().mask.span();
            place.check_last = end + below(random, std::min(length - end, 12u) + 1);
            place.check_errors = below(random, 3);
          }
      }
      GpuTuning tuning = shape.tuning;
      tuning.items = 1 + below(random, 300);
      if (below(random, 3) == 0) tuning.chunk_capacity = 8;
      compare_levenshtein(make_case(random, 200 + below(random, 1500), 1 + below(random, 20), plans, shape.unknown),
                          tuning);
    }
}

TEST_CASE("map_canonical_gpu: pairs of seeds with insertions and deletions, and many errors") {
  GENOCL_SHOW_SEED();
  Random random = random_stream(308);
  compare_levenshtein(make_case(random, 6000, 60, {pairs_plan(Model::levenshtein)}, true), {});
  // Bands of 64 bits.
  for (const unsigned errors : {20u, 31u})
    compare_levenshtein(
        make_case(random, 2500, 4, {parts_plan("######", errors * 10 + 100, errors, Model::levenshtein)}, true),
        {.lanes = 4, .items_per_lane = 1});
  // Too wide for any: all candidates pass.
  const Plan wide = parts_plan("##########", 1000, 50, Model::levenshtein);
  compare_levenshtein(make_case(random, 2500, 2, {wide}, true), {});
}

}  // namespace
