// The plain way of `canonical` (count, scan, write; sort, unique, verify) against the fast ways, and the steps behind
// both.
#include <doctest/doctest.h>

#include <algorithm>
#include <initializer_list>
#include <numeric>
#include <string>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/marose.hpp"
#include "marose/device_state.hpp"
#include "marose/hits.hpp"
#include "marose/segments.hpp"
#include "marose/texts.hpp"
#include "random.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

constexpr std::initializer_list<KernelFamily> both_families = {KernelFamily::cpu, KernelFamily::gpu};

std::uint64_t compare(unsigned seed, std::size_t bases, std::size_t count, unsigned length, unsigned errors,
                      Model model, std::initializer_list<KernelFamily> families = both_families) {
  Random random(seed);
  const SequenceSet text = hard_reference(random, bases);
  const SequenceSet reads = with_unknown(reads_from(random, text, count, length, errors, model == Model::levenshtein));
  const Plan plan = make_plan({.length = length, .errors = errors, .model = model, .mask = SeedMask("########")});
  const std::vector<std::uint32_t> plans(reads.size(), 0);
  std::uint64_t hits = 0;
  for (const KernelFamily family : families) {
    const Device device = genocl_test::device_under_test().with_family(family);
    const DeviceSegment segment = canonical_segment(device, text, plan.mask);
    const PlanTable table = make_plan_table(device, std::span(&plan, 1));
    const ReadBatch batch = pack_all(device, reads, plans);
    const HitLists fast =
        download(resolve(device, segment, batch, table, find(device, segment, batch, table, both_strands)), true);
    const HitLists plain =
        download(resolve(device, segment, batch, table,
                         verify(device, segment, batch, table,
                                find_candidates_canonical(device, segment, batch, table, both_strands))),
                 true);
    CAPTURE(seed);
    CAPTURE(to_string(model));
    CAPTURE(to_string(family));
    CHECK(fast.keys == plain.keys);
    CHECK(fast.values == plain.values);
    CHECK(std::is_sorted(plain.keys.begin(), plain.keys.end()));
    hits += plain.keys.size();
    if (model != Model::levenshtein) continue;
    std::vector<std::uint32_t> which(reads.size());
    std::iota(which.begin(), which.end(), 0u);
    const PackedDna packed(text);
    const Segment whole{.begin = 0, .length = packed.size(), .own = {0, packed.size()}};
    std::vector<RawHit> on_device, on_host;
    append_hits(resolve(device, segment, batch, table, find(device, segment, batch, table, both_strands)), whole, false,
                which, 0, on_device);
    append_hits_on_host(find(device, segment, batch, table, both_strands), packed, whole, false,
                        {reads, which, plans, 0}, std::span(&plan, 1), on_host);
    CHECK(on_host == on_device);
  }
  return hits;
}

}  // namespace

TEST_CASE("tiny: marose plain way") {
  for (const Model model : {Model::hamming, Model::levenshtein}) CHECK(compare(3, 300, 4, 40, 3, model) > 0);
}

TEST_CASE("marose: the plain way and the fast ways give the same hits") {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    CHECK(compare(seed, 3000, 60, 40, 3, Model::hamming) > 20);
    CHECK(compare(seed, 3000, 60, 40, 3, Model::levenshtein) > 20);
    // Regions of 64 diagonals, processed by lanes four at a time.
    CHECK(compare(seed, 3000, 20, 128, 9, Model::levenshtein, {KernelFamily::cpu}) > 0);
  }
}
