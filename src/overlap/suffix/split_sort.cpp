#include "overlap/suffix/split_sort.hpp"

#include "genocl/opencl.hpp"
#include "genocl/primitives/scan.hpp"
#include "runtime/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::overlap {

void split_sort(const Device& device, Array<std::uint32_t>& keys, Array<std::uint32_t>& values, unsigned bits) {
  constexpr const char* file = "overlap/suffix/published_split.cl";
  const std::uint64_t size = keys.size();
  if (size < 2 || bits == 0) return;
  const runtime::Scratch key_memory(device, size * 4), value_memory(device, size * 4),
      zero_memory(device, size * 4 + 4);
  auto zeros = Array<std::uint32_t>::adopt(device, zero_memory.buffer(), size + 1);
  cl::Buffer from_keys = keys.buffer(), from_values = values.buffer();
  cl::Buffer to_keys = key_memory.buffer(), to_values = value_memory.buffer();
  for (std::uint32_t bit = 0; bit < bits; ++bit) {
    runtime::launch_items(device, file, "published_flag_zeros", {}, {.items = size + 1, .bytes = size * 8}, from_keys,
                          static_cast<std::uint32_t>(size), bit, zeros, size + 1);
    primitives::exclusive_scan(device, zeros, zeros);
    runtime::launch_items(device, file, "published_split", {}, {.items = size, .bytes = size * 20}, from_keys,
                          from_values, zeros, bit, to_keys, to_values, size);
    std::swap(from_keys, to_keys);
    std::swap(from_values, to_values);
  }
  if (bits % 2 == 0) return;
  runtime::copy(device, key_memory.buffer(), 0, keys.buffer(), 0, size * 4);
  runtime::copy(device, value_memory.buffer(), 0, values.buffer(), 0, size * 4);
}

std::uint64_t split_sort_bytes(const Device& device, std::uint64_t size) {
  // The scan has sums of 4,096 chunks or of each worker, or with vendor paths 8 bytes for 12,288 elements.
  const std::uint64_t workers = runtime::workers_that_fill(device);
  return size * 12 + size / 1024 + 4 * workers + (std::uint64_t{1} << 15);
}

}  // namespace genocl::overlap
