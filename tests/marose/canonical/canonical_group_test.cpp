#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "genocl/sequence.hpp"
#include "marose/canonical/canonical.hpp"
#include "marose/canonical/map_canonical_group.hpp"
#include "marose/plan/plan_table.hpp"
#include "primitives/variants.hpp"
#include "reference/marose/marose_diagonals.hpp"

namespace {

using namespace genocl_reference;
using namespace genocl::marose;
using genocl::Device;
using genocl_test::Random;

std::string random_bases(Random& random, std::size_t length) {
  std::string bases(length, 'A');
  for (char& base : bases) base = "ACGT"[random.below(4)];
  return bases;
}

std::string with_substitutions(Random& random, std::string bases, std::size_t count) {
  for (std::size_t i = 0; i < count && !bases.empty(); ++i) {
    char& base = bases[random.below(bases.size())];
    base = "ACGT"[(std::string_view("ACGT").find(base) + 1 + random.below(3)) % 4];
  }
  return bases;
}

std::string with_edits(Random& random, std::string bases, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = random.below(bases.size());
    switch (random.below(3)) {
      case 0:
        bases = with_substitutions(random, bases, 1);
        break;
      case 1:
        bases.erase(at, 1);
        break;
      default:
        bases.insert(at, 1, "ACGT"[random.below(4)]);
    }
  }
  return bases;
}

/// Contigs (some tiny), repeats on both strands, poly-A, tandem repeats, runs of N.
PlainReference make_reference(Random& random, std::size_t bases) {
  PlainReference reference;
  const std::string repeat = random_bases(random, 150), unit = random_bases(random, 1 + random.below(5));
  while (reference.text.size() < bases) {
    std::string contig;
    const std::size_t length = random.below(8) == 0 ? 1 + random.below(30) : 100 + random.below(bases);
    while (contig.size() < length) switch (random.below(6)) {
        case 0:
          contig +=
              with_substitutions(random, random.below(2) != 0 ? repeat : complement_strand(repeat), random.below(6));
          break;
        case 1:
          contig += std::string(random.below(120), 'A');
          break;
        case 2:
          for (std::uint64_t i = 0, copies = random.below(40); i < copies; ++i) contig += unit;
          break;
        case 3:
          contig += std::string(random.below(12), 'N');
          break;
        default:
          contig += random_bases(random, random.below(400));
      }
    contig.resize(std::min(length, bases - std::min(bases - 1, reference.text.size())));
    reference.append(contig);
  }
  return reference;
}

/// Makes a read of `length` bases from anywhere in the reference, with up to `errors` + 1 errors; some reads hold an N,
/// some are from nowhere.
std::string make_read(Random& random, const PlainReference& reference, unsigned length, unsigned errors, bool edits,
                      bool unknown) {
  const std::size_t room = length + errors + 1;
  std::string read = random_bases(random, room);
  if (random.below(10) != 0 && reference.text.size() > room)
    read = reference.text.substr(random.below(reference.text.size() - room), room);
  for (char& base : read)
    if (base == 'N' && (!unknown || random.below(2) != 0)) base = "ACGT"[random.below(4)];
  if (random.below(2) != 0) read = complement_strand(read);
  const std::size_t count = random.below(errors + 2);
  read = edits ? with_edits(random, read, count) : with_substitutions(random, read.substr(0, length), count);
  read.resize(length, 'C');
  if (unknown && random.below(4) == 0) read[random.below(length)] = 'N';
  return read;
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

/// What is on the device.
struct Uploaded {
  DeviceSegment segment;
  ReadBatch batch;
  PlanTable plans;

  Uploaded(const Device& device, const Case& c, bool buckets) {
    genocl::SequenceSet contigs, reads;
    for (std::size_t i = 0, begin = 0; i < c.reference.ends.size(); begin = c.reference.ends[i++])
      contigs.append_letters("c", std::string_view(c.reference.text).substr(begin, c.reference.ends[i] - begin));
    for (const std::string& read : c.reads) reads.append_letters("r", read);
    const genocl::PackedDna packed(contigs);
    segment.reference = upload_reference(device, packed, {.length = packed.size(), .own_end = packed.size()});
    segment.mask = c.distinct.front().mask;
    segment.tables = build_canonical(device, segment.reference, segment.mask);
    if (buckets) add_buckets(device, segment, std::uint64_t{1} << 32);
    REQUIRE(segment.buckets.empty() != buckets);
    std::vector<std::uint32_t> which(reads.size());
    for (std::uint32_t i = 0; i < which.size(); ++i) which[i] = i;
    batch = pack_reads(device, reads, which, c.plan_number);
    plans = make_plan_table(device, c.distinct);
  }
};

std::vector<PlainHit> download(const Verified& verified, bool with_errors) {
  std::vector<std::uint64_t> keys(verified.count);
  std::vector<std::uint32_t> values(verified.count);
  if (verified.count != 0) verified.keys.download(keys);
  if (verified.count != 0 && with_errors) verified.values.download(values);
  std::vector<PlainHit> hits;
  for (std::size_t i = 0; i < keys.size(); ++i)
    hits.push_back({static_cast<std::uint32_t>(keys[i] >> 33), static_cast<std::uint32_t>(keys[i] >> 32 & 1),
                    static_cast<std::int64_t>(keys[i] & 0xffffffffu) - diagonal_bias, values[i]});
  return hits;
}

std::vector<unsigned> bounds(const Case& c) {
  std::vector<unsigned> errors;
  for (const Plan& plan : c.plans) errors.push_back(plan.errors);
  return errors;
}

Device group_device() { return genocl_test::device_under_test().with_family(genocl::KernelFamily::group); }

/// Everything, in order, and nothing else.
void compare_hamming(const Device& device, const Case& c, const GroupTuning& tuning, bool buckets) {
  const Uploaded u(device, c, buckets);
  const std::vector<PlainHit> expected = all_hamming_hits(c.reference, c.reads, bounds(c));
  const std::vector<PlainHit> found =
      download(map_canonical_group(device, u.segment, u.batch, u.plans, both_strands, tuning), true);
  CHECK(found.size() == expected.size());
  CHECK((found == expected));
  // One strand alone.
  for (const StrandBits strand : {1u, 2u}) {
    std::vector<PlainHit> of_strand;
    for (const PlainHit& hit : expected)
      if (strand >> hit.strand & 1) of_strand.push_back(hit);
    CHECK((download(map_canonical_group(device, u.segment, u.batch, u.plans, strand, tuning), true) == of_strand));
  }
  // The plain way finds the same.
  const Verified plain = verify(device, u.segment, u.batch, u.plans,
                                find_candidates_canonical(device, u.segment, u.batch, u.plans, both_strands));
  CHECK((download(plain, true) == expected));
}

/// Nothing that must be found is missing, nothing is there that is not within the bound.
void compare_levenshtein(const Device& device, const Case& c, const GroupTuning& tuning) {
  const Uploaded u(device, c, false);
  const PlainDiagonals expected = levenshtein_diagonals(c.reference, c.reads, c.plans);
  const std::vector<PlainHit> found =
      download(map_canonical_group(device, u.segment, u.batch, u.plans, both_strands, tuning), false);
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

Case make_case(Random& random, std::size_t bases, std::size_t reads, const std::vector<Plan>& plans, bool unknown) {
  Case c;
  c.reference = make_reference(random, bases);
  for (std::size_t i = 0; i < reads; ++i) {
    const Plan& plan = plans[random.below(plans.size())];
    c.add_read(make_read(random, c.reference, plan.length, plan.errors, plan.model == Model::levenshtein, unknown),
               plan);
  }
  return c;
}

TEST_CASE("tiny: marose map_canonical_group") {
  GENOCL_SHOW_SEED();
  Random random(301);
  const Device device = group_device();
  const GroupTuning tuning{.group_size = 64, .lanes = 2, .items = 16};
  for (const bool buckets : {false, true})
    compare_hamming(device,
                    make_case(random, buckets ? 200 : 300, 9, {parts_plan("##-##", 24, 2, Model::hamming)}, true),
                    tuning, buckets);
}

TEST_CASE("tiny: marose map_canonical_group with insertions and deletions") {
  GENOCL_SHOW_SEED();
  Random random(302);
  const GroupTuning tuning{.group_size = 64, .lanes = 2, .items = 16};
  compare_levenshtein(group_device(), make_case(random, 300, 9, {parts_plan("####", 24, 2, Model::levenshtein)}, true),
                      tuning);
}

TEST_CASE("map_canonical_group: hits equal brute force") {
  GENOCL_SHOW_SEED();
  Random random(303);
  const Device device = group_device();
  for (int round = 0; round < 16; ++round) {
    CAPTURE(round);
    const char* masks[] = {"##-##", "##-#-##", "###--###", "#####", "####"};
    const char* mask = masks[random.below(5)];
    CAPTURE(mask);
    std::vector<Plan> plans;
    // One plan, or many; reads of one word, of two, of more.
    const unsigned longest = std::vector<unsigned>{32, 64, 64, 200}[random.below(4)];
    for (std::uint64_t i = 0, count = random.below(3) == 0 ? 5 : 1; i < count; ++i) {
      const unsigned length = 24 + static_cast<unsigned>(random.below(longest - 23));
      plans.push_back(parts_plan(
          mask, length, std::min<unsigned>(length / 8 - 1, static_cast<unsigned>(random.below(6))), Model::hamming));
    }
    GroupTuning tuning;
    tuning.group_size = 64u << random.below(2);
    tuning.lanes = 1u << random.below(4);
    tuning.items_per_lane = 1u << random.below(4);
    tuning.items = 1 + static_cast<std::uint32_t>(random.below(600));
    // Too little room at first, and groups with more hits than are sorted in local memory.
    if (random.below(3) == 0) tuning.chunk_room = 8 + random.below(100);
    if (random.below(2) == 0) tuning.order_room = 16;
    const Case c = make_case(random, 200 + random.below(4000), 1 + random.below(80), plans, random.below(2) != 0);
    compare_hamming(device, c, tuning, false);
  }
}

/// The same with more seeds right beside each: a hit is found by many places.
Plan crowded_plan(const char* mask, unsigned length, unsigned errors) {
  std::vector<unsigned> offsets;
  for (unsigned offset = 0; offset + SeedMask(mask).span() <= length; ++offset)
    if (offset % 10 < 6 || offset % 10 == 8) offsets.push_back(offset);
  return plan_of(mask, length, errors, Model::hamming, offsets);
}

TEST_CASE("map_canonical_group: records of keys") {
  GENOCL_SHOW_SEED();
  Random random(304);
  const Device device = group_device();
  // So many bases that records of each size are there, and too small for some keys.
  const struct {
    const char* mask;
    std::size_t bases;
  } cases[] = {{"####-####", 40'000}, {"###-#-###", 20'000}, {"###-#-###", 70'000},
               {"###--###", 40'000},  {"##-#-##", 4'000},    {"#######", 100'000}};
  for (const auto& one : cases)
    for (const unsigned lanes : {0u, 1u, 2u}) {
      const char* const mask = one.mask;
      const std::size_t bases = one.bases;
      CAPTURE(mask);
      CAPTURE(lanes);
      const Case c =
          make_case(random, bases, lanes == 0 ? 40 : 6,
                    {lanes == 1 ? parts_plan(mask, 40, 3, Model::hamming) : crowded_plan(mask, 40, 3)}, lanes == 0);
      compare_hamming(device, c, {.lanes = lanes}, true);
    }
}

TEST_CASE("map_canonical_group: the plans for 40 bases and 3 substitutions") {
  GENOCL_SHOW_SEED();
  Random random(305);
  const Device device = group_device();
  const Plan plans[] = {plan_of("####--####--####", 40, 3, Model::hamming, {0, 2, 4, 20, 22, 24}),
                        plan_of("###-###-#-###-###", 40, 3, Model::hamming, {0, 1, 2, 3, 20, 21, 22, 23}),
                        pairs_plan(Model::hamming)};
  for (const Plan& plan : plans)
    for (const bool unknown : {false, true})
      compare_hamming(device, make_case(random, 6000, 120, {plan}, unknown), {}, false);
}

TEST_CASE("map_canonical_group: nothing but A, and more hits than anything holds") {
  const Device device = group_device();
  Case c;
  c.reference.append(std::string(9000, 'A'));
  c.reference.append(std::string(500, 'T'));
  const Plan plan = parts_plan("##-##", 24, 2, Model::hamming);
  for (int i = 0; i < 3; ++i) c.add_read(std::string(24, i == 1 ? 'T' : 'A'), plan);
  compare_hamming(device, c, {}, false);
  compare_hamming(device, c, {.group_size = 64, .chunk_room = 100}, false);
}

TEST_CASE("map_canonical_group: reads of 1,000 bases") {
  GENOCL_SHOW_SEED();
  Random random(306);
  compare_hamming(group_device(),
                  make_case(random, 9000, 12, {parts_plan("####-#-####", 1000, 20, Model::hamming)}, true), {}, false);
}

TEST_CASE("map_canonical_group: insertions and deletions") {
  GENOCL_SHOW_SEED();
  Random random(307);
  const Device device = group_device();
  for (int round = 0; round < 9; ++round) {
    CAPTURE(round);
    const char* masks[] = {"####", "##-##", "######", "#####"};
    const char* mask = masks[random.below(4)];
    std::vector<Plan> plans;
    for (std::uint64_t i = 0, count = random.below(3) == 0 ? 4 : 1; i < count; ++i) {
      const unsigned length = 24 + static_cast<unsigned>(random.below(60));
      plans.push_back(parts_plan(mask, length, static_cast<unsigned>(random.below(length / 8)), Model::levenshtein));
      // Checks of no error and of one, on either side.
      if (random.below(2) == 0)
        for (Place& place : plans.back().places) {
          place.check_first = place.offset - static_cast<unsigned>(random.below(std::min(place.offset, 12u) + 1));
          const unsigned end = place.offset + plans.back().mask.span();
          place.check_last = end + static_cast<unsigned>(random.below(std::min(length - end, 12u) + 1));
          place.check_errors = static_cast<unsigned>(random.below(3));
        }
    }
    GroupTuning tuning;
    tuning.group_size = 64u << random.below(2);
    tuning.lanes = 1u << random.below(4);
    tuning.items_per_lane = 1u << random.below(4);
    tuning.items = 1 + static_cast<std::uint32_t>(random.below(300));
    if (random.below(3) == 0) tuning.chunk_room = 8;
    if (random.below(2) == 0) tuning.order_room = 16;
    compare_levenshtein(device, make_case(random, 200 + random.below(1500), 1 + random.below(20), plans, true), tuning);
  }
}

TEST_CASE("map_canonical_group: pairs of seeds with insertions and deletions, and many errors") {
  GENOCL_SHOW_SEED();
  Random random(308);
  const Device device = group_device();
  compare_levenshtein(device, make_case(random, 6000, 60, {pairs_plan(Model::levenshtein)}, true), {});
  // Bands of 64 bits.
  compare_levenshtein(device, make_case(random, 2500, 4, {parts_plan("######", 300, 20, Model::levenshtein)}, true),
                      {});
  compare_levenshtein(device, make_case(random, 2500, 2, {parts_plan("######", 400, 31, Model::levenshtein)}, true),
                      {});
  // Too wide for any: all candidates pass.
  const Plan wide = parts_plan("##########", 1000, 50, Model::levenshtein);
  compare_levenshtein(device, make_case(random, 2500, 2, {wide}, true), {});
}

}  // namespace
