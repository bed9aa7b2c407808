#include "genocl/primitives/segmented_reduce.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"
#include "primitives/index_check.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::ArgReduction;
using detail::OperatorReduction;
using detail::SegmentOffsets;

// SHORT and CHUNK of segmented_reduce.cl.
constexpr std::uint64_t short_segment = 2048, segment_chunk = 8192;

const char* segmented_call_name(const OperatorReduction& job) {
  if (job.arg == ArgReduction::minimum) return "segmented_arg_min";
  if (job.arg == ArgReduction::maximum) return "segmented_arg_max";
  return job.expression != nullptr ? "transform_segmented_reduce" : "segmented_reduce";
}

std::size_t segment_result_bytes(const OperatorReduction& job) {
  return job.arg == ArgReduction::none ? element_bytes(job.type) : 16;
}

/// An upper bound of the number of chunks of segments longer than `short_segment`, since segments do not overlap.
std::uint64_t max_segment_units(std::uint64_t elements) {
  return std::min<std::uint64_t>(elements / short_segment, std::numeric_limits<std::uint32_t>::max());
}

/// The launches of one call. Operands of the frame: first input, second input, offsets, results.
class SegmentReducer {
 public:
  SegmentReducer(const CallFrame& frame, const OperatorReduction& job, const SegmentOffsets& offsets,
                 std::uint64_t count, const LaunchTuning& tuning)
      : frame_(frame),
        device_(frame.device()),
        job_(job),
        offset_bytes_(offsets.offset_bytes),
        segments_(offsets.view.bytes / offsets.offset_bytes - 1),
        source_(reduce_source(job)),
        count_(count),
        max_units_(max_segment_units(count)),
        tuning_(tuning) {}

  void run() const {
    const auto units = static_cast<std::size_t>(std::max<std::uint64_t>(1, max_units_));
    const std::uint32_t zero = 0;
    const runtime::Scratch used(device_, sizeof zero), list(device_, units * 16),
        partials(device_, units * segment_result_bytes(job_));
    if (max_units_ > 0) runtime::fill(device_, used.buffer(), &zero, sizeof zero, sizeof zero);
    reduce_short(used.buffer(), list.buffer());
    if (max_units_ == 0) return;
    const auto bound = static_cast<std::uint32_t>(max_units_);
    const std::size_t groups = groups_for_units();
    runtime::Kernel reduce = kernel_of("segmented_reduce_units", true);
    reduce.append(count_, frame_[2], used, list, bound, partials, frame_[3]).run(groups, size());
    runtime::Kernel combine = kernel_of("segmented_reduce_combine", false);
    combine.args(count_, frame_[2], used, list, bound, partials, frame_[3]).run(groups, size());
  }

 private:
  void reduce_short(const cl::Buffer& used, const cl::Buffer& list) const {
    const auto bound = static_cast<std::uint32_t>(max_units_);
    std::uint64_t bytes = (segments_ + 1) * offset_bytes_ + segments_ * segment_result_bytes(job_);
    for (const ExpressionInput& input : job_.inputs) bytes += input.view.bytes;
    runtime::Kernel kernel = kernel_of("segmented_reduce_short", true);
    kernel.append(count_, frame_[2], segments_);
    if (!uses_cpu_kernels(device_)) {
      const std::uint64_t groups = ceil_div(segments_, size() / lanes());
      return kernel.append(used, list, bound, frame_[3]).run(static_cast<std::size_t>(groups), size(), bytes);
    }
    const Shares shares = share_out(device_, tuning_, count_ + segments_, 64, 4096);
    kernel.append(shares.share, used, list, bound, frame_[3]).run(shares.workers, 1, bytes);
  }

  runtime::Kernel kernel_of(std::string name, bool with_inputs) const {
    runtime::Defines defines;
    defines.set("OFFSET", type_of_size(offset_bytes_)).set("SHORT", short_segment).set("CHUNK", segment_chunk);
    if (uses_cpu_kernels(device_))
      defines.set("ONLY_CPU", 1);
    else
      defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size()).set("LANES", lanes());
    name += uses_cpu_kernels(device_) ? "_cpu" : "_gpu";
    runtime::Kernel kernel = expression_kernel(device_, "primitives/segmented_reduce.cl", name, source_, defines);
    if (with_inputs) set_inputs(kernel, frame_, job_.inputs.size());
    return kernel;
  }

  unsigned size() const { return uses_cpu_kernels(device_) ? 1 : group_size(device_, tuning_); }

  /// Work-items of a `gpu` kernel for a segment. No result depends on it.
  unsigned lanes() const {
    const std::uint64_t mean = count_ / segments_;
    if (mean <= 16) return 4;
    if (mean <= 64) return 8;
    return mean <= 256 ? 16 : 32;
  }

  std::size_t groups_for_units() const {
    std::uint64_t fill = groups_that_fill(device_);
    if (uses_cpu_kernels(device_)) fill = share_out(device_, tuning_, max_units_, 1, 1).workers;
    return static_cast<std::size_t>(std::min(max_units_, fill));
  }

  const CallFrame& frame_;
  const Device& device_;
  const OperatorReduction& job_;
  const std::size_t offset_bytes_;
  const std::uint64_t segments_;
  const ExpressionSource source_;
  const std::uint64_t count_, max_units_;
  const LaunchTuning& tuning_;
};

}  // namespace

void detail::segmented_reduce(const Device& device, const OperatorReduction& job, const SegmentOffsets& offsets,
                              const MemoryView& results, const Call& call) {
  const char* const name = segmented_call_name(job);
  check_type(device, name, job.type);
  static const Expression itself("x");
  const std::uint64_t count =
      check_expression(device, name, job.expression != nullptr ? *job.expression : itself, job.inputs);
  const std::uint64_t segments = segments_of(name, offsets);
  const std::uint64_t found = results.bytes / segment_result_bytes(job);
  if (found != segments)
    throw InputError(std::string(name) + ": " + std::to_string(segments) + " segments but " + std::to_string(found) +
                     " results");
  CallFrame frame(device, call, name,
                  {{"first input", job.inputs[0].view, Access::read},
                   {"second input", job.inputs.size() > 1 ? job.inputs[1].view : MemoryView{}, Access::read},
                   {"offsets", offsets.view, Access::read},
                   {"results", results, Access::write}});
  if (segments == 0) return frame.finish();
  if (!call.scratch.empty())
    frame.require_scratch(segmented_reduce_scratch_bytes(device, count, segment_result_bytes(job)));
  check_offsets(device, name, {frame[2], segments + 1, offsets.offset_bytes}, count);
  SegmentReducer(frame, job, offsets, count, call.tuning).run();
  frame.finish();
}

std::uint64_t segmented_reduce_scratch_bytes(const Device& device, std::uint64_t elements, std::size_t result_bytes) {
  const std::uint64_t units = std::max<std::uint64_t>(1, max_segment_units(elements));
  return runtime::ScratchSize(device).add(sizeof(std::uint32_t)).add(units * 16).add(units * result_bytes).total();
}

}  // namespace genocl::primitives
