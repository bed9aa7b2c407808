// Kasai's method, with parts of the text in parallel.
#include <algorithm>

#include "overlap/rmq/enhanced_suffix_array.hpp"
#include "overlap/suffix/suffix_array.hpp"
#include "overlap/text/text.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/state_access.hpp"

namespace genocl::overlap {
namespace {

/// More parts use more work-items, but each compares its first suffix from the first symbol on.
constexpr std::uint64_t max_stretches = 65'536, shortest_stretch = 64;

}  // namespace

Array<std::uint32_t> kasai_values(const Text& text, const Array<std::uint32_t>& positions) {
  const Text::State& state = runtime::state_of(text);
  const Device& device = state.device();
  const std::uint64_t size = state.size;
  if (size == 0) return Array<std::uint32_t>(device, 0);
  runtime::check_capacity(device, "longest common prefixes", 4 * size, 8 * size);
  Array<std::uint32_t> values(device, size);
  const Array<std::uint32_t> ranks = inverse_of(device, positions, size);
  const std::uint64_t most =
      runtime::uses_cpu_kernels(device) ? runtime::share_out(device, {}, size, 1, 1024).workers : max_stretches;
  const std::uint64_t stretch = std::max(shortest_stretch, runtime::ceil_div(size, most));
  const std::uint64_t count = runtime::ceil_div(size, stretch);
  runtime::launch_items(device, "overlap/published/kasai.cl", "kasai", state.defines(),
                        {.items = count, .bytes = 28 * size, .least = 1}, state.words, state.separators, size,
                        positions, ranks, stretch, values, count);
  return values;
}

}  // namespace genocl::overlap
