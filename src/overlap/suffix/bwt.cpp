#include <algorithm>
#include <array>

#include "genocl/error.hpp"
#include "overlap/suffix/check.hpp"
#include "runtime/launch.hpp"
#include "runtime/memory/scratch.hpp"
#include "runtime/memory/transfer.hpp"

namespace genocl::overlap {

BurrowsWheeler bwt_of(const Text::State& text, const Array<std::uint32_t>& positions) {
  if (text.has_breaks) throw InputError("the Burrows-Wheeler transform of a text with breaks: it has none");
  BurrowsWheeler transform;
  if (text.size == 0) return transform;
  const Device& device = text.device;
  const std::uint64_t count = text.size + 1;
  runtime::check_capacity(device, "a Burrows-Wheeler transform", count, count);
  const runtime::Scratch rows(device, count);
  Array<std::uint32_t> primary(device, 1);
  primary.fill(0);
  std::array<std::uint8_t, 256> table{};
  std::copy(text.alphabet.begin(), text.alphabet.end(), table.begin());
  const Array<std::uint8_t> alphabet(device, table);
  runtime::launch_items(device, "overlap/suffix/check.cl", "bwt_rows", text.defines(),
                        {.items = count, .bytes = count * 7}, text.words, alphabet, positions, rows, primary, count);
  transform.symbols.resize(count);
  runtime::download(device, rows.buffer(), 0, transform.symbols.data(), count);
  transform.primary = primary.download().front();
  transform.symbols.erase(transform.symbols.begin() + static_cast<std::ptrdiff_t>(transform.primary));
  return transform;
}

BurrowsWheeler bwt(const SuffixArray& suffixes) { return bwt_of(suffixes.text().state(), suffixes.positions()); }

}  // namespace genocl::overlap
