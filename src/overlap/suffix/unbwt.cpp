// Undoes the Burrows-Wheeler transform, from many places at a time.
#include <array>
#include <bit>
#include <limits>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/primitives/sort.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* file = "overlap/suffix/unbwt.cl";
/// Rows from one beginning of a walk to the next.
constexpr std::uint32_t stride = 512;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// [symbol + 1]: how many rows begin with a smaller symbol; [0]: none, for the end.
std::array<std::uint32_t, 257> first_rows(std::span<const std::uint8_t> symbols) {
  std::array<std::uint64_t, 256> counts{};
  for (const std::uint8_t symbol : symbols) ++counts[symbol];
  std::array<std::uint32_t, 257> rows{};
  std::uint64_t row = 1;
  for (std::size_t symbol = 0; symbol < 256; ++symbol) {
    rows[symbol] = static_cast<std::uint32_t>(row);
    row += counts[symbol];
  }
  rows[256] = static_cast<std::uint32_t>(row);
  return rows;
}

/// Where in the text each walk begins, following them from the primary row.
std::vector<std::uint32_t> offsets_of(const std::vector<std::uint32_t>& ends, const std::vector<std::uint32_t>& lengths,
                                      std::uint32_t primary, std::uint64_t size) {
  std::vector<std::uint32_t> offsets(ends.size(), nowhere);
  std::uint64_t place = 0;
  for (std::size_t walk = ends.size() - 1; place < size;) {
    if (offsets[walk] != nowhere) break;
    offsets[walk] = static_cast<std::uint32_t>(place);
    place += lengths[walk];
    if (ends[walk] == primary) break;
    walk = ends[walk] / stride;
  }
  // The end's row is reached after all symbols, no sooner.
  if (place != size) throw InputError("a Burrows-Wheeler transform that no text has");
  return offsets;
}

}  // namespace

std::vector<std::uint8_t> inverse_bwt(const Device& device, std::span<const std::uint8_t> symbols,
                                      std::uint64_t primary) {
  const std::uint64_t size = symbols.size(), rows = size + 1;
  if (size == 0) return {};
  if (size > Text::longest)
    throw InputError("a Burrows-Wheeler transform of " + std::to_string(size) + " symbols: at most " +
                     std::to_string(Text::longest));
  if (primary == 0 || primary > size)
    throw InputError("the primary row", {}, std::to_string(primary), "1 to " + std::to_string(size));
  const auto primary_row = static_cast<std::uint32_t>(primary);
  runtime::check_capacity(device, "undoing a Burrows-Wheeler transform", 4 * rows,
                          8 * rows + primitives::sort_scratch_bytes<std::uint32_t>(device, rows, true) + 2 * size);
  runtime::ScratchArray<std::uint32_t> next(device, rows);
  {
    runtime::ScratchArray<std::uint8_t> bytes(device, size);
    bytes.upload(symbols);
    runtime::ScratchArray<std::uint32_t> keys(device, rows);
    runtime::launch_items(device, file, "symbol_keys", {}, {.items = rows, .bytes = rows * 9}, bytes, primary_row, keys,
                          next, rows);
    primitives::sort(device, keys, next, {.last_bit = 9});
  }
  const runtime::Defines defines = runtime::Defines().set("STRIDE", stride);
  const std::uint64_t walks = runtime::ceil_div(rows, stride) + 1;
  runtime::ScratchArray<std::uint32_t> ends(device, walks), lengths(device, walks);
  runtime::launch_items(device, file, "measure_walks", defines, {.items = walks, .bytes = rows * 32, .least = 16}, next,
                        primary_row, ends, lengths, walks);
  const Array<std::uint32_t> offsets(
      device, std::span<const std::uint32_t>(offsets_of(ends.download(), lengths.download(), primary_row, size + 1)));
  const Array<std::uint32_t> starts(device, std::span<const std::uint32_t>(first_rows(symbols)));
  runtime::ScratchArray<std::uint8_t> text(device, size);
  runtime::launch_items(device, file, "write_walks", defines, {.items = walks, .bytes = rows * 33, .least = 16}, next,
                        primary_row, starts, offsets, text, size, walks);
  std::vector<std::uint8_t> result(size);
  text.download(std::span(result));
  return result;
}

}  // namespace genocl::overlap
