#include "genocl/primitives/unique.hpp"

#include <algorithm>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "primitives/compact.hpp"
#include "primitives/launch.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::UniqueOperands;

std::uint64_t key_count(const UniqueOperands& operands) { return operands.keys.bytes / operands.key_bytes; }

void check_sizes(const char* name, const UniqueOperands& operands) {
  if (operands.value_bytes == 0) return;
  const std::uint64_t values = operands.values.bytes / operands.value_bytes;
  if (values != key_count(operands))
    throw InputError(std::string(name) + ": " + std::to_string(key_count(operands)) + " keys but " +
                     std::to_string(values) + " values");
}

/// One launch.
void select_runs_at_once(const CallFrame& frame, const UniqueOperands& operands, std::uint64_t elements) {
  SmallCompaction small;
  small.source.add("typedef " + std::string(type_of_size(operands.key_bytes)) + " KEY;\n");
  small.source.add(
      "#define FLAG_PARAMETERS __global const KEY* keys,\n"
      "#define FLAG_AT(i) ((i) == 0 || DIFFERENT(keys[i], keys[(i) == 0 ? 0 : (i) - 1]))\n");
  small.source.add(operands.key_bytes == 16 ? "#define DIFFERENT(a, b) any((a) != (b))\n"
                                            : "#define DIFFERENT(a, b) ((a) != (b))\n");
  small.count = elements;
  small.first = {frame[0], frame[2], operands.unique_keys.bytes / operands.key_bytes, operands.key_bytes};
  if (operands.value_bytes != 0)
    small.second = {frame[1], frame[3], operands.unique_values.bytes / operands.value_bytes, operands.value_bytes};
  small.number = frame[4];
  compact_at_once(frame.device(), small, std::span(&frame[0], 1));
}

/// Flags run starts, and selects keys and values by the flags, on the frame's device. `count`: one number of 64 bits.
void select_runs(CallFrame& frame, const UniqueOperands& operands, const MemoryView& count, const Call& call) {
  const Device& device = frame.device();
  const std::uint64_t elements = key_count(operands);
  if (!call.scratch.empty()) frame.require_scratch(unique_scratch_bytes(device, elements, call.tuning));
  if (compacts_at_once(elements, call.tuning)) return select_runs_at_once(frame, operands, elements);
  if (selects_runs_directly(device, operands.value_bytes, call.tuning))
    return select_first_of_runs(frame, operands, call.tuning);
  const runtime::Scratch flags(device, elements);
  const MemoryView flag_view = flags.span<std::uint8_t>(elements).view();
  if (elements > 0)
    flag_runs(device, frame[0], elements, operands.key_bytes, RunFlag::start, flags.buffer(), call.tuning);
  // The frame's buffers, since it has copied operands that kernels cannot use in place.
  const auto operand = [&](std::size_t index, const MemoryView& view) {
    return view.bytes == 0 ? MemoryView{} : MemoryView{frame[index](), device.context()(), 0, view.bytes};
  };
  Call inner;
  inner.tuning = call.tuning;
  const MemoryView number = operand(4, count);
  detail::select(device,
                 {operand(0, operands.keys), flag_view, operand(2, operands.unique_keys), operands.key_bytes, 1, false},
                 number, inner);
  if (operands.value_bytes != 0)
    detail::select(
        device,
        {operand(1, operands.values), flag_view, operand(3, operands.unique_values), operands.value_bytes, 1, false},
        number, inner);
}

const char* name_of(const UniqueOperands& operands) { return operands.value_bytes == 0 ? "unique" : "unique_by_key"; }

}  // namespace

void flag_runs(const Device& device, const cl::Buffer& elements, std::uint64_t count, std::size_t element_bytes,
               RunFlag which, const cl::Buffer& flags, const LaunchTuning& tuning) {
  runtime::Defines defines;
  defines.set("ELEMENT", type_of_size(element_bytes)).set("VECTOR_ELEMENT", element_bytes == 16 ? 1 : 0);
  defines.set("ENDS", which == RunFlag::end ? 1 : 0);
  runtime::launch_items(device, "primitives/unique.cl", "flag_runs", defines,
                        {.items = count,
                         .bytes = count * (element_bytes + 1),
                         .least = 8192,
                         .group_size = static_cast<unsigned>(tuning.group_size)},
                        elements, flags, count);
}

void detail::unique(const Device& device, const UniqueOperands& operands, const MemoryView& count, const Call& call) {
  const char* const name = name_of(operands);
  check_sizes(name, operands);
  if (count.bytes == 0) throw InputError(std::string(name) + ": the count array is empty; it needs one element");
  const MemoryView first = runtime::part_of(count, 0, sizeof(std::uint64_t));
  CallFrame frame(device, call, name,
                  {{"keys", operands.keys, Access::read},
                   {"values", operands.values, Access::read},
                   {"unique keys", operands.unique_keys, Access::update},
                   {"unique values", operands.unique_values, Access::update},
                   {"count", first, Access::write}});
  select_runs(frame, operands, first, call);
  frame.finish();
}

std::uint64_t detail::unique(const Device& device, const UniqueOperands& operands, const Call& call) {
  const runtime::Scratch count(device, sizeof(std::uint64_t));
  unique(device, operands, count.span<std::uint64_t>(1).view(), call);
  std::uint64_t host = 0;
  runtime::download(device, count.buffer(), 0, &host, sizeof host);
  return host;
}

std::uint64_t detail::unique_scratch_bytes(const Device& device, std::uint64_t elements, const LaunchTuning& tuning) {
  const std::uint64_t bytes =
      runtime::ScratchSize(device).add(elements).total() + select_scratch_bytes(device, elements, tuning);
  if (!selects_runs_directly(device, 8, tuning)) return bytes;
  return std::max(bytes, direct_runs_scratch(device, elements, 8, tuning));
}

}  // namespace genocl::primitives
