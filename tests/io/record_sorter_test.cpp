#include "io/record_sorter.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "genocl/error.hpp"
#include "io/files.hpp"
#include "sequence/random_sequences.hpp"

using genocl::io::RecordSorter;

namespace {

struct Keyed {
  std::uint64_t key;
  std::string record;
};

std::vector<Keyed> random_records(std::size_t count, std::uint64_t keys) {
  static genocl_test::RandomSequences random;
  std::vector<Keyed> records;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t length = random.below(i % 1000 == 0 ? 30'000 : 300);
    records.push_back({random.below(keys), std::to_string(i) + random.text(length, "abc\n\t")});
  }
  return records;
}

/// What is wrong with the order; empty when nothing is.
std::string mistake(std::vector<Keyed> records, RecordSorter& sorter) {
  for (const auto& [key, record] : records) sorter.add(key, record);
  std::ranges::stable_sort(records, {}, &Keyed::key);
  std::size_t count = 0;
  std::string wrong;
  sorter.finish([&](std::string_view record) {
    if (wrong.empty() && (count >= records.size() || records[count].record != record))
      wrong = "record " + std::to_string(count);
    ++count;
  });
  return count == records.size() ? wrong : std::to_string(count) + " records";
}

}  // namespace

TEST_CASE("records sorted in memory, in runs, and in runs of runs") {
  GENOCL_SHOW_SEED();
  const genocl_test::TemporaryFolder folder;
  for (const std::uint64_t keys : {std::uint64_t{1}, std::uint64_t{50}, ~std::uint64_t{0}})
    for (const unsigned threads : {0u, 3u}) {
      const auto records = random_records(20'000, keys);  // 3 MB and more
      RecordSorter in_memory(std::uint64_t{64} << 20, folder.path().string(), threads);
      CHECK(mistake(records, in_memory) == "");
      CHECK(in_memory.runs() == 0);
      RecordSorter in_runs(std::uint64_t{1} << 20, folder.path().string(), threads);
      CHECK(mistake(records, in_runs) == "");
      CHECK(in_runs.runs() >= 2);
      // The least memory there is, 64 KiB: more runs than are merged at once.
      RecordSorter in_joined_runs(1, folder.path().string(), threads);
      CHECK(mistake(records, in_joined_runs) == "");
      CHECK(in_joined_runs.runs() >= 2);
      CHECK(in_joined_runs.runs() <= 17);
      CHECK(folder.count() == 0);
    }
}

TEST_CASE("a record larger than the memory, and no record at all") {
  const genocl_test::TemporaryFolder folder;
  RecordSorter sorter(1, folder.path().string(), 0);
  CHECK(mistake({{5, "five"}, {4, std::string(1'000'000, 'x')}, {4, ""}, {0, std::string(70'000, 'y')}}, sorter) == "");
  CHECK(sorter.runs() >= 1);
  RecordSorter nothing(1, folder.path().string(), 0);
  CHECK(mistake({}, nothing) == "");
}

TEST_CASE("a folder that takes no runs") {
  const genocl_test::TemporaryFolder folder;
  RecordSorter sorter(1, folder / "none", 0);
  const auto fill = [&] {
    for (int i = 0; i < 100; ++i) sorter.add(1, std::string(1000, 'x'));
  };
  CHECK_THROWS_WITH_AS(fill(), (folder / "none: no temporary file can be made: No such file or directory").c_str(),
                       genocl::InputError);
}
