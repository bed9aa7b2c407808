// Work cut into chunks that several devices take as they become free; results come out in the chunks' order, so that
// they are the same whatever the devices and their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/progress.hpp"

namespace genocl::runtime {

struct ChunkOptions {
  /// Host threads for each device, each with a queue of its own: with 2, the copies of one chunk overlap with the
  /// kernels of another.
  unsigned workers_per_device = 2;
  /// Results that may wait for an earlier one, per worker; bounds the memory that a slow device costs.
  unsigned window_per_worker = 4;
  std::uint64_t items_total = 0;  ///< For the progress; 0 when not known.
  Progress progress;
};

/// `source()` -> std::optional<Input>, called by one thread at a time, in order, until it is empty;
/// `work(const Device&, Input&&)` -> Result, called on as many threads as there are workers, each with a Device of its
/// own queue; `sink(Result&&)` -> items done (anything convertible to std::uint64_t), called on the calling thread in
/// the order of source(). The first exception of any of them stops all, and is thrown again here after every thread has
/// ended.
template <class Source, class Work, class Sink>
void for_each_chunk(std::span<const Device> devices, Source&& source, Work&& work, Sink&& sink,
                    const ChunkOptions& options = {});

}  // namespace genocl::runtime

#include "runtime/chunks.inl"
