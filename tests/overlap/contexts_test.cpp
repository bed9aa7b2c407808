// Objects of one context handed to those of another Device of the same OpenCL device.
#include <doctest/doctest.h>

#include <string>
#include <string_view>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/overlap.hpp"
#include "overlap/cases.hpp"

using namespace genocl;
using namespace genocl::overlap;
using namespace overlap_test;

namespace {

/// Two contexts of one device, for kernels of either family.
struct Contexts {
  std::string name;
  Device here, there;
};

std::vector<Contexts> contexts() {
  const Device other = genocl_test::device_of_other_context();
  REQUIRE(other.context()() != test_device().context()());
  std::vector<Contexts> both;
  for (const KernelFamily family : genocl_test::families_under_test())
    both.push_back({std::string(to_string(family)), test_device().with_family(family), other.with_family(family)});
  return both;
}

Bytes example() {
  Random random(11);
  return random_text(random, 5000);
}

}  // namespace

TEST_CASE("overlap contexts: positions of another context are no suffix array of a text") {
  const Bytes bytes = example();
  for (const Contexts& both : contexts()) {
    CAPTURE(both.name);
    const Text text(both.here, bytes);
    const SuffixArray suffixes(text);
    const std::vector<std::uint32_t> sorted = suffixes.download();
    const Array<std::uint32_t> foreign(both.there, sorted);
    CHECK_THROWS_AS(first_error(text, foreign), InputError);
    CHECK_THROWS_AS(SuffixArray(text, Array<std::uint32_t>(both.there, sorted)), InputError);
    CHECK_FALSE(first_error(text, suffixes.positions()));
    // A text of the other context: not this array's memory.
    const Text elsewhere(both.there, bytes);
    CHECK_THROWS_AS(first_error(elsewhere, suffixes.positions()), InputError);
    SuffixArray rebuilt(text);
    rebuilt.rebuild(elsewhere);  // takes the other device, or refuses; never a mixture
    CHECK(rebuilt.download() == sorted);
    CHECK(SuffixArray(text, Array<std::uint32_t>(both.here, sorted)).download() == sorted);
  }
}

TEST_CASE("overlap contexts: range minima and extensions") {
  const Bytes bytes = example();
  for (const Contexts& both : contexts())
    for (const RmqStructure structure : {RmqStructure::block, RmqStructure::sparse, RmqStructure::bv1}) {
      CAPTURE(both.name);
      CAPTURE(to_string(structure));
      const SuffixArray suffixes{Text(both.here, bytes)};
      const Lcp lcp(suffixes);
      CHECK_THROWS_AS(Rmq(both.there, lcp.values(), structure), InputError);
      const Rmq rmq(both.here, lcp.values(), structure);
      const std::vector<RangeQuery> asked = {{10, 700}, {3, 4}, {0, 4999}};
      const std::vector<RangeMinimum> expected = rmq.minima(asked);
      const Array<RangeQuery> queries(both.here, asked), foreign_queries(both.there, asked);
      Array<RangeMinimum> answers(both.here, asked.size()), foreign_answers(both.there, asked.size());
      CHECK_THROWS_AS(rmq.minima(foreign_queries, answers), InputError);
      CHECK_THROWS_AS(rmq.minima(queries, foreign_answers), InputError);
      rmq.minima(queries, answers);
      CHECK(answers.download() == expected);

      const Extensions extensions(suffixes, structure);
      const std::vector<PositionPair> places = {{1, 2}, {17, 4000}, {9, 9}};
      const std::vector<std::uint32_t> common = extensions.common(places);
      const Array<PositionPair> pairs(both.here, places), foreign_pairs(both.there, places);
      Array<std::uint32_t> lengths(both.here, places.size()), foreign_lengths(both.there, places.size());
      CHECK_THROWS_AS(extensions.common(foreign_pairs, lengths), InputError);
      CHECK_THROWS_AS(extensions.common(pairs, foreign_lengths), InputError);
      extensions.common(pairs, lengths);
      CHECK(lengths.download() == common);
    }
}

TEST_CASE("overlap contexts: patterns and their intervals") {
  const Bytes bytes = example();
  const std::vector<std::string_view> words = {"ACG", "T", "GGATC", "NNN"};
  for (const Contexts& both : contexts()) {
    CAPTURE(both.name);
    const Text text(both.here, bytes), elsewhere(both.there, bytes);
    const SuffixIndex index{SuffixArray(text)};
    const Patterns patterns(text, words), foreign_patterns(elsewhere, words);
    Array<std::uint32_t> first(both.here, words.size()), counts(both.here, words.size());
    Array<std::uint32_t> foreign_first(both.there, words.size()), foreign_counts(both.there, words.size());
    CHECK_THROWS_AS(index.find(foreign_patterns, first, counts), InputError);
    CHECK_THROWS_AS(index.find(patterns, foreign_first, counts), InputError);
    CHECK_THROWS_AS(index.find(patterns, first, foreign_counts), InputError);
    index.find(patterns, first, counts);
    CHECK(counts.download() == index.count(words));
    // Devices of several contexts share the work of one index.
    const std::vector<Device> others = {both.there};
    const SuffixIndex shared(SuffixArray(text), {}, others);
    CHECK(shared.count(words) == index.count(words));
  }
}
