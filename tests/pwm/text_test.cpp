// A set in pieces: every word of every record is in exactly one, and the device holds it as it is.
#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "pwm/cases.hpp"
#include "pwm/device_state.hpp"
#include "pwm/pipeline.hpp"
#include "runtime/host_memory.hpp"

namespace {

using namespace genocl;
using namespace genocl::pwm;
using genocl_test::Random;
using genocl_test::test_seed;

SequenceSet random_set(Random& random, std::size_t records, std::size_t longest) {
  SequenceSet set;
  for (std::size_t i = 0; i < records; ++i)
    set.append("r" + std::to_string(i), pwm_test::random_codes(random, random() % (longest + 1), 7));
  return set;
}

/// Every start of a letter is owned once, and a piece has all letters of the words (of up to ScoreMatrix::longest) that
/// begin there.
void check_pieces(const SequenceSet& set, std::uint64_t residues) {
  CAPTURE(residues);
  const std::vector<TextPiece> pieces = cut_text(set, residues);
  std::set<std::pair<std::uint64_t, std::uint64_t>> owned;
  std::uint64_t last_record = 0;
  for (const TextPiece& piece : pieces) {
    REQUIRE(piece.own.begin < piece.own.end);
    REQUIRE(piece.own.end <= piece.size);
    CHECK(piece.own.end - piece.own.begin <= residues);
    std::uint32_t end = 0;
    for (const TextPiece::Part& part : piece.parts) {
      CHECK(part.record >= last_record);
      last_record = part.record;
      REQUIRE(part.length > 0);
      REQUIRE(part.begin + part.length <= set.length(part.record));
      CHECK(part.at == (end == 0 ? 0 : end + 1));  // one separator
      end = part.at + part.length;
      for (std::uint32_t i = 0; i < part.length; ++i)
        if (part.at + i >= piece.own.begin && part.at + i < piece.own.end) {
          const std::uint64_t place = part.begin + i;
          CHECK(owned.emplace(part.record, place).second);
          CHECK(part.begin + part.length >=
                std::min<std::uint64_t>(set.length(part.record), place + ScoreMatrix::longest));
        }
    }
    CHECK(end == piece.size);
  }
  CHECK(owned.size() == set.residues());
}

void check_upload(const Device& device, const SequenceSet& set, const TextPiece& piece, bool packed) {
  const DeviceText text = upload_text(device, set, piece, packed);
  REQUIRE(text.size == piece.size);
  CHECK(text.own.begin == piece.own.begin);
  CHECK(text.own.end == piece.own.end);
  std::vector<std::uint8_t> codes = text.codes.download();
  if (!packed)
    for (std::uint8_t& code : codes) code = std::min(code, DeviceText::no_base);
  std::vector<std::uint8_t> expected(text.codes.size(), DeviceText::no_base);
  REQUIRE(expected.size() >= piece.size + DeviceText::margin);
  for (const TextPiece::Part& part : piece.parts)
    for (std::uint32_t i = 0; i < part.length; ++i)
      expected[part.at + i] = std::min<Code>(set[part.record][part.begin + i], 4);
  CHECK(codes == expected);
  if (!packed) return;
  const std::vector<std::uint64_t> words = text.words.download();
  REQUIRE(words.size() == expected.size() / 32);
  std::uint64_t wrong = 0;
  std::array<std::uint64_t, 4> no_base{};  // its code
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::uint64_t base = words[i / 32] >> (62 - 2 * (i % 32)) & 3;
    if (expected[i] < 4)
      wrong += base != expected[i] ? 1 : 0;
    else
      ++no_base[base];
  }
  CHECK(wrong == 0);
  // 256 of the margin at least: all four of them by and large.
  for (const std::uint64_t count : no_base) CHECK(count > 30);
}

}  // namespace

TEST_CASE("tiny: pwm text") {
  Random random(5);
  const SequenceSet set = random_set(random, 3, 90);
  const std::vector<TextPiece> pieces = cut_text(set, 100);
  REQUIRE(!pieces.empty());
  for (const auto& variant : pwm_test::variants()) {
    CAPTURE(variant.name);
    check_upload(variant.device, set, pieces.front(), true);
    check_upload(variant.device, set, pieces.front(), false);
  }
}

TEST_CASE("pwm text: pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  check_pieces(SequenceSet(), 100);
  for (int i = 0; i < 20; ++i) {
    const SequenceSet set = random_set(random, random() % 8, 1 + random() % 400);
    for (const std::uint64_t residues : {1, 2, 63, 64, 100, 128, 10'000}) check_pieces(set, residues);
  }
  SequenceSet empty;
  empty.append("nothing", {});
  CHECK(cut_text(empty, 100).empty());
}

TEST_CASE("pwm text: a long record is transferred in parts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  SequenceSet set = random_set(random, 2, 100);
  set.append("long", pwm_test::random_codes(random, 2'500'000, 6));
  set.append("short", pwm_test::random_codes(random, 77, 6));
  for (const auto& variant : pwm_test::drawn_variants())
    for (const TextPiece& piece : cut_text(set, 1'400'000)) check_upload(variant.device, set, piece, true);
}

// Where a CPU reads the caller's own letters, nothing lies behind the last one.
TEST_CASE("pwm text: words at the end of a long record that is read where it lies") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  const Device device = pwm_test::test_device().with_family(KernelFamily::cpu);
  SequenceSet set;
  set.append("long", pwm_test::random_codes(random, (std::size_t{1} << 20) + 1 + random() % 300, 5));
  const std::span<const Code> letters = set[0];
  const auto size = static_cast<std::uint32_t>(letters.size());
  const TextPiece piece = cut_text(set, std::uint64_t{1} << 22).at(0);
  for (const std::size_t length : {1, 2, 7, 8, 33}) {
    CAPTURE(length);
    std::vector<std::array<double, 4>> columns(length, {0, 0, 0, 0});
    for (std::size_t c = 0; c < length; ++c) columns[c][letters[size - length + c] & 3] = 1;  // the last word alone
    const ScoreMatrix matrix("last", "", std::move(columns));
    const Target target{0, false, &matrix, static_cast<double>(length)};
    const auto finder = make_loss_finder_cpu(device, {&target, 1});
    const StreamedText streamed = stream_text(device, set, piece, finder->wants_packed());
    CHECK((streamed.text.codes.size() == size) == runtime::computes_in_host_memory(device));
    const Candidates found = finder->find(device, streamed.text, 0, 1, size);
    std::vector<std::uint64_t> keys = found.keys.download();
    keys.resize(std::min<std::size_t>(keys.size(), found.count));
    const bool bases = std::ranges::all_of(letters.last(length), [](Code code) { return code < 4; });
    if (bases) CHECK(std::ranges::count(keys, size - length) == 1);
    for (const std::uint64_t key : keys) CHECK(key + length <= size);
  }
}
