#include "overlap/find/prefix_table.hpp"

#include <algorithm>
#include <bit>

#include "runtime/launch.hpp"

namespace genocl::overlap {
namespace {

/// Of a table's index at most, and what it has less than the number of suffixes.
constexpr int most_table_bits = 28, fewer_bits = 2;

int table_bits(std::uint64_t suffixes) {
  return std::clamp(static_cast<int>(std::bit_width(suffixes)) - fewer_bits, 1, most_table_bits);
}

}  // namespace

template <class Position>
PrefixTable prefix_table(const Device& device, const Text::State& text, const Array<Position>& positions) {
  PrefixTable table;
  const std::uint64_t suffixes = positions.size(), items = suffixes + 1;
  table.symbols = std::max(1u, static_cast<std::uint32_t>(table_bits(suffixes)) / text.bits);
  table.starts = Array<std::uint32_t>(device, (std::size_t{1} << table.symbols * text.bits) + 1);
  runtime::Defines defines = text.defines();
  if (sizeof(Position) == 8) defines.set("POSITIONS_WIDE", 1);
  runtime::launch_items(device, "overlap/find/prefix_table.cl", "fill_starts", defines,
                        {.items = items, .bytes = suffixes * (16 + sizeof(Position)) + table.starts.bytes()},
                        text.words, text.breaks, text.size, positions, table.starts, table.symbols, items);
  return table;
}
template PrefixTable prefix_table(const Device&, const Text::State&, const Array<std::uint32_t>&);
template PrefixTable prefix_table(const Device&, const Text::State&, const Array<std::uint64_t>&);

std::uint64_t prefix_table_bytes(std::uint64_t suffixes) {
  // Of the least table of bytes, too.
  return 4 * (std::max<std::uint64_t>(256, std::uint64_t{1} << table_bits(suffixes)) + 1);
}

}  // namespace genocl::overlap
