// Distributes chunks of work over several devices. A free device takes the next chunk; results are delivered in the
// order of the chunks, so they do not depend on the devices or their number.
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
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/launch.hpp"

namespace genocl::runtime {

struct ChunkOptions {
  /// Host threads per device, each with a separate queue. With 2, the copies of one chunk overlap with the kernels of
  /// another. 0 means 1.
  unsigned workers_per_device = 2;
  /// Host threads of each device, where they differ. Empty: workers_per_device for all.
  std::vector<unsigned> workers_of = {};
  /// Maximum number of results per worker that wait for an earlier one; bounds the memory that a slow device costs.
  unsigned window_per_worker = 4;
  std::uint64_t items_total = 0;  ///< For the progress; 0 when not known.
  Progress progress = {};
  /// If a device fails, the others repeat its chunks. Otherwise a failure ends the call.
  bool others_go_on = true;
};

/// `source()` -> std::optional<Input>: returns the next chunk, empty at the end. Called in order by one thread at a
/// time. A `source(d)` also receives the index of the requesting device in `devices`, so chunk sizes can differ by
/// device.
///
/// `work(const Device&, Input&&)` -> Result: called on the workers' threads, each with a Device that has its own queue
/// (a device with one worker: the given queue). A `work(device, d, Input&&)` also receives the device's index.
///
/// `sink(Result&&)` -> number of items done, convertible to std::uint64_t. Called on the calling thread in the order of
/// source().
///
/// If work() throws a DeviceError and another device is left, the device is dropped, Device::on_failure() is called and
/// another device repeats the chunk. Such a work() must leave its input and shared data usable, and must take device
/// data from the device that it is passed. Any other exception, or the failure of the last device, ends the call: it is
/// rethrown here after all threads have ended.
template <class Source, class Work, class Sink>
void for_each_chunk(Devices devices, Source&& source, Work&& work, Sink&& sink, const ChunkOptions& options = {});

}  // namespace genocl::runtime

namespace genocl::runtime {
namespace detail {

/// The next chunk for a device; passes the device's index to sources that take it.
template <class Source>
auto next_chunk(Source& source, std::size_t device) {
  if constexpr (std::is_invocable_v<Source&, std::size_t>)
    return source(device);
  else
    return source();
}

/// The result of a chunk; passes the device's index to work functions that take it.
template <class Work, class Input>
auto done_chunk(Work& work, const Device& device, std::size_t number, Input& input) {
  if constexpr (std::is_invocable_v<Work&, const Device&, std::size_t, Input&&>)
    return work(device, number, std::move(input));
  else
    return work(device, std::move(input));
}

/// The device of each worker; the workers of a device are adjacent.
inline std::vector<std::size_t> devices_of_workers(Devices devices, const ChunkOptions& options) {
  if (!options.workers_of.empty() && options.workers_of.size() != devices.size())
    throw InputError(std::to_string(devices.size()) + " devices and numbers of workers for " +
                     std::to_string(options.workers_of.size()));
  std::vector<std::size_t> of_worker;
  for (std::size_t device = 0; device < devices.size(); ++device) {
    const unsigned wanted = options.workers_of.empty() ? options.workers_per_device : options.workers_of[device];
    of_worker.insert(of_worker.end(), takes_one_launch(devices[device]) ? 1 : std::max(1u, wanted), device);
  }
  return of_worker;
}

}  // namespace detail

template <class Source, class Work, class Sink>
void for_each_chunk(Devices devices, Source&& source, Work&& work, Sink&& sink, const ChunkOptions& options) {
  using Input = typename decltype(detail::next_chunk(source, 0))::value_type;
  using Result = decltype(detail::done_chunk(work, devices[0], 0, std::declval<Input&>()));
  if (devices.empty()) throw InputError("no device given");
  const std::vector<std::size_t> device_of = detail::devices_of_workers(devices, options);
  const std::size_t workers = device_of.size();
  const std::size_t window = workers * (options.window_per_worker > 0 ? options.window_per_worker : 1);

  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  std::size_t taken = 0;    // chunks taken from source()
  std::size_t sunk = 0;     // chunks passed to sink()
  std::size_t at_work = 0;  // chunks held by workers
  std::size_t running = workers;
  bool source_busy = false, source_empty = false, stop = false;
  std::deque<std::pair<std::size_t, Input>> again;  // chunks of devices that have failed
  std::vector<bool> failed(devices.size(), false);
  std::size_t left = devices.size();
  std::map<std::size_t, Result> waiting;
  std::exception_ptr failure;

  const auto fail = [&](std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::move(error);
    stop = true;
    changed.notify_all();
  };

  // Drops a device if another is left; another device repeats the chunk of `input`.
  const auto leave_out = [&](std::size_t number, const DeviceError& error, std::size_t chunk, Input* input) {
    {
      const std::lock_guard lock(mutex);
      if (!options.others_go_on || (!failed[number] && left == 1)) return false;
      if (input != nullptr) {
        again.emplace_back(chunk, std::move(*input));
        --at_work;
      }
      changed.notify_all();
      if (failed[number]) return true;
      failed[number] = true;
      --left;
    }
    core_of(devices[number]).tell_failure(error);
    return true;
  };

  // The next chunk for a worker of this device; empty at the end.
  const auto take = [&](std::size_t number) -> std::optional<std::pair<std::size_t, Input>> {
    std::optional<std::pair<std::size_t, Input>> taken_chunk;
    for (;;) {
      std::size_t chunk = 0;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] {
          if (stop || failed[number] || !again.empty()) return true;
          // A chunk of a device that fails may return to the queue.
          return source_empty ? at_work == 0 : !source_busy && taken - sunk < window;
        });
        if (stop || failed[number]) return taken_chunk;
        if (!again.empty()) {
          taken_chunk.emplace(std::move(again.front()));
          again.pop_front();
          ++at_work;
          return taken_chunk;
        }
        if (source_empty) return taken_chunk;
        source_busy = true;
        chunk = taken++;
        ++at_work;
      }
      std::optional<Input> input =
          detail::next_chunk(source, number);  // outside the lock: it may be slow, and the sink must go on
      const std::lock_guard lock(mutex);
      source_busy = false;
      changed.notify_all();
      if (input) {
        taken_chunk.emplace(chunk, std::move(*input));
        return taken_chunk;
      }
      source_empty = true;
      --taken;
      --at_work;
    }
  };

  const auto run_worker = [&](std::size_t index) {
    try {
      const std::size_t number = device_of[index];
      const bool alone = std::count(device_of.begin(), device_of.end(), number) == 1;
      std::optional<Device> device;
      try {
        device = alone ? devices[number] : devices[number].with_own_queue();
      } catch (const DeviceError& error) {
        if (!leave_out(number, error, 0, nullptr)) throw;
      }
      while (auto input = device ? take(number) : std::nullopt) {
        try {
          Result result = detail::done_chunk(work, *device, number, input->second);
          const std::lock_guard lock(mutex);
          waiting.emplace(input->first, std::move(result));
          --at_work;
          changed.notify_all();
        } catch (const DeviceError& error) {
          if (!leave_out(number, error, input->first, &input->second)) throw;
        }
      }
    } catch (...) {
      fail(std::current_exception());
    }
    const std::lock_guard lock(mutex);
    --running;
    changed.notify_all();
  };

  std::vector<std::thread> threads;
  try {
    threads.reserve(workers);
    for (std::size_t i = 0; i < workers; ++i) threads.emplace_back(run_worker, i);
    std::uint64_t items = 0;
    for (;;) {
      std::optional<Result> result;
      {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return stop || waiting.contains(sunk) || running == 0; });
        if (stop) break;
        const auto next = waiting.find(sunk);
        if (next == waiting.end()) break;  // every worker has ended and no result is waiting
        result.emplace(std::move(next->second));
        waiting.erase(next);
      }
      items += static_cast<std::uint64_t>(sink(std::move(*result)));
      {
        const std::lock_guard lock(mutex);
        ++sunk;
        changed.notify_all();
      }
      if (options.progress) {
        const double fraction =
            options.items_total != 0
                ? std::min(1.0, static_cast<double>(items) / static_cast<double>(options.items_total))
                : 0;
        if (!options.progress({fraction, items, options.items_total})) throw Cancelled();
      }
    }
  } catch (...) {
    fail(std::current_exception());
  }
  for (std::thread& thread : threads) thread.join();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace genocl::runtime
