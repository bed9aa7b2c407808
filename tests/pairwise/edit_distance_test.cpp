// Edit distances of pairs, against the scalar oracle.
#include "genocl/pairwise/edit_distance.hpp"

#include <doctest/doctest.h>

#include <string>

#include "genocl/error.hpp"
#include "pairwise/cases.hpp"
#include "reference/align_modes.hpp"

namespace {

using namespace genocl;
using namespace genocl::pairwise;
using genocl_test::Random;
using genocl_test::test_seed;
using pairwise_test::mutated;
using pairwise_test::Pairs;
using pairwise_test::random_codes;

using Sequence = std::vector<Code>;

void check_distances(const Device& device, const Pairs& pairs) {
  for (const bool begin : {false, true})
    for (const bool end : {false, true}) {
      CAPTURE(begin);
      CAPTURE(end);
      const std::vector<std::uint32_t> found = edit_distances(device, pairs.a, pairs.b, {begin, end});
      REQUIRE(found.size() == pairs.a.size());
      for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CAPTURE(pairs.a.length(i));
        CAPTURE(pairs.b.length(i));
        CHECK(found[i] == genocl_reference::edit_distance(pairs.a[i], pairs.b[i], begin, end));
      }
    }
}

void add_special(Pairs& pairs) {
  pairs.add({}, {});
  pairs.add({1}, {});
  pairs.add({}, {1, 2, 3});
  pairs.add({1}, {1});
  pairs.add({1}, {2});
  pairs.add({3, 1, 2, 0, 1}, {1, 2, 3, 1, 1, 0});
}

}  // namespace

TEST_CASE("tiny: pairwise edit distances") {
  for (const pairwise_test::Variant& variant : pairwise_test::variants()) {
    CAPTURE(variant.name);
    Pairs pairs(Alphabet::dna);
    add_special(pairs);
    // Lanes that hand values down; more than one strip.
    pairs.add(Sequence(140, 1), {1, 1, 2, 1, 3});
    pairs.add(Sequence(4100, 2), {2, 1, 2});
    check_distances(variant.device, pairs);
  }
}

TEST_CASE("pairwise: edit distances equal the oracle's") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    // As many bits of a letter as there can be.
    for (const unsigned letters : random.some_of<unsigned>({1, 2, 4, 5, 15, 27, 100, 256})) {
      CAPTURE(letters);
      Pairs pairs(letters > 27 ? Alphabet::bytes : letters > 15 ? Alphabet::protein : Alphabet::dna);
      add_special(pairs);
      for (int i = 0; i < 50; ++i) {
        const Sequence query = random_codes(random, random() % 300, letters);
        pairs.add(query, i % 3 == 0 ? random_codes(random, random() % 300, letters)
                                    : mutated(random, query, 2 + static_cast<unsigned>(random() % 20), letters));
      }
      check_distances(variant.device, pairs);
    }
  }
}

// Such letters are renumbered for the device; letters that are numbered without gaps are not copied.
TEST_CASE("pairwise: edit distances where few letters occur, and not the first") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    Pairs pairs(Alphabet::protein);
    for (int i = 0; i < 40; ++i) {
      Sequence query = random_codes(random, 1 + random() % 200, 2);
      Sequence subject = mutated(random, query, 5, 2);
      for (Sequence* const both : {&query, &subject})
        for (Code& code : *both) code = code == 0 ? 7 : 18;
      pairs.add(query, subject);
    }
    check_distances(variant.device, pairs);
  }
}

TEST_CASE("pairwise: edit distances around the ends of words and strips") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    Pairs pairs(Alphabet::dna);
    for (const std::size_t m : {31u,  32u,  33u,   63u,   64u,   65u,   127u,  128u,  129u,  256u, 257u,
                                511u, 513u, 1024u, 1025u, 2048u, 2049u, 4095u, 4096u, 4097u, 8193u}) {
      const Sequence query = random_codes(random, m, 4);
      if (m < 600) pairs.add(query, mutated(random, query, 10, 4));
      pairs.add(query, random_codes(random, 1 + random() % 40, 4));
      pairs.add(random_codes(random, 1 + random() % 200, 4), query);
    }
    check_distances(variant.device, pairs);
  }
}

TEST_CASE("pairwise: edit distances of text, on several devices") {
  SequenceSet a(Alphabet::bytes), b(Alphabet::bytes);
  a.append_letters("1", "kitten");
  b.append_letters("1", "sitting");
  a.append_letters("2", "Levenshtein");
  b.append_letters("2", "levenshtein");
  a.append_letters("3", "needle");
  b.append_letters("3", "a haystack with a nedle in it");
  const std::vector<Device> devices = {pairwise_test::test_device(), pairwise_test::test_device().with_own_queue()};
  CHECK(edit_distances(devices, a, b) == std::vector<std::uint32_t>{3, 1, 25});
  CHECK(edit_distances(devices, a, b, {true, true}) == std::vector<std::uint32_t>{2, 1, 1});
  CHECK_THROWS_AS(edit_alignments(devices, a, b), InputError);
  std::uint64_t done = 0;
  EditOptions options;
  options.progress = [&](const ProgressState& state) {
    done = state.items_done;
    return true;
  };
  edit_distances(devices, a, b, options);
  CHECK(done == 6 * 7 + 11 * 11 + 6 * 29);
  options.progress = [](const ProgressState&) { return false; };
  CHECK_THROWS_AS(edit_distances(devices, a, b, options), Cancelled);
  CHECK_THROWS_AS(edit_distances(devices, a, SequenceSet(Alphabet::bytes)), InputError);
  SequenceSet dna(Alphabet::dna);
  for (int i = 0; i < 3; ++i) dna.append_letters("d", "ACGT");
  CHECK_THROWS_AS(edit_distances(devices, a, dna), InputError);
}

TEST_CASE("pairwise: alignments with the edits of the distance") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const pairwise_test::Variant& variant : pairwise_test::drawn_variants()) {
    CAPTURE(variant.name);
    Pairs pairs(Alphabet::dna);
    add_special(pairs);
    for (int i = 0; i < 30; ++i) {
      const Sequence query = random_codes(random, random() % 400, 4);
      pairs.add(query, mutated(random, query, 6, 4));
    }
    for (const bool free : {false, true}) {
      const std::vector<Alignment> found = edit_alignments(variant.device, pairs.a, pairs.b, {free, free});
      const std::vector<std::uint32_t> distances = edit_distances(variant.device, pairs.a, pairs.b, {free, free});
      for (std::size_t i = 0; i < found.size(); ++i) {
        CAPTURE(i);
        CHECK(found[i] == genocl_reference::end_to_end_alignment(pairs.a[i], pairs.b[i],
                                                                 Matrix::unit_costs(Alphabet::dna), {0, 1},
                                                                 {false, false, free, free}));
        CHECK(found[i].columns() - found[i].identities == distances[i]);
        CHECK(found[i].query_end - found[i].query_begin == pairs.a.length(i));
      }
    }
  }
}
