#include "marose/read_batches.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <vector>

using genocl::marose::ReadClassCounts;
using genocl::marose::ReadClasses;

namespace {

std::vector<std::uint32_t> reads(std::uint32_t first, std::uint32_t count, std::uint32_t step = 1) {
  std::vector<std::uint32_t> numbers(count);
  for (std::uint32_t i = 0; i < count; ++i) numbers[i] = first + i * step;
  return numbers;
}

}  // namespace

TEST_CASE("read classes: few reads go with the longer ones of their batch, in order") {
  ReadClassCounts counts;
  const ReadClasses merged = counts.merge({{2, reads(0, 10, 2)}, {4, reads(1, 10, 2)}}, 100);
  CHECK(merged == ReadClasses{{4, reads(0, 20)}});
  // The longest class has nobody to go with.
  CHECK(counts.merge({{2, reads(0, 10)}}, 100) == ReadClasses{{2, reads(0, 10)}});
  CHECK(counts.merge({}, 100).empty());
}

TEST_CASE("read classes: a class gets its own programs once enough of its reads have come") {
  ReadClassCounts counts;
  CHECK(counts.merge({{2, reads(0, 60)}, {4, reads(60, 10)}}, 100).size() == 1);
  const ReadClasses apart = counts.merge({{2, reads(0, 60)}, {4, reads(60, 10)}}, 100);
  CHECK(apart == ReadClasses{{2, reads(0, 60)}, {4, reads(60, 10)}});
  // At once where compiling costs nothing to speak of.
  CHECK(ReadClassCounts().merge({{1, reads(0, 1)}, {2, reads(1, 1)}}, 0).size() == 2);
}

TEST_CASE("read classes: through all short ones at a time, and long reads are no company for short ones") {
  ReadClassCounts counts;
  CHECK(counts.merge({{1, reads(0, 5)}, {2, reads(5, 5)}, {4, reads(10, 5)}, {8, reads(15, 5)}}, 100) ==
        ReadClasses{{8, reads(0, 20)}});
  CHECK(counts.merge({{4, reads(0, 5)}, {32, reads(5, 1)}}, 100).size() == 2);
  CHECK(counts.merge({{16, reads(0, 5)}, {32, reads(5, 1)}}, 100).size() == 1);
}
