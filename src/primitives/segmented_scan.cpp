#include "genocl/primitives/segmented_scan.hpp"

#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"
#include "primitives/index_check.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::OperatorScan;
using detail::SegmentOffsets;

Shares segmented_scan_shares(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  return share_out(device, tuning, count, 64, 8192);
}

/// Operands of the frame: values, offsets, results.
void segmented_scan_on_cpu(const CallFrame& frame, const OperatorScan& job, const SegmentOffsets& offsets,
                           const LaunchTuning& tuning) {
  const Device& device = frame.device();
  const std::uint64_t count = job.input.size(), offset_count = offsets.view.bytes / offsets.offset_bytes;
  const Shares shares = segmented_scan_shares(device, count, tuning);
  const runtime::Scratch totals(device, shares.workers * element_bytes(job.type)),
      heads(device, shares.workers * sizeof(std::uint32_t));
  ExpressionSource source;
  source.add_input(job.type).add_operator(job.combine, job.type);
  runtime::Defines defines;
  defines.set("ONLY_CPU", 1).set("OFFSET", type_of_size(offsets.offset_bytes)).set("INCLUSIVE", job.inclusive ? 1 : 0);
  const char* const file = "primitives/segmented_scan_cpu.cl";
  if (shares.workers > 1)
    expression_kernel(device, file, "segmented_scan_totals_cpu", source, defines)
        .args(frame[0], count, frame[1], offset_count, shares.share, totals, heads)
        .run(shares.workers, 1, job.input.view.bytes);
  expression_kernel(device, file, "segmented_scan_cpu", source, defines)
      .args(frame[0], count, frame[1], offset_count, shares.share, totals, heads, frame[2])
      .run(shares.workers, 1, 2 * job.input.view.bytes + offsets.view.bytes);
}

/// A scan by key whose keys flag the first elements of segments.
void segmented_scan_on_gpu(const CallFrame& frame, const OperatorScan& job, const SegmentOffsets& offsets,
                           const MemoryView& results, const LaunchTuning& tuning) {
  const Device& device = frame.device();
  const std::uint64_t count = job.input.size(), offset_count = offsets.view.bytes / offsets.offset_bytes;
  const auto size = static_cast<std::size_t>(count);
  const runtime::Scratch flags(device, size);
  const std::uint8_t no_head = 0;
  runtime::fill(device, flags.buffer(), &no_head, 1, size);
  runtime::Defines defines;
  defines.set("OFFSET", type_of_size(offsets.offset_bytes));
  runtime::launch_items(device, "primitives/segment_heads.cl", "segment_heads", defines,
                        {.items = offset_count, .bytes = offsets.view.bytes + offset_count}, frame[1], offset_count,
                        count, flags);
  const auto operand = [&](std::size_t index, const MemoryView& view) {
    return MemoryView{frame[index](), device.context()(), 0, view.bytes};
  };
  OperatorScan scan = job;
  scan.input.view = operand(0, job.input.view);
  scan.keys = flags.span<std::uint8_t>(size).view();
  scan.key_bytes = 1;
  scan.keys_are_heads = true;
  Call nested;
  nested.tuning = tuning;
  detail::operator_scan(device, scan, operand(2, results), nested);
}

}  // namespace

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
  if (uses_cpu_kernels(frame.device()))
    segmented_scan_on_cpu(frame, job, offsets, call.tuning);
  else
    segmented_scan_on_gpu(frame, job, offsets, results, call.tuning);
  frame.finish();
}

std::uint64_t detail::segmented_scan_scratch_bytes(const Device& device, std::uint64_t elements,
                                                   std::size_t value_bytes, const LaunchTuning& tuning) {
  runtime::ScratchSize size(device);
  if (!uses_cpu_kernels(device))
    return size.add(elements).total() + operator_scan_scratch_bytes(device, elements, value_bytes, true, tuning);
  const std::size_t workers = segmented_scan_shares(device, elements, tuning).workers;
  return size.add(workers * value_bytes).add(workers * sizeof(std::uint32_t)).total();
}

}  // namespace genocl::primitives
