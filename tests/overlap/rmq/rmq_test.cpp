// Range minima: every structure against a scan, and all structures against one another.
#include "genocl/overlap/rmq.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "callers_memory.hpp"
#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "reference/overlap/range_minimum.hpp"
#include "runtime/access.hpp"

using namespace genocl;
using namespace overlap_test;
using overlap::RangeMinimum;
using overlap::RangeQuery;
using overlap::Rmq;
using overlap::RmqStructure;

namespace {

using Values = std::vector<std::uint32_t>;
constexpr std::array structures = {RmqStructure::block, RmqStructure::sparse, RmqStructure::bv1};
constexpr std::uint32_t most = std::numeric_limits<std::uint32_t>::max();

struct Case {
  std::string name;
  Values values;
};

/// Values with many equal ones, long slopes and extremes.
std::vector<Case> hard_values(std::size_t size, Random& random) {
  const auto make = [&](auto&& value) {
    Values values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = static_cast<std::uint32_t>(value(i));
    return values;
  };
  return {{"random", make([&](std::size_t) { return random(); })},
          {"two values", make([&](std::size_t) { return random() % 2; })},
          {"ten values", make([&](std::size_t) { return random() % 10; })},
          {"all 0", make([](std::size_t) { return 0; })},
          {"all the most", make([](std::size_t) { return most; })},
          {"up", make([](std::size_t i) { return i; })},
          {"down", make([size](std::size_t i) { return size - i; })},
          {"up to a least", make([size](std::size_t i) { return i + 1 == size ? 0 : i + 1; })},
          {"teeth", make([](std::size_t i) { return i % 37; })},
          {"roof", make([size](std::size_t i) { return std::min(i, size - i); })},
          {"valley", make([size](std::size_t i) { return std::max(i, size - i); })},
          {"extremes", make([&](std::size_t) { return random() % 3 == 0 ? 0 : most; })}};
}

RangeQuery random_query(std::size_t size, Random& random) {
  const std::size_t longest = random() % 3 == 0 ? size : std::min<std::size_t>(size, 1 + random() % 100);
  const auto first = static_cast<std::uint32_t>(random() % size);
  return {first, static_cast<std::uint32_t>(std::min(size - 1, first + random() % longest))};
}

void check_answers(const Values& values, std::span<const RangeQuery> queries, std::span<const RangeMinimum> answers) {
  REQUIRE(answers.size() == queries.size());
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::uint64_t place = genocl_reference::range_minimum(values, queries[i].first, queries[i].last);
    if (answers[i] == RangeMinimum{values[place], static_cast<std::uint32_t>(place)}) continue;
    CAPTURE(queries[i].first);
    CAPTURE(queries[i].last);
    CHECK(answers[i].position == place);
    CHECK(answers[i].value == values[place]);
    return;
  }
}

}  // namespace

TEST_CASE("tiny: overlap range minima of all ranges") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const std::size_t size : {1, 2, 33, 70}) {
      CAPTURE(size);
      std::vector<RangeQuery> queries;
      for (std::uint32_t first = 0; first < size; first += 1 + first % 3)
        for (std::uint32_t last = first; last < size; last += 1 + last % 4) queries.push_back({first, last});
      // Any one of them here: all in the larger test.
      const Case one = hard_values(size, random)[random() % 12];
      CAPTURE(one.name);
      const Array<std::uint32_t> on_device(variant.device, one.values);
      for (const RmqStructure structure : structures) {
        CAPTURE(overlap::to_string(structure));
        check_answers(one.values, queries, Rmq(variant.device, on_device, structure).minima(queries));
      }
    }
    // More than one level of everything.
    const Values values = hard_values(1100, random)[2].values;
    const Array<std::uint32_t> on_device(variant.device, values);
    std::vector<RangeQuery> queries(50);
    for (RangeQuery& query : queries) query = random_query(values.size(), random);
    for (const RmqStructure structure : structures)
      check_answers(values, queries, Rmq(variant.device, on_device, structure).minima(queries));
  }
}

TEST_CASE("overlap range minima of hard values") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t size : {1, 2, 15, 16, 17, 31, 32, 33, 64, 65, 255, 257, 1023, 1024, 4097, 70'001}) {
      CAPTURE(size);
      std::vector<RangeQuery> queries(500);
      for (RangeQuery& query : queries) query = random_query(size, random);
      for (const Case& one : hard_values(size, random)) {
        CAPTURE(one.name);
        const Array<std::uint32_t> on_device(variant.device, one.values);
        for (const RmqStructure structure : structures) {
          CAPTURE(overlap::to_string(structure));
          check_answers(one.values, queries, Rmq(variant.device, on_device, structure).minima(queries));
        }
      }
    }
  }
}

TEST_CASE("overlap range minima: a million queries, and all structures agree") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Values values(std::size_t{1} << 20);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random() % 1'000'000);
  const genocl_reference::RangeMinima expected(values);
  std::vector<RangeQuery> queries(1'000'000);
  for (RangeQuery& query : queries) {
    const auto a = static_cast<std::uint32_t>(random() % values.size());
    const auto b = static_cast<std::uint32_t>(random() % values.size());
    query = random() % 4 == 0 ? random_query(values.size(), random) : RangeQuery{std::min(a, b), std::max(a, b)};
  }
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    const Array<std::uint32_t> on_device(variant.device, values);
    for (const RmqStructure structure : structures) {
      CAPTURE(overlap::to_string(structure));
      const Rmq minima(variant.device, on_device, structure);
      const std::vector<RangeMinimum> answers = minima.minima(queries);
      std::size_t wrong = 0;
      for (std::size_t i = 0; i < queries.size(); ++i)
        wrong += answers[i].position != expected(queries[i].first, queries[i].last) ||
                 answers[i].value != values[answers[i].position];
      CHECK(wrong == 0);
      CHECK(minima.bytes() <= (structure == RmqStructure::block    ? 2
                               : structure == RmqStructure::sparse ? 60
                                                                   : 40) *
                                  values.size());
    }
  }
}

TEST_CASE("overlap range minima: queries out of range, and empty values") {
  const Device& device = test_device();
  const Values values = {3, 1, 2};
  const Array<std::uint32_t> on_device(device, values), none(device, 0);
  for (const RmqStructure structure : structures) {
    CAPTURE(overlap::to_string(structure));
    const Rmq minima(device, on_device, structure), of_none(device, none, structure);
    CHECK(minima.size() == 3);
    CHECK(minima.structure() == structure);
    const std::array<RangeQuery, 4> queries = {{{0, 2}, {0, 3}, {2, 1}, {2, 2}}};
    CHECK_THROWS_WITH_AS(minima.minima(queries), "range minimum query 1: 0 to 3 of 3 values", InputError);
    CHECK_THROWS_WITH_AS(minima.minima(std::span(queries).subspan(2)), "range minimum query 0: 2 to 1 of 3 values",
                         InputError);
    const Array<RangeQuery> asked(device, queries);
    Array<RangeMinimum> answers(device, 4), too_few(device, 3);
    minima.minima(asked, answers);
    const std::vector<RangeMinimum> expected = {{1, 1}, {most, most}, {most, most}, {2, 2}};
    CHECK(answers.download() == expected);
    CHECK_THROWS_AS(minima.minima(asked, too_few), InputError);

    CHECK(of_none.size() == 0);
    CHECK(of_none.bytes() == 0);
    CHECK(of_none.minima({}).empty());
    CHECK_THROWS_AS(of_none.minima(queries), InputError);
    of_none.minima(asked, answers);
    CHECK(answers.download() == std::vector<RangeMinimum>(4, {most, most}));
    CHECK(overlap::rmq_structure_named(overlap::to_string(structure)) == structure);
  }
  CHECK_THROWS_WITH_AS(overlap::rmq_structure_named("tree"),
                       "no structure for range minima named \"tree\"; expected one of block, sparse, bv1", InputError);
}

TEST_CASE("overlap range minima of values in the caller's memory, which begin at any element") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  std::vector<std::uint32_t> values(5000);
  for (std::uint32_t& value : values) value = static_cast<std::uint32_t>(random() % 1000);
  std::vector<RangeQuery> ranges;
  for (unsigned i = 0; i < 2000; ++i) {
    const auto a = static_cast<std::uint32_t>(random() % values.size());
    const auto b = static_cast<std::uint32_t>(random() % values.size());
    ranges.push_back({std::min(a, b), std::max(a, b)});
  }
  for (const Variant& variant : drawn_variants())
    for (const RmqStructure structure : {RmqStructure::block, RmqStructure::sparse, RmqStructure::bv1}) {
      CAPTURE(variant.name);
      CAPTURE(overlap::to_string(structure));
      genocl_test::CallersMemory<std::uint32_t> callers(variant.device, values, 4);
      genocl_test::CallersMemory<RangeQuery> queries(variant.device, ranges, 4);
      genocl_test::CallersMemory<RangeMinimum> answers(variant.device, std::vector<RangeMinimum>(ranges.size()), 4);
      const Rmq minima(variant.device, *callers, structure);
      minima.minima(*queries, *answers);
      const std::vector<RangeMinimum> found = answers->download();
      for (std::size_t i = 0; i < ranges.size(); ++i) {
        const auto begin = values.begin() + ranges[i].first, end = values.begin() + ranges[i].last + 1;
        CHECK(found[i].position == static_cast<std::uint32_t>(std::min_element(begin, end) - values.begin()));
      }
    }
}

TEST_CASE("overlap range minima of more values than there may be, or than fit") {
  const Device& device = test_device();
  const Array<std::uint32_t> few(device, 4);
  // Only their number is looked at.
  const auto values = [&](std::size_t size) {
    runtime::MemoryView claimed = few.span().view();
    claimed.bytes = size * sizeof(std::uint32_t);
    return Span<const std::uint32_t>(claimed);
  };
  CHECK_THROWS_AS(Rmq(device, values(std::size_t{1} << 31), RmqStructure::sparse), CapacityError);
  CHECK_THROWS_WITH_AS(Rmq(device, values((std::size_t{1} << 31) + 1), RmqStructure::bv1),
                       "range minima (bv1) of 2147483649 values: at most 2147483648", InputError);
  CHECK_THROWS_WITH_AS(Rmq(device, values(0xffff'ffffu)),
                       "range minima (block) of 4294967295 values: at most 4294967294", InputError);
}
