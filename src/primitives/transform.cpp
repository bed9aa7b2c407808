#include "genocl/primitives/transform.hpp"

#include <array>
#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/expression.hpp"

namespace genocl::primitives {
namespace {

constexpr std::size_t max_inputs = 4;

}  // namespace

void launch_transform(const CallFrame& frame, const ExpressionSource& source, std::size_t inputs,
                      const cl::Buffer& results, std::uint64_t count, std::uint64_t bytes, const LaunchTuning& tuning) {
  const Device& device = frame.device();
  const char* const file = "primitives/transform.cl";
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, count, 64, 8192);
    runtime::Kernel kernel =
        expression_kernel(device, file, "transform_cpu", source, runtime::Defines().set("ONLY_CPU", 1));
    set_inputs(kernel, frame, inputs);
    kernel.append(results, count, shares.share).run(shares.workers, 1, bytes);
    return;
  }
  constexpr unsigned rows = 4;
  const unsigned size = group_size(device, tuning);
  runtime::Kernel kernel =
      expression_kernel(device, file, "transform_gpu", source,
                        runtime::Defines().set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("ROWS", rows));
  set_inputs(kernel, frame, inputs);
  kernel.append(results, count).run(static_cast<std::size_t>(ceil_div(count, std::uint64_t{size} * rows)), size, bytes);
}

void detail::transform(const Device& device, const Expression& expression,
                       std::initializer_list<ExpressionInput> inputs, const ExpressionInput& results,
                       const Call& call) {
  check_expression(device, "transform", expression, inputs);
  check_type(device, "transform", results.type);
  const std::uint64_t count = results.size();
  std::uint64_t bytes = results.view.bytes;
  bool same_size = true;
  std::array<MemoryView, max_inputs> views{};
  std::size_t number = 0;
  for (const ExpressionInput& input : inputs) {
    if (input.size() != count)
      throw InputError("transform: " + std::to_string(input.size()) + " elements but " + std::to_string(count) +
                       " results");
    views[number++] = input.view;
    bytes += input.view.bytes;
    if (input.view.memory == results.view.memory && input.view.offset == results.view.offset)
      same_size = same_size && element_bytes(input.type) == element_bytes(results.type);
  }
  CallFrame frame(device, call, "transform",
                  {{"first input", views[0], Access::read},
                   {"second input", views[1], Access::read},
                   {"third input", views[2], Access::read},
                   {"fourth input", views[3], Access::read},
                   {"results", results.view, Access::write, same_size}});
  if (count != 0) {
    ExpressionSource source;
    source.add_expression(expression, inputs, results.type);
    launch_transform(frame, source, number, frame[max_inputs], count, bytes, call.tuning);
  }
  frame.finish();
}

}  // namespace genocl::primitives
