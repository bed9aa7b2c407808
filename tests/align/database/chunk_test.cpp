#include <algorithm>

#include "align/cases.hpp"
#include "align/device_state.hpp"
#include "genocl/align/database.hpp"

using namespace genocl;
using namespace genocl::align;
using namespace align_test;

namespace {

void check_plain(const Database& database, const DeviceChunk& chunk, const ScoringTable& table) {
  const std::vector<std::uint8_t> letters = chunk.letters.download();
  const std::vector<std::uint32_t> begin = chunk.begin.download(), length = chunk.length.download();
  std::vector<std::uint8_t> expected(letters.size(), table.pad());
  REQUIRE(begin.size() == chunk.range.count + 1);
  CHECK(begin.front() >= DeviceChunk::plain_margin);
  CHECK(begin.back() == letters.size());
  for (std::size_t s = 0; s < chunk.range.count; ++s) {
    const auto codes = database.sequence_at(chunk.range.first + s);
    CHECK(begin[s] % 16 == 0);
    CHECK(length[s] == codes.size());
    CHECK(chunk.lengths[s] == codes.size());
    REQUIRE(begin[s] + codes.size() + DeviceChunk::plain_margin <= begin[s + 1]);
    for (std::size_t i = 0; i < codes.size(); ++i) expected[begin[s] + i] = table.class_of[codes[i]];
  }
  CHECK(letters == expected);
}

void check_interleaved(const Database& database, const DeviceChunk& chunk, const ScoringTable& table) {
  const std::vector<std::uint8_t> letters = chunk.letters.download();
  const std::vector<std::uint32_t> begin = chunk.begin.download(), columns = chunk.length.download();
  constexpr std::size_t lanes = DeviceChunk::lanes;
  const std::size_t groups = (chunk.range.count + lanes - 1) / lanes;
  REQUIRE(begin.size() == groups + 1);
  REQUIRE(columns.size() == groups);
  REQUIRE(letters.size() == begin.back() * lanes);
  std::vector<std::uint8_t> expected(letters.size(), table.pad());
  for (std::size_t s = 0; s < chunk.range.count; ++s) {
    const auto codes = database.sequence_at(chunk.range.first + s);
    const std::size_t g = s / lanes;
    CHECK(columns[g] % 4 == 0);
    REQUIRE(codes.size() <= columns[g]);
    REQUIRE(begin[g] + columns[g] == begin[g + 1]);
    for (std::size_t i = 0; i < codes.size(); ++i)
      expected[(begin[g] + i) * lanes + s % lanes] = table.class_of[codes[i]];
  }
  CHECK(letters == expected);
}

void check_layouts(const SequenceSet& set, std::uint64_t residues) {
  const Database database = Database::build(set);
  const ScoringTable table = make_scoring_table(blosum62(), {}, database.letter_counts());
  const std::vector<ChunkRange> chunks = cut_into_chunks(database, residues);
  std::size_t rank = 0;
  for (const ChunkRange& range : chunks) {
    CHECK(range.first == rank);
    CHECK((range.residues <= residues || range.count == 1));
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < range.count; ++i) sum += database.length_at(range.first + i);
    CHECK(range.residues == sum);
    CHECK(range.longest == database.length_at(range.first + range.count - 1));
    rank += range.count;
  }
  CHECK(rank == database.size());
  for (const Variant& variant : variants()) {
    CAPTURE(variant.name);
    for (const ChunkRange& range : chunks) {
      const DeviceChunk plain = upload_chunk(variant.device, database, range, table, DeviceChunk::Layout::plain);
      check_plain(database, plain, table);
      const DeviceChunk interleaved =
          upload_chunk(variant.device, database, range, table, DeviceChunk::Layout::interleaved);
      check_interleaved(database, interleaved, table);
      CHECK(plain.letters.bytes() + plain.begin.bytes() + plain.length.bytes() <=
            bytes_on_device(size_of(database, range, {}), DeviceChunk::Layout::plain));
      CHECK(interleaved.letters.bytes() + interleaved.begin.bytes() + interleaved.length.bytes() <=
            bytes_on_device(size_of(database, range, {}), DeviceChunk::Layout::interleaved));
    }
  }
}

}  // namespace

TEST_CASE("tiny: align layouts of a chunk") {
  Random random(1);
  check_layouts(random_set(random, 5, 20, Alphabet::protein, 27), 40);
}

TEST_CASE("align layouts of chunks of many sizes") {
  GENOCL_SHOW_SEED();
  Random random(test_seed());
  for (const std::size_t count : {1u, 31u, 32u, 33u, 500u}) {
    CAPTURE(count);
    check_layouts(random_set(random, count, 400, Alphabet::protein, 27), 1u << 30);
    check_layouts(random_set(random, count, 400, Alphabet::protein, 27), 3000);
  }
}
