#include "genocl/primitives/reduce.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "runtime/access.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::primitives {
namespace {

constexpr std::uint64_t lanes = 1024, rows = 16, tile = lanes * rows;

/// One launch: reduces `count` values to one result per tile. `finished`: where the last group puts the result of all
/// tiles, if finishes_in_one_launch(); null: nowhere.
template <class Input, class Result>
void reduce_tiles(const Device& device, Combine combine, const cl::Buffer& values, std::uint64_t count,
                  const cl::Buffer& results, const LaunchTuning& tuning, const cl::Buffer* finished = nullptr) {
  runtime::Defines defines = combine_defines<Input, Result>(combine);
  defines.set("LANES", lanes).set("ROWS", rows);
  const std::uint64_t tiles = std::max<std::uint64_t>(1, ceil_div(count, tile));
  const std::uint64_t bytes = count * sizeof(Input) + tiles * sizeof(Result);
  if (uses_cpu_kernels(device)) {
    const Shares shares = share_out(device, tuning, tiles, 1, 1);
    runtime::Kernel(device, "primitives/reduce.cl", "reduce_cpu", defines.set("ONLY_CPU", 1))
        .args(values, count, tiles, shares.share, results)
        .run(shares.workers, 1, bytes);
  } else {
    const unsigned size = group_size(device, tuning);
    runtime::Kernel kernel(device, "primitives/reduce.cl", "reduce_gpu",
                           defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size));
    kernel.args(values, count, results);
    runtime::Scratch control;
    if (finished != nullptr) {
      control = runtime::Scratch(device, reduce_control_bytes, runtime::ScratchContents::zero);
      kernel.append(std::uint32_t{1}, *finished, control);
    } else if (device.has_ptx()) {
      kernel.append(std::uint32_t{0}, results, results);  // not used
    }
    kernel.run(tiles, size, bytes);
  }
}

template <class Input, class Result>
void reduce(const Device& device, Combine combine, const cl::Buffer& values, std::uint64_t count,
            const cl::Buffer& result, const LaunchTuning& tuning) {
  if (count <= tile) return reduce_tiles<Input, Result>(device, combine, values, count, result, tuning);
  std::uint64_t left = ceil_div(count, tile);
  const std::uint64_t second = ceil_div(left, tile);
  runtime::check_capacity(device, "reduction", left * sizeof(Result), (left + second) * sizeof(Result));
  runtime::Scratch partials(device, left * sizeof(Result));
  runtime::Scratch next;
  if (second > 1) next = runtime::Scratch(device, second * sizeof(Result));
  if (finishes_in_one_launch(device, left))
    return reduce_tiles<Input, Result>(device, combine, values, count, partials.buffer(), tuning, &result);
  reduce_tiles<Input, Result>(device, combine, values, count, partials.buffer(), tuning);
  for (; left > tile; left = ceil_div(left, tile)) {
    reduce_tiles<Result, Result>(device, combine, partials.buffer(), left, next.buffer(), tuning);
    std::swap(partials, next);
  }
  reduce_tiles<Result, Result>(device, combine, partials.buffer(), left, result, tuning);
}

/// Calls reduce() with the types of the operands. Sums of integers wrap around, which needs unsigned types.
void reduce_typed(const Device& device, detail::Reduction reduction, const cl::Buffer& values, std::uint64_t count,
                  ElementType value_type, const cl::Buffer& result, ElementType result_type,
                  const LaunchTuning& tuning) {
  if (value_type == ElementType::uint32 && result_type == ElementType::uint64)
    return reduce<std::uint32_t, std::uint64_t>(device, Combine::sum, values, count, result, tuning);
  with_type(value_type, [&]<class T>(T) {
    using Wrapping = typename WrappingType<T>::type;
    if (reduction == detail::Reduction::sum)
      reduce<Wrapping, Wrapping>(device, Combine::sum, values, count, result, tuning);
    else if (reduction == detail::Reduction::minimum)
      reduce<T, T>(device, Combine::minimum, values, count, result, tuning);
    else
      reduce<T, T>(device, Combine::maximum, values, count, result, tuning);
  });
}

const char* name_of(detail::Reduction reduction) {
  switch (reduction) {
    case detail::Reduction::sum:
      return "sum";
    case detail::Reduction::minimum:
      return "minimum";
    case detail::Reduction::maximum:
      break;
  }
  return "maximum";
}

}  // namespace

void detail::reduce(const Device& device, Reduction reduction, const MemoryView& values, ElementType value_type,
                    const MemoryView& result, ElementType result_type, const Call& call) {
  const char* const name = name_of(reduction);
  const std::size_t result_bytes = element_bytes(result_type);
  if (result.bytes == 0) throw InputError(std::string(name) + ": the result array is empty; it needs one element");
  CallFrame frame(
      device, call, name,
      {{"values", values, Access::read}, {"result", runtime::part_of(result, 0, result_bytes), Access::write}});
  const std::uint64_t count = values.bytes / element_bytes(value_type);
  if (!call.scratch.empty()) frame.require_scratch(reduce_scratch_bytes(device, count, result_bytes));
  reduce_typed(frame.device(), reduction, frame[0], count, value_type, frame[1], result_type, call.tuning);
  frame.finish();
}

void detail::reduce_to_host(const Device& device, Reduction reduction, const MemoryView& values, ElementType value_type,
                            void* result, ElementType result_type, const Call& call) {
  CallFrame frame(device, call, name_of(reduction), {{"values", values, Access::read}});
  const std::uint64_t count = values.bytes / element_bytes(value_type);
  const std::size_t result_bytes = element_bytes(result_type);
  if (!call.scratch.empty()) frame.require_scratch(reduce_scratch_bytes(device, count, result_bytes));
  const runtime::Scratch memory(device, result_bytes);
  reduce_typed(frame.device(), reduction, frame[0], count, value_type, memory.buffer(), result_type, call.tuning);
  frame.finish();
  runtime::download(device, memory.buffer(), 0, result, result_bytes);
}

std::uint64_t reduce_scratch_bytes(const Device& device, std::uint64_t count, std::size_t result_bytes) {
  runtime::ScratchSize size(device);
  if (count <= tile) return 0;
  const std::uint64_t left = ceil_div(count, tile), second = ceil_div(left, tile);
  size.add(left * result_bytes);
  if (finishes_in_one_launch(device, left)) size.add(reduce_control_bytes);
  if (second > 1) size.add(second * result_bytes);
  return size.total();
}

}  // namespace genocl::primitives
