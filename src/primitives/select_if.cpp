#include "genocl/primitives/select_if.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "primitives/compact.hpp"
#include "primitives/expression.hpp"
#include "primitives/look_back.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

// Groups of 384, 256 and 128 select 473, 448 and 427 G elements/s of 2^28 on an H200.
constexpr unsigned selection_group = 384;
constexpr std::uint64_t selection_local_memory = 40 << 10;

/// True if select_one_pass.cl runs.
bool selects_in_one_pass(const Device& device, const LaunchTuning& tuning) {
  return !uses_cpu_kernels(device) && device.has_ptx() && tuning.group_size == 0 &&
         device.info().max_work_group_size >= selection_group && device.info().local_memory >= selection_local_memory;
}

struct SelectionTiles {
  unsigned group_size, items;
  std::uint64_t count;
};

SelectionTiles selection_tiles(std::uint64_t elements, std::size_t element_size) {
  SelectionTiles tiles{selection_group, element_size == 8 ? 12u : 24u, 0};
  tiles.count = std::max<std::uint64_t>(1, ceil_div(elements, std::uint64_t{tiles.group_size} * tiles.items));
  return tiles;
}

/// The text in front of the kernels: INPUT_PARAMETERS and VALUE_AT(), not 0 for an element that is selected.
ExpressionSource flag_source(const Expression& flag, const ExpressionInput& values, bool has_length) {
  ExpressionSource source;
  source.add_expression(flag, std::span(&values, 1), ElementType::uint8);
  if (has_length) source.add_length("0");
  return source;
}

/// `length`, `rejected`: null without.
struct OnePassSelection {
  const ExpressionInput& values;
  const cl::Buffer &input, &selected, &count;
  const cl::Buffer *length, *rejected;
  std::uint64_t capacity, rejected_capacity;
};

void select_in_one_pass(const Device& device, const Expression& flag, const OnePassSelection& job) {
  const std::size_t bytes = element_bytes(job.values.type);
  const std::uint64_t elements = job.values.size();
  const SelectionTiles tiles = selection_tiles(elements, bytes);
  const TileStates states = tile_states(device, tile_states_bytes(tiles.count, true));
  runtime::Defines defines;
  defines.set("ONLY_GPU", 1).set("ELEMENT", type_name(job.values.type)).set("REJECTS", job.rejected != nullptr ? 1 : 0);
  defines.set("GROUP_SIZE", tiles.group_size).set("ITEMS", tiles.items);
  ExpressionSource source = flag_source(flag, job.values, job.length != nullptr);
  source.add("#define INPUT_AT(i) genocl_input0[i]\n");
  runtime::Kernel kernel =
      expression_kernel(device, "primitives/select_one_pass.cl", "select_one_pass", source, defines);
  kernel.args(job.input);
  if (job.length != nullptr) kernel.append(*job.length);
  kernel.append(elements, states.memory, states.cleared_words, job.selected, job.capacity);
  if (job.rejected != nullptr) kernel.append(*job.rejected, job.rejected_capacity);
  kernel.append(job.count).run(static_cast<std::size_t>(tiles.count), tiles.group_size, 2 * elements * bytes);
}

}  // namespace

void detail::select_if(const Device& device, const Expression& expression, const ExpressionInput& values,
                       const MemoryView& selected, const MemoryView* rejected, const MemoryView& count,
                       const MemoryView& length, const Call& call) {
  const char* const name = rejected != nullptr ? "partition_copy" : "select_if";
  if (count.bytes == 0) throw InputError(std::string(name) + ": the count array is empty; it needs one element");
  check_expression(device, name, expression, std::span(&values, 1));
  const MemoryView first = runtime::part_of(count, 0, sizeof(std::uint64_t));
  CallFrame frame(device, call, name,
                  {{"values", values.view, Access::read},
                   {"length", length, Access::read},
                   {"selected", selected, Access::update},
                   {"rejected", rejected != nullptr ? *rejected : MemoryView{}, Access::update},
                   {"count", first, Access::write}});
  const std::uint64_t elements = values.size();
  if (!call.scratch.empty())
    frame.require_scratch(select_if_scratch_bytes(device, elements, rejected != nullptr, call.tuning));
  const Device& inner = frame.device();
  Call nested;
  nested.tuning = call.tuning;
  const auto operand = [&](std::size_t index, const MemoryView& view) {
    return view.bytes == 0 ? MemoryView{} : MemoryView{frame[index](), device.context()(), 0, view.bytes};
  };
  const MemoryView input = operand(0, values.view);
  const auto select_into = [&](const Expression& flag, const MemoryView& to, const MemoryView& number) {
    const runtime::Scratch flags(inner, static_cast<std::size_t>(elements));
    const MemoryView flag_view = flags.span<std::uint8_t>(static_cast<std::size_t>(elements)).view();
    if (elements != 0)
      launch_transform(frame, flag_source(flag, values, length.bytes != 0), length.bytes != 0 ? 2 : 1, flags.buffer(),
                       elements, values.view.bytes + elements, call.tuning);
    select(inner, {input, flag_view, to, element_bytes(values.type), 1, false}, number, nested);
  };
  // A flag is the truth of the expression, which may have any type. Its lines count from 1 in messages.
  const std::string truth = "(\n#line 1 \"expression\"\n" + expression.text + "\n)";
  const Expression is_selected(truth + " != 0", expression.functions);
  const std::size_t bytes = element_bytes(values.type);
  if (compacts_at_once(elements, call.tuning)) {
    SmallCompaction small;
    small.source = flag_source(is_selected, values, length.bytes != 0);
    small.source.add("#define FLAG_PARAMETERS INPUT_PARAMETERS\n#define FLAG_AT(i) VALUE_AT(i)\n");
    small.count = elements;
    small.first = {frame[0], frame[2], selected.bytes / bytes, bytes};
    if (rejected != nullptr) small.second = {frame[0], frame[3], rejected->bytes / bytes, bytes};
    small.rejects = rejected != nullptr;
    small.number = frame[4];
    const std::array<cl::Buffer, 2> arguments{frame[0], frame[1]};
    compact_at_once(inner, small, std::span(arguments).first(length.bytes != 0 ? 2 : 1));
    return frame.finish();
  }
  if (selects_in_one_pass(inner, call.tuning)) {
    const cl::Buffer* const length_buffer = length.bytes != 0 ? &frame[1] : nullptr;
    const cl::Buffer* const rejected_buffer = rejected != nullptr ? &frame[3] : nullptr;
    select_in_one_pass(inner, is_selected,
                       {values, frame[0], frame[2], frame[4], length_buffer, rejected_buffer, selected.bytes / bytes,
                        rejected != nullptr ? rejected->bytes / bytes : 0});
    return frame.finish();
  }
  if (rejected != nullptr) {
    const runtime::Scratch others(inner, sizeof(std::uint64_t));
    select_into({truth + " == 0", expression.functions}, operand(3, *rejected), others.span<std::uint64_t>(1).view());
  }
  select_into(is_selected, operand(2, selected), operand(4, first));
  frame.finish();
}

std::uint64_t detail::select_if_to_host(const Device& device, const Expression& expression,
                                        const ExpressionInput& values, const MemoryView& selected,
                                        const MemoryView* rejected, const Call& call) {
  const runtime::Scratch count(device, sizeof(std::uint64_t));
  select_if(device, expression, values, selected, rejected, count.span<std::uint64_t>(1).view(), {}, call);
  std::uint64_t host = 0;
  runtime::download(device, count.buffer(), 0, &host, sizeof host);
  return host;
}

std::uint64_t detail::select_if_scratch_bytes(const Device& device, std::uint64_t elements, bool partitions,
                                              const LaunchTuning& tuning) {
  runtime::ScratchSize size(device);
  // The size of elements is not known: the smallest tiles.
  if (selects_in_one_pass(device, tuning))
    return size.add(tile_states_bytes(selection_tiles(elements, 8).count, true)).total();
  size.add(elements);
  if (partitions) size.add(8);
  return size.total() + select_scratch_bytes(device, elements, tuning);
}

}  // namespace genocl::primitives
