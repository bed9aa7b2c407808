// Work cut into chunks that several devices take as they become free; results come out in the chunks' order, so that
// they are the same whatever the devices and their number.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <deque>
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
#include "runtime/device/access.hpp"
#include "runtime/device/device_core.hpp"
#include "runtime/launch.hpp"

namespace genocl::runtime {

struct ChunkOptions {
  /// Host threads for each device, each with a queue of its own: with 2, the copies of one chunk overlap with the
  /// kernels of another. 0 is 1.
  unsigned workers_per_device = 2;
  /// [device]: the same where devices differ; empty: workers_per_device for all.
  std::vector<unsigned> workers_of = {};
  /// Results that may wait for an earlier one, per worker; bounds the memory that a slow device costs.
  unsigned window_per_worker = 4;
  std::uint64_t items_total = 0;  ///< For the progress; 0 when not known.
  Progress progress = {};
  /// Where a device fails, the others do its chunks. Otherwise its failure stops all.
  bool others_go_on = true;
};

/// `source()` -> std::optional<Input>, called by one thread at a time, in order, until it is empty; a `source(d)` is
/// told for which of the devices it reads (0 to devices.size() - 1), so that each can have chunks of a size of its own;
/// `work(const Device&, Input&&)` -> Result, called on as many threads as there are workers, each with a Device of its
/// own queue (a device with one worker: its given queue), and a `work(device, d, Input&&)` is told which of the devices
/// that is; `sink(Result&&)` -> items done (anything convertible to std::uint64_t), called on the calling thread in the
/// order of source().
///
/// A DeviceError of work() while another device is left takes its device out: Device::on_failure() is told, and the
/// chunk is done again by another one. So a work() that throws one leaves its input, and what it shares with others,
/// fit for that, and asks the device it is given for what lies there. Any other exception of any of them, and that of
/// the last device, stops all, and is thrown again here after every thread has ended.
template <class Source, class Work, class Sink>
void for_each_chunk(std::span<const Device> devices, Source&& source, Work&& work, Sink&& sink,
                    const ChunkOptions& options = {});

}  // namespace genocl::runtime

#include "runtime/chunks.inl"
