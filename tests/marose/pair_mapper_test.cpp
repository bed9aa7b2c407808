// The pairs that are chosen, against all pairs of all hits by brute force; the range of inserts.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "device_under_test.hpp"
#include "genocl/error.hpp"
#include "genocl/marose.hpp"
#include "marose/texts.hpp"
#include "random.hpp"
#include "reference/marose/marose.hpp"

using namespace genocl;
using namespace genocl::marose;
using namespace marose_test;

namespace {

constexpr unsigned read_length = 50, bound = 3;

std::vector<Code> turned(std::span<const Code> bases) {
  std::vector<Code> result(bases.size());
  dna::reverse_complement(bases, result);
  return result;
}

// Templates of 120 to 200 bases from the text, on either strand; mates as the orientation has them, with errors.
SequenceSet pairs_from(Random& random, const SequenceSet& text, std::size_t count, Orientation orientation) {
  SequenceSet reads;
  while (reads.size() < 2 * count) {
    const std::span<const Code> contig = text[below(random, text.size())];
    const std::size_t length = 120 + below(random, 81);
    if (contig.size() < length + 1) continue;
    const std::size_t from = below(random, contig.size() - length);
    std::vector<Code> bases(contig.begin() + static_cast<std::ptrdiff_t>(from),
                            contig.begin() + static_cast<std::ptrdiff_t>(from + length));
    if (below(random, 2) != 0) bases = turned(bases);
    std::vector<Code> left(bases.begin(), bases.begin() + read_length), right(bases.end() - read_length, bases.end());
    if (orientation == Orientation::reverse_forward) left = turned(left);
    if (orientation == Orientation::forward_reverse) right = turned(right);
    for (std::vector<Code>* read : {&left, &right}) {
      edit(random, *read, below(random, below(random, 4) == 0 ? 9 : 4), true);
      read->resize(read_length, 0);
      reads.append("p", *read);
    }
  }
  return reads;
}

// As the definition has it: each with each.
std::optional<unsigned> min_errors(const std::vector<Hit>& first, const std::vector<Hit>& second,
                                   Orientation orientation, const InsertRange& range, std::size_t& count) {
  std::optional<unsigned> least;
  count = 0;
  for (const Hit& a : first)
    for (const Hit& b : second) {
      if (a.reference != b.reference) continue;
      if ((a.strand == b.strand) != (orientation == Orientation::forward_forward)) continue;
      const bool a_left =
          orientation == Orientation::reverse_forward ? a.strand == Strand::reverse : a.strand == Strand::forward;
      const Hit &left = a_left ? a : b, &right = a_left ? b : a;
      if (left.position > right.position) continue;
      const std::uint64_t bases = std::max(left.position + left.length, right.position + right.length) - left.position;
      if (bases < range.least || bases > range.most) continue;
      const unsigned errors = a.errors + b.errors;
      if (!least || errors < *least) least = errors, count = 0;
      count += errors == *least;
    }
  return least;
}

void compare(unsigned seed, Orientation orientation, KernelFamily family) {
  Random random(seed);
  const SequenceSet text = hard_reference(random, 4000);
  const SequenceSet reads = pairs_from(random, text, 60, orientation);
  const Device device = genocl_test::device_under_test().with_family(family);
  const Index index = Index::build(device, text, {.seed_mask = "######", .method = Method::kmers});
  const InsertRange insert{.least = 0, .most = 220};
  PairMapper mapper(
      std::span(&device, 1), index,
      {.map = {.errors = {.count = bound}, .align = std::nullopt}, .insert = insert, .orientation = orientation});
  std::size_t proper = 0, rescued = 0, pairs = 0;
  bool given = false;
  mapper.map(
      [&](SequenceSet& batch) {
        if (given) return false;
        given = true;
        batch = reads;
        return true;
      },
      {},
      [&](PairMapper::Batch& batch) {
        REQUIRE(batch.pairs.size() == reads.size() / 2);
        for (std::size_t i = 0; i < batch.pairs.size(); ++i, ++pairs) {
          const ReadPair& pair = batch.pairs[i];
          std::vector<Hit> all[2];
          for (unsigned r = 0; r < 2; ++r)
            all[r] = reference::map_read(text, reads[2 * i + r], bound, Model::levenshtein);
          std::size_t count = 0;
          const auto least = min_errors(all[0], all[1], orientation, insert, count);
          CAPTURE(seed);
          CAPTURE(i);
          CAPTURE(to_string(orientation));
          CAPTURE(to_string(family));
          CAPTURE(pair.explored);
          // No pair of hits within the bound is missed, and the best one is reported with the number of equally good
          // ones.
          if (least) {
            REQUIRE(pair.best);
            CHECK(pair.best->best.errors <= *least);
            if (*least < pair.explored) {
              CHECK(pair.best->best.errors == *least);
              // Rescue has another bound, which may split one hit of this bound.
              if (pair.reads[0].with_rescued.empty() && pair.reads[1].with_rescued.empty())
                CHECK(pair.best->count == count);
            }
          }
          if (!pair.best) continue;
          ++proper;
          for (unsigned r = 0; r < 2; ++r) {
            rescued += pair.reads[r].rescued;
            const std::span<const Hit> hits = batch.hits_of(2 * i + r);
            REQUIRE(pair.reads[r].primary < hits.size());
            CHECK(pair.reads[r].primary == (r == 0 ? pair.best->best.first : pair.best->best.second));
          }
          const Hit& a = batch.hits_of(2 * i)[pair.reads[0].primary];
          const Hit& b = batch.hits_of(2 * i + 1)[pair.reads[1].primary];
          std::size_t one = 0;
          CHECK(min_errors({a}, {b}, orientation, insert, one) == pair.best->best.errors);
        }
      });
  CHECK(pairs == 60);
  CHECK(proper > 30);
  CHECK(rescued > 0);
}

}  // namespace

TEST_CASE("marose pairs: the best pair is proved") {
  for (unsigned seed = 1; seed <= 4; ++seed)
    for (const KernelFamily family : genocl_test::families_under_test())
      for (const Orientation orientation :
           {Orientation::forward_reverse, Orientation::reverse_forward, Orientation::forward_forward})
        compare(seed, orientation, family);
}

TEST_CASE("marose pairs: quality of a mate never rises with its errors") {
  SequenceSet text;
  Random random(3);
  text.append("c", random_bases(random, 2000));
  const Index index =
      Index::build(genocl_test::device_under_test(), text, {.seed_mask = "######", .method = Method::kmers});
  const std::vector<Code> codes(text[0].begin() + 100, text[0].begin() + 150);
  const std::vector<Code> mate = turned(std::span(text[0]).subspan(250, 50));
  ReadSummary summary;
  summary.hits = summary.best_hits = 1;
  summary.bound = 5;
  unsigned before = 61;
  for (std::uint16_t errors = 0; errors < 12; ++errors) {
    const Hit first{.position = 100, .length = 50, .errors = 0};
    const Hit second{.position = 250, .length = 50, .errors = errors, .strand = Strand::reverse};
    ReadSummary of_first = summary, of_second = summary;
    of_first.explored = of_second.explored = 6;
    of_second.best = errors;
    PairOptions options{.map = {.errors = {.count = 5}, .align = std::nullopt}, .rescue = false};
    const ReadPair pair = place_pair(index, std::span(&first, 1), of_first, codes, std::span(&second, 1), of_second,
                                     mate, {.least = 0, .most = 300}, options);
    REQUIRE(pair.best);
    CHECK(pair.reads[1].quality <= before);
    before = pair.reads[1].quality;
  }
}

TEST_CASE("marose pairs: the range of inserts") {
  std::vector<std::uint64_t> lengths;
  Random random(1);
  CHECK_FALSE(estimate_insert(lengths));
  for (int i = 0; i < 2000; ++i) {
    unsigned sum = 0;  // near a normal distribution of mean 400 and deviation 40
    for (int j = 0; j < 12; ++j) sum += below(random, 41);
    lengths.push_back(160 + sum);
  }
  const auto range = estimate_insert(lengths);
  REQUIRE(range);
  CHECK(range->least > 200);
  CHECK(range->least < 300);
  CHECK(range->most > 500);
  CHECK(range->most < 620);
  // Chimeras do not move it far.
  for (int i = 0; i < 60; ++i) lengths.push_back(100'000 + below(random, 800'000));
  const auto again = estimate_insert(lengths);
  REQUIRE(again);
  CHECK(again->most < range->most + 40);
  CHECK(estimate_insert(std::vector<std::uint64_t>(100, 300))->least == 300);
  CHECK(estimate_insert(std::vector<std::uint64_t>(100, 300))->most == 300);
}

TEST_CASE("marose pairs: names of orientations, reads without a mate") {
  for (const Orientation orientation :
       {Orientation::forward_reverse, Orientation::reverse_forward, Orientation::forward_forward})
    CHECK(orientation_named(to_string(orientation)) == orientation);
  CHECK_THROWS_AS(orientation_named("rr"), InputError);
  SequenceSet text;
  Random random(4);
  text.append("c", random_bases(random, 1000));
  const Device device = genocl_test::device_under_test();
  const Index index = Index::build(device, text, {.method = Method::kmers});
  PairMapper mapper(std::span(&device, 1), index, {});
  bool given = false;
  const auto odd = [&](SequenceSet& batch) {
    if (given) return false;
    given = true;
    batch.append("alone", text[0].first(50));
    return true;
  };
  CHECK_THROWS_AS(mapper.map(odd, {}, {}), InputError);
}
