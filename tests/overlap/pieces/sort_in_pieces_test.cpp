// Suffix arrays in pieces: of texts too long for a device, with positions past 32 bits, on several devices.
#include "genocl/overlap/pieces.hpp"

#include <algorithm>

#include "genocl/error.hpp"
#include "overlap/pieces/piece_cases.hpp"
#include "overlap/suffix/hybrid_cases.hpp"

using namespace genocl;
using namespace overlap_test;
using overlap::PieceOptions;
using overlap::Text;

namespace {

/// With 64 bits, far from 0, and in pieces of at most `most`.
void check_text(const Device& device, const Text& text, const Bytes& bytes, const std::vector<bool>& separated,
                std::uint64_t most, std::uint32_t period = 64) {
  CAPTURE(most);
  CAPTURE(period);
  const SortedPieces sorted = sorted_in_pieces(std::span(&device, 1), text, {.wide = true, .base = far},
                                               {.piece_suffixes = most, .period = period});
  check_pieces(sorted, bytes, separated, most);
  CHECK(sorted.report.pieces >= (bytes.size() + most - 1) / most);
  CHECK(sorted.report.period == (bytes.empty() ? 0 : period));
}

void check_plain(const Device& device, const Bytes& bytes, std::uint64_t most, std::uint32_t period = 64) {
  check_text(device, Text(overlap::on_host, bytes), bytes, {}, most, period);
}

/// In records.
void check_separated(const Device& device, const Bytes& whole, std::size_t count, std::uint64_t most) {
  const BytesInRecords in_records(whole, count);
  check_text(device, Text::separated(overlap::on_host, in_records.records), in_records.bytes, in_records.separated,
             most);
}

}  // namespace

TEST_CASE("difference covers have every difference") {
  for (unsigned bits = 6; bits <= 16; ++bits) {
    CAPTURE(bits);
    const overlap::DifferenceCover cover(bits);
    const std::uint32_t period = cover.period();
    CHECK(std::ranges::is_sorted(cover.elements));
    CHECK(std::ranges::adjacent_find(cover.elements) == cover.elements.end());
    CHECK(cover.elements.front() == 0);
    CHECK(cover.elements.back() < period);
    CHECK(cover.elements.size() * cover.elements.size() <= 2 * period);
    for (const std::uint64_t size : {0ul, 1ul, 63ul, 64ul, 1'000'001ul}) {
      const std::vector<std::uint32_t> table = cover.table(size);
      std::uint64_t samples = 0;
      for (const std::uint32_t element : cover.elements) {
        CHECK(table[period + element] == samples);
        samples += size / period + (size % period > element ? 1 : 0);
      }
      CHECK(cover.samples(size) == samples);
      bool all = true;
      for (std::uint32_t difference = 0; difference < period; ++difference)
        all = all && table[period + table[difference]] != ~0u &&
              table[period + (table[difference] + difference) % period] != ~0u;
      CHECK(all);
    }
  }
}

TEST_CASE("tiny: overlap suffix arrays in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    // Ties of more symbols than the period, which also repeat names.
    Bytes bytes = random_text(random, 190);
    std::copy_n(bytes.begin(), 90, bytes.begin() + 100);
    check_plain(variant.device, bytes, 120);
    if (variant.name != "vendor") check_separated(variant.device, random_text(random, 30, 15), 2, 40);
  }
}

TEST_CASE("suffix arrays in pieces of hard texts") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    for (const std::size_t length : random.some_of<std::size_t>({2, 33, 300, 5'000}))
      for (const auto& hard : hard_texts(length, test_seed())) {
        const auto& name = hard.first;
        const auto& bytes = hard.second;
        if (length > 300 && bytes.size() < 300) continue;
        CAPTURE(length);
        CAPTURE(name);
        for (const std::uint64_t most : {bytes.size() / 40 + 1, bytes.size() + 1}) {
          check_plain(variant.device, bytes, most);
          check_separated(variant.device, bytes, 1 + bytes.size() / 100, most);
        }
      }
  }
}

TEST_CASE("suffix arrays in pieces of texts with long repeats") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    // Tandems, copies far longer than any period, both strands, nearly the same records.
    Bytes tandem;
    for (unsigned repeat = 0; repeat < 30; ++repeat) {
      const Bytes unit = random_text(random, 1 + random() % 300);
      for (unsigned copy = 0; copy < 20; ++copy) tandem.insert(tandem.end(), unit.begin(), unit.end());
    }
    Bytes copies = random_text(random, 60'000);
    std::copy_n(copies.begin(), 12'000, copies.begin() + 30'001);
    std::copy_n(copies.begin(), 9'000, copies.begin() + 50'002);
    Bytes set;
    const Bytes genome = random_text(random, 3'000);
    for (unsigned record = 0; record < 20; ++record) {
      set.insert(set.end(), genome.begin(), genome.end());
      for (unsigned change = 0; change < 3; ++change)
        set[set.size() - 1 - random() % genome.size()] = static_cast<std::uint8_t>("ACGT"[random() % 4]);
    }
    for (const std::uint32_t period : {64u, 1'024u}) {
      check_plain(variant.device, tandem, tandem.size() / 24, period);
      check_plain(variant.device, copies, copies.size() / 24, period);
      check_plain(variant.device, set, set.size() / 24, period);
    }
    const SortedPieces narrow =
        sorted_in_pieces(std::span(&variant.device, 1), Text(overlap::on_host, copies),
                         {.wide = false, .base = 1 << 16}, {.piece_suffixes = copies.size() / 24, .period = 64});
    check_pieces(narrow, copies, {}, copies.size() / 24);
    check_separated(variant.device, set, 20, set.size() / 24);
    check_plain(variant.device, Bytes(100'000, 'A'), 9'000);
  }
}

TEST_CASE("suffix arrays of both strands in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  SequenceSet records;
  for (unsigned record = 0; record < 5; ++record) {
    const Bytes letters = random_text(random, 3'000, record == 4 ? 5 : 4);
    records.append_letters("", std::string(letters.begin(), letters.end()));
  }
  const SequenceSet turned = records.reverse_complement();
  Bytes bytes;
  std::vector<bool> separated;
  for (std::size_t record = 0; record < records.size(); ++record)
    for (const SequenceSet* set : {&std::as_const(records), &turned}) {
      for (const Code code : (*set)[record]) {
        bytes.push_back(code);
        separated.push_back(code > 3);
      }
      bytes.push_back(0);
      separated.push_back(true);
    }
  const SequenceSet* const only = &records;
  for (const Variant& variant : drawn_variants()) {
    CAPTURE(variant.name);
    check_text(variant.device, Text::separated(overlap::on_host, std::span(&only, 1), {.both_strands = true}), bytes,
               separated, 2'000);
  }
}

TEST_CASE("several devices make the same suffix array in pieces") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  Bytes bytes = random_text(random, 200'000);
  std::copy_n(bytes.begin(), 30'000, bytes.begin() + 100'000);
  const Text text(overlap::on_host, bytes);
  const auto positions = [&](std::span<const Device> devices, const PieceOptions& options) {
    std::vector<std::uint64_t> all;
    const overlap::PieceReport report = overlap::sort_in_pieces(
        devices, text, overlap::PositionSink<std::uint64_t>([&](std::span<const std::uint64_t> some) {
          all.insert(all.end(), some.begin(), some.end());
        }),
        options);
    CHECK(report.pieces >= devices.size());
    return all;
  };
  const std::vector<std::uint64_t> expected = positions(std::span(&test_device(), 1), {});
  check_pieces({expected, {bytes.size()}, {.pieces = 1}}, bytes, {}, bytes.size());
  // The same device in both shapes, as two devices; and every one there is.
  std::vector<Device> two;
  for (const Variant& variant : drawn_variants()) two.push_back(variant.device.with_own_queue());
  CHECK(positions(two, {}) == expected);
  CHECK(positions(two, {.piece_suffixes = 7'000, .period = 64}) == expected);
  CHECK(positions(Device::list(), {.piece_suffixes = 50'000}) == expected);
  // With 32 bits.
  std::vector<std::uint32_t> narrow;
  overlap::sort_in_pieces(two, text, overlap::PositionSink<std::uint32_t>([&](std::span<const std::uint32_t> some) {
                            narrow.insert(narrow.end(), some.begin(), some.end());
                          }));
  CHECK(std::ranges::equal(narrow, expected));
}

TEST_CASE("suffix arrays in pieces: cancellation and reports") {
  const Bytes bytes(1'000, 'A');
  const Text text(overlap::on_host, bytes);
  const std::span<const Device> device(&test_device(), 1);
  std::uint64_t taken = 0;
  const overlap::PositionSink<std::uint64_t> sink = [&](std::span<const std::uint64_t> some) { taken += some.size(); };
  CHECK_THROWS_AS(overlap::sort_in_pieces({}, text, sink), InputError);
  for (const std::uint32_t period : {1u, 32u, 63u, 96u, 1u << 17})
    CHECK_THROWS_AS(overlap::sort_in_pieces(device, text, sink, {.period = period}), InputError);
  CHECK_THROWS_AS(overlap::sort_in_pieces(device, text, sink, {.progress = [](const ProgressState&) { return false; }}),
                  Cancelled);
  CHECK(taken == 0);
  std::uint64_t last = 0;
  const overlap::PieceReport report =
      overlap::sort_in_pieces(device, text, sink, {.piece_suffixes = 90, .progress = [&](const ProgressState& state) {
                                                     CHECK(state.items_done >= last);
                                                     CHECK(state.items_total == 1'000);
                                                     last = state.items_done;
                                                     return true;
                                                   }});
  CHECK(taken == 1'000);
  CHECK(last == 1'000);
  CHECK(report.tied == 1'000 - 28);
  CHECK(report.sample_tied > 0);
  CHECK(report.largest_piece <= 90);
  CHECK(report.host_bytes > 0);
  CHECK(report.device_bytes > text.bytes());
  CHECK_THROWS_AS(
      overlap::sort_in_pieces(device, text, overlap::PositionSink<std::uint64_t>([](std::span<const std::uint64_t>) {
                                throw Error("the sink is full");
                              })),
      Error);
  CHECK(overlap::sort_in_pieces(device, Text(overlap::on_host, Bytes()), sink).pieces == 0);
}
