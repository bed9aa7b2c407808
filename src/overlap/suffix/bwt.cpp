#include <algorithm>
#include <array>
#include <string>

#include "genocl/error.hpp"
#include "overlap/suffix/check.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {
namespace {

constexpr const char* file = "overlap/suffix/bwt.cl";

}  // namespace

std::uint64_t bwt_of(const Text::State& text, const Array<std::uint32_t>& positions, std::span<std::uint8_t> symbols) {
  if (text.has_breaks) throw InputError("the Burrows-Wheeler transform of a text with breaks: it has none");
  if (symbols.size() != text.size)
    throw InputError("room for a Burrows-Wheeler transform", {}, std::to_string(symbols.size()) + " symbols",
                     std::to_string(text.size));
  if (text.size == 0) return 0;
  const Device& device = text.device;
  runtime::check_capacity(device, "a Burrows-Wheeler transform", text.size, text.size);
  const runtime::Scratch on_device(device, text.size);
  Array<std::uint32_t> primary(device, 1);
  runtime::launch_items(device, file, "find_primary", text.defines(), {.items = text.size, .bytes = text.size * 4},
                        positions, primary, text.size);
  std::array<std::uint8_t, 256> table{};
  std::copy(text.alphabet.begin(), text.alphabet.end(), table.begin());
  const Array<std::uint8_t> alphabet(device, table);
  const std::uint64_t rows = text.size + 1;
  runtime::launch_items(device, file, "bwt_symbols", text.defines(), {.items = rows, .bytes = rows * 7}, text.words,
                        alphabet, positions, primary, on_device, rows);
  runtime::download(device, on_device.buffer(), 0, symbols.data(), symbols.size());
  return primary.download().front();
}

std::uint64_t bwt(const SuffixArray& suffixes, std::span<std::uint8_t> symbols) {
  return bwt_of(suffixes.text().state(), suffixes.positions(), symbols);
}

BurrowsWheeler bwt(const SuffixArray& suffixes) {
  BurrowsWheeler transform;
  transform.symbols.resize(suffixes.size());
  transform.primary = bwt(suffixes, transform.symbols);
  return transform;
}

}  // namespace genocl::overlap
