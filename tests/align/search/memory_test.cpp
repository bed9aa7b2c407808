// Searchers that share the memory of a device, with one another and with what else is on it.
// Runs before a release: it opens many devices, and each compiles its programs.
#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "align/cases.hpp"
#include "align/search/search_cases.hpp"
#include "genocl/align.hpp"
#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

/// So little that a search has to plan it, next to what copies to devices with memory of their own are staged through.
std::uint64_t small_memory() {
  const bool stages = !runtime::core_of(test_device()).maps_buffers();
  return std::uint64_t{24} << 20 << (stages ? 3 : 0);
}

/// A device that has no other memory.
Device small_device() {
  const genocl_test::Environment limit("GENOCL_DEVICE_MEMORY", std::to_string(small_memory()));
  return Device::pick(std::to_string(test_device().info().index));
}

SequenceSet two_queries(Random& random) {
  SequenceSet queries(Alphabet::protein);
  queries.append("a", random_codes(random, 16));
  queries.append("b", random_codes(random, 7));
  return queries;
}

/// More than half of the small device.
Database large_database(Random& random) {
  SequenceSet subjects(Alphabet::protein);
  while (subjects.residues() < small_memory() / 12 * 7)
    subjects.append("s", random_codes(random, 200 + random() % 400));
  return Database::build(subjects);
}

}  // namespace

TEST_CASE("align memory: Searchers on one device, whose databases do not fit it together") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = two_queries(random);
  const Database database = large_database(random), other = large_database(random);
  SearchOptions options;
  options.align = true;
  options.max_evalue = 1e9;
  const auto expected = Searcher(test_device(), database, options).search(queries).hits;
  const auto expected_other = Searcher(test_device(), other, options).search(queries).hits;
  for (const KernelFamily family : genocl_test::families_under_test()) {
    const Device device = small_device().with_family(family);
    const Searcher first(device, database, options), second(device, other, options);
    CHECK(first.chunks() > 10);
    // One after the other, then both at once; the memory of the first stays allocated.
    check(first.search(queries).hits, expected);
    check(second.search(queries).hits, expected_other);
    std::vector<std::vector<Hit>> found, found_other;
    {
      const std::jthread beside([&] { found_other = second.search(queries).hits; });
      found = first.search(queries).hits;
    }
    check(found, expected);
    check(found_other, expected_other);
  }
}

TEST_CASE("align memory: two Devices of the same hardware plan with what both leave") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = two_queries(random);
  const Database database = large_database(random);
  const auto expected = Searcher(test_device(), database).search(queries).hits;
  const Device device = small_device(), other = small_device();
  const auto taken = [&] { return small_memory() - runtime::core_of(device).free_memory(); };
  const Searcher first(device, database), second(other, database);
  check(first.search(queries).hits, expected);
  const std::uint64_t of_first = taken();
  CHECK(of_first > small_memory() / 3);
  CHECK(runtime::core_of(other).free_memory() == small_memory() - of_first);
  check(second.search(queries).hits, expected);
  // The cached data of both do not fit.
  CHECK(taken() < of_first + small_memory() / 3);
  check(first.search(queries).hits, expected);
}

TEST_CASE("align memory: data cached on a device are released when others take the memory") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = two_queries(random);
  const Database database = large_database(random);
  const auto expected = Searcher(test_device(), database).search(queries).hits;
  const Device device = small_device();
  const Searcher searcher(device, database);
  check(searcher.search(queries).hits, expected);
  const std::uint64_t held = small_memory() - runtime::core_of(device).free_memory();
  CHECK(held > small_memory() / 3);
  {
    // Another takes all but a little: less than a chunk needs.
    const Array<std::uint8_t> taken(device, runtime::core_of(device).free_memory() - small_memory() / 192);
    check(searcher.search(queries).hits, expected);
    CHECK(small_memory() - runtime::core_of(device).free_memory() - taken.size() < held);
  }
  check(searcher.search(queries).hits, expected);
  const Searcher late(device, database);
  {
    // It has nothing to release.
    const Array<std::uint8_t> taken(device, runtime::core_of(device).free_memory() - small_memory() / 192);
    CHECK_THROWS_AS(late.search(queries), CapacityError);
  }
}
