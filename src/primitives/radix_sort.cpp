#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/launch.hpp"
#include "primitives/radix_sort.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

SortTask make_task(std::uint64_t count, std::size_t key_bytes, bool has_values, const SortOptions& options) {
  const unsigned width = static_cast<unsigned>(key_bytes) * 8;
  SortTask task;
  task.count = count;
  task.key_bytes = static_cast<unsigned>(key_bytes);
  task.has_values = has_values;
  task.first_bit = options.first_bit;
  task.last_bit = options.last_bit.value_or(width);
  if (task.first_bit > task.last_bit || task.last_bit > width)
    throw InputError("sort: bits [" + std::to_string(task.first_bit) + ", " + std::to_string(task.last_bit) +
                     ") of a key of " + std::to_string(width));
  return task;
}

SortTask make_task(const detail::SortOperands& operands, const SortOptions& options) {
  const std::uint64_t keys = operands.keys.bytes / operands.key_bytes, values = operands.values.bytes / 4;
  if (operands.has_values && keys != values)
    throw InputError("sort: " + std::to_string(keys) + " keys with " + std::to_string(values) + " values");
  return make_task(keys, operands.key_bytes, operands.has_values, options);
}

bool is_trivial(const SortTask& task) { return task.count < 2 || task.bits() == 0; }

bool uses_gpu_kernels(const Device& device) { return device.family() == KernelFamily::gpu && can_sort_on_gpu(device); }

runtime::ScratchSize scratch_of(const Device& device, const SortTask& task, bool with_alternate) {
  if (!uses_gpu_kernels(device)) return cpu_scratch(device, task, cpu_tuning(device, task));
  runtime::ScratchSize size = gpu_scratch(device, task, gpu_tuning(device, task));
  if (!with_alternate) {
    size.add(task.key_array_bytes());
    if (task.has_values) size.add(task.value_array_bytes());
  }
  return size;
}

/// Sorts between `items` and `other`, or without `other` in place. True if the result is in `other`.
bool run(const Device& device, const SortTask& task, const SortBuffers& items, const SortBuffers* other) {
  if (is_trivial(task)) return false;
  const runtime::ScratchSize scratch = scratch_of(device, task, other != nullptr);
  runtime::check_capacity(device, "scratch memory of a sort", scratch.largest(), scratch.total());
  if (!uses_gpu_kernels(device)) {
    sort_on_cpu(device, task, cpu_tuning(device, task), items);
    return false;
  }
  const GpuTuning tuning = gpu_tuning(device, task);
  if (other != nullptr) return sort_on_gpu(device, task, tuning, items, *other);
  const runtime::Scratch keys(device, task.key_array_bytes());
  const runtime::Scratch values =
      task.has_values ? runtime::Scratch(device, task.value_array_bytes()) : runtime::Scratch();
  const SortBuffers spare{keys.buffer(), task.has_values ? values.buffer() : keys.buffer()};
  if (!sort_on_gpu(device, task, tuning, items, spare)) return false;
  runtime::copy(device, spare.keys, 0, items.keys, 0, task.key_array_bytes());
  if (task.has_values) runtime::copy(device, spare.values, 0, items.values, 0, task.value_array_bytes());
  return false;
}

SortBuffers buffers_of(const CallFrame& frame, std::size_t keys, bool has_values) {
  return {frame[keys], has_values ? frame[keys + 1] : frame[keys]};
}

}  // namespace

void detail::sort(const Device& device, const SortOperands& operands, const SortOptions& options, const Call& call) {
  const SortTask task = make_task(operands, options);
  CallFrame frame(device, call, "sort",
                  {{"keys", operands.keys, Access::update}, {"values", operands.values, Access::update}});
  run(frame.device(), task, buffers_of(frame, 0, task.has_values), nullptr);
  frame.finish();
}

bool detail::sort(const Device& device, const SortOperands& current, const SortOperands& alternate,
                  const SortOptions& options, const Call& call) {
  const SortTask task = make_task(current, options);
  if (alternate.keys.bytes != current.keys.bytes || alternate.values.bytes != current.values.bytes)
    throw InputError("sort: the two views of a DoubleBuffer differ in size");
  CallFrame frame(device, call, "sort",
                  {{"keys", current.keys, Access::update},
                   {"values", current.values, Access::update},
                   {"alternate keys", alternate.keys, Access::update},
                   {"alternate values", alternate.values, Access::update}});
  const SortBuffers other = buffers_of(frame, 2, task.has_values);
  const bool swapped = run(frame.device(), task, buffers_of(frame, 0, task.has_values), &other);
  frame.finish();
  return swapped;
}

std::uint64_t detail::sort_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                         bool with_values, bool with_alternate, const SortOptions& options) {
  const SortTask task = make_task(count, key_bytes, with_values, options);
  return is_trivial(task) ? 0 : scratch_of(device, task, with_alternate).total();
}

}  // namespace genocl::primitives
