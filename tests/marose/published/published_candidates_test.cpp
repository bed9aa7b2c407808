// Every published method against the definition of its candidates.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/error.hpp"
#include "marose/device_state.hpp"
#include "marose/published/published.hpp"
#include "marose/segments.hpp"
#include "random.hpp"
#include "reference/marose/marose_published.hpp"

namespace {

using namespace genocl_test;
using namespace genocl::marose;
using genocl::Code;
using genocl_reference::PatternRead;
using genocl_reference::Text;

struct Case {
  Text text;
  std::vector<PatternRead> reads;
  genocl::SequenceSet contigs, read_set;
  std::vector<Plan> plans;
  std::vector<std::uint32_t> plan_of_read;
};

struct Setting {
  std::string mask = "####";
  unsigned neighbourhood = 4;
  unsigned errors = 1;
  Model model = Model::hamming;
  StrandBits strands = both_strands;
};

// Repeats, runs of N and several contigs, some of them shorter than a pattern, one empty.
Text random_text(Random& random, std::size_t bases) {
  Text text;
  text.borders.push_back(0);
  const std::vector<std::uint64_t> lengths = {bases / 2, 3, bases / 4, 0, 17, bases / 4};
  for (const std::uint64_t length : lengths) {
    const std::size_t begin = text.codes.size();
    for (std::uint64_t i = 0; i < length; ++i) text.codes.push_back(static_cast<Code>(random.below(4)));
    for (std::uint64_t copies = length / 50; copies > 0; --copies) {  // of 20 bases from anywhere before
      const std::size_t from = random.below(text.codes.size() - 20), to = begin + random.below(length - 20);
      std::copy_n(text.codes.begin() + static_cast<std::ptrdiff_t>(from), 20,
                  text.codes.begin() + static_cast<std::ptrdiff_t>(to));
    }
    for (std::uint64_t runs = length / 60; runs > 0; --runs) {
      std::size_t at = begin + random.below(length);
      for (std::uint64_t run = 1 + random.below(3); run > 0 && at < text.codes.size(); --run) text.codes[at++] = 4;
    }
    text.borders.push_back(text.codes.size());
  }
  return text;
}

std::vector<std::uint8_t> random_read(Random& random, const Text& text, std::size_t length) {
  std::vector<std::uint8_t> read;
  const std::size_t at = random.below(text.codes.size() - length + 1);
  for (std::size_t i = 0; i < length; ++i) {
    const std::uint8_t code = text.codes[at + i];
    read.push_back(code > 3 ? static_cast<Code>(random.below(4)) : code);
  }
  for (std::uint64_t changes = random.below(4); changes > 0; --changes)
    read[random.below(length)] = static_cast<Code>(random.below(4));
  if (random.below(3) == 0) read[random.below(length)] = 4;
  if (random.below(6) == 0) read[random.below(length)] = 4;
  return random.below(2) == 0 ? read : genocl_reference::reverse_complement_codes(read);
}

// Two plans: one with patterns everywhere, one for longer reads with a few and other errors.
Case random_case(Random& random, const Setting& setting, std::size_t bases, std::size_t reads) {
  Case made;
  made.text = random_text(random, bases);
  for (std::size_t c = 0; c + 1 < made.text.borders.size(); ++c) {
    const std::vector<Code> codes(made.text.codes.begin() + static_cast<std::ptrdiff_t>(made.text.borders[c]),
                                  made.text.codes.begin() + static_cast<std::ptrdiff_t>(made.text.borders[c + 1]));
    made.contigs.append("c", codes);
  }
  const SeedMask mask(setting.mask);
  const unsigned span = mask.span() + setting.neighbourhood;
  const std::vector<unsigned> lengths = {span + 6, 45};
  for (unsigned p = 0; p < 2; ++p) {
    Plan plan;
    plan.length = lengths[p];
    plan.errors = 3;
    plan.model = setting.model;
    plan.method = Method::list;
    plan.mask = mask;
    plan.neighbourhood = setting.neighbourhood;
    plan.neighbourhood_errors = p == 0 ? setting.errors : 0;
    for (unsigned offset = 0; offset + span <= plan.length; offset += p == 0 ? 2 : 11)
      plan.places.push_back({offset, offset, offset + span, plan.neighbourhood_errors});
    made.plans.push_back(plan);
  }
  for (std::size_t r = 0; r < reads; ++r) {
    const std::uint32_t plan = static_cast<std::uint32_t>(random.below(2));
    made.plan_of_read.push_back(plan);
    PatternRead read;
    read.codes = random_read(random, made.text, lengths[plan]);
    read.slack = setting.model == Model::levenshtein ? 3 : 0;
    for (const SeedLookup& place : made.plans[plan].places) read.places.push_back({place.offset, place.check_errors});
    made.read_set.append("r", read.codes);
    made.reads.push_back(read);
  }
  return made;
}

DeviceSegment build(const genocl::Device& device, const Case& made, const Setting& setting, Method method) {
  DeviceSegment segment = marose_test::whole_segment(device, made.contigs, SeedMask(setting.mask));
  segment.method = method;
  segment.neighbourhood = setting.neighbourhood;
  segment.tables = build_published(device, segment.reference, segment.mask, setting.neighbourhood, method);
  return segment;
}

std::vector<std::uint64_t> find(const genocl::Device& device, const Case& made, const Setting& setting,
                                const DeviceSegment& segment) {
  const ReadBatch batch = marose_test::pack_all(device, made.read_set, made.plan_of_read);
  const PlanTable plans = make_plan_table(device, made.plans);
  const Candidates found = find_candidates_published(device, segment, batch, plans, setting.strands);
  REQUIRE(found.count == found.keys.size());
  std::vector<std::uint64_t> keys(found.count);
  found.keys.download(std::span(keys));
  CHECK(found.sorted == (segment.method == Method::phf_published));
  if (found.sorted) CHECK(std::is_sorted(keys.begin(), keys.end()));
  std::sort(keys.begin(), keys.end());
  return keys;
}

void compare(const DeviceVariant& variant, Random& random, const Setting& setting, std::size_t bases, std::size_t reads,
             const std::vector<Method>& methods) {
  CAPTURE(variant.name);
  CAPTURE(setting.mask);
  CAPTURE(setting.neighbourhood);
  CAPTURE(setting.errors);
  CAPTURE(bases);
  const Case made = random_case(random, setting, bases, reads);
  const auto expected = genocl_reference::pattern_candidates(made.text, setting.mask, setting.neighbourhood, made.reads,
                                                             setting.strands, diagonal_bias);
  for (const Method method : methods) {
    CAPTURE(to_string(method));
    const DeviceSegment segment = build(variant.device, made, setting, method);
    const auto found = find(variant.device, made, setting, segment);
    if (method != Method::offset) {
      CHECK(found == expected);
    } else {
      // The same patterns without a neighbourhood: so the seed alone must fit the read and the contig.
      CHECK(found == genocl_reference::pattern_candidates(made.text, setting.mask, 0, made.reads, setting.strands,
                                                          diagonal_bias));
    }
  }
}

const std::vector<Method> all_methods = {Method::list,          Method::binary, Method::phf,
                                         Method::phf_published, Method::bitmap, Method::offset};
const std::vector<Method> without_bitmap = {Method::list, Method::binary, Method::phf, Method::phf_published};

TEST_CASE("tiny: marose published methods") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 61);
  for (const DeviceVariant& variant : device_variants())
    compare(variant, random, {.mask = "##-#", .neighbourhood = 4, .errors = 1}, 240, 4, all_methods);
}

/// A mask, the size of a neighbourhood, and errors.
using Shape = std::tuple<const char*, unsigned, unsigned>;

/// Each of three masks with 0, 1 and 2 errors; in short tests one of the nine, since each compiles other programs.
std::vector<Shape> shapes(Random& random, const std::vector<std::pair<const char*, unsigned>>& masks) {
  std::vector<Shape> all;
  for (const auto& [mask, neighbourhood] : masks)
    for (const unsigned errors : {0u, 1u, 2u}) all.emplace_back(mask, neighbourhood, errors);
  return random.some_of(all, 9);
}

TEST_CASE("marose published methods give the candidates of their definition") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 62);
  for (const DeviceVariant& variant : device_variants())
    for (const auto& [mask, neighbourhood, errors] : shapes(random, {{"###", 4}, {"####", 8}, {"######-##", 7}}))
      compare(variant, random, {.mask = mask, .neighbourhood = neighbourhood, .errors = errors}, 3000, 60, all_methods);
}

TEST_CASE("marose published methods with words of 32 bits and keys of 64") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 63);
  for (const DeviceVariant& variant : device_variants())
    for (const auto& [mask, neighbourhood, errors] : shapes(random, {{"#", 9}, {"####", 16}, {"#####-#####", 9}}))
      compare(variant, random, {.mask = mask, .neighbourhood = neighbourhood, .errors = errors}, 2000, 30,
              without_bitmap);
}

TEST_CASE("marose published methods: one strand, insertions and deletions, short and repetitive texts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 64);
  for (const DeviceVariant& variant : device_variants()) {
    for (const StrandBits strands : {1u, 2u})
      compare(variant, random, {.mask = "####", .neighbourhood = 4, .errors = 1, .strands = strands}, 2000, 30,
              all_methods);
    for (const std::size_t bases : {120, 500})
      compare(variant, random, {.mask = "###", .neighbourhood = 5, .errors = 1, .model = Model::levenshtein}, bases, 60,
              all_methods);
    Setting setting{.mask = "###", .neighbourhood = 4, .errors = 2};
    Case made = random_case(random, setting, 400, 20);
    // One base only: every pattern is everywhere.
    genocl::SequenceSet contigs;
    contigs.append("c", std::vector<Code>(3000, 0));
    made.contigs = contigs;
    made.text.codes.assign(3000, 0);
    made.text.borders = {0, 3000};
    made.reads[0].codes.assign(made.reads[0].codes.size(), 0);
    genocl::SequenceSet reads;
    for (const PatternRead& read : made.reads) reads.append("r", read.codes);
    made.read_set = reads;
    const auto expected =
        genocl_reference::pattern_candidates(made.text, setting.mask, 4, made.reads, both_strands, diagonal_bias);
    for (const Method method : {Method::list, Method::binary, Method::phf, Method::phf_published, Method::bitmap}) {
      CAPTURE(to_string(method));
      CHECK(find(variant.device, made, setting, build(variant.device, made, setting, method)) == expected);
    }
  }
}

TEST_CASE("marose published methods agree on a larger text, and build the same tables on every device") {
  GENOCL_SHOW_SEED();
  Random random(test_seed() + 65);
  const Setting setting{.mask = "######-##", .neighbourhood = 7, .errors = 1};
  const Case made = random_case(random, setting, 200'000, 3000);
  std::vector<std::uint64_t> expected;
  for (const Method method : {Method::list, Method::binary, Method::phf, Method::phf_published, Method::bitmap}) {
    CAPTURE(to_string(method));
    std::map<std::string, std::vector<std::uint32_t>> tables;
    for (const DeviceVariant& variant : device_variants()) {
      CAPTURE(variant.name);
      const DeviceSegment segment = build(variant.device, made, setting, method);
      const auto found = find(variant.device, made, setting, segment);
      if (expected.empty()) expected = found;
      CHECK(found == expected);
      for (const auto& entry : segment.tables) {
        const std::string& name = entry.first;  // clang 14 captures no structured binding
        CAPTURE(name);
        const auto known = tables.emplace(name, entry.second.download());
        if (!known.second) CHECK(known.first->second == entry.second.download());
      }
    }
  }
  CHECK(expected.size() > 1000);
}

TEST_CASE("marose published methods: text without a pattern, no reads, wrong shapes") {
  const genocl::Device& device = device_under_test();
  Random random(test_seed() + 66);
  for (const DeviceVariant& variant : device_variants()) {
    const Setting setting{.mask = "####", .neighbourhood = 8, .errors = 1};
    Case made = random_case(random, setting, 400, 5);
    genocl::SequenceSet contigs;
    contigs.append("c", std::vector<Code>(50, 4));
    contigs.append("d", std::vector<Code>(11, 1));
    made.contigs = contigs;
    for (const Method method : all_methods) {
      CAPTURE(to_string(method));
      if (method == Method::offset) continue;  // its patterns are shorter
      const DeviceSegment segment = build(variant.device, made, setting, method);
      CHECK(find(variant.device, made, setting, segment).empty());
    }
    Case none = random_case(random, setting, 400, 5);
    none.reads.clear();
    none.read_set = genocl::SequenceSet();
    none.plan_of_read.clear();
    for (const Method method : all_methods)
      CHECK(find(variant.device, none, setting, build(variant.device, none, setting, method)).empty());
  }
  CHECK_THROWS_AS(check_published(SeedMask::solid(13), 4, Method::list), genocl::InputError);
  CHECK_THROWS_AS(check_published(SeedMask::solid(12), 17, Method::phf), genocl::InputError);
  CHECK_THROWS_AS(check_published(SeedMask::solid(9), 8, Method::bitmap), genocl::InputError);
  CHECK_THROWS_AS(check_published(SeedMask::solid(8), 0, Method::binary), genocl::InputError);
  CHECK_THROWS_AS(check_published(SeedMask::solid(8), 8, Method::canonical), genocl::InputError);
  CHECK_NOTHROW(check_published(SeedMask::solid(12), 0, Method::offset));
  CHECK_NOTHROW(check_published(SeedMask::solid(8), 8, Method::bitmap));
  const Setting setting{.mask = "####", .neighbourhood = 4, .errors = 3};
  const Case made = random_case(random, setting, 400, 5);
  CHECK_THROWS_AS(find(device, made, setting, build(device, made, setting, Method::phf)), genocl::InputError);
  const DeviceSegment segment = build(device, made, setting, Method::list);
  CHECK_NOTHROW(find(device, made, setting, segment));
  ReadBatch endless;
  endless.count = 0x40000000;
  CHECK_THROWS_AS(
      find_candidates_published(device, segment, endless, make_plan_table(device, made.plans), both_strands),
      genocl::CapacityError);
}

}  // namespace
