#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "genocl/sequence/interval.hpp"
#include "random.hpp"

using genocl::BasicInterval;
using genocl::Interval;
using genocl::SequenceInterval;

TEST_CASE("interval: length, order and reverse complement") {
  CHECK(Interval().empty());
  CHECK(Interval{3, 3}.empty());
  CHECK(Interval{4, 3}.empty());
  CHECK(Interval{3, 7}.length() == 4);
  CHECK(Interval{3, 7}.reversed(10) == Interval{3, 7});
  CHECK(Interval{0, 4}.reversed(10) == Interval{6, 10});
  CHECK(Interval{1, 5} < Interval{2, 3});
  CHECK(Interval{1, 3} < Interval{1, 5});
  CHECK(SequenceInterval{.sequence = 0, .begin = 9, .end = 10} < SequenceInterval{.sequence = 1, .begin = 0, .end = 1});
  CHECK(SequenceInterval{.sequence = 2, .begin = 9, .end = 12}.length() == 3);
}

TEST_CASE("interval: an intersection contains the positions of both") {
  using Signed = BasicInterval<std::int64_t>;
  CHECK(intersection(Interval{0, 3}, Interval{3, 6}).empty());
  CHECK(intersection(Interval{0, 3}, Interval{5, 6}).length() == 0);
  for (std::int64_t a = -4; a < 4; ++a)
    for (std::int64_t b = a; b < 4; ++b)
      for (std::int64_t c = -4; c < 4; ++c)
        for (std::int64_t d = c; d < 4; ++d) {
          std::int64_t shared = 0;
          for (std::int64_t i = -4; i < 4; ++i) shared += a <= i && i < b && c <= i && i < d ? 1 : 0;
          REQUIRE(intersection(Signed{a, b}, Signed{c, d}).length() == shared);
        }
}

TEST_CASE("interval: merged intervals cover the same positions and do not touch") {
  GENOCL_SHOW_SEED();
  genocl_test::Random random(genocl_test::test_seed());
  CHECK(genocl::merged({}).empty());
  CHECK(genocl::merged({{5, 5}, {7, 6}}).empty());
  CHECK(genocl::merged({{4, 6}, {0, 2}, {2, 3}}) == std::vector<Interval>{{0, 3}, {4, 6}});
  for (int round = 0; round < 500; ++round) {
    std::vector<bool> covered(60);
    std::vector<Interval> intervals(random.below(12));
    for (Interval& one : intervals) {
      one.begin = random.below(50);
      one.end = one.begin + random.below(10);
      for (std::uint64_t i = one.begin; i < one.end; ++i) covered[i] = true;
    }
    std::vector<Interval> expected;
    for (std::uint64_t i = 0; i < covered.size(); ++i) {
      if (!covered[i]) continue;
      if (i == 0 || !covered[i - 1]) expected.push_back({i, i});
      expected.back().end = i + 1;
    }
    REQUIRE(genocl::merged(intervals) == expected);
  }
}
