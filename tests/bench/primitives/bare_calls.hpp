// OpenCL calls noted while something runs, to be made again without the library: what the same launches cost alone.
#pragma once

#include <functional>
#include <vector>

namespace genocl_bench {

/// The calls that change a device or wait for it, each with what it was given.
struct BareCalls {
  std::vector<std::function<void()>> calls;
  unsigned commands = 0;  ///< kernels, copies, fills and mappings
};

/// What `call` does through OpenCL: arguments set, kernels, copies and fills enqueued, buffers mapped, waits. The
/// objects that it names (kernels, buffers) must live on when the calls are made again; one thread at a time.
BareCalls note_calls(const std::function<void()>& call);

}  // namespace genocl_bench
