#include <algorithm>
#include <array>

#include "genocl/error.hpp"
#include "genocl/overlap/suffix_array.hpp"
#include "overlap/text/text_state.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

std::optional<std::uint64_t> first_error(const Text& text, const Array<std::uint32_t>& positions) {
  const Text::State& state = text.state();
  if (positions.size() != state.size)
    throw InputError("a suffix array of " + std::to_string(positions.size()) + " positions for a text of " +
                     std::to_string(state.size));
  if (state.size == 0) return std::nullopt;
  constexpr std::uint32_t none = 0xffff'ffffu;
  const Device& device = state.device;
  runtime::check_capacity(device, "checking a suffix array", state.size * 4, state.size * 4);
  const runtime::Scratch ranks(device, state.size * 4);
  runtime::fill(device, ranks.buffer(), &none, sizeof none, state.size * 4);
  Array<std::uint32_t> wrong(device, 2);
  wrong.fill(none);
  runtime::launch_items(device, "overlap/suffix/check.cl", "check_places", state.defines(),
                        {.items = state.size, .bytes = state.size * 8}, positions, ranks, state.size);
  runtime::launch_items(device, "overlap/suffix/check.cl", "check_order", state.defines(),
                        {.items = state.size, .bytes = state.size * 16}, state.words, state.breaks, positions, ranks,
                        wrong, state.size);
  std::array<std::uint32_t, 2> found{};
  wrong.download(found);
  if (found[0] != none) return found[0];
  if (found[1] != none) return found[1];
  return std::nullopt;
}

}  // namespace genocl::overlap
