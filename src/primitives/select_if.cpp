#include "genocl/primitives/select_if.hpp"

#include <array>
#include <span>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "primitives/compact.hpp"
#include "primitives/expression.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {

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
    if (elements != 0) {
      ExpressionSource source;
      source.add_expression(flag, std::span(&values, 1), ElementType::uint8);
      if (length.bytes != 0) source.add_length("0");
      launch_transform(frame, source, length.bytes != 0 ? 2 : 1, flags.buffer(), elements, values.view.bytes + elements,
                       call.tuning);
    }
    select(inner, {input, flag_view, to, element_bytes(values.type), 1, false}, number, nested);
  };
  // A flag is the truth of the expression, which may have any type. Its lines count from 1 in messages.
  const std::string truth = "(\n#line 1 \"expression\"\n" + expression.text + "\n)";
  if (compacts_at_once(elements, call.tuning)) {
    SmallCompaction small;
    small.source.add_expression({truth + " != 0", expression.functions}, std::span(&values, 1), ElementType::uint8);
    if (length.bytes != 0) small.source.add_length("0");
    small.source.add("#define FLAG_PARAMETERS INPUT_PARAMETERS\n#define FLAG_AT(i) VALUE_AT(i)\n");
    const std::size_t bytes = element_bytes(values.type);
    small.count = elements;
    small.first = {frame[0], frame[2], selected.bytes / bytes, bytes};
    if (rejected != nullptr) small.second = {frame[0], frame[3], rejected->bytes / bytes, bytes};
    small.rejects = rejected != nullptr;
    small.number = frame[4];
    const std::array<cl::Buffer, 2> arguments{frame[0], frame[1]};
    compact_at_once(inner, small, std::span(arguments).first(length.bytes != 0 ? 2 : 1));
    return frame.finish();
  }
  if (rejected != nullptr) {
    const runtime::Scratch others(inner, sizeof(std::uint64_t));
    select_into({truth + " == 0", expression.functions}, operand(3, *rejected), others.span<std::uint64_t>(1).view());
  }
  select_into({truth + " != 0", expression.functions}, operand(2, selected), operand(4, first));
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
  size.add(elements);
  if (partitions) size.add(8);
  return size.total() + select_scratch_bytes(device, elements, tuning);
}

}  // namespace genocl::primitives
