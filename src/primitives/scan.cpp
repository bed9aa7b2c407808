#include "genocl/primitives/scan.hpp"

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "primitives/look_back.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"

namespace genocl::primitives {
namespace {

struct Sizes {
  std::uint64_t values, results;
  std::uint64_t bytes_moved = 0;  // each input read once, each result written once
};

void scan_on_cpu(const Device& device, runtime::Defines& defines, const cl::Buffer& values, const cl::Buffer& results,
                 const Sizes& sizes, std::size_t result_bytes, const Tuning& tuning) {
  constexpr std::uint64_t streams = 4, block = 64;  // blocks fill cache lines
  const Shares shares = share_out(device, tuning, sizes.values, streams * block, 8192);
  const runtime::Scratch totals(device, static_cast<std::size_t>(shares.workers * streams * result_bytes));
  // Regular stores are faster for results that stay in the caches or whose lines are loaded already.
  const bool past_cache = sizes.results * result_bytes >= std::uint64_t{8} << 20 && values() != results();
  defines.set("ONLY_CPU", 1).set("STREAMS", streams);
  const char* file = "primitives/scan_cpu.cl";
  if (shares.workers > 1 || sizes.values == shares.share)
    runtime::Kernel(device, file, "scan_totals_cpu", defines)
        .args(values, sizes.values, shares.share, totals)
        .run(shares.workers, 1, sizes.bytes_moved / 2);
  runtime::Kernel(device, file, "scan_cpu", defines)
      .args(values, sizes.values, sizes.results, shares.share, totals, results, std::uint32_t{past_cache})
      .run(shares.workers, 1, sizes.bytes_moved);
}

void scan_in_three_launches(const Device& device, runtime::Defines& defines, const cl::Buffer& values,
                            const cl::Buffer& results, const Sizes& sizes, std::size_t result_bytes,
                            const Tuning& tuning) {
  const unsigned size = group_size(device, tuning);
  const std::uint64_t tile = std::uint64_t{size} * tile_rows * 4;
  const std::uint64_t most_chunks = 4096;
  const std::uint64_t chunk = round_up(ceil_div(sizes.results, most_chunks), tile);
  const std::size_t chunks = static_cast<std::size_t>(ceil_div(sizes.results, chunk));
  const runtime::Scratch totals(device, chunks * result_bytes);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("TILE_ROWS", tile_rows);
  const char* file = "primitives/scan.cl";
  runtime::Kernel(device, file, "scan_chunk_totals", defines)
      .args(values, sizes.values, chunk, totals)
      .run(chunks, size, sizes.bytes_moved / 2);
  runtime::Kernel(device, file, "scan_totals", defines).args(totals, static_cast<std::uint32_t>(chunks)).run(1, size);
  runtime::Kernel(device, file, "scan_chunks", defines)
      .args(values, sizes.values, sizes.results, chunk, totals, results)
      .run(chunks, size, sizes.bytes_moved);
}

/// Input and Result: the types in which the kernels compute. They preserve the order of values, and sums modulo 2^32 or
/// 2^64.
template <class Input, class Result>
void scan(const Device& device, Combine combine, bool inclusive, const cl::Buffer& values, const cl::Buffer& results,
          Sizes sizes, const Tuning& tuning) {
  if (sizes.results == 0) return;
  sizes.bytes_moved = sizes.values * sizeof(Input) + sizes.results * sizeof(Result);
  runtime::Defines defines = combine_defines<Input, Result>(combine);
  defines.set("INCLUSIVE", inclusive ? 1 : 0);
  if (uses_cpu_kernels(device))
    scan_on_cpu(device, defines, values, results, sizes, sizeof(Result), tuning);
  else if (device.has_ptx())
    scan_in_one_pass(device, defines, values, sizes.values, results, sizes.results, sizeof(Result), tuning,
                     sizes.bytes_moved);
  else
    scan_in_three_launches(device, defines, values, results, sizes, sizeof(Result), tuning);
}

template <class In, class Out>
Sizes check(const char* what, const Array<In>& values, const Array<Out>& results, bool may_end_with_total) {
  const bool with_total = may_end_with_total && results.size() == values.size() + 1;
  if (results.size() != values.size() && !with_total)
    throw InputError(std::string(what) + ": " + std::to_string(values.size()) + " values but " +
                     std::to_string(results.size()) + " results");
  const bool in_place = std::is_same_v<In, Out> && runtime::buffer_of(values)() == runtime::buffer_of(results)();
  if (!in_place) check_apart(what, "values and results", range_of(values), range_of(results));
  return {values.size(), results.size()};
}

}  // namespace

template <class In, class Out>
requires Scannable<In, Out>
void exclusive_scan(const Device& device, const Array<In>& values, Array<Out>& results, const Tuning& tuning) {
  scan<std::make_unsigned_t<In>, std::make_unsigned_t<Out>>(device, Combine::sum, false, runtime::buffer_of(values),
                                                            runtime::buffer_of(results),
                                                            check("exclusive_scan", values, results, true), tuning);
}

template <class In, class Out>
requires Scannable<In, Out>
void inclusive_scan(const Device& device, const Array<In>& values, Array<Out>& results, const Tuning& tuning) {
  scan<std::make_unsigned_t<In>, std::make_unsigned_t<Out>>(device, Combine::sum, true, runtime::buffer_of(values),
                                                            runtime::buffer_of(results),
                                                            check("inclusive_scan", values, results, false), tuning);
}

template <class T>
requires Scannable<T, T>
void inclusive_max_scan(const Device& device, const Array<T>& values, Array<T>& results, const Tuning& tuning) {
  scan<T, T>(device, Combine::maximum, true, runtime::buffer_of(values), runtime::buffer_of(results),
             check("inclusive_max_scan", values, results, false), tuning);
}

#define GENOCL_SUM_SCANS_OF(In, Out)                                                         \
  template void exclusive_scan(const Device&, const Array<In>&, Array<Out>&, const Tuning&); \
  template void inclusive_scan(const Device&, const Array<In>&, Array<Out>&, const Tuning&)
GENOCL_SUM_SCANS_OF(std::uint32_t, std::uint32_t);
GENOCL_SUM_SCANS_OF(std::int32_t, std::int32_t);
GENOCL_SUM_SCANS_OF(std::uint64_t, std::uint64_t);
GENOCL_SUM_SCANS_OF(std::uint32_t, std::uint64_t);
#undef GENOCL_SUM_SCANS_OF
template void inclusive_max_scan(const Device&, const Array<std::uint32_t>&, Array<std::uint32_t>&, const Tuning&);
template void inclusive_max_scan(const Device&, const Array<std::int32_t>&, Array<std::int32_t>&, const Tuning&);
template void inclusive_max_scan(const Device&, const Array<std::uint64_t>&, Array<std::uint64_t>&, const Tuning&);

}  // namespace genocl::primitives
