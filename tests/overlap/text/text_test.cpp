// Texts on a device: codes, windows and breaks.
#include "genocl/overlap/text.hpp"

#include <array>
#include <span>

#include "genocl/error.hpp"
#include "overlap/cases.hpp"
#include "overlap/text/text.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

/// '-' for a break.
std::string unpacked(const overlap::Text& text) {
  const overlap::Text::State& state = text.state();
  const std::vector<std::uint64_t> words = state.words.download();
  const std::vector<std::uint32_t> breaks = state.breaks.download();
  std::string letters;
  for (std::uint64_t i = 0; i < state.size; ++i) {
    const std::uint64_t bit = i * state.bits;
    const std::uint64_t code = words[bit / 64] >> (64 - state.bits - bit % 64) & ((1u << state.bits) - 1);
    const bool is_break = state.has_breaks && (breaks[i / 32] >> (31 - i % 32) & 1) != 0;
    if (is_break) CHECK(code == 0);
    letters += is_break ? '-' : static_cast<char>(state.alphabet[code]);
  }
  for (std::uint64_t bit = state.size * state.bits; bit < 64 * words.size(); bit += state.bits)
    CHECK((words[bit / 64] >> (64 - state.bits - bit % 64) & ((1u << state.bits) - 1)) == 0);
  return letters;
}

}  // namespace

TEST_CASE("tiny: overlap texts hold what they are made from") {
  GENOCL_SHOW_SEED();
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const auto& named : hard_texts(300, test_seed())) {
      const std::string& name = named.first;
      const Bytes& bytes = named.second;
      CAPTURE(name);
      const overlap::Text text(variant.device, bytes);
      CHECK(unpacked(text) == std::string(bytes.begin(), bytes.end()));
      CHECK_FALSE(text.has_breaks());
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
    const overlap::Text written = overlap::Text::separated(variant.device, sets, overlap::Letters::written);
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
