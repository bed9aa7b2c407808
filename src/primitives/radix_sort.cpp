#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/launch.hpp"
#include "primitives/radix_sort.hpp"
#include "runtime/access.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

template <class Key>
SortTask make_task(std::uint64_t count, bool has_values, const SortOptions& options) {
  constexpr unsigned width = sizeof(Key) * 8;
  SortTask task;
  task.count = count;
  task.key_bytes = sizeof(Key);
  task.has_values = has_values;
  task.first_bit = options.first_bit;
  task.last_bit = options.last_bit.value_or(width);
  if (task.first_bit > task.last_bit || task.last_bit > width)
    throw InputError("sort: bits [" + std::to_string(task.first_bit) + ", " + std::to_string(task.last_bit) +
                     ") of a key of " + std::to_string(width));
  return task;
}

bool nothing_to_do(const SortTask& task) { return task.count < 2 || task.bits() == 0; }

bool uses_gpu_kernels(const Device& device) { return device.family() == KernelFamily::gpu && can_sort_on_gpu(device); }

SortScratch scratch_of(const Device& device, const SortTask& task) {
  return uses_gpu_kernels(device) ? gpu_scratch(device, task, gpu_tuning(device, task))
                                  : cpu_scratch(task, cpu_tuning(device, task));
}

// Moves the sorted elements into the array.
template <class T>
void take_over(const Device& device, Array<T>& array, bool may_swap, runtime::Scratch& sorted) {
  // Pooled scratch may be larger than requested; an array must not keep much more than its size.
  if (may_swap && sorted.bytes() <= array.bytes() + array.bytes() / 8) {
    sorted.swap_memory(array);
    return;
  }
  runtime::copy(device, sorted.buffer(), 0, runtime::buffer_of(array), 0, array.bytes());
}

template <class Key>
void run(const Device& device, Array<Key>& keys, Array<std::uint32_t>* values, const SortOptions& options) {
  const SortTask task = make_task<Key>(keys.size(), values != nullptr, options);
  if (nothing_to_do(task)) return;
  const bool swaps_keys = runtime::may_swap_memory(keys, device);
  const bool swaps_values = values != nullptr && runtime::may_swap_memory(*values, device);
  const cl::Buffer& key_buffer = runtime::buffer_of(keys);
  const SortBuffers items{key_buffer, values != nullptr ? runtime::buffer_of(*values) : key_buffer};
  const SortScratch scratch = scratch_of(device, task);
  runtime::check_capacity(device, "scratch of a sort", scratch.largest, scratch.total);
  if (!uses_gpu_kernels(device)) {
    sort_on_cpu(device, task, cpu_tuning(device, task), items);
    return;
  }
  SortSpare spare;
  if (!sort_on_gpu(device, task, gpu_tuning(device, task), items, spare)) return;
  take_over(device, keys, swaps_keys, spare.keys);
  if (values != nullptr) take_over(device, *values, swaps_values, spare.values);
}

}  // namespace

template <SortableKey Key>
void sort(const Device& device, Array<Key>& keys, const SortOptions& options) {
  run<Key>(device, keys, nullptr, options);
}

template <SortableKey Key>
void sort(const Device& device, Array<Key>& keys, Array<std::uint32_t>& values, const SortOptions& options) {
  if (keys.size() != values.size())
    throw InputError("sort: " + std::to_string(keys.size()) + " keys with " + std::to_string(values.size()) +
                     " values");
  check_apart("sort", "keys and values", range_of(keys), range_of(values));
  run<Key>(device, keys, &values, options);
}

template <SortableKey Key>
std::uint64_t sort_scratch_bytes(const Device& device, std::uint64_t count, bool with_values,
                                 const SortOptions& options) {
  const SortTask task = make_task<Key>(count, with_values, options);
  return nothing_to_do(task) ? 0 : scratch_of(device, task).total;
}

#define GENOCL_SORT_FOR(Key)                                                                                    \
  template GENOCL_EXPORT void sort<Key>(const Device&, Array<Key>&, const SortOptions&);                        \
  template GENOCL_EXPORT void sort<Key>(const Device&, Array<Key>&, Array<std::uint32_t>&, const SortOptions&); \
  template GENOCL_EXPORT std::uint64_t sort_scratch_bytes<Key>(const Device&, std::uint64_t, bool, const SortOptions&);
GENOCL_SORT_FOR(std::uint32_t)
GENOCL_SORT_FOR(std::uint64_t)
#undef GENOCL_SORT_FOR

}  // namespace genocl::primitives
