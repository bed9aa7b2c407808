#include "genocl/primitives/copy.hpp"

#include <string>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "primitives/launch.hpp"
#include "runtime/kernel.hpp"

namespace genocl::primitives {

namespace {

void copy_bytes(const Device& device, const cl::Buffer& from, const cl::Buffer& to, std::size_t bytes,
                const LaunchTuning& tuning) {
  if (uses_cpu_kernels(device)) {
    constexpr std::uint64_t streams = 4, line = 64, least = 64 << 10;
    const Shares shares = share_out(device, tuning, bytes, streams * line, least);
    runtime::Defines defines;
    defines.set("ONLY_CPU", 1).set("STREAMS", streams).set("LINE", line);
    // Non-temporal stores win once neither array stays in the cache (measured: from a few MiB on).
    if (bytes >= (std::size_t{8} << 20)) defines.set("PAST_CACHE", 1);
    runtime::Kernel(device, "primitives/copy.cl", "copy_cpu", defines)
        .args(from, to, static_cast<cl_ulong>(bytes), static_cast<cl_ulong>(shares.share))
        .run(shares.workers, 1, 2 * bytes);
    return;
  }
  const unsigned size = group_size(device, tuning);
  runtime::Kernel(device, "primitives/copy.cl", "copy_gpu",
                  runtime::Defines().set("ONLY_GPU", 1).set("GROUP_SIZE", size))
      .args(from, to, static_cast<cl_ulong>(bytes))
      .run(ceil_div(bytes, std::uint64_t{size} * 16), size, 2 * bytes);
}

}  // namespace

void detail::copy(const Device& device, const MemoryView& from, const MemoryView& to, const Call& call) {
  if (from.bytes > to.bytes)
    throw InputError("copy of " + std::to_string(from.bytes) + " bytes to " + std::to_string(to.bytes));
  CallFrame frame(device, call, "copy", {{"from", from, Access::read}, {"to", to, Access::update, true}});
  if (frame[0]() != frame[1]()) copy_bytes(device, frame[0], frame[1], from.bytes, call.tuning);
  frame.finish();
}

}  // namespace genocl::primitives
