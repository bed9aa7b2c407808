// Texts on a device and in host memory: codes and separators.
#include "genocl/overlap/text.hpp"

#include <array>
#include <span>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/cases.hpp"
#include "overlap/text/text.hpp"
#include "runtime/state_access.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

/// '-' for a separator.
std::string unpacked(const overlap::Text& text) {
  const overlap::Text::State& state = genocl::runtime::state_of(text);
  const std::vector<std::uint64_t> words = state.words.download();
  const std::vector<std::uint32_t> separators = state.separators.download();
  std::string letters;
  for (std::uint64_t i = 0; i < state.size; ++i) {
    const std::uint64_t bit = i * state.bits;
    const std::uint64_t code = words[bit / 64] >> (64 - state.bits - bit % 64) & ((1u << state.bits) - 1);
    const bool is_separator = state.has_separators && (separators[i / 32] >> (31 - i % 32) & 1) != 0;
    if (is_separator) CHECK(code == 0);
    letters += is_separator ? '-' : static_cast<char>(state.alphabet[code]);
  }
  for (std::uint64_t bit = state.size * state.bits; bit < 64 * words.size(); bit += state.bits)
    CHECK((words[bit / 64] >> (64 - state.bits - bit % 64) & ((1u << state.bits) - 1)) == 0);
  return letters;
}

/// Both placements hold the same text, and copies go both ways.
void check_same(const overlap::Text& host, const overlap::Text& text) {
  const overlap::Text::State &there = genocl::runtime::state_of(host), &expected = genocl::runtime::state_of(text);
  CHECK(host.is_on_host());
  CHECK_FALSE(text.is_on_host());
  CHECK(there.size == expected.size);
  CHECK(there.bits == expected.bits);
  CHECK(there.has_separators == expected.has_separators);
  CHECK(there.alphabet == expected.alphabet);
  CHECK(there.begins == expected.begins);
  CHECK(there.host_words == expected.words.download());
  CHECK(there.host_separators == expected.separators.download());
  CHECK(host.bytes() == expected.words.bytes() + expected.separators.bytes());
  CHECK(genocl::runtime::state_of(text.copy_to(overlap::on_host)).host_words == there.host_words);
  const overlap::Text copy = host.copy_to(text.device());
  CHECK(genocl::runtime::state_of(copy).words.download() == there.host_words);
  CHECK(genocl::runtime::state_of(copy).separators.download() == there.host_separators);
  CHECK(&genocl::runtime::state_of(host.copy_to(overlap::on_host)) == &genocl::runtime::state_of(host));
  CHECK(&genocl::runtime::state_of(text.copy_to(text.device())) == &genocl::runtime::state_of(text));
}

SequenceSet drawn_records(Random& random, std::size_t most, unsigned letters) {
  SequenceSet records;
  for (std::size_t record = 0; record < most; ++record) {
    const Bytes text = random_text(random, record % 5 == 4 ? 0 : random() % 400, letters);
    records.append_letters("", std::string(text.begin(), text.end()));
  }
  return records;
}

}  // namespace

TEST_CASE("tiny: overlap texts contain their input") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const auto& named : hard_texts(300, test_seed())) {
      const std::string& name = named.first;
      const Bytes& bytes = named.second;
      CAPTURE(name);
      const overlap::Text text(variant.device, bytes);
      CHECK(unpacked(text) == std::string(bytes.begin(), bytes.end()));
      CHECK_FALSE(text.has_separators());
    }
    SequenceSet first, second;
    first.append_letters("a", "ACGTNNGT");
    first.append_letters("b", "");
    second.append_letters("c", "rTTA");
    const std::array<const SequenceSet*, 2> sets = {&first, &second};
    const overlap::Text bases = overlap::Text::separated(variant.device, sets);
    CHECK(unpacked(bases) == "ACGT--GT---TTA-");
    CHECK(bases.bits() == 2);
    CHECK(std::vector<std::uint64_t>(bases.begins().begin(), bases.begins().end()) ==
          std::vector<std::uint64_t>{0, 9, 10, 15});
    const overlap::Text written =
        overlap::Text::separated(variant.device, sets, {.letters = overlap::Letters::written});
    CHECK(unpacked(written) == "ACGTNNGT--RTTA-");
    CHECK(written.bits() == 4);
    CHECK(unpacked(overlap::Text::concatenated(variant.device, first)) == "ACGTNNGT");
    const Bytes zero(40, 0), all = {0, 255, 1};
    const std::array<std::span<const std::uint8_t>, 2> strings = {zero, all};
    const overlap::Text records = overlap::Text::separated(variant.device, strings);
    CHECK(records.size() == 45);
    CHECK(unpacked(records).substr(40) == std::string("-\0\xff\1-", 5));
  }
}

TEST_CASE("texts on the host are packed as devices pack them") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device& device = test_device();
  for (const std::size_t length : {1, 2, 31, 32, 33, 1'000})
    for (const auto& hard : hard_texts(length, test_seed())) {
      const auto& name = hard.first;
      const auto& bytes = hard.second;
      CAPTURE(name);
      check_same(overlap::Text(overlap::on_host, bytes), overlap::Text(device, bytes));
      const std::vector<std::span<const std::uint8_t>> records = {bytes, std::span(bytes).first(bytes.size() / 3), {}};
      check_same(overlap::Text::separated(overlap::on_host, records), overlap::Text::separated(device, records));
    }
  // Several blocks of the packer.
  const Bytes bytes = random_text(random, (1 << 20) + 77);
  check_same(overlap::Text(overlap::on_host, bytes), overlap::Text(device, bytes));
  for (const unsigned letters : {4u, 5u, 15u}) {
    const SequenceSet first = drawn_records(random, 30, letters), second = drawn_records(random, 3, letters);
    const std::vector<const SequenceSet*> sets = {&first, &second};
    check_same(overlap::Text::concatenated(overlap::on_host, first), overlap::Text::concatenated(device, first));
    for (const overlap::Letters kind : {overlap::Letters::bases, overlap::Letters::written})
      check_same(overlap::Text::separated(overlap::on_host, sets, {.letters = kind}),
                 overlap::Text::separated(device, sets, {.letters = kind}));
    SequenceSet both;
    const SequenceSet turned = first.reverse_complement();
    for (std::size_t record = 0; record < first.size(); ++record) {
      both.append("", first[record]);
      both.append("", turned[record]);
    }
    const SequenceSet *const one = &first, *const two = &both;
    check_same(overlap::Text::separated(overlap::on_host, std::span(&one, 1), {.both_strands = true}),
               overlap::Text::separated(device, std::span(&two, 1)));
    check_same(overlap::Text::separated(overlap::on_host, both),
               overlap::Text::separated(device, first, {.both_strands = true}));
  }
}

TEST_CASE("texts in host memory are refused by algorithms of devices") {
  const overlap::Text host(overlap::on_host, bytes_of("ACGT"));
  CHECK_THROWS_AS(host.device(), InputError);
  CHECK_THROWS_AS(overlap::SuffixArray{host}, InputError);
}

TEST_CASE("texts refuse records of different alphabets, and both strands of proteins") {
  const SequenceSet dna, protein(Alphabet::protein);
  const std::vector<const SequenceSet*> mixed = {&dna, &protein}, proteins = {&protein};
  CHECK_THROWS_AS(overlap::Text::separated(overlap::on_host, mixed), InputError);
  CHECK_THROWS_AS(overlap::Text::separated(overlap::on_host, proteins, {.both_strands = true}), InputError);
  CHECK(overlap::Text::separated(overlap::on_host, proteins).size() == 0);
}
