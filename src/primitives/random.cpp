#include "genocl/primitives/random.hpp"

#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::primitives {

void detail::random_words(const Device& device, const MemoryView& results, const RandomOptions& options,
                          const Call& call) {
  CallFrame frame(device, call, "random_words", {{"results", results, Access::write}});
  const std::uint64_t count = results.bytes / 4;
  if (count == 0) return frame.finish();
  // The last block is computed from the first and the count, so that the number of an element may pass 2^64.
  const std::uint64_t first_block = options.first / 4, skipped = options.first % 4;
  const std::uint64_t blocks = ceil_div(count + skipped, 4);
  runtime::launch_items(frame.device(), "primitives/random.cl", "random_words", {},
                        {.items = blocks, .bytes = results.bytes, .least = 4096, .group_size = call.tuning.group_size},
                        frame[0], count, blocks, first_block, skipped, options.stream, options.seed);
  frame.finish();
}

}  // namespace genocl::primitives
