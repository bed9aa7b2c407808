#include <array>
#include <bit>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/sort.hpp"
#include "primitives/launch.hpp"
#include "primitives/merge.hpp"
#include "primitives/radix_sort.hpp"
#include "primitives/sort_values.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::SortForm;
using detail::SortOperands;

SortTask make_task(std::uint64_t count, const SortOperands& operands, const SortOptions& options) {
  const unsigned width = static_cast<unsigned>(operands.key_bytes) * 8;
  SortTask task;
  task.count = count;
  task.key_bytes = static_cast<unsigned>(operands.key_bytes);
  if (operands.value_bytes != 0)
    task.value_bytes = static_cast<unsigned>(words_of(count, operands.value_bytes).word_bytes);
  task.kind = operands.key_kind;
  task.descending = options.descending;
  task.first_bit = options.first_bit;
  task.last_bit = options.last_bit.value_or(width);
  if (task.first_bit > task.last_bit || task.last_bit > width)
    throw InputError("sort: bits [" + std::to_string(task.first_bit) + ", " + std::to_string(task.last_bit) +
                     ") of a key of " + std::to_string(width));
  return task;
}

SortTask make_task(const SortOperands& operands, const SortOptions& options) {
  const std::uint64_t keys = operands.keys.bytes / operands.key_bytes;
  const std::uint64_t values = operands.value_bytes == 0 ? keys : operands.values.bytes / operands.value_bytes;
  if (keys != values)
    throw InputError("sort: " + std::to_string(keys) + " keys with " + std::to_string(values) + " values");
  return make_task(keys, operands, options);
}

bool is_trivial(const SortTask& task) { return task.count < 2 || task.bits() == 0; }

bool uses_gpu_kernels(const Device& device) { return device.family() == KernelFamily::gpu && can_sort_on_gpu(device); }

/// True if words that represent the values move with the keys.
bool moves_words(const SortTask& task, std::size_t value_bytes) { return value_bytes != task.value_bytes; }

runtime::ScratchSize scratch_of(const Device& device, const SortTask& task, std::size_t value_bytes, SortForm form) {
  const bool gpu = uses_gpu_kernels(device);
  runtime::ScratchSize size =
      gpu ? gpu_scratch(device, task, gpu_tuning(device, task)) : cpu_scratch(device, task, cpu_tuning(device, task));
  if (gpu && form != SortForm::double_buffer && (form == SortForm::in_place || gpu_passes(task) > 1)) {
    size.add(task.key_array_bytes());
    if (task.has_values()) size.add(task.value_array_bytes());
  }
  if (moves_words(task, value_bytes)) {
    const ValueWords words{task.count, value_bytes, task.value_bytes};
    if (form == SortForm::copy)
      size.add(words.array_bytes()).add(words.array_bytes());
    else
      words.add_scratch(size);
  }
  return size;
}

void check_scratch(const Device& device, const SortTask& task, std::size_t value_bytes, SortForm form) {
  const runtime::ScratchSize scratch = scratch_of(device, task, value_bytes, form);
  runtime::check_capacity(device, "scratch memory of a sort", scratch.largest(), scratch.total());
}

/// Sorts to `items`: from `from`, or without it in place.
void sort_items(const Device& device, const SortTask& task, const SortBuffers& items, const SortBuffers* from) {
  if (!uses_gpu_kernels(device)) return sort_on_cpu(device, task, cpu_tuning(device, task), items, from);
  const GpuTuning tuning = gpu_tuning(device, task);
  if (from != nullptr && gpu_passes(task) == 1) {
    sort_on_gpu(device, task, tuning, items, items, from);
    return;
  }
  const runtime::Scratch keys(device, task.key_array_bytes());
  const runtime::Scratch values =
      task.has_values() ? runtime::Scratch(device, task.value_array_bytes()) : runtime::Scratch();
  const SortBuffers spare{keys.buffer(), task.has_values() ? values.buffer() : keys.buffer()};
  if (!sort_on_gpu(device, task, tuning, items, spare, from)) return;
  runtime::copy(device, spare.keys, 0, items.keys, 0, task.key_array_bytes());
  if (task.has_values()) runtime::copy(device, spare.values, 0, items.values, 0, task.value_array_bytes());
}

/// Sorts words that represent the values.
void sort_words(const Device& device, const SortTask& task, std::size_t value_bytes, const SortBuffers& items,
                const SortBuffers* from) {
  const ValueWords words{task.count, value_bytes, task.value_bytes};
  if (from == nullptr) {
    words.sort_in_place(device, items.values, [&](const cl::Buffer& values) {
      sort_items(device, task, {items.keys, values}, nullptr);
    });
    return;
  }
  const runtime::Scratch made(device, words.array_bytes()), sorted(device, words.array_bytes());
  words.make(device, from->values, made.buffer());
  const SortBuffers source{from->keys, made.buffer()};
  sort_items(device, task, {items.keys, sorted.buffer()}, &source);
  words.take(device, sorted.buffer(), from->values, items.values);
}

/// True if one group of a `gpu` kernel sorts the items, by all bits of the keys.
bool sorts_at_once(const Device& device, const SortTask& task, std::size_t value_bytes) {
  return uses_gpu_kernels(device) && task.bits() == 8 * task.key_bytes && moves_values_of(value_bytes) &&
         task.count <= small_merge_tile(device, {}).size();
}

void sort_at_once(const Device& device, const SortTask& task, std::size_t value_bytes, const SortBuffers& items,
                  const SortBuffers& from) {
  using enum ElementType;
  constexpr std::array unsigned_types{uint8, uint16, uint32, uint64}, signed_types{int8, int16, int32, int64};
  const auto log_bytes = static_cast<std::size_t>(std::countr_zero(task.key_bytes));
  ElementType type = task.kind == detail::KeyKind::signed_integer ? signed_types[log_bytes] : unsigned_types[log_bytes];
  if (task.kind == detail::KeyKind::floating_point) type = task.key_bytes == 4 ? float32 : float64;
  const Comparison comparison = task.descending ? Comparison::greater() : Comparison::less();
  const MergeKind kind(device, "sort", comparison, type, value_bytes);
  const cl::Buffer none;
  const bool has_values = value_bytes != 0;
  sort_tile(device, kind, {from.keys, has_values ? from.values : none}, task.count,
            {items.keys, has_values ? items.values : none});
}

void run(const Device& device, const SortTask& task, std::size_t value_bytes, const SortBuffers& items,
         const SortBuffers* from) {
  if (!is_trivial(task)) {
    check_scratch(device, task, value_bytes, from != nullptr ? SortForm::copy : SortForm::in_place);
    if (sorts_at_once(device, task, value_bytes))
      return sort_at_once(device, task, value_bytes, items, from != nullptr ? *from : items);
    return moves_words(task, value_bytes) ? sort_words(device, task, value_bytes, items, from)
                                          : sort_items(device, task, items, from);
  }
  if (from == nullptr || task.count == 0) return;
  runtime::copy(device, from->keys, 0, items.keys, 0, task.key_array_bytes());
  if (task.has_values()) runtime::copy(device, from->values, 0, items.values, 0, task.count * value_bytes);
}

SortBuffers buffers_of(const CallFrame& frame, std::size_t keys, bool has_values) {
  return {frame[keys], has_values ? frame[keys + 1] : frame[keys]};
}

void check_pair(const SortOperands& a, const SortOperands& b, const char* wrong) {
  if (a.keys.bytes != b.keys.bytes || a.values.bytes != b.values.bytes) throw InputError(wrong);
}

}  // namespace

runtime::Defines key_defines(std::size_t key_bytes, detail::KeyKind kind, bool descending) {
  const auto number = kind == detail::KeyKind::unsigned_integer ? 0 : kind == detail::KeyKind::signed_integer ? 1 : 2;
  return runtime::Defines()
      .set("KEY_BITS", 8 * key_bytes)
      .set("KEY_KIND", number)
      .set("DESCENDING", descending ? 1 : 0);
}

void detail::sort(const Device& device, const SortOperands& operands, const SortOperands* to,
                  const SortOptions& options, const Call& call) {
  const SortTask task = make_task(operands, options);
  if (to == nullptr) {
    CallFrame frame(device, call, "sort",
                    {{"keys", operands.keys, Access::update}, {"values", operands.values, Access::update}});
    run(frame.device(), task, operands.value_bytes, buffers_of(frame, 0, task.has_values()), nullptr);
    return frame.finish();
  }
  check_pair(operands, *to, "sort_copy: the sorted keys or values differ in number from the operands");
  CallFrame frame(device, call, "sort_copy",
                  {{"keys", operands.keys, Access::read},
                   {"values", operands.values, Access::read},
                   {"sorted keys", to->keys, Access::write},
                   {"sorted values", to->values, Access::write}});
  const SortBuffers from = buffers_of(frame, 0, task.has_values());
  run(frame.device(), task, operands.value_bytes, buffers_of(frame, 2, task.has_values()), &from);
  frame.finish();
}

bool detail::sort_buffers(const Device& device, const SortOperands& current, const SortOperands& alternate,
                          const SortOptions& options, const Call& call) {
  const SortTask task = make_task(current, options);
  check_pair(current, alternate, "sort: the two views of a DoubleBuffer differ in size");
  CallFrame frame(device, call, "sort",
                  {{"keys", current.keys, Access::update},
                   {"values", current.values, Access::update},
                   {"alternate keys", alternate.keys, Access::update},
                   {"alternate values", alternate.values, Access::update}});
  const SortBuffers items = buffers_of(frame, 0, task.has_values()), other = buffers_of(frame, 2, task.has_values());
  bool swapped = false;
  if (!is_trivial(task)) {
    check_scratch(frame.device(), task, current.value_bytes, SortForm::double_buffer);
    if (sorts_at_once(frame.device(), task, current.value_bytes))
      sort_at_once(frame.device(), task, current.value_bytes, items, items);
    else if (uses_gpu_kernels(device))
      swapped = sort_on_gpu(frame.device(), task, gpu_tuning(device, task), items, other);
    else
      sort_on_cpu(frame.device(), task, cpu_tuning(device, task), items);
  }
  frame.finish();
  return swapped;
}

std::uint64_t detail::sort_scratch_bytes(const Device& device, std::uint64_t count, std::size_t key_bytes,
                                         std::size_t value_bytes, SortForm form, const SortOptions& options) {
  SortOperands operands;
  operands.key_bytes = key_bytes;
  operands.value_bytes = value_bytes;
  const SortTask task = make_task(count, operands, options);
  return is_trivial(task) ? 0 : scratch_of(device, task, value_bytes, form).total();
}

}  // namespace genocl::primitives
