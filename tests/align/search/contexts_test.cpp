// Devices of two contexts of the same OpenCL device. Databases and hits stay on the host, so that no object of a device
// can go to another one; a search must give each its own copies.
#include <doctest/doctest.h>

#include <vector>

#include "align/cases.hpp"
#include "align/search/search_cases.hpp"
#include "genocl/align.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

TEST_CASE("align contexts: devices of two contexts share a search, and its hits are aligned on the other one") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const SequenceSet queries = random_queries(random, Alphabet::protein, 8);
  const SequenceSet subjects = random_set(random, 120, 150, Alphabet::protein, 6, queries[1]);
  const Database database = Database::build(subjects);
  SearchOptions options;
  options.align = true;
  options.max_evalue = 1e6;
  const auto expected = expected_hits(queries, subjects, options);
  const Device other = genocl_test::device_of_other_context();
  REQUIRE(other.context()() != test_device().context()());
  for (const KernelFamily family : genocl_test::families_under_test())
    for (const std::uint64_t residues : {0, 1500}) {
      CAPTURE(to_string(family));
      CAPTURE(residues);
      options.chunk_residues = residues;
      const std::vector<Device> both = {test_device().with_family(family), other.with_family(family)};
      for (const auto& devices : {both, {both[1], both[0]}, {both[1]}}) {
        const Searcher searcher(devices, database, options);
        check(searcher.search(queries).hits, expected);
        check(searcher.search(queries).hits, expected);
      }
    }
}
