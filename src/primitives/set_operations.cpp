#include "genocl/primitives/set_operations.hpp"

#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/compact.hpp"
#include "genocl/primitives/merge.hpp"
#include "primitives/look_back.hpp"
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

/// UNION and the others of set_operations.clh.
int number_of(SetOperation operation) { return static_cast<int>(operation) + 1; }

Shares set_shares(const Device& device, std::uint64_t count, const LaunchTuning& tuning) {
  return share_out(device, tuning, count, 64, 8192);
}

/// The operands of a set operation in a frame: both ranges, results, count.
struct SetJob {
  const CallFrame& frame;
  const MergeKind& kind;
  int operation;  ///< SET_OPERATION of set_operations.clh
  std::uint64_t first_count, count, capacity;
};

void set_operation_on_cpu(const SetJob& job, const LaunchTuning& tuning) {
  const Device& device = job.frame.device();
  const Shares shares = set_shares(device, job.count, tuning);
  const std::uint64_t bytes = job.count * job.kind.key_bytes;
  const runtime::Scratch parts(device, static_cast<std::size_t>(bytes)), parts_of(device, shares.workers * 32);
  const char* const file = "primitives/set_operations_cpu.cl";
  runtime::Defines defines;
  defines.set("ONLY_CPU", 1).set("SET_OPERATION", job.operation);
  expression_kernel(device, file, "set_operation_cpu", job.kind.source, defines)
      .args(job.frame[0], job.first_count, job.frame[1], job.count, shares.share, parts, parts_of)
      .run(shares.workers, 1, 2 * bytes);
  expression_kernel(device, file, "set_parts_cpu", job.kind.source, defines)
      .args(parts, parts_of, job.frame[2], job.capacity, job.frame[3])
      .run(shares.workers, 1, 2 * bytes);
}

void set_operation_on_gpu(const SetJob& job, const LaunchTuning& tuning) {
  const Device& device = job.frame.device();
  const std::uint64_t zero = 0;
  if (job.count == 0) return runtime::fill(device, job.frame[3], &zero, sizeof zero, sizeof zero);
  const auto merge_into = [&](const cl::Buffer& results, const SetOutput& output) {
    merge_ranges(device, job.kind, {job.frame[0], {}}, job.first_count, {job.frame[1], {}}, job.count, {results, {}},
                 tuning, output);
  };
  if (merges_sets_in_one_pass(device, tuning))
    return merge_into(job.frame[2], {job.operation, nullptr, &job.frame[3], job.capacity});
  const std::size_t bytes = static_cast<std::size_t>(job.count) * job.kind.key_bytes, elements = job.count;
  const runtime::Scratch merged(device, bytes), flags(device, elements);
  merge_into(merged.buffer(), {job.operation, &flags.buffer(), nullptr, 0});
  Call nested;
  nested.tuning = tuning;
  const auto view = [&](std::size_t operand, std::uint64_t size) {
    return size == 0 ? MemoryView{}
                     : MemoryView{job.frame[operand](), device.context()(), 0, static_cast<std::size_t>(size)};
  };
  detail::select(device,
                 {merged.span<std::byte>(bytes).view(), flags.span<std::uint8_t>(elements).view(),
                  view(2, job.capacity * job.kind.key_bytes), job.kind.key_bytes, 1, false},
                 view(3, sizeof(std::uint64_t)), nested);
}

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
  const std::uint64_t first_count = operands.first.bytes / kind.key_bytes;
  const std::uint64_t elements = first_count + operands.second.bytes / kind.key_bytes;
  if (!call.scratch.empty())
    frame.require_scratch(set_operation_scratch_bytes(device, elements, kind.key_bytes, call.tuning));
  const SetJob job{frame,       kind,     number_of(operands.operation),
                   first_count, elements, operands.results.bytes / kind.key_bytes};
  uses_cpu_kernels(device) ? set_operation_on_cpu(job, call.tuning) : set_operation_on_gpu(job, call.tuning);
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
  if (uses_cpu_kernels(device))
    return runtime::ScratchSize(device)
        .add(count * element_bytes)
        .add(set_shares(device, count, tuning).workers * 32)
        .total();
  const std::uint64_t merge_bytes = merge_scratch_bytes(device, count, tuning);
  if (merges_sets_in_one_pass(device, tuning)) {
    const std::uint64_t tiles = ceil_div(count, small_merge_tile(device, tuning).size());
    return merge_bytes + runtime::ScratchSize(device).add(tile_states_bytes(tiles, true)).total();
  }
  return runtime::ScratchSize(device).add(count * element_bytes).add(count).total() + merge_bytes +
         select_scratch_bytes(device, count, tuning);
}

}  // namespace genocl::primitives
