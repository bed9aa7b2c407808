// Many calls at once, one after the other, and on many Devices: answers stay what they are, and nothing is kept.
//   GENOCL_HARD_SECONDS   how long the threads call (10)
//   GENOCL_HARD_DEVICES   how many Devices are made and destroyed (50)
#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "genocl/array.hpp"
#include "random.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "topics.hpp"

namespace {

using genocl::Device;
using genocl_test::Random;
using genocl_test::TopicCall;

std::uint64_t from_environment(const char* name, std::uint64_t otherwise) {
  const char* const given = std::getenv(name);
  return given != nullptr ? std::strtoull(given, nullptr, 10) : otherwise;
}

/// Of this process, resident, in KiB.
std::uint64_t resident() {
  std::ifstream status("/proc/self/status");
  std::string word;
  while (status >> word)
    if (word == "VmRSS:") {
      std::uint64_t kib = 0;
      status >> kib;
      return kib;
    }
  return 0;
}

std::uint64_t free_memory(const Device& device) {
  device.finish();
  device.release_scratch();
  return genocl::runtime::core_of(device).free_memory();
}

}  // namespace

TEST_CASE("a call of a topic keeps no memory of the device, and answers alike each time") {
  GENOCL_SHOW_SEED();
  const Device device = Device::pick();
  for (const TopicCall& topic : genocl_test::topic_calls(genocl_test::test_seed())) {
    CAPTURE(topic.name);
    const std::uint64_t before = free_memory(device);
    const std::string first = topic.call(device);
    CHECK(!first.empty());
    CHECK(free_memory(device) == before);
    for (int again = 0; again < 3; ++again) CHECK(topic.call(device) == first);
    CHECK(free_memory(device) == before);
  }
}

TEST_CASE("16 threads call all topics on one Device, and each has the answer that it had alone") {
  GENOCL_SHOW_SEED();
  const Device device = Device::pick();
  const std::vector<TopicCall> topics = genocl_test::topic_calls(genocl_test::test_seed());
  std::vector<std::string> answers;
  for (const TopicCall& topic : topics) answers.push_back(topic.call(device));
  const std::uint64_t before = free_memory(device);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(from_environment("GENOCL_HARD_SECONDS", 10));
  std::atomic<std::uint64_t> calls = 0;
  std::mutex mutex;
  std::vector<std::string> wrong;
  std::vector<std::thread> threads;
  for (std::uint64_t number = 0; number < 16; ++number)
    threads.emplace_back([&, number] {
      Random random(genocl_test::test_seed() + number);
      while (std::chrono::steady_clock::now() < end) {
        const std::size_t which = random.below(topics.size());
        std::string what;
        try {
          if (topics[which].call(device) != answers[which]) what = "another answer";
        } catch (const std::exception& error) {
          what = error.what();
        }
        ++calls;
        if (what.empty()) continue;
        const std::lock_guard lock(mutex);
        wrong.push_back(topics[which].name + ": " + what);
      }
    });
  for (std::thread& thread : threads) thread.join();
  MESSAGE(calls.load(), " calls, ", resident(), " KiB resident");
  CHECK(calls > 0);
  CHECK(wrong.empty());
  if (!wrong.empty()) MESSAGE(wrong.size(), " of them, the first: ", wrong.front());
  CHECK(free_memory(device) == before);
}

TEST_CASE("Devices that are made, used and destroyed leave nothing behind") {
  const std::uint64_t count = from_environment("GENOCL_HARD_DEVICES", 50);
  GENOCL_SHOW_SEED();
  const TopicCall sort = genocl_test::topic_calls(genocl_test::test_seed()).front();
  const std::string answer = sort.call(Device::pick());
  std::uint64_t settled = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    if (i == count / 2) settled = resident();
    CHECK(sort.call(Device::pick()) == answer);
  }
  const std::uint64_t grown = resident() > settled ? resident() - settled : 0;
  MESSAGE(count, " Devices: ", settled, " KiB resident after half of them, ", grown, " more at the end");
  // Less than a program, a context and a buffer of each would be.
  CHECK(grown <= 64 * (count - count / 2) + 4096);
}
