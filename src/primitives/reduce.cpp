#include "genocl/primitives/reduce.hpp"

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

/// One launch: reduces `count` values to one result per tile.
template <class Input, class Result>
void reduce_tiles(const Device& device, Combine combine, const cl::Buffer& values, std::uint64_t count,
                  const cl::Buffer& results, const Tuning& tuning) {
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
    runtime::Kernel(device, "primitives/reduce.cl", "reduce_gpu", defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size))
        .args(values, count, results)
        .run(tiles, size, bytes);
  }
}

template <class Input, class Result>
void reduce(const Device& device, Combine combine, const cl::Buffer& values, std::uint64_t count,
            const cl::Buffer& result, const Tuning& tuning) {
  if (count <= tile) return reduce_tiles<Input, Result>(device, combine, values, count, result, tuning);
  std::uint64_t left = ceil_div(count, tile);
  const std::uint64_t second = ceil_div(left, tile);
  runtime::check_capacity(device, "reduction", left * sizeof(Result), (left + second) * sizeof(Result));
  runtime::Scratch partials(device, left * sizeof(Result));
  runtime::Scratch next;
  if (second > 1) next = runtime::Scratch(device, second * sizeof(Result));
  reduce_tiles<Input, Result>(device, combine, values, count, partials.buffer(), tuning);
  for (; left > tile; left = ceil_div(left, tile)) {
    reduce_tiles<Result, Result>(device, combine, partials.buffer(), left, next.buffer(), tuning);
    std::swap(partials, next);
  }
  reduce_tiles<Result, Result>(device, combine, partials.buffer(), left, result, tuning);
}

template <class Input, class Result>
Result reduce_to_host(const Device& device, Combine combine, const Array<Input>& values, const Tuning& tuning) {
  const runtime::Scratch result(device, sizeof(Result));
  reduce<Input, Result>(device, combine, runtime::buffer_of(values), values.size(), result.buffer(), tuning);
  Result host;
  runtime::download(device, result.buffer(), 0, &host, sizeof host);
  return host;
}

template <class Result>
void check_result(const char* what, const Array<Result>& result) {
  if (result.empty()) throw InputError(std::string(what) + ": the result array is empty; it needs one element");
}

}  // namespace

template <Reducible T>
T sum(const Device& device, const Array<T>& values, const Tuning& tuning) {
  using Wrapping = typename WrappingType<T>::type;
  const runtime::Scratch result(device, sizeof(T));
  reduce<Wrapping, Wrapping>(device, Combine::sum, runtime::buffer_of(values), values.size(), result.buffer(), tuning);
  T host;
  runtime::download(device, result.buffer(), 0, &host, sizeof host);
  return host;
}

template <Reducible T>
void sum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning) {
  using Wrapping = typename WrappingType<T>::type;
  check_result("sum", result);
  reduce<Wrapping, Wrapping>(device, Combine::sum, runtime::buffer_of(values), values.size(),
                             runtime::buffer_of(result), tuning);
}

std::uint64_t wide_sum(const Device& device, const Array<std::uint32_t>& values, const Tuning& tuning) {
  return reduce_to_host<std::uint32_t, std::uint64_t>(device, Combine::sum, values, tuning);
}

void wide_sum(const Device& device, const Array<std::uint32_t>& values, Array<std::uint64_t>& result,
              const Tuning& tuning) {
  check_result("wide_sum", result);
  reduce<std::uint32_t, std::uint64_t>(device, Combine::sum, runtime::buffer_of(values), values.size(),
                                       runtime::buffer_of(result), tuning);
}

template <Reducible T>
T minimum(const Device& device, const Array<T>& values, const Tuning& tuning) {
  return reduce_to_host<T, T>(device, Combine::minimum, values, tuning);
}

template <Reducible T>
void minimum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning) {
  check_result("minimum", result);
  reduce<T, T>(device, Combine::minimum, runtime::buffer_of(values), values.size(), runtime::buffer_of(result), tuning);
}

template <Reducible T>
T maximum(const Device& device, const Array<T>& values, const Tuning& tuning) {
  return reduce_to_host<T, T>(device, Combine::maximum, values, tuning);
}

template <Reducible T>
void maximum(const Device& device, const Array<T>& values, Array<T>& result, const Tuning& tuning) {
  check_result("maximum", result);
  reduce<T, T>(device, Combine::maximum, runtime::buffer_of(values), values.size(), runtime::buffer_of(result), tuning);
}

#define GENOCL_REDUCTIONS_OF(T)                                                    \
  template T sum(const Device&, const Array<T>&, const Tuning&);                   \
  template void sum(const Device&, const Array<T>&, Array<T>&, const Tuning&);     \
  template T minimum(const Device&, const Array<T>&, const Tuning&);               \
  template void minimum(const Device&, const Array<T>&, Array<T>&, const Tuning&); \
  template T maximum(const Device&, const Array<T>&, const Tuning&);               \
  template void maximum(const Device&, const Array<T>&, Array<T>&, const Tuning&)
GENOCL_REDUCTIONS_OF(std::uint32_t);
GENOCL_REDUCTIONS_OF(std::int32_t);
GENOCL_REDUCTIONS_OF(std::uint64_t);
GENOCL_REDUCTIONS_OF(std::int64_t);
GENOCL_REDUCTIONS_OF(float);
#undef GENOCL_REDUCTIONS_OF

}  // namespace genocl::primitives
