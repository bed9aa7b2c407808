// Merged transforms of sets of strings, against the transform of all strings from a sort of their suffixes.
#include "genocl/overlap/bwt_merge.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"

using namespace genocl;
using namespace genocl::overlap;
using overlap_test::Bytes;
using overlap_test::Random;
using overlap_test::random_text;
using overlap_test::test_seed;

namespace {

/// The transform by comparison: a terminator is smaller than all symbols, the earlier of two is smaller.
Bytes transform_of(const std::vector<Bytes>& records, std::uint8_t terminator = '$') {
  struct Suffix {
    std::size_t record, begin;
  };
  std::vector<Suffix> suffixes;
  for (std::size_t r = 0; r < records.size(); ++r)
    for (std::size_t i = 0; i <= records[r].size(); ++i) suffixes.push_back({r, i});
  std::ranges::sort(suffixes, [&](const Suffix& x, const Suffix& y) {
    const auto a = std::span(records[x.record]).subspan(x.begin), b = std::span(records[y.record]).subspan(y.begin);
    if (!std::ranges::equal(a, b)) return std::ranges::lexicographical_compare(a, b);
    return x.record < y.record;
  });
  Bytes transform;
  for (const Suffix& suffix : suffixes)
    transform.push_back(suffix.begin == 0 ? terminator : records[suffix.record][suffix.begin - 1]);
  return transform;
}

}  // namespace

TEST_CASE("merged transforms are those of all records") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (int round = 0; round < 12; ++round) {
    std::vector<Bytes> records;
    for (std::size_t i = 0, count = 2 + random() % 200; i < count; ++i)
      records.push_back(random_text(random, random() % (round < 6 ? 12 : 90),
                                    1 + static_cast<unsigned>(random() % (round % 2 == 0 ? 4 : 15))));
    for (int i = 0; i < 3; ++i) records.push_back(records[random() % records.size()]);
    const std::size_t first = random() % (records.size() + 1);
    const auto middle = records.begin() + static_cast<std::ptrdiff_t>(first);
    const Bytes a = transform_of({records.begin(), middle}), b = transform_of({middle, records.end()});
    CAPTURE(round);
    CHECK(merge_bwt_of_records(a, b) == transform_of(records));
  }
  // Another terminator, symbols that only one set has, and sets without records.
  const std::vector<Bytes> one = {overlap_test::bytes_of("$$"), overlap_test::bytes_of("z")},
                           two = {overlap_test::bytes_of("a$b"), {}}, all = {one[0], one[1], two[0], two[1]};
  CHECK(merge_bwt_of_records(transform_of(one, 'A'), transform_of(two, 'A'), 'A') == transform_of(all, 'A'));
  const Bytes some = transform_of({overlap_test::bytes_of("ACGT")}), none;
  CHECK(merge_bwt_of_records(some, none) == some);
  CHECK(merge_bwt_of_records(none, some) == some);
}

TEST_CASE("bytes that are no transform are refused") {
  const Bytes some = transform_of({overlap_test::bytes_of("ACGT")});
  CHECK_THROWS_AS(merge_bwt_of_records(some, overlap_test::bytes_of("AC")), InputError);
  CHECK_THROWS_AS(merge_bwt_of_records(some, overlap_test::bytes_of("A$C")), InputError);
}
