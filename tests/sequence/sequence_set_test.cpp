#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "genocl/error.hpp"
#include "genocl/sequence.hpp"
#include "reference/sequence.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::Code;
using genocl::InputError;
using genocl::Interval;
using genocl::PackedDna;
using genocl::RecordRange;
using genocl::SequenceSet;

namespace {

SequenceSet lengths(std::initializer_list<std::size_t> all) {
  SequenceSet set;
  for (const std::size_t length : all) set.append_letters("", std::string(length, 'A'));
  return set;
}

}  // namespace

TEST_CASE("an empty set") {
  const SequenceSet set;
  CHECK(set.empty());
  CHECK(set.size() == 0);
  CHECK(set.residues() == 0);
  CHECK(set.longest() == 0);
  CHECK(set.codes().empty());
  REQUIRE(set.offsets().size() == 1);
  CHECK(set.offsets()[0] == 0);
  CHECK(set.batches({}).empty());
  CHECK(set.slice(0, 0) == set);
  CHECK(set.reverse_complement() == set);
  for (const double frequency : set.letter_frequencies()) CHECK(frequency == 0);
  CHECK_THROWS_AS(set.locate(0), InputError);
  CHECK_THROWS_AS(SequenceSet().pop_back(), InputError);
}

TEST_CASE("records keep their parts") {
  SequenceSet set(Alphabet::dna, true);
  const std::vector<std::uint8_t> quality = {0, 40, 93};
  set.append_letters("first", "acN", "a description", quality);
  set.append_letters("", "", "", {});
  set.append("third", genocl::encode(Alphabet::dna, "RYT"), "", quality);
  REQUIRE(set.size() == 3);
  CHECK(set.residues() == 6);
  CHECK(set.longest() == 3);
  CHECK(set.name(0) == "first");
  CHECK(set.description(0) == "a description");
  CHECK(set.letters(0) == "ACN");
  CHECK(set.name(1).empty());
  CHECK(set.description(1).empty());
  CHECK(set.length(1) == 0);
  CHECK(set.quality(1).empty());
  CHECK(set.name(2) == "third");
  CHECK(set.description(2).empty());
  CHECK(set.letters(2) == "RYT");
  CHECK(std::ranges::equal(set.quality(2), quality));
  CHECK(std::ranges::equal(set.offsets(), std::vector<std::uint64_t>{0, 3, 3, 6}));
  CHECK(set.codes({.first = 1, .count = 2}).size() == 3);
}

TEST_CASE("what does not fit is refused and changes nothing") {
  SequenceSet plain;
  plain.append_letters("a", "ACGT");
  const SequenceSet before = plain;
  const std::vector<std::uint8_t> four(4, 30);
  CHECK_THROWS_WITH_AS(plain.append("b", std::vector<Code>{0, 15}),
                       "record 2 (b): code 15 at position 1 is not of the alphabet; expected DNA", InputError);
  CHECK_THROWS_AS(plain.append_letters("b", "ACGJ"), InputError);
  CHECK_THROWS_AS(plain.append_letters("b", "ACGT", "", four), InputError);
  CHECK(plain == before);

  SequenceSet scored(Alphabet::dna, true);
  CHECK_THROWS_AS(scored.append_letters("b", "ACGT"), InputError);
  CHECK_THROWS_AS(scored.append_letters("b", "ACG", "", four), InputError);
  const std::vector<std::uint8_t> high = {30, 94};
  CHECK_THROWS_AS(scored.append_letters("b", "AC", "", high), InputError);
  CHECK(scored.empty());
}

TEST_CASE("equality sees every part") {
  const auto make = [](const char* name, const char* description, const char* first, const char* second) {
    SequenceSet set;
    set.append_letters(name, first, description);
    set.append_letters("z", second);
    return set;
  };
  const SequenceSet set = make("a", "b", "AC", "GT");
  CHECK(set == make("a", "b", "AC", "GT"));
  CHECK(set != make("x", "b", "AC", "GT"));
  CHECK(set != make("a", "x", "AC", "GT"));
  CHECK(set != make("ab", "", "AC", "GT"));
  CHECK(set != make("a", "b", "ACG", "T"));
  CHECK(set != make("a", "b", "AC", "GA"));
}

TEST_CASE("extend and pop_back") {
  SequenceSet set;
  set.append_letters("a", "AC", "d");
  const SequenceSet before = set;
  const SequenceSet::Extension room = set.extend("b", "e", 3);
  REQUIRE(room.codes.size() == 3);
  CHECK(room.quality.empty());
  room.codes[2] = 3;
  CHECK(set.letters(1) == "AAT");
  set.pop_back();
  CHECK(set == before);
  set.pop_back();
  CHECK(set == SequenceSet());
}

TEST_CASE("clear, reset, reserve and a set that was moved from") {
  SequenceSet set;
  set.append_letters("a", "ACGT");
  set.reserve(1000, 1000, 1000);
  CHECK(set.letters(0) == "ACGT");
  const Code* const memory = set.codes().data();
  for (int i = 0; i < 100; ++i) set.append_letters("b", "ACGTACGTAC");
  CHECK(set.codes().data() == memory);
  set.clear();
  CHECK(set == SequenceSet());
  set.append_letters("b", "A");
  CHECK(set.codes().data() == memory);

  const SequenceSet taken = std::move(set);
  CHECK(taken.size() == 1);
  CHECK(set.empty());  // NOLINT(bugprone-use-after-move): that is what is tested
  set.append_letters("c", "CC");
  CHECK(set.letters(0) == "CC");
  CHECK(set.name(0) == "c");
  set.reset(Alphabet::protein, true);
  CHECK(set == SequenceSet(Alphabet::protein, true));
}

TEST_CASE("a set that was moved from is an empty one in every call") {
  for (const bool assigned : {false, true}) {
    SequenceSet set(Alphabet::dna, true), other;
    set.append("a", std::vector<Code>{0, 1, 2}, "b c", std::vector<std::uint8_t>{1, 2, 3});
    set.mask(0, std::vector<Interval>{{1, 2}});
    if (assigned)
      other = std::move(set);
    else
      SequenceSet(std::move(set)).size();
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
    CHECK(set.size() == 0);
    CHECK(set.longest() == 0);
    CHECK(set.codes({}).empty());
    REQUIRE(set.offsets().size() == 1);
    CHECK(set.offsets()[0] == 0);
    CHECK(set.slice(0, 0) == set);
    CHECK(set == SequenceSet(Alphabet::dna, true));
    CHECK(SequenceSet(Alphabet::dna, true) == set);
    CHECK(set.reverse_complement() == set);
    CHECK(set.batches({}).empty());
    CHECK(set.batch(0, {}) == RecordRange());
    CHECK_THROWS_AS(set.locate(0), InputError);
    CHECK_THROWS_AS(set.pop_back(), InputError);
    CHECK(PackedDna(set).size() == 0);
    set.clear();
    set.reserve(2, 2, 2);
    set.append("d", std::vector<Code>{3}, {}, std::vector<std::uint8_t>{9});
    CHECK(set.letters(0) == "T");
    CHECK(set.offsets()[1] == 1);
    set.pop_back();
    CHECK(set == SequenceSet(Alphabet::dna, true));
    // NOLINTEND(bugprone-use-after-move)
  }
}

TEST_CASE("what is appended may be of the set itself") {
  SequenceSet set(Alphabet::dna, true);
  std::vector<Code> codes;
  std::vector<std::uint8_t> quality;
  for (int i = 0; i < 37; ++i) {
    codes.push_back(static_cast<Code>(i % 4));
    quality.push_back(static_cast<std::uint8_t>(i));
  }
  const std::string name = "the name of a record that is too long for a string's own room";
  const std::string description = "and a description that is no shorter than the name is, and longer";
  set.append(name, codes, description, quality);
  // Memory grows on the way, at other times for names than for codes.
  for (std::size_t i = 0; i < 200; ++i) {
    set.append(set.name(i), set[i], set.description(i), set.quality(i));
    REQUIRE(set.size() == i + 2);
    for (const std::size_t at : {std::size_t{0}, i, i + 1}) {
      CHECK(set.name(at) == name);
      CHECK(set.description(at) == description);
      CHECK(std::ranges::equal(set[at], codes));
      CHECK(std::ranges::equal(set.quality(at), quality));
    }
  }
  SequenceSet plain;
  plain.append_letters("x", "ACGT");
  for (int i = 0; i < 100; ++i) {
    plain.append(plain.name(0), plain[0].subspan(1, 2), plain.name(0));
    plain.extend(plain.name(0), plain.description(1), 0);
  }
  CHECK(plain.letters(199) == "CG");
  CHECK(plain.description(199) == "x");
}

TEST_CASE("batches") {
  const SequenceSet set = lengths({3, 0, 4, 10, 1, 1, 0});
  const auto batches = set.batches({.residues = 7});
  REQUIRE(batches.size() == 3);
  CHECK(batches[0] == genocl::RecordRange{.first = 0, .count = 3, .residues = 7});
  CHECK(batches[1] == genocl::RecordRange{.first = 3, .count = 1, .residues = 10});
  CHECK(batches[2] == genocl::RecordRange{.first = 4, .count = 3, .residues = 2});
  CHECK(set.batches({.records = 3}).size() == 3);
  CHECK(set.batches({.residues = 0, .records = 0}).size() == 7);
  CHECK(set.batches({}).size() == 1);
  // One from anywhere.
  CHECK(set.batch(1, {.residues = 7}) == genocl::RecordRange{.first = 1, .count = 2, .residues = 4});
  CHECK(set.batch(3, {.residues = 7}) == genocl::RecordRange{.first = 3, .count = 1, .residues = 10});
  CHECK(set.batch(4, {.records = 2}) == genocl::RecordRange{.first = 4, .count = 2, .residues = 2});
  CHECK(set.batch(7, {}) == genocl::RecordRange{.first = 7, .count = 0, .residues = 0});
}

TEST_CASE("batches of random sets cover all and keep within their limits") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 50; ++round) {
    const SequenceSet set = random.set(Alphabet::dna, false, random.below(40), 50);
    const genocl::BatchLimits limits{.residues = random.below(200), .records = 1 + random.below(10)};
    std::size_t next = 0;
    for (const auto& batch : set.batches(limits)) {
      CHECK(batch.first == next);
      CHECK(batch.count >= 1);
      CHECK(batch.count <= limits.records);
      CHECK(batch.residues == set.codes(batch).size());
      if (batch.count > 1) CHECK(batch.residues <= limits.residues);
      next += batch.count;
      // As many as fit: one more would not have.
      if (next < set.size())
        CHECK((batch.count == limits.records || batch.residues + set.length(next) > limits.residues));
    }
    CHECK(next == set.size());
  }
}

TEST_CASE("slices put together are the whole") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const SequenceSet set = random.set(Alphabet::protein, true, 30, 40);
  for (const std::size_t cut : {0u, 1u, 13u, 29u, 30u}) {
    SequenceSet whole = set.slice(0, cut);
    CHECK(whole.size() == cut);
    const SequenceSet rest = set.slice(cut, set.size() - cut);
    for (std::size_t i = 0; i < rest.size(); ++i)
      whole.append(rest.name(i), rest[i], rest.description(i), rest.quality(i));
    CHECK(whole == set);
  }
  CHECK_THROWS_AS(set.slice(31, 0), InputError);
  CHECK_THROWS_AS(set.slice(1, 30), InputError);
  CHECK_THROWS_AS(set.slice(1, SIZE_MAX), InputError);
}

TEST_CASE("reverse complement of a set") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  const SequenceSet set = random.set(Alphabet::dna, true, 20, 100);
  const SequenceSet other = set.reverse_complement();
  REQUIRE(other.size() == set.size());
  for (std::size_t i = 0; i < set.size(); ++i) {
    CHECK(other.letters(i) == genocl_reference::reverse_complement(set.letters(i)));
    CHECK(other.name(i) == set.name(i));
    CHECK(std::equal(set.quality(i).begin(), set.quality(i).end(), other.quality(i).rbegin(), other.quality(i).rend()));
  }
  CHECK(other.reverse_complement() == set);
  CHECK_THROWS_AS(SequenceSet(Alphabet::protein).reverse_complement(), InputError);
}

TEST_CASE("locate") {
  const SequenceSet set = lengths({0, 3, 0, 0, 2, 0});
  using Location = SequenceSet::Location;
  CHECK(set.locate(0) == Location{.record = 1, .position = 0});
  CHECK(set.locate(2) == Location{.record = 1, .position = 2});
  CHECK(set.locate(3) == Location{.record = 4, .position = 0});
  CHECK(set.locate(4) == Location{.record = 4, .position = 1});
  CHECK_THROWS_AS(set.locate(5), InputError);
}

TEST_CASE("letter counts and frequencies") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (const Alphabet alphabet : {Alphabet::dna, Alphabet::protein, Alphabet::bytes}) {
    const SequenceSet set = random.set(alphabet, false, 10, 300);
    std::vector<std::uint64_t> expected(genocl::alphabet_size(alphabet));
    for (const Code code : set.codes()) ++expected[code];
    CHECK(set.letter_counts() == expected);
    const std::vector<double> frequencies = set.letter_frequencies();
    CHECK(std::accumulate(frequencies.begin(), frequencies.end(), 0.0) == doctest::Approx(1));
    CHECK(frequencies[1] == doctest::Approx(static_cast<double>(expected[1]) / static_cast<double>(set.residues())));
  }
}

TEST_CASE("masks are joined, and go with their records") {
  using genocl::Interval;
  using Ranges = std::vector<Interval>;
  const auto masked = [](const SequenceSet& set, std::size_t i) {
    return Ranges(set.masked(i).begin(), set.masked(i).end());
  };
  SequenceSet set(Alphabet::dna);
  set.append_letters("a", "ACGTACGTAC");
  set.append_letters("b", "ACGT");
  set.append_letters("c", "ACGTAC");
  const SequenceSet plain = set;
  set.mask(2, Ranges{{4, 6}, {0, 1}, {3, 3}});
  CHECK(masked(set, 2) == Ranges{{0, 1}, {4, 6}});
  set.mask(2, Ranges{{1, 2}, {3, 5}});
  CHECK(masked(set, 2) == Ranges{{0, 2}, {3, 6}});
  CHECK(masked(set, 0).empty());
  CHECK(set != plain);
  CHECK(set.codes().size() == plain.codes().size());
  CHECK(masked(set.reverse_complement(), 2) == Ranges{{0, 3}, {4, 6}});
  CHECK(set.reverse_complement().reverse_complement() == set);
  CHECK(masked(set.slice(1, 2), 1) == masked(set, 2));
  CHECK(set.slice(0, 2) == plain.slice(0, 2));
  CHECK_THROWS_WITH_AS(set.mask(1, Ranges{{2, 5}}), "record 2 (b): a mask of letters 2 to 5; expected within its 4",
                       genocl::InputError);
  CHECK_THROWS_AS(set.mask(1, Ranges{{3, 2}}), genocl::InputError);
  set.pop_back();
  CHECK(set == plain.slice(0, 2));
  set.append_letters("c", "ACGTAC");
  CHECK(set == plain);
  set.mask(0, Ranges{{0, 10}});
  set.clear();
  set.append_letters("d", "ACGTACGTACGT");
  CHECK(set.masked(0).empty());
}
