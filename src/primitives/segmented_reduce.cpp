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
// With at most this number of groups for short segments one launch does all steps.
constexpr std::uint64_t max_waited_groups = 4096;

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
    const runtime::Scratch list(device_, units * 16), partials(device_, units * segment_result_bytes(job_));
    if (uses_cpu_kernels(device_)) return run_cpu(list, partials);
    const std::uint64_t short_groups = ceil_div(segments_, group() / lanes());
    // Segments that overlap can have more units than the array.
    const bool units_fit_counter =
        segments_ * (count_ / segment_chunk + 1) <= std::numeric_limits<std::uint32_t>::max();
    const bool at_once = max_units_ > 0 && device_.has_ptx() && short_groups <= max_waited_groups && units_fit_counter;
    // One launch leaves the memory zero.
    const runtime::Scratch control(device_, control_bytes(device_, max_units_),
                                   at_once ? runtime::ScratchContents::zero : runtime::ScratchContents::undefined);
    const auto launch = [&](Step step, std::uint64_t groups) {
      kernel_of("segmented_reduce_gpu", true, step)
          .append(count_, frame_[2], segments_, static_cast<std::uint32_t>(short_groups), control, list, bound(),
                  partials, frame_[3])
          .run(static_cast<std::size_t>(groups), group(),
               step == Step::short_segments || step == Step::all ? bytes_moved() : 0);
    };
    const std::uint64_t unit_groups = std::min(max_units_, groups_that_fill(device_));
    if (at_once) return launch(Step::all, short_groups + std::min(unit_groups, ceil_div(count_, segment_chunk)));
    const std::uint32_t zero = 0;
    if (max_units_ > 0) runtime::fill(device_, control.buffer(), &zero, sizeof zero, sizeof zero);
    launch(Step::short_segments, short_groups);
    if (max_units_ == 0) return;
    launch(Step::reduce_units, unit_groups);
    launch(Step::combine_units, unit_groups);
  }

  /// The bytes of `control` of segmented_reduce.cl, for at most `units` units.
  static std::size_t control_bytes(const Device& device, std::uint64_t units) {
    const bool counts_units = !uses_cpu_kernels(device) && device.has_ptx();
    return static_cast<std::size_t>(counts_units ? 3 + units : 1) * sizeof(std::uint32_t);
  }

 private:
  /// SHORT_SEGMENTS, REDUCE_UNITS, COMBINE_UNITS and ALL_STEPS of segmented_reduce.cl.
  enum class Step { short_segments, reduce_units, combine_units, all };

  void run_cpu(const runtime::Scratch& list, const runtime::Scratch& partials) const {
    const runtime::Scratch used(device_, sizeof(std::uint32_t));
    const std::uint32_t zero = 0;
    if (max_units_ > 0) runtime::fill(device_, used.buffer(), &zero, sizeof zero, sizeof zero);
    const Shares shares = share_out(device_, tuning_, count_ + segments_, 64, 4096);
    kernel_of("segmented_reduce_short_cpu", true)
        .append(count_, frame_[2], segments_, shares.share, used, list, bound(), frame_[3])
        .run(shares.workers, 1, bytes_moved());
    if (max_units_ == 0) return;
    const std::size_t workers = share_out(device_, tuning_, max_units_, 1, 1).workers;
    kernel_of("segmented_reduce_units_cpu", true)
        .append(count_, frame_[2], used, list, bound(), partials, frame_[3])
        .run(workers, 1);
    kernel_of("segmented_reduce_combine_cpu", false)
        .args(count_, frame_[2], used, list, bound(), partials, frame_[3])
        .run(workers, 1);
  }

  std::uint32_t bound() const { return static_cast<std::uint32_t>(max_units_); }

  std::uint64_t bytes_moved() const {
    std::uint64_t bytes = (segments_ + 1) * offset_bytes_ + segments_ * segment_result_bytes(job_);
    for (const ExpressionInput& input : job_.inputs) bytes += input.view.bytes;
    return bytes;
  }

  runtime::Kernel kernel_of(const char* name, bool with_inputs, Step step = Step::all) const {
    runtime::Defines defines;
    defines.set("OFFSET", type_of_size(offset_bytes_)).set("SHORT", short_segment).set("CHUNK", segment_chunk);
    if (uses_cpu_kernels(device_))
      defines.set("ONLY_CPU", 1);
    else
      defines.set("ONLY_GPU", 1).set("GROUP_SIZE", group()).set("LANES", lanes()).set("STEP", static_cast<int>(step));
    runtime::Kernel kernel = expression_kernel(device_, "primitives/segmented_reduce.cl", name, source_, defines);
    if (with_inputs) set_inputs(kernel, frame_, job_.inputs.size());
    return kernel;
  }

  unsigned group() const { return group_size(device_, tuning_); }

  /// Work-items of a `gpu` kernel for a segment. No result depends on it.
  unsigned lanes() const {
    const std::uint64_t mean = count_ / segments_;
    if (mean <= 16) return 4;
    if (mean <= 64) return 8;
    return mean <= 256 ? 16 : 32;
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
  return runtime::ScratchSize(device)
      .add(SegmentReducer::control_bytes(device, units))
      .add(units * 16)
      .add(units * result_bytes)
      .total();
}

}  // namespace genocl::primitives
