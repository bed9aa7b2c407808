#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "align/cases.hpp"
#include "genocl/align/database.hpp"
#include "genocl/error.hpp"

using namespace genocl;
using align::Database;
using align_test::new_seed;
using align_test::random_set;

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

}  // namespace

TEST_CASE("align database: equal to what it was built from, sorted by length, ties in order") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
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
  SequenceSet set(Alphabet::protein);
  set.append_letters("short", "MKV");
  set.extend("long", "", Database::longest_sequence);
  CHECK(Database::build(set).longest() == Database::longest_sequence);
  set.pop_back();
  set.extend("long", "", Database::longest_sequence + 1);
  try {
    Database::build(set);
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(std::string(error.what()) == "sequence 2 (long): 16777217 letters; expected 16777216 at most");
  }
}

TEST_CASE("align database: shards part the database into like shares") {
  const std::uint64_t seed = new_seed();
  CAPTURE(seed);
  std::mt19937_64 random(seed);
  const SequenceSet set = random_set(random, 997, 300);
  const Database database = Database::build(set);
  for (const std::size_t n : {1, 2, 3, 7, 997, 1200}) {
    CAPTURE(n);
    std::vector<int> seen(set.size(), 0);
    std::uint64_t residues = 0, least = ~std::uint64_t{0}, most = 0;
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const Database shard = database.shard(i, n);
      CHECK(shard.is_shard());
      CHECK(shard.whole() == database.whole());
      check_order(shard);
      std::uint64_t sum = 0;
      for (std::size_t rank = 0; rank < shard.size(); ++rank) {
        const std::size_t number = shard.number(rank);
        ++seen[number];
        sum += shard.length_at(rank);
        wrong += shard.rank(number) != rank || shard.name(number) != set.name(number) ||
                 !std::ranges::equal(shard.sequence(number), set[number]) ||
                 !std::ranges::equal(shard.sequence_at(rank), set[number]);
      }
      CHECK(sum == shard.residues());
      residues += sum;
      least = std::min(least, sum);
      most = std::max(most, sum);
    }
    CHECK(wrong == 0);
    CHECK(residues == set.residues());
    CHECK(std::ranges::all_of(seen, [](int times) { return times == 1; }));
    CHECK(most - least <= set.longest());  // one sequence more or less
  }
  CHECK_THROWS_AS(database.shard(0, 0), InputError);
  CHECK_THROWS_AS(database.shard(2, 2), InputError);
  const Database part = database.shard(1, 2).shard(0, 3);  // of a shard
  CHECK(part.size() == 166);
  CHECK(part.sequence(part.number(5)).size() == part.length_at(5));
}
