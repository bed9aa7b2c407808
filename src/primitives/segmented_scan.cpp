#include "genocl/primitives/segmented_scan.hpp"

#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"
#include "primitives/index_check.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {

void detail::segmented_scan(const Device& device, const OperatorScan& job, const SegmentOffsets& offsets,
                            const MemoryView& results, const Call& call) {
  const char* const name = "segmented_scan";
  check_type(device, name, job.type);
  const std::uint64_t count = job.input.size(), results_count = results.bytes / element_bytes(job.type);
  const std::uint64_t segments = segments_of(name, offsets);
  if (results_count != count)
    throw InputError(std::string(name) + ": " + std::to_string(count) + " values but " + std::to_string(results_count) +
                     " results");
  CallFrame frame(device, call, name,
                  {{"values", job.input.view, Access::read},
                   {"offsets", offsets.view, Access::read},
                   {"results", results, Access::write, true}});
  if (!call.scratch.empty())
    frame.require_scratch(segmented_scan_scratch_bytes(device, count, element_bytes(job.type), call.tuning));
  check_offsets(device, name, {frame[1], segments + 1, offsets.offset_bytes}, count);
  if (count == 0) return frame.finish();

  const Device& inner = frame.device();
  const auto size = static_cast<std::size_t>(count);
  const runtime::Scratch flags(inner, size);
  const std::uint8_t no_head = 0;
  runtime::fill(inner, flags.buffer(), &no_head, 1, size);
  runtime::Defines defines;
  defines.set("OFFSET", type_of_size(offsets.offset_bytes));
  runtime::launch_items(inner, "primitives/segment_heads.cl", "segment_heads", defines,
                        {.items = segments + 1, .bytes = offsets.view.bytes + segments}, frame[1], segments + 1, count,
                        flags);

  const auto operand = [&](std::size_t index, const MemoryView& view) {
    return MemoryView{frame[index](), inner.context()(), 0, view.bytes};
  };
  OperatorScan scan = job;
  scan.input.view = operand(0, job.input.view);
  scan.keys = flags.span<std::uint8_t>(size).view();
  scan.key_bytes = 1;
  scan.keys_are_heads = true;
  Call nested;
  nested.tuning = call.tuning;
  operator_scan(inner, scan, operand(2, results), nested);
  frame.finish();
}

std::uint64_t detail::segmented_scan_scratch_bytes(const Device& device, std::uint64_t elements,
                                                   std::size_t value_bytes, const LaunchTuning& tuning) {
  return runtime::ScratchSize(device).add(elements).total() +
         operator_scan_scratch_bytes(device, elements, value_bytes, true, tuning);
}

}  // namespace genocl::primitives
