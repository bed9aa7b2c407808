// Included by chunks.hpp.
#pragma once

namespace genocl::runtime {
namespace detail {

/// The next chunk for a device, from a source that wants to know which one it is or from one that does not.
template <class Source>
auto next_chunk(Source& source, std::size_t device) {
  if constexpr (std::is_invocable_v<Source&, std::size_t>)
    return source(device);
  else
    return source();
}

/// [worker]: its device, those of a device side by side.
inline std::vector<std::size_t> devices_of_workers(std::size_t devices, const ChunkOptions& options) {
  if (!options.workers_of.empty() && options.workers_of.size() != devices)
    throw InputError(std::to_string(devices) + " devices and numbers of workers for " +
                     std::to_string(options.workers_of.size()));
  std::vector<std::size_t> of_worker;
  for (std::size_t device = 0; device < devices; ++device) {
    const unsigned wanted = options.workers_of.empty() ? options.workers_per_device : options.workers_of[device];
    of_worker.insert(of_worker.end(), std::max(1u, wanted), device);
  }
  return of_worker;
}

}  // namespace detail

template <class Source, class Work, class Sink>
void for_each_chunk(std::span<const Device> devices, Source&& source, Work&& work, Sink&& sink,
                    const ChunkOptions& options) {
  using Input = typename decltype(detail::next_chunk(source, 0))::value_type;
  using Result = std::remove_cvref_t<decltype(work(std::declval<const Device&>(), std::declval<Input&&>()))>;
  if (devices.empty()) throw InputError("no device given");
  const std::vector<std::size_t> device_of = detail::devices_of_workers(devices.size(), options);
  const std::size_t workers = device_of.size();
  const std::size_t window = workers * (options.window_per_worker > 0 ? options.window_per_worker : 1);

  std::mutex mutex;  // guards all below
  std::condition_variable changed;
  std::size_t taken = 0;  // chunks that source() has given
  std::size_t sunk = 0;   // chunks that sink() has had
  std::size_t running = workers;
  bool source_busy = false, source_empty = false, stop = false;
  std::map<std::size_t, Result> waiting;
  std::exception_ptr failure;

  const auto fail = [&](std::exception_ptr error) {
    const std::lock_guard lock(mutex);
    if (!failure) failure = std::move(error);
    stop = true;
    changed.notify_all();
  };

  const auto run_worker = [&](std::size_t index) {
    try {
      const std::size_t number = device_of[index];
      const bool alone = std::count(device_of.begin(), device_of.end(), number) == 1;
      const Device device = alone ? devices[number] : devices[number].with_own_queue();
      for (;;) {
        std::size_t chunk = 0;
        {
          std::unique_lock lock(mutex);
          changed.wait(lock, [&] { return stop || source_empty || (!source_busy && taken - sunk < window); });
          if (stop || source_empty) break;
          source_busy = true;
          chunk = taken++;
        }
        std::optional<Input> input =
            detail::next_chunk(source, number);  // outside the lock: it may be slow, and the sink must go on
        {
          const std::lock_guard lock(mutex);
          source_busy = false;
          if (!input) {
            source_empty = true;
            --taken;
          }
          changed.notify_all();
        }
        if (!input) break;
        Result result = work(device, std::move(*input));
        const std::lock_guard lock(mutex);
        waiting.emplace(chunk, std::move(result));
        changed.notify_all();
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
        if (next == waiting.end()) break;  // every worker has ended and nothing is left
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
