// Texts that the host packs against those that devices pack.
#include "genocl/overlap/host_text.hpp"

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "overlap/text/text.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

void check_same(const overlap::HostText& host, const overlap::Text& text) {
  const auto there = overlap::bring_to(text.device(), host);
  const overlap::Text::State& expected = text.state();
  CHECK(there->size == expected.size);
  CHECK(there->bits == expected.bits);
  CHECK(there->has_breaks == expected.has_breaks);
  // Texts of no symbols that devices packed may have one in their alphabet.
  if (!there->alphabet.empty()) CHECK(there->alphabet == expected.alphabet);
  CHECK(there->begins == expected.begins);
  CHECK(there->words.download() == expected.words.download());
  CHECK(there->breaks.download() == expected.breaks.download());
  CHECK(host.bytes() == expected.words.bytes() + expected.breaks.bytes());
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

TEST_CASE("texts on the host are packed as devices pack them") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device& device = test_device();
  for (const std::size_t length : {1, 2, 31, 32, 33, 1'000})
    for (const auto& hard : hard_texts(length, test_seed())) {
      const auto& name = hard.first;
      const auto& bytes = hard.second;
      CAPTURE(name);
      check_same(overlap::HostText(bytes), overlap::Text(device, bytes));
      const std::vector<std::span<const std::uint8_t>> records = {bytes, std::span(bytes).first(bytes.size() / 3), {}};
      check_same(overlap::HostText::separated(records), overlap::Text::separated(device, records));
    }
  // Several blocks of the packer.
  const Bytes bytes = random_text(random, (1 << 20) + 77);
  check_same(overlap::HostText(bytes), overlap::Text(device, bytes));
  for (const unsigned letters : {4u, 5u, 15u}) {
    const SequenceSet first = drawn_records(random, 30, letters), second = drawn_records(random, 3, letters);
    const std::vector<const SequenceSet*> sets = {&first, &second};
    check_same(overlap::HostText::concatenated(first), overlap::Text::concatenated(device, first));
    for (const overlap::Letters kind : {overlap::Letters::bases, overlap::Letters::written})
      check_same(overlap::HostText::separated(sets, {.letters = kind}), overlap::Text::separated(device, sets, kind));
    SequenceSet both;
    const SequenceSet turned = first.reverse_complement();
    for (std::size_t record = 0; record < first.size(); ++record) {
      both.append("", first[record]);
      both.append("", turned[record]);
    }
    const SequenceSet *const one = &first, *const two = &both;
    check_same(overlap::HostText::separated(std::span(&one, 1), {.both_strands = true}),
               overlap::Text::separated(device, std::span(&two, 1)));
  }
}

TEST_CASE("texts on the host refuse what they cannot hold") {
  const SequenceSet dna, protein(Alphabet::protein);
  const std::vector<const SequenceSet*> mixed = {&dna, &protein}, proteins = {&protein};
  CHECK_THROWS_AS(overlap::HostText::separated(mixed), InputError);
  CHECK_THROWS_AS(overlap::HostText::separated(proteins, {.both_strands = true}), InputError);
  CHECK(overlap::HostText::separated(proteins).size() == 0);
}
