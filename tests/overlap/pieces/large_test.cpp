// Common prefixes of more than 2^32 suffixes, of texts whose arrays are known.
#include <algorithm>
#include <cstdlib>
#include <utility>

#include "genocl/overlap/pieces.hpp"
#include "overlap/cases.hpp"

using namespace genocl;
using namespace overlap_test;

namespace {

constexpr std::uint64_t size = (std::uint64_t{1} << 32) + 74;

void check(const overlap::Text& text, const overlap::PositionSource& positions,
           std::uint64_t (*expected)(std::uint64_t rank), std::uint64_t irreducible) {
  std::uint64_t rank = 0, wrong = 0;
  const overlap::LcpPieceReport report =
      overlap::lcp_in_pieces(std::span(&test_device(), 1), text, size, positions,
                             overlap::PositionSink<std::uint64_t>([&](std::span<const std::uint64_t> values) {
                               for (const std::uint64_t value : values) wrong += value != expected(rank++);
                             }));
  CHECK(rank == size);
  CHECK(wrong == 0);
  CHECK(report.irreducible == irreducible);
}

}  // namespace

// 2 GB for the device's part of it, and 9 for the host's.
TEST_CASE("common prefixes in pieces past 2^32 suffixes" * doctest::skip(std::getenv("GENOCL_TEST_LARGE") == nullptr)) {
  // Of one letter: the shorter a suffix, the smaller.
  check(
      overlap::Text(overlap::on_host, Bytes(size, 'A')),
      [](std::uint64_t first, std::span<std::uint64_t> some) {
        for (std::uint64_t& position : some) position = size - 1 - first++;
      },
      [](std::uint64_t rank) { return rank; }, 2);
  // ACAC...: those from A on, then those from C on.
  Bytes bytes(size, 'A');
  for (std::uint64_t i = 1; i < size; i += 2) bytes[i] = 'C';
  overlap::Text text(overlap::on_host, bytes);
  Bytes().swap(bytes);
  check(
      text,
      [](std::uint64_t first, std::span<std::uint64_t> some) {
        for (std::uint64_t& position : some) {
          position = first < size / 2 ? size - 2 - 2 * first : size - 1 - 2 * (first - size / 2);
          ++first;
        }
      },
      [](std::uint64_t rank) {
        if (rank <= size / 2) return rank < size / 2 ? 2 * rank : 0;
        return 2 * (rank - size / 2) - 1;
      },
      3);
}
