#include "genocl/primitives/set_operations.hpp"

#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/merge.hpp"
#include "primitives/merge.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::SetOperation;

const char* name_of(SetOperation operation) {
  switch (operation) {
    case SetOperation::set_union:
      return "set_union";
    case SetOperation::intersection:
      return "set_intersection";
    case SetOperation::difference:
      return "set_difference";
    case SetOperation::symmetric_difference:
      break;
  }
  return "set_symmetric_difference";
}

/// UNION and the others of merge.cl.
int number_of(SetOperation operation) { return static_cast<int>(operation) + 1; }

}  // namespace

void detail::set_operation(const Device& device, const SetOperands& operands, const Comparison& comparison,
                           const MemoryView& count, const Call& call) {
  const char* const name = name_of(operands.operation);
  if (count.bytes == 0) throw InputError(std::string(name) + ": the count array is empty; it needs one element");
  const MergeKind kind(device, name, comparison, operands.type, 0);
  const MemoryView number = runtime::part_of(count, 0, sizeof(std::uint64_t));
  CallFrame frame(device, call, name,
                  {{"first range", operands.first, Access::read},
                   {"second range", operands.second, Access::read},
                   {"results", operands.results, Access::update},
                   {"count", number, Access::write}});
  const std::size_t bytes = operands.first.bytes + operands.second.bytes;
  const std::size_t elements = bytes / kind.key_bytes;
  if (!call.scratch.empty())
    frame.require_scratch(set_operation_scratch_bytes(device, elements, kind.key_bytes, call.tuning));
  const Device& inner = frame.device();
  const runtime::Scratch merged(inner, bytes), flags(inner, elements);
  if (elements != 0)
    merge_ranges(inner, kind, {frame[0], {}}, operands.first.bytes / kind.key_bytes, {frame[1], {}}, elements,
                 {merged.buffer(), {}}, call.tuning, number_of(operands.operation), flags.buffer());
  Call nested;
  nested.tuning = call.tuning;
  const MemoryView results = operands.results.bytes == 0
                                 ? MemoryView{}
                                 : MemoryView{frame[2](), device.context()(), 0, operands.results.bytes};
  select(inner,
         {merged.span<std::byte>(bytes).view(), flags.span<std::uint8_t>(elements).view(), results, kind.key_bytes, 1,
          false},
         MemoryView{frame[3](), device.context()(), 0, sizeof(std::uint64_t)}, nested);
  frame.finish();
}

std::uint64_t detail::set_operation_to_host(const Device& device, const SetOperands& operands,
                                            const Comparison& comparison, const Call& call) {
  const runtime::Scratch count(device, sizeof(std::uint64_t));
  set_operation(device, operands, comparison, count.span<std::uint64_t>(1).view(), call);
  std::uint64_t host = 0;
  runtime::download(device, count.buffer(), 0, &host, sizeof host);
  return host;
}

std::uint64_t set_operation_scratch_bytes(const Device& device, std::uint64_t count, std::size_t element_bytes,
                                          const LaunchTuning& tuning) {
  return runtime::ScratchSize(device).add(count * element_bytes).add(count).total() +
         merge_scratch_bytes(device, count, tuning) + select_scratch_bytes(device, count, tuning);
}

}  // namespace genocl::primitives
