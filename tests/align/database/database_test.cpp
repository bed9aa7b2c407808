#include <doctest/doctest.h>
#include <signal.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "align/cases.hpp"
#include "align/database/database_state.hpp"
#include "genocl/align/database.hpp"
#include "genocl/error.hpp"
#include "runtime/helpers.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using align::Database;
using align::DatabaseBuilder;
using align_test::random_set;
using genocl_test::Random;
using genocl_test::test_seed;

namespace {

void check_equal(const Database& database, const SequenceSet& set) {
  REQUIRE(database.size() == set.size());
  CHECK(database.alphabet() == set.alphabet());
  CHECK(database.residues() == set.residues());
  CHECK(database.longest() == set.longest());
  CHECK(database.whole() == align::DatabaseSize{set.residues(), set.size()});
  CHECK(std::ranges::equal(database.letter_counts(), set.letter_counts()));
  std::size_t different = 0;
  for (std::size_t i = 0; i < set.size(); ++i)
    different += database.name(i) != set.name(i) || database.description(i) != set.description(i) ||
                 !std::ranges::equal(database.sequence(i), set[i]) || database.number(database.rank(i)) != i;
  CHECK(different == 0);
}

void check_order(const Database& database) {
  std::size_t wrong = 0;
  for (std::size_t rank = 1; rank < database.size(); ++rank) {
    const std::uint64_t before = database.length_at(rank - 1), length = database.length_at(rank);
    wrong += before > length || (before == length && database.number(rank - 1) >= database.number(rank));
  }
  CHECK(wrong == 0);
}

std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  REQUIRE(in.is_open());
  return {std::istreambuf_iterator<char>(in), {}};
}

void put_bytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream out(path, std::ios::binary);
  out << bytes;
  out.close();
  REQUIRE(out.good());
}

/// The error of opening, without the file's name; empty without an error.
std::string complaint(const std::string& path, bool check = true) {
  try {
    Database::open(path, check);
  } catch (const InputError& error) {
    return std::string(error.what()).substr(path.size());
  }
  return {};
}

/// A builder that was given the set in batches.
DatabaseBuilder builder_of(const SequenceSet& set, const align::DatabaseBuilderOptions& options, std::size_t batch) {
  DatabaseBuilder builder(options);
  builder.reserve(set.residues() / 2);  // the builder grows for the rest
  for (std::size_t first = 0; first < set.size(); first += batch)
    builder.append(set.slice(first, std::min(batch, set.size() - first)));
  CHECK(builder.size() == set.size());
  CHECK(builder.residues() == set.residues());
  return builder;
}

}  // namespace

TEST_CASE("align database: consecutive parts in the order of the file") {
  SequenceSet set(Alphabet::protein);
  const std::string letters(400, 'M');
  for (const std::size_t length : {5u, 300u, 1u, 40u, 40u, 7u, 200u, 90u, 3u, 14u})
    set.append_letters("s", std::string_view(letters).substr(0, length));
  const Database database = Database::build(set);
  for (const std::size_t n : {1u, 2u, 3u, 4u, 13u}) {
    CAPTURE(n);
    std::size_t next = 0;
    std::uint64_t residues = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Database part = database.consecutive_shard(i, n);
      CHECK(part.is_shard());
      std::vector<std::size_t> numbers;
      std::uint64_t own = 0;
      for (std::size_t rank = 0; rank < part.size(); ++rank) {
        numbers.push_back(part.number(rank));
        own += part.length_at(rank);
        if (rank > 0) CHECK(part.length_at(rank) >= part.length_at(rank - 1));
      }
      CHECK(part.residues() == own);
      // A part ends where the next n-th of the residues begins, or with the sequence that contains this place.
      std::sort(numbers.begin(), numbers.end());
      for (const std::size_t number : numbers) {
        CHECK(number == next++);
        CHECK(residues * n / 700 == i);
        residues += set[number].size();
      }
    }
    CHECK(next == set.size());
    CHECK(residues == 700);
  }
  CHECK_THROWS_AS(database.consecutive_shard(2, 2), InputError);
  CHECK_THROWS_AS(database.shard(0, 2).consecutive_shard(0, 2), InputError);
}

TEST_CASE("align database: a subset has its own size, and the numbers of the whole") {
  SequenceSet set(Alphabet::protein);
  const std::string letters(400, 'M');
  for (const std::size_t length : {5u, 300u, 1u, 40u, 40u, 7u})
    set.append_letters("s" + std::to_string(length), std::string_view(letters).substr(0, length));
  const Database database = Database::build(set);
  const std::vector<std::uint64_t> chosen = {4, 1, 0, 4};
  const Database subset = database.subset(chosen);
  CHECK(subset.whole() == align::DatabaseSize{345, 3});
  CHECK(subset.size() == 3);
  CHECK(subset.residues() == 345);
  const std::vector<std::size_t> numbers = {0, 4, 1};
  for (std::size_t rank = 0; rank < 3; ++rank) {
    CHECK(subset.number(rank) == numbers[rank]);
    CHECK(subset.rank(numbers[rank]) == rank);
    CHECK(subset.name(numbers[rank]) == set.name(numbers[rank]));
  }
  for (std::size_t i = 0; i < 2; ++i) {
    CHECK(subset.shard(i, 2).whole() == subset.whole());
    CHECK(subset.consecutive_shard(i, 2).whole() == subset.whole());
  }
  CHECK(subset.consecutive_shard(0, 2).residues() + subset.consecutive_shard(1, 2).residues() == 345);
  CHECK(subset.subset(std::vector<std::uint64_t>{1}).residues() == 300);
  CHECK_THROWS_AS(database.subset({}), InputError);
  CHECK_THROWS_AS(subset.subset(std::vector<std::uint64_t>{2}), InputError);
  CHECK_THROWS_AS(database.subset(std::vector<std::uint64_t>{6}), InputError);
  CHECK_THROWS_AS(subset.digest(), InputError);
}

TEST_CASE("align database: sources and digest pass through a file") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "db").string();
  SequenceSet set(Alphabet::protein);
  set.append_letters("one", "MKV", "first");
  DatabaseBuilder builder;
  builder.append(set);
  const align::DatabaseSource source{.path = "/a folder/x.fa", .bytes = 12, .modified = -5};
  builder.add_source(source);
  builder.add_source({.path = "line\nbreak", .bytes = 1, .modified = 1});
  builder.save(path);
  const Database opened = Database::open(path);
  REQUIRE(opened.sources().size() == 1);
  CHECK(opened.sources()[0] == source);
  const Database built = Database::build(set);
  CHECK(built.sources().empty());
  CHECK(opened.digest() == built.digest());
  SequenceSet other(Alphabet::protein);
  other.append_letters("one", "MKL", "first");
  CHECK(Database::build(other).digest() != built.digest());
}

TEST_CASE("align database: equal to what it was built from, sorted by length, ties in order") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Alphabet alphabet : {Alphabet::protein, Alphabet::dna})
    for (const std::size_t count : {1, 2, 100, 3000}) {
      SequenceSet set = random_set(random, count, 60, alphabet, 4);
      set.append("", {}, "no letters and no name");
      set.append("last", align_test::random_codes(random, 5, 4), "of 5 letters");
      const Database database = Database::build(set);
      check_equal(database, set);
      check_order(database);
      CHECK(!database.is_shard());
    }
}

TEST_CASE("align database: nothing to build from") {
  CHECK_THROWS_AS(Database::build(SequenceSet(Alphabet::protein)), InputError);
  SequenceSet bytes(Alphabet::bytes);
  bytes.append_letters("text", "any");
  CHECK_THROWS_AS(Database::build(bytes), InputError);
}

TEST_CASE("align database: a sequence that is too long") {
  // Such a one takes 4 GB: build() and append() ask this of each.
  CHECK_NOTHROW(align::check_length(0, "long", Database::longest_sequence));
  CHECK_THROWS_WITH_AS(align::check_length(1, "long", Database::longest_sequence + 1),
                       "sequence 2 (long): 4294967296 letters; expected 4294967295 at most", InputError);
  if (std::getenv("GENOCL_TEST_LARGE") == nullptr) return;
  SequenceSet set(Alphabet::protein);
  set.append_letters("short", "MKV");
  set.extend("long", "", Database::longest_sequence + 1);
  CHECK_THROWS_AS(Database::build(set), InputError);
  CHECK_THROWS_WITH_AS(DatabaseBuilder().append(set),
                       "sequence 2 (long): 4294967296 letters; expected 4294967295 at most", InputError);
}

TEST_CASE("align database: one long sequence among few, in order of length") {
  SequenceSet set(Alphabet::protein);
  set.extend("long", "", 3 << 20);
  for (const char* letters : {"MK", "A", "", "WW", "C"}) set.append_letters(letters, letters);
  const Database database = Database::build(set);
  const std::vector<std::size_t> numbers = {3, 2, 5, 1, 4, 0};
  for (std::size_t rank = 0; rank < numbers.size(); ++rank) {
    CHECK(database.number(rank) == numbers[rank]);
    CHECK(database.rank(numbers[rank]) == rank);
    CHECK(std::ranges::equal(database.sequence(numbers[rank]), set[numbers[rank]]));
  }
}

TEST_CASE("align database: a builder refuses invalid databases") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "db").string();
  DatabaseBuilder builder;
  CHECK_THROWS_AS(builder.finish(), InputError);
  CHECK_THROWS_AS(builder.save(path), InputError);
  CHECK_THROWS_AS(builder.append(SequenceSet(Alphabet::dna)), InputError);
  CHECK_THROWS_AS(DatabaseBuilder({.alphabet = Alphabet::bytes}), InputError);
  SequenceSet set(Alphabet::protein);
  set.append_letters("a", "MKV");
  builder.append(set);
  CHECK(builder.size() == 1);
  CHECK_THROWS_AS(builder.save(path, [](const ProgressState&) { return false; }), Cancelled);
  CHECK(std::filesystem::is_empty(folder.path()));
  const align::DatabaseBuilderOptions nowhere = {.memory_bytes = 1, .temporary_folder = path};
  CHECK_THROWS_WITH_AS(builder_of(set.slice(0, 1), nowhere, 1), doctest::Contains("No such file or directory"),
                       InputError);
}

TEST_CASE("align database: a full disk") {
  const genocl_test::TemporaryFolder folder;
  SequenceSet set(Alphabet::protein);
  set.extend("long", "", 1'000'000);
  DatabaseBuilder builder({.memory_bytes = 1000, .temporary_folder = folder.path().string()});
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  const auto old_action = signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;
  REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
  std::string said;
  try {
    builder.append(set.slice(0, 0));
    builder.append(set);
  } catch (const InputError& error) {
    said = error.what();
  }
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, old_action);
  CHECK(said == folder.path().string() + ": no room for a temporary file: File too large");
  set.clear();
  set.append_letters("short", "MKV");
  builder.append(set);
  CHECK_THROWS_WITH_AS(builder.finish(), "a database of which a part could not be kept", InputError);
  CHECK(std::filesystem::is_empty(folder.path()));
}

TEST_CASE("align database: progress goes from the first residue to the last") {
  const genocl_test::TemporaryFolder folder;
  SequenceSet set(Alphabet::protein);
  for (int i = 0; i < 20; ++i) set.extend("s" + std::to_string(i), "", 8'000'000);
  std::vector<ProgressState> told;
  builder_of(set, {.memory_bytes = 1'000'000}, 1)
      .save((folder.path() / "db").string(), [&](const ProgressState& state) {
        told.push_back(state);
        return true;
      });
  REQUIRE(told.size() >= 3);
  CHECK(told.back().fraction == 1);
  CHECK(told.back().items_done == set.residues());
  CHECK(std::ranges::is_sorted(told, {}, &ProgressState::items_done));
}

TEST_CASE("align database: every damage to a file is noticed") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "db").string(), other = (folder.path() / "other").string();
  SequenceSet set(Alphabet::protein);
  set.append_letters("one", "MKVLAWGDE", "first");
  set.append_letters("two", "MK");
  set.append_letters("three", "MKVLAWMKVLAW", "third");
  Database::build(set).save(path);
  const std::string whole = bytes_of(path);
  CHECK(complaint(path).empty());

  std::size_t unnoticed = 0, residues = 0;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i > 2000 && i % 4096 > 300) continue;  // zeros between sections: a few of them
    std::string bytes = whole;
    bytes[i] = static_cast<char>(bytes[i] ^ 1 << i % 8);
    put_bytes(other, bytes);
    unnoticed += complaint(other).empty();
    residues += complaint(other, false).empty();  // they alone are not looked at
  }
  CHECK(unnoticed == 0);
  CHECK(residues == set.residues());

  for (std::size_t size = 0; size < whole.size(); size += size < 1000 ? 1 : 1013) {
    put_bytes(other, whole.substr(0, size));
    CAPTURE(size);
    CHECK(complaint(other) != "");
    CHECK(complaint(other, false) != "");
  }
  put_bytes(other, whole + "x");
  CHECK(complaint(other) != "");
  std::string bytes = whole;
  bytes[12] = 9;
  put_bytes(other, bytes);
  CHECK(complaint(other) == ": a database of version 9; expected version 2: build it anew");
  bytes = whole;
  std::reverse(bytes.begin() + 8, bytes.begin() + 12);
  put_bytes(other, bytes);
  CHECK(complaint(other) == ":header: written on a machine of the other byte order");
  bytes = whole;
  bytes[1] = 'M';
  put_bytes(other, bytes);
  CHECK(complaint(other) == ": is not a database of genocl-align");
  CHECK_FALSE(Database::is_database(other));
  CHECK_FALSE(Database::is_database((folder.path() / "none").string()));
  CHECK_THROWS_AS(Database::open(path).shard(0, 2).save(other), InputError);
}

TEST_CASE("align database: whole files whose parts do not belong together") {
  const genocl_test::TemporaryFolder folder;
  const std::string path = (folder.path() / "db").string();
  SequenceSet set(Alphabet::protein);
  set.append_letters("one", "MKVLAWGDE", "first");
  set.append_letters("two", "MK");
  const Database database = Database::build(set);
  const align::DatabaseContent content = genocl::runtime::state_of(database).content;
  // With checksums that are right.
  const auto complaint_of = [&](const align::DatabaseContent& changed) {
    write_database(path, changed, runtime::section("codes", changed.codes));
    return complaint(path);
  };
  CHECK(complaint_of(content).empty());
  const std::string apart = ": its parts do not belong together; expected a database written by this version";
  using Numbers = std::vector<std::uint64_t>;
  const auto refused = [&](std::span<const std::uint64_t> align::DatabaseContent::*part, const Numbers& numbers) {
    align::DatabaseContent changed = content;
    changed.*part = numbers;
    CHECK(complaint_of(changed) == apart);
  };
  refused(&align::DatabaseContent::offsets, {0, 9, 11});  // the longer one first
  refused(&align::DatabaseContent::offsets, {1, 2, 11});
  refused(&align::DatabaseContent::numbers, {1, 2});
  refused(&align::DatabaseContent::numbers, {1, 1});
  refused(&align::DatabaseContent::ranks, {1});
  refused(&align::DatabaseContent::ranks, {0, 1});
  refused(&align::DatabaseContent::name_ends, {3, 7});
  refused(&align::DatabaseContent::name_ends, {9, 6});
  refused(&align::DatabaseContent::description_ends, {5, 4});
  refused(&align::DatabaseContent::letter_counts, {1, 2, 3});
  align::DatabaseContent changed = content;
  std::vector<Code> codes(content.codes.begin(), content.codes.end());
  codes[4] = 27;
  changed.codes = codes;
  CHECK(complaint_of(changed) == ": residues outside the alphabet; expected a database written by this version");
  changed = content;
  changed.codes = content.codes.first(10);
  CHECK(complaint_of(changed) == apart);
}
