#include "runtime/chunks.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "helpers.hpp"

using namespace genocl;
using namespace genocl_test;
using runtime::ChunkOptions;
using runtime::for_each_chunk;

namespace {

// Gives 0, 1, ... count - 1.
auto counting(int count) {
  return [count, next = 0]() mutable { return next < count ? std::optional<int>(next++) : std::nullopt; };
}

// Every other chunk is done after the one behind it, so that results arrive in disorder. Needs two workers.
class Disorder {
 public:
  void done(int chunk) {
    std::unique_lock lock(mutex_);
    done_.insert(chunk);
    changed_.notify_all();
    if (chunk % 2 == 0) changed_.wait(lock, [&] { return done_.count(chunk + 1) != 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::set<int> done_;
};

std::vector<Device> several_devices() {
  const Device device = Device::pick();
  return {device, device.with_own_queue(), device.with_own_queue()};
}

}  // namespace

TEST_CASE("results come out in the order of the source, whatever the devices") {
  for (const std::size_t devices : {1u, 3u}) {
    for (const unsigned workers : {1u, 2u}) {
      const auto all = several_devices();
      std::vector<int> out;
      Disorder disorder;
      for_each_chunk(
          std::span(all).first(devices), counting(200),
          [&](const Device& device, int chunk) {
            if (devices * workers > 1) disorder.done(chunk);
            const Array<int> array(device, std::vector<int>{chunk * chunk});
            return array.download().front();
          },
          [&](int result) {
            out.push_back(result);
            return 1;
          },
          ChunkOptions{.workers_per_device = workers});
      REQUIRE(out.size() == 200);
      for (int i = 0; i < 200; ++i) CHECK(out[static_cast<std::size_t>(i)] == i * i);
    }
  }
}

TEST_CASE("each device has its own workers and its own chunks, and the order is the source's") {
  struct Chunk {
    std::size_t device;
    int first, count;
  };
  const auto all = several_devices();
  const std::vector<unsigned> workers = {1, 3, 2};
  const std::vector<int> sizes = {1, 7, 30};
  std::mutex mutex;
  std::condition_variable arrived;
  std::vector<std::set<std::thread::id>> threads(all.size());  // guarded by the mutex
  const auto everyone = [&] {
    for (std::size_t d = 0; d < all.size(); ++d)
      if (threads[d].size() != workers[d]) return false;
    return true;
  };
  int next = 0;
  std::vector<int> out;
  for_each_chunk(
      std::span<const Device>(all),
      [&](std::size_t device) -> std::optional<Chunk> {
        if (next == 1000) return std::nullopt;
        const Chunk chunk{device, next, std::min(sizes[device], 1000 - next)};
        next += chunk.count;
        return chunk;
      },
      [&](const Device&, Chunk&& chunk) {
        // A worker's first chunk keeps it until every other worker has one.
        std::unique_lock lock(mutex);
        threads[chunk.device].insert(std::this_thread::get_id());
        arrived.notify_all();
        CHECK(arrived.wait_for(lock, std::chrono::seconds(60), everyone));
        std::vector<int> numbers;
        for (int i = 0; i < chunk.count; ++i) numbers.push_back(chunk.first + i);
        return numbers;
      },
      [&](std::vector<int>&& numbers) {
        out.insert(out.end(), numbers.begin(), numbers.end());
        return numbers.size();
      },
      ChunkOptions{.workers_of = workers});
  CHECK(everyone());
  REQUIRE(out.size() == 1000);
  for (int i = 0; i < 1000; ++i) CHECK(out[static_cast<std::size_t>(i)] == i);
  CHECK_THROWS_AS(for_each_chunk(
                      std::span<const Device>(all), counting(1), [](const Device&, int i) { return i; },
                      [](int) { return 1; }, ChunkOptions{.workers_of = {1, 2}}),
                  InputError);
}

TEST_CASE("an empty source means no work") {
  const auto all = several_devices();
  for_each_chunk(
      std::span<const Device>(all), counting(0), [](const Device&, int) -> int { throw std::logic_error("no work"); },
      [](int) -> int { throw std::logic_error("no result"); });
}

TEST_CASE("no device is an error") {
  CHECK_THROWS_AS(
      for_each_chunk(
          std::span<const Device>(), counting(1), [](const Device&, int i) { return i; }, [](int) { return 1; }),
      InputError);
}

TEST_CASE("a slow chunk holds the others back to the window") {
  const auto all = several_devices();
  constexpr int window = 2 * 3;
  std::mutex mutex;
  std::condition_variable changed;
  int taken = 0, max_ahead = 0;
  bool slow_is_done = false;
  for_each_chunk(
      std::span<const Device>(all).first(1),
      [&]() -> std::optional<int> {
        const std::lock_guard lock(mutex);
        if (taken == 100) return std::nullopt;
        ++taken;
        if (!slow_is_done) max_ahead = taken;
        changed.notify_all();
        return taken - 1;
      },
      [&](const Device&, int chunk) {
        if (chunk != 0) return chunk;
        // Until the other worker has taken all that it may; and a little more, for one that would take too many.
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return taken >= window; });
        lock.unlock();
        for (int turn = 0; turn < 1000; ++turn) std::this_thread::yield();
        lock.lock();
        slow_is_done = true;
        return chunk;
      },
      [](int) { return 1; }, ChunkOptions{.workers_per_device = 2, .window_per_worker = 3});
  CHECK(taken == 100);
  CHECK(max_ahead == window);
}

TEST_CASE("the first exception of source, work or sink stops everything and is thrown again") {
  const auto all = several_devices();
  const std::span<const Device> devices(all);
  const auto work = [](const Device&, int chunk) { return chunk; };
  const auto sink = [](int) { return 1; };
  int given = 0;
  CHECK_THROWS_WITH_AS(for_each_chunk(
                           devices,
                           [&]() -> std::optional<int> {
                             if (given == 20) throw std::runtime_error("source");
                             return given++;
                           },
                           work, sink),
                       "source", std::runtime_error);
  CHECK_THROWS_WITH_AS(for_each_chunk(
                           devices, counting(1000000),
                           [](const Device&, int chunk) {
                             if (chunk == 30) throw std::runtime_error("work");
                             return chunk;
                           },
                           sink),
                       "work", std::runtime_error);
  int sunk = 0;
  CHECK_THROWS_WITH_AS(for_each_chunk(devices, counting(1000000), work,
                                      [&](int) -> int {
                                        if (++sunk == 10) throw std::runtime_error("sink");
                                        return 1;
                                      }),
                       "sink", std::runtime_error);
  CHECK(sunk == 10);
}

TEST_CASE("progress rises to one and can cancel") {
  const auto all = several_devices();
  const auto work = [](const Device&, int chunk) { return chunk; };
  const auto sink = [](int) { return 5; };
  double last = 0;
  std::uint64_t items = 0;
  ChunkOptions options{.items_total = 250, .progress = [&](const ProgressState& state) {
                         CHECK(state.fraction >= last);
                         CHECK(state.items_total == 250);
                         last = state.fraction;
                         items = state.items_done;
                         return true;
                       }};
  for_each_chunk(std::span<const Device>(all), counting(50), work, sink, options);
  CHECK(last == doctest::Approx(1.0));
  CHECK(items == 250);
  int calls = 0;
  options.progress = [&](const ProgressState&) { return ++calls < 3; };
  CHECK_THROWS_AS(for_each_chunk(std::span<const Device>(all), counting(50), work, sink, options), Cancelled);
  CHECK(calls == 3);
}
