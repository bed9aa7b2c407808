#include "genocl/primitives/scan.hpp"

#include <algorithm>
#include <string>

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

constexpr std::uint64_t streams = 4, block = 64;  // blocks fill cache lines

Shares cpu_shares(const Device& device, std::uint64_t values, const LaunchTuning& tuning) {
  return share_out(device, tuning, values, streams * block, 8192);
}

void scan_on_cpu(const Device& device, runtime::Defines& defines, const cl::Buffer& values, const cl::Buffer& results,
                 const Sizes& sizes, std::size_t result_bytes, const LaunchTuning& tuning) {
  const Shares shares = cpu_shares(device, sizes.values, tuning);
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

std::uint64_t chunk_size(const Device& device, std::uint64_t results, const LaunchTuning& tuning) {
  constexpr std::uint64_t max_chunks = 4096;
  return round_up(ceil_div(results, max_chunks), std::uint64_t{group_size(device, tuning)} * tile_rows * 4);
}

void scan_in_three_launches(const Device& device, runtime::Defines& defines, const cl::Buffer& values,
                            const cl::Buffer& results, const Sizes& sizes, std::size_t result_bytes,
                            const LaunchTuning& tuning) {
  const unsigned size = group_size(device, tuning);
  const std::uint64_t chunk = chunk_size(device, sizes.results, tuning);
  const std::size_t chunks = static_cast<std::size_t>(ceil_div(sizes.results, chunk));
  const runtime::Scratch totals(device, chunks * result_bytes);
  defines.set("ONLY_GPU", 1).set("GROUP_SIZE", size).set("TILE_ROWS", tile_rows);
  defines.set("ONE_CHUNK", chunks == 1 ? 1 : 0);
  const char* file = "primitives/scan.cl";
  if (chunks > 1) {
    runtime::Kernel(device, file, "scan_chunk_totals", defines)
        .args(values, sizes.values, chunk, totals)
        .run(chunks, size, sizes.bytes_moved / 2);
    runtime::Kernel(device, file, "scan_totals", defines).args(totals, static_cast<std::uint32_t>(chunks)).run(1, size);
  }
  runtime::Kernel(device, file, "scan_chunks", defines)
      .args(values, sizes.values, sizes.results, chunk, totals, results)
      .run(chunks, size, sizes.bytes_moved);
}

/// Input and Result: the types in which the kernels compute. They preserve the order of values, and sums modulo 2^32 or
/// 2^64.
template <class Input, class Result>
void scan(const Device& device, Combine combine, bool inclusive, const cl::Buffer& values, const cl::Buffer& results,
          Sizes sizes, const LaunchTuning& tuning) {
  if (sizes.results == 0) return;
  sizes.bytes_moved = sizes.values * sizeof(Input) + sizes.results * sizeof(Result);
  runtime::Defines defines = combine_defines<Input, Result>(combine);
  defines.set("INCLUSIVE", inclusive ? 1 : 0);
  if (uses_cpu_kernels(device))
    scan_on_cpu(device, defines, values, results, sizes, sizeof(Result), tuning);
  else if (device.has_ptx() && sizes.results > chunk_size(device, sizes.results, tuning))
    scan_in_one_pass(device, defines, values, sizes.values, results, sizes.results, sizeof(Result), tuning,
                     sizes.bytes_moved);
  else
    scan_in_three_launches(device, defines, values, results, sizes, sizeof(Result), tuning);
}

const char* name_of(detail::Scan kind) {
  switch (kind) {
    case detail::Scan::exclusive_sum:
      return "exclusive_scan";
    case detail::Scan::inclusive_sum:
      return "inclusive_scan";
    case detail::Scan::inclusive_maximum:
      break;
  }
  return "inclusive_max_scan";
}

}  // namespace

void detail::scan(const Device& device, Scan kind, const MemoryView& values, ElementType value_type,
                  const MemoryView& results, ElementType result_type, const Call& call) {
  const char* const name = name_of(kind);
  const Sizes sizes{values.bytes / element_bytes(value_type), results.bytes / element_bytes(result_type)};
  const bool with_total = kind == Scan::exclusive_sum && sizes.results == sizes.values + 1;
  if (sizes.results != sizes.values && !with_total)
    throw InputError(std::string(name) + ": " + std::to_string(sizes.values) + " values but " +
                     std::to_string(sizes.results) + " results");
  CallFrame frame(device, call, name,
                  {{"values", values, Access::read}, {"results", results, Access::write, value_type == result_type}});
  if (!call.scratch.empty())
    frame.require_scratch(scan_scratch_bytes(device, sizes.results, element_bytes(result_type), call.tuning));
  const auto run = [&]<class In, class Out>(In, Out, Combine combine) {
    primitives::scan<In, Out>(frame.device(), combine, kind != Scan::exclusive_sum, frame[0], frame[1], sizes,
                              call.tuning);
  };
  if (kind == Scan::inclusive_maximum) {
    with_type(value_type, [&]<class T>(T value) { run(value, value, Combine::maximum); });
  } else if (element_bytes(value_type) == 4) {  // sums are those of unsigned numbers
    if (element_bytes(result_type) == 4)
      run(std::uint32_t{}, std::uint32_t{}, Combine::sum);
    else
      run(std::uint32_t{}, std::uint64_t{}, Combine::sum);
  } else {
    run(std::uint64_t{}, std::uint64_t{}, Combine::sum);
  }
  frame.finish();
}

std::uint64_t scan_scratch_bytes(const Device& device, std::uint64_t count, std::size_t result_bytes,
                                 const LaunchTuning& tuning) {
  if (count == 0) return 0;
  runtime::ScratchSize size(device);
  if (uses_cpu_kernels(device)) {
    // An exclusive scan with the total has one value less than results.
    const std::size_t workers =
        std::max(cpu_shares(device, count, tuning).workers, cpu_shares(device, count - 1, tuning).workers);
    return size.add(workers * streams * result_bytes).total();
  }
  if (device.has_ptx())
    return size.add(tile_states_bytes(one_pass_scan_tiles(device, count, result_bytes, tuning), result_bytes == 8))
        .total();
  return size.add(ceil_div(count, chunk_size(device, count, tuning)) * result_bytes).total();
}

}  // namespace genocl::primitives
