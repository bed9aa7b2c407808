#include <doctest/doctest.h>
#include <algorithm>

#include "genocl/error.hpp"
#include "genocl/sequence.hpp"
#include "reference/sequence.hpp"
#include "sequence/random_sequences.hpp"

using genocl::Alphabet;
using genocl::AmbiguousRun;
using genocl::Code;
using genocl::InputError;
using genocl::PackedDna;
using genocl::SequenceSet;

static_assert(sizeof(AmbiguousRun) == 16 && std::is_trivially_copyable_v<AmbiguousRun>);

namespace {

PackedDna pack(std::string_view letters) { return PackedDna(genocl::encode(Alphabet::dna, letters)); }

std::string letters_of(const PackedDna& packed) { return genocl::decode(Alphabet::dna, packed.unpack()); }

}  // namespace

TEST_CASE("packed words are what the documentation says") {
  const PackedDna packed = pack("CAT");
  REQUIRE(packed.words().size() == 2);
  CHECK(packed.words()[0] == 0b010011ull << 58);
  CHECK(packed.words()[1] == 0);
  CHECK(packed.size() == 3);
  CHECK(pack(std::string(32, 'T')).words()[0] == UINT64_MAX);
  // The order of the words is the order of the text.
  CHECK(pack("ACGT").words()[0] < pack("ACTA").words()[0]);
  CHECK(pack("CAAA").words()[0] > pack("ATTT").words()[0]);
}

TEST_CASE("nothing packed") {
  for (const PackedDna& packed : {PackedDna(), pack(""), PackedDna(SequenceSet())}) {
    CHECK(packed.empty());
    CHECK(packed.words().size() == 1);
    CHECK(packed.window(0) == 0);
    CHECK(packed.unpack().empty());
    CHECK(packed.ambiguity_mask().size() == 1);
    CHECK(packed.reverse_complement().empty());
    CHECK_FALSE(packed.is_ambiguous(0, 10));
  }
}

TEST_CASE("packing against base by base") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 300; ++round) {
    const std::size_t length = round < 140 ? static_cast<std::size_t>(round) : random.below(3000);
    const std::string letters = round % 2 == 0 ? random.dna(length) : random.text(length, "ACGT");
    CAPTURE(letters);
    const PackedDna packed = pack(letters);
    const std::string bits = genocl_reference::bits_of(letters);
    REQUIRE(packed.words().size() == (length + 31) / 32 + 1);
    for (std::size_t w = 0; w < packed.words().size(); ++w)
      REQUIRE(packed.words()[w] ==
              genocl_reference::word_of(std::string_view(bits).substr(std::min(bits.size(), 64 * w), 64)));
    REQUIRE(letters_of(packed) == letters);
    const std::vector<std::uint64_t> mask = packed.ambiguity_mask();
    REQUIRE(mask.size() == (length + 63) / 64 + 1);
    CHECK(mask.back() == 0);
    for (std::size_t i = 0; i < length; ++i) {
      const bool ambiguous = genocl_reference::iupac_bases(letters[i]).size() > 1;
      REQUIRE(packed[i] == genocl::dna::encode(letters[i]));
      REQUIRE(packed.base(i) == (ambiguous ? 0 : genocl::dna::encode(letters[i])));
      REQUIRE((mask[i / 64] >> (63 - i % 64) & 1) == (ambiguous ? 1 : 0));
      REQUIRE(packed.is_ambiguous(i, 1) == ambiguous);
    }
    for (std::size_t i = 0; i <= length; i += 1 + random.below(5))
      REQUIRE(packed.window(i) == genocl_reference::word_of(std::string_view(bits).substr(2 * i)));
    for (int part = 0; part < 10; ++part) {
      const std::size_t first = random.below(length + 1);
      std::vector<Code> codes(random.below(length - first + 1));
      packed.unpack(first, codes);
      const std::string expected = letters.substr(first, codes.size());
      REQUIRE(genocl::decode(Alphabet::dna, codes) == expected);
      REQUIRE(packed.is_ambiguous(first, codes.size()) == (expected.find_first_not_of("ACGT") != std::string::npos));
    }
    const PackedDna other = packed.reverse_complement();
    REQUIRE(letters_of(other) == genocl_reference::reverse_complement(letters));
    REQUIRE(other == pack(genocl_reference::reverse_complement(letters)));
  }
}

TEST_CASE("runs are as few as can be and stay within their record") {
  const PackedDna one = pack("ANNNRRA" + std::string(100, 'N'));
  REQUIRE(one.runs().size() == 3);
  CHECK(one.runs()[0] == AmbiguousRun{.position = 1, .length = 3, .code = genocl::dna::unknown});
  CHECK(one.runs()[1] == AmbiguousRun{.position = 4, .length = 2, .code = genocl::dna::encode('R')});
  CHECK(one.runs()[2] == AmbiguousRun{.position = 7, .length = 100, .code = genocl::dna::unknown});

  SequenceSet set;
  set.append_letters("a", "ACNN");
  set.append_letters("b", "");
  set.append_letters("c", "NNAC");
  const PackedDna two(set);
  REQUIRE(two.runs().size() == 2);
  CHECK(two.runs()[0] == AmbiguousRun{.position = 2, .length = 2, .code = genocl::dna::unknown});
  CHECK(two.runs()[1] == AmbiguousRun{.position = 4, .length = 2, .code = genocl::dna::unknown});
  CHECK(std::ranges::equal(two.offsets(), set.offsets()));
  CHECK(std::ranges::equal(two.unpack(), set.codes()));
  CHECK(two.is_ambiguous(1, 2));
  CHECK_FALSE(two.is_ambiguous(0, 2));
  CHECK_FALSE(two.is_ambiguous(6, UINT64_MAX));
  CHECK_FALSE(two.is_ambiguous(2, 0));
}

TEST_CASE("packed sets") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 20; ++round) {
    const SequenceSet set = random.set(Alphabet::dna, false, random.below(30), 120);
    const PackedDna packed(set);
    CHECK(std::ranges::equal(packed.offsets(), set.offsets()));
    CHECK(std::ranges::equal(packed.unpack(), set.codes()));
    const PackedDna other = packed.reverse_complement();
    REQUIRE(other.offsets().size() == set.size() + 1);
    const SequenceSet expected = set.reverse_complement();
    for (std::size_t i = 0; i < set.size(); ++i) {
      const std::size_t j = set.size() - 1 - i;
      std::vector<Code> codes(other.offsets()[j + 1] - other.offsets()[j]);
      other.unpack(other.offsets()[j], codes);
      CHECK(std::ranges::equal(codes, expected[i]));
    }
    CHECK(other.reverse_complement() == packed);
  }
}

TEST_CASE("what cannot be packed") {
  CHECK_THROWS_AS(PackedDna(SequenceSet(Alphabet::protein)), InputError);
  std::vector<Code> codes(100, 1);
  codes[70] = 15;
  CHECK_THROWS_WITH_AS(PackedDna{std::span<const Code>(codes)}, "PackedDna: code 15 at position 70 is not a DNA code",
                       InputError);
  const PackedDna packed = pack("ACGT");
  std::vector<Code> three(3);
  CHECK_NOTHROW(packed.unpack(1, three));
  CHECK_THROWS_AS(packed.unpack(2, three), InputError);
  CHECK_THROWS_AS(packed.unpack(UINT64_MAX, three), InputError);
}

TEST_CASE("the reverse complement of a word") {
  GENOCL_SHOW_SEED();
  genocl_test::RandomSequences random;
  for (int round = 0; round < 100; ++round) {
    const std::string letters = random.text(32, "ACGT");
    const std::string other = genocl_reference::reverse_complement(letters);
    CHECK(genocl::reverse_complement(genocl_reference::word_of(genocl_reference::bits_of(letters))) ==
          genocl_reference::word_of(genocl_reference::bits_of(other)));
  }
}

// Where it is allowed the memory, as positions that 32 bits cannot hold need it.
TEST_CASE("positions past 4 Gi") {
  if (std::getenv("GENOCL_TEST_LARGE") == nullptr) {
    MESSAGE("left out: set GENOCL_TEST_LARGE=1 (7 GB of memory)");
    return;
  }
  constexpr std::uint64_t first = 4'500'000'000, second = 500'000'000, all = first + second;
  constexpr std::uint32_t longest_run = UINT32_MAX;
  SequenceSet set;
  set.reserve(2, all);
  std::ranges::fill(set.extend("first", "", first).codes, genocl::dna::unknown);
  const std::span<Code> codes = set.extend("second", "", second).codes;
  codes[second - 100] = genocl::dna::encode('R');
  codes[second - 99] = 3;
  CHECK(set.residues() == all);
  CHECK(set.length(0) == first);
  CHECK(set.locate(all - 1) == SequenceSet::Location{.record = 1, .position = second - 1});
  CHECK(set.letter_counts()[genocl::dna::unknown] == first);
  CHECK(set.batches({.residues = all}).size() == 1);
  CHECK(set.batches({.residues = all - 1}).size() == 2);

  const PackedDna packed(set);
  const std::uint64_t far = all - 100;
  REQUIRE(packed.runs().size() == 3);
  CHECK(packed.runs()[0] == AmbiguousRun{.position = 0, .length = longest_run, .code = genocl::dna::unknown});
  CHECK(packed.runs()[1] == AmbiguousRun{.position = longest_run,
                                         .length = static_cast<std::uint32_t>(first - longest_run),
                                         .code = genocl::dna::unknown});
  CHECK(packed.runs()[2] == AmbiguousRun{.position = far, .length = 1, .code = genocl::dna::encode('R')});
  CHECK(packed.offsets()[2] == all);
  CHECK(packed[longest_run] == genocl::dna::unknown);
  CHECK(packed[first] == 0);
  CHECK(packed[far] == genocl::dna::encode('R'));
  CHECK(packed[far + 1] == 3);
  CHECK(packed[far + 2] == 0);
  CHECK(packed.is_ambiguous(first, far + 1 - first));
  CHECK_FALSE(packed.is_ambiguous(first, far - first));
  const std::uint64_t first_bases = packed.window(far + 1) >> 60;
  CHECK(first_bases == 0b1100);
  const PackedDna other = packed.reverse_complement();
  CHECK(other.runs()[0] == AmbiguousRun{.position = 99, .length = 1, .code = genocl::dna::encode('Y')});
  CHECK(other.offsets()[1] == second);
}

TEST_CASE("a packed text that was moved from is an empty one") {
  const SequenceSet empty;
  for (const bool assigned : {false, true}) {
    PackedDna text(std::vector<Code>(100, 2)), other;
    if (assigned)
      other = std::move(text);
    else
      PackedDna(std::move(text)).size();
    // NOLINTBEGIN(bugprone-use-after-move): that is what is tested
    CHECK(text.empty());
    CHECK(text.window(0) == 0);
    REQUIRE(text.words().size() == 1);
    CHECK(text.words()[0] == 0);
    REQUIRE(text.offsets().size() == 1);
    CHECK(text.unpack().empty());
    CHECK_FALSE(text.is_ambiguous(0, 0));
    CHECK(text == PackedDna(empty));
    CHECK(text.reverse_complement() == text);
    text = PackedDna(std::vector<Code>{3});
    CHECK(text[0] == 3);
    // NOLINTEND(bugprone-use-after-move)
  }
}
