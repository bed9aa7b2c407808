// Devices of two contexts of the same OpenCL device. An index stays on the host, so that one that was built on a device
// serves mappers of any other.
#include <doctest/doctest.h>

#include <vector>

#include "genocl/marose.hpp"
#include "genocl/opencl.hpp"
#include "marose/mapper_cases.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

TEST_CASE("marose contexts: an index of one context, mappers of another one and of both") {
  Random random(31);
  const SequenceSet text = hard_reference(random, 3000);
  const SequenceSet reads = reads_from(random, text, 60, 40, 4, true);
  BruteForce brute_force(text, reads, Model::levenshtein);
  const Device other = genocl_test::device_of_other_context();
  REQUIRE(other.context()() != test_device().context()());
  const MapOptions options{.errors = {.count = 2}, .model = Model::levenshtein, .report = Report::all()};
  for (const KernelFamily family : genocl_test::families_under_test()) {
    CAPTURE(to_string(family));
    const Device here = test_device().with_family(family), there = other.with_family(family);
    const Index index = Index::build(here, text);
    check_all(there, reads, brute_force, index, options);
    check_all(here, reads, brute_force, Index::build(there, text), options);
    const std::vector<Device> both = {here, there};
    const Mapper mapper(both, index, options);
    for (int turn = 0; turn < 2; ++turn) {
      const Hits hits = mapper.map(reads);
      REQUIRE(hits.offsets.size() == reads.size() + 1);
      for (std::size_t read = 0; read < reads.size(); ++read)
        CHECK(to_text(hits.of(read)) == to_text(brute_force.hits(read, hits.reads[read].bound)));
    }
  }
}
