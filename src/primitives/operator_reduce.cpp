#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives/reduce.hpp"
#include "primitives/expression.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

using detail::ArgReduction;
using detail::OperatorReduction;

// Those of reduce.cpp, for the same order of floating-point sums.
constexpr std::uint64_t reduce_lanes = 1024, reduce_rows = 16, reduce_tile = reduce_lanes * reduce_rows;

// Of equal values the first counts. NaNs do not count: their index is that of no element.
constexpr const char* arg_accumulator = R"(
typedef struct { VALUE value; ulong index; } ACCUMULATOR;
typedef ACCUMULATOR RESULT;
static inline ACCUMULATOR accumulator_of(VALUE value, ulong index) {
  ACCUMULATOR one;
  one.value = value;
  one.index = IS_NUMBER(value) ? index : ULONG_MAX;
  return one;
}
static inline ACCUMULATOR accumulator_identity(void) {
  ACCUMULATOR none;
  none.value = genocl_operator_identity();
  none.index = ULONG_MAX;
  return none;
}
static inline ACCUMULATOR accumulator_combine(ACCUMULATOR a, ACCUMULATOR b) {
  const bool take_b = a.index == ULONG_MAX || (b.index != ULONG_MAX &&
      (IS_BEFORE(b.value, a.value) || (b.value == a.value && b.index < a.index)));
  return take_b ? b : a;
}
static inline ACCUMULATOR accumulator_load(volatile __global const ACCUMULATOR* at) {
  ACCUMULATOR one;
  one.value = at->value;
  one.index = at->index;
  return one;
}
#define ACCUMULATOR_AT(at) accumulator_of(VALUE_AT(at), at)
)";

}  // namespace

ExpressionSource reduce_source(const OperatorReduction& job) {
  ExpressionSource source;
  if (job.expression != nullptr)
    source.add_expression(*job.expression, job.inputs, job.type);
  else
    source.add_input(job.type);
  source.add_operator(job.combine, job.type);
  source.add("static inline VALUE genocl_accumulate(VALUE a, VALUE b) { return ");
  const bool real = is_real(job.type);
  if (real && job.combine.kind() == Operator::Kind::minimum)
    source.add("b < a ? b : a; }\n");
  else if (real && job.combine.kind() == Operator::Kind::maximum)
    source.add("b > a ? b : a; }\n");
  else
    source.add("genocl_operator(a, b); }\n");
  if (job.length.bytes != 0) source.add_length("genocl_operator_identity()");
  source.add("#define RESULT_OF(accumulator) (accumulator)\n");
  if (job.arg == ArgReduction::none) return source.add("#define IS_ARG 0\n").add_value_accumulator();
  source.add("#define IS_ARG 1\n");
  source.add(job.arg == ArgReduction::minimum ? "#define IS_BEFORE(a, b) ((a) < (b))\n"
                                              : "#define IS_BEFORE(a, b) ((a) > (b))\n");
  source.add(is_real(job.type) ? "#define IS_NUMBER(a) (!isnan(a))\n" : "#define IS_NUMBER(a) true\n");
  return source.add(arg_accumulator);
}

namespace {

const char* name_of(const OperatorReduction& job) {
  if (job.arg == ArgReduction::minimum) return "arg_min";
  if (job.arg == ArgReduction::maximum) return "arg_max";
  return job.expression != nullptr ? "transform_reduce" : "reduce";
}

/// The launches of one reduction.
class Reducer {
 public:
  Reducer(const CallFrame& frame, const OperatorReduction& job, const cl::Buffer& result, const LaunchTuning& tuning)
      : frame_(frame),
        device_(frame.device()),
        job_(job),
        source_(reduce_source(job)),
        result_(result),
        tuning_(tuning) {}

  void run(std::uint64_t count) {
    if (count <= reduce_tile) return from_inputs(count, result_, Then::keep_result);
    const std::size_t bytes = result_bytes(job_);
    std::uint64_t left = ceil_div(count, reduce_tile);
    const std::uint64_t second = ceil_div(left, reduce_tile);
    runtime::check_capacity(device_, "reduction", left * bytes, (left + second) * bytes);
    runtime::Scratch partials(device_, static_cast<std::size_t>(left * bytes)), next;
    if (second > 1) next = runtime::Scratch(device_, static_cast<std::size_t>(second * bytes));
    if (finishes_in_one_launch(device_, left)) return from_inputs(count, partials.buffer(), Then::finish);
    from_inputs(count, partials.buffer(), Then::keep_partial);
    for (; left > reduce_tile; left = ceil_div(left, reduce_tile)) {
      from_partials(partials.buffer(), left, next.buffer(), Then::keep_partial);
      std::swap(partials, next);
    }
    from_partials(partials.buffer(), left, result_, Then::keep_result);
  }

  /// The size of a result, and of an accumulator.
  static std::size_t result_bytes(const OperatorReduction& job) {
    return job.arg == ArgReduction::none ? element_bytes(job.type) : 16;
  }

 private:
  /// KEEP_PARTIAL, KEEP_RESULT and FINISH of operator_reduce.cl.
  enum class Then : std::uint32_t { keep_partial, keep_result, finish };

  void from_inputs(std::uint64_t count, const cl::Buffer& tiles, Then then) {
    runtime::Kernel kernel = kernel_of("reduce_inputs", finishes(then));
    set_inputs(kernel, frame_, job_.inputs.size());
    if (job_.length.bytes != 0) kernel.append(frame_[2]);
    launch(kernel, count, tiles, then, count * bytes_read(), true);
  }
  void from_partials(const cl::Buffer& partials, std::uint64_t count, const cl::Buffer& tiles, Then then) {
    runtime::Kernel kernel = kernel_of("reduce_partials", finishes(Then::keep_partial));
    kernel.args(partials);
    launch(kernel, count, tiles, then, count * result_bytes(job_), false);
  }

  /// FINISHES of operator_reduce.cl. Kernels of arg reductions of large arrays do without: what finishes a reduction
  /// takes registers that their loads need.
  bool finishes(Then then) const {
    return !uses_cpu_kernels(device_) && device_.has_ptx() && (job_.arg == ArgReduction::none || then == Then::finish);
  }

  runtime::Kernel kernel_of(std::string name, bool finishes) const {
    runtime::Defines defines;
    defines.set("LANES", reduce_lanes).set("ROWS", reduce_rows);
    if (uses_cpu_kernels(device_))
      defines.set("ONLY_CPU", 1);
    else
      defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size()).set("FINISHES", finishes ? 1 : 0);
    name += uses_cpu_kernels(device_) ? "_cpu" : "_gpu";
    return expression_kernel(device_, "primitives/operator_reduce.cl", name, source_, defines);
  }

  /// An item has at least one lane.
  unsigned size() const { return std::min<unsigned>(group_size(device_, tuning_), reduce_lanes); }

  void launch(runtime::Kernel& kernel, std::uint64_t count, const cl::Buffer& tiles, Then then, std::uint64_t bytes,
              bool from_inputs) const {
    const std::uint64_t tile_count = std::max<std::uint64_t>(1, ceil_div(count, reduce_tile));
    kernel.append(count);
    if (!uses_cpu_kernels(device_)) {
      kernel.append(tiles, result_, static_cast<std::uint32_t>(then));
      runtime::Scratch control;
      if (then == Then::finish) {
        control = runtime::Scratch(device_, reduce_control_bytes, runtime::ScratchContents::zero);
        kernel.append(control);
      } else if (from_inputs && finishes(then)) {
        kernel.append(tiles);  // not used
      }
      return kernel.run(static_cast<std::size_t>(tile_count), size(), bytes);
    }
    const Shares shares = share_out(device_, tuning_, tile_count, 1, 1);
    kernel.append(tile_count, shares.share, tiles, result_, static_cast<std::uint32_t>(then))
        .run(shares.workers, 1, bytes);
  }

  std::uint64_t bytes_read() const {
    std::uint64_t bytes = 0;
    for (const ExpressionInput& input : job_.inputs) bytes += element_bytes(input.type);
    return bytes;
  }

  const CallFrame& frame_;
  const Device& device_;
  const OperatorReduction& job_;
  const ExpressionSource source_;
  const cl::Buffer& result_;
  const LaunchTuning& tuning_;
};

std::uint64_t check_reduction(const Device& device, const OperatorReduction& job) {
  check_type(device, name_of(job), job.type);
  static const Expression itself("x");
  return check_expression(device, name_of(job), job.expression != nullptr ? *job.expression : itself, job.inputs);
}

MemoryView input_view(const OperatorReduction& job, std::size_t input) {
  return input < job.inputs.size() ? job.inputs[input].view : MemoryView{};
}

}  // namespace

void detail::operator_reduce(const Device& device, const OperatorReduction& job, const MemoryView& result,
                             const Call& call) {
  const std::uint64_t count = check_reduction(device, job);
  const std::size_t bytes = Reducer::result_bytes(job);
  if (result.bytes < bytes)
    throw InputError(std::string(name_of(job)) + ": the result array is empty; it needs one element");
  CallFrame frame(device, call, name_of(job),
                  {{"first input", input_view(job, 0), Access::read},
                   {"second input", input_view(job, 1), Access::read},
                   {"length", job.length, Access::read},
                   {"result", runtime::part_of(result, 0, bytes), Access::write}});
  if (!call.scratch.empty()) frame.require_scratch(reduce_scratch_bytes(device, count, bytes));
  Reducer(frame, job, frame[3], call.tuning).run(count);
  frame.finish();
}

void detail::operator_reduce_to_host(const Device& device, const OperatorReduction& job, void* result,
                                     const Call& call) {
  const std::uint64_t count = check_reduction(device, job);
  const std::size_t bytes = Reducer::result_bytes(job);
  CallFrame frame(
      device, call, name_of(job),
      {{"first input", input_view(job, 0), Access::read}, {"second input", input_view(job, 1), Access::read}});
  if (!call.scratch.empty()) frame.require_scratch(reduce_scratch_bytes(device, count, bytes));
  const runtime::Scratch memory(device, bytes);
  Reducer(frame, job, memory.buffer(), call.tuning).run(count);
  frame.finish();
  runtime::download(device, memory.buffer(), 0, result, bytes);
}

}  // namespace genocl::primitives
