// The plain way of `canonical` (count, scan, write; sort, unique, verify) against the fast ways, and the steps behind
// both.
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "genocl/marose.hpp"
#include "marose/canonical/canonical.hpp"
#include "marose/plan/plan_table.hpp"
#include "marose/steps.hpp"
#include "marose/texts.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

struct HitLists {
  std::vector<std::uint64_t> keys;
  std::vector<std::uint32_t> values;
};

HitLists download(const DeviceHits& hits) {
  HitLists lists;
  if (hits.count == 0) return lists;
  lists.keys.resize(hits.count);
  lists.values.resize(hits.count);
  hits.keys.download(std::span(lists.keys));
  hits.values.download(std::span(lists.values));
  return lists;
}

std::uint64_t compare(unsigned seed, std::size_t bases, std::size_t count, unsigned length, unsigned errors,
                      Model model) {
  Random random(seed);
  const SequenceSet text = hard_reference(random, bases);
  const SequenceSet reads = reads_from(random, text, count, length, errors, model == Model::levenshtein);
  const PackedDna packed(text);
  const Segment segment{0, packed.size(), 0, packed.size()};
  const Plan plan = make_plan({.length = length, .errors = errors, .model = model, .mask = SeedMask("########")});
  std::vector<std::uint32_t> which(reads.size()), plans(reads.size(), 0);
  std::iota(which.begin(), which.end(), 0u);
  std::uint64_t hits = 0;
  for (const KernelFamily family : {KernelFamily::lanes, KernelFamily::group}) {
    const Device device = Device::pick().with_family(family);
    DeviceSegment on_device;
    on_device.reference = upload_reference(device, packed, segment);
    on_device.mask = plan.mask;
    on_device.tables = build_canonical(device, on_device.reference, plan.mask);
    const PlanTable table = make_plan_table(device, std::span(&plan, 1));
    const ReadBatch batch = pack_reads(device, reads, which, plans);
    const HitLists fast =
        download(resolve(device, on_device, batch, table, find(device, on_device, batch, table, both_strands)));
    const HitLists plain =
        download(resolve(device, on_device, batch, table,
                         verify(device, on_device, batch, table,
                                find_candidates_canonical(device, on_device, batch, table, both_strands))));
    CAPTURE(seed);
    CAPTURE(to_string(model));
    CAPTURE(to_string(family));
    CHECK(fast.keys == plain.keys);
    CHECK(fast.values == plain.values);
    CHECK(std::is_sorted(plain.keys.begin(), plain.keys.end()));
    hits += plain.keys.size();
  }
  return hits;
}

}  // namespace

TEST_CASE("tiny: marose plain way") {
  for (const Model model : {Model::hamming, Model::levenshtein}) CHECK(compare(3, 300, 4, 30, 2, model) > 0);
}

TEST_CASE("marose: the plain way and the fast ways give the same hits") {
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (const Model model : {Model::hamming, Model::levenshtein}) {
      CHECK(compare(seed, 3000, 60, 40, 3, model) > 20);
      CHECK(compare(seed, 3000, 20, 128, 9, model) > 10);
    }
}
