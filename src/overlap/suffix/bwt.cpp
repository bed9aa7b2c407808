#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "genocl/primitives/sort.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

Array<std::uint32_t> inverse_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size) {
  runtime::check_capacity(device, "an inverse suffix array", size * 4, size * 4);
  Array<std::uint32_t> ranks(device, size);
  if (size != 0)
    runtime::launch_items(device, "overlap/suffix/inverse.cl", "inverse", {}, {.items = size, .bytes = size * 8},
                          positions, ranks, size);
  return ranks;
}

Array<std::uint32_t> documents_of(const Device& device, const Array<std::uint32_t>& positions, std::uint64_t size,
                                  std::span<const std::uint64_t> begins) {
  const std::vector<std::uint32_t> narrow(begins.begin(), begins.end());
  const auto records = static_cast<std::uint32_t>(narrow.size() - 1);
  runtime::check_capacity(device, "a document array", size * 4, size * 4 + narrow.size() * 4);
  const Array<std::uint32_t> on_device(device, std::span<const std::uint32_t>(narrow));
  Array<std::uint32_t> documents(device, size);
  if (size != 0)
    runtime::launch_items(device, "overlap/suffix/inverse.cl", "find_documents", {}, {.items = size, .bytes = size * 8},
                          positions, on_device, records, documents, size);
  return documents;
}

Array<std::uint32_t> document_array(const SuffixArray& suffixes) {
  return documents_of(suffixes.device(), suffixes.positions(), suffixes.size(), suffixes.text().begins());
}

Array<std::uint32_t> inverse(const SuffixArray& suffixes) {
  return inverse_of(suffixes.device(), suffixes.positions(), suffixes.size());
}

namespace {

constexpr const char* bwt_file = "overlap/suffix/bwt.cl";

}  // namespace

std::uint64_t bwt_of(const Text::State& text, const Array<std::uint32_t>& positions, std::span<std::uint8_t> symbols) {
  if (text.has_separators) throw InputError("the Burrows-Wheeler transform of a text with separators: it has none");
  if (symbols.size() != text.size)
    throw InputError("the array for a Burrows-Wheeler transform", {}, std::to_string(symbols.size()) + " symbols",
                     std::to_string(text.size));
  if (text.size == 0) return 0;
  const Device& device = text.device();
  runtime::check_capacity(device, "a Burrows-Wheeler transform", text.size, text.size);
  const runtime::Scratch on_device(device, text.size);
  Array<std::uint32_t> primary(device, 1);
  runtime::launch_items(device, bwt_file, "find_primary", text.defines(), {.items = text.size, .bytes = text.size * 4},
                        positions, primary, text.size);
  std::array<std::uint8_t, 256> table{};
  std::copy(text.alphabet.begin(), text.alphabet.end(), table.begin());
  const Array<std::uint8_t> alphabet(device, table);
  const std::uint64_t rows = text.size + 1;
  runtime::launch_items(device, bwt_file, "bwt_symbols", text.defines(), {.items = rows, .bytes = rows * 7}, text.words,
                        alphabet, positions, primary, on_device, rows);
  runtime::download(device, on_device.buffer(), 0, symbols.data(), symbols.size());
  return primary.download().front();
}

std::uint64_t bwt(const SuffixArray& suffixes, std::span<std::uint8_t> symbols) {
  return bwt_of(runtime::state_of(suffixes.text()), suffixes.positions(), symbols);
}

BurrowsWheeler bwt(const SuffixArray& suffixes) {
  BurrowsWheeler transform;
  transform.symbols.resize(suffixes.size());
  transform.primary = bwt(suffixes, transform.symbols);
  return transform;
}

namespace {

constexpr const char* unbwt_file = "overlap/suffix/unbwt.cl";
/// Rows between the starts of two walks.
constexpr std::uint32_t stride = 512;
constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();

/// [symbol]: the first row of the suffixes that begin with it, after the row of the empty suffix.
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

/// The position of the first symbol of each walk, from the chain of walks that starts at the primary row.
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
  // The chain must have all symbols.
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
    runtime::launch_items(device, unbwt_file, "symbol_keys", {}, {.items = rows, .bytes = rows * 9}, bytes, primary_row,
                          keys, next, rows);
    primitives::sort(device, keys, next, {.last_bit = 9});
  }
  const runtime::Defines defines = runtime::Defines().set("STRIDE", stride);
  const std::uint64_t walks = runtime::ceil_div(rows, stride) + 1;
  runtime::ScratchArray<std::uint32_t> ends(device, walks), lengths(device, walks);
  runtime::launch_items(device, unbwt_file, "measure_walks", defines, {.items = walks, .bytes = rows * 32, .least = 16},
                        next, primary_row, ends, lengths, walks);
  const Array<std::uint32_t> offsets(
      device, std::span<const std::uint32_t>(offsets_of(ends.download(), lengths.download(), primary_row, size + 1)));
  const Array<std::uint32_t> starts(device, std::span<const std::uint32_t>(first_rows(symbols)));
  runtime::ScratchArray<std::uint8_t> text(device, size);
  runtime::launch_items(device, unbwt_file, "write_walks", defines, {.items = walks, .bytes = rows * 33, .least = 16},
                        next, primary_row, starts, offsets, text, size, walks);
  std::vector<std::uint8_t> result(size);
  text.download(std::span(result));
  return result;
}

}  // namespace genocl::overlap
