// Chunks of devices that fail: the others do them, and results come out as if nothing had been.
#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

#include "genocl/error.hpp"
#include "random.hpp"
#include "runtime/chunks.hpp"

using namespace genocl;
using genocl_test::Random;
using runtime::ChunkOptions;
using runtime::for_each_chunk;

namespace {

constexpr int lost_code = -5;  // CL_OUT_OF_RESOURCES

auto counting_to(int count) {
  return [count, next = 0]() mutable { return next < count ? std::optional<int>(next++) : std::nullopt; };
}

[[noreturn]] void lose() { throw DeviceError("launch", "a device", "a kernel", lost_code); }

/// Squares of 0 to count - 1, by so many devices, of which device d is lost when `lost(d, chunk)` says so.
template <class Lost>
std::vector<int> squares(const std::vector<Device>& devices, int count, Lost&& lost, const ChunkOptions& options = {}) {
  std::vector<int> out;
  for_each_chunk(
      std::span<const Device>(devices), counting_to(count),
      [&](const Device&, std::size_t device, int&& chunk) {
        if (lost(device, chunk)) lose();
        return chunk * chunk;
      },
      [&](int square) {
        out.push_back(square);
        return 1;
      },
      options);
  return out;
}

void check_squares(const std::vector<int>& out, int count) {
  REQUIRE(out.size() == static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) CHECK(out[static_cast<std::size_t>(i)] == i * i);
}

/// Devices that each know a failure of their own.
std::vector<Device> devices_apart(std::size_t count) {
  std::vector<Device> devices;
  while (devices.size() < count) devices.push_back(Device::pick());
  return devices;
}

}  // namespace

TEST_CASE("chunks of a device that fails are done by the others, in order, and its owner is told once") {
  const std::vector<Device> devices = devices_apart(3);
  std::atomic<int> told = 0, others_told = 0;
  devices[1].on_failure([&](const DeviceError& error) {
    CHECK(error.code() == lost_code);
    ++told;
  });
  for (const std::size_t other : {0u, 2u}) devices[other].on_failure([&](const DeviceError&) { ++others_told; });
  for (const unsigned workers : {1u, 3u}) {
    told = 0;
    std::atomic<bool> was_there = false;
    const auto out = squares(devices, 300,
                             [&](std::size_t device, int) {
                               // The others leave something for it.
                               while (device != 1 && !was_there) std::this_thread::yield();
                               was_there = was_there || device == 1;
                               return device == 1;
                             },
                             {.workers_per_device = workers});
    check_squares(out, 300);
    CHECK(told == 1);
    CHECK(others_told == 0);
  }
}

TEST_CASE("the last chunk comes back from a device that fails when the others have nothing left") {
  const std::vector<Device> devices = devices_apart(2);
  for (int round = 0; round < 20; ++round) {
    std::atomic<int> done = 0;
    std::atomic<bool> has_one = false;
    const auto out = squares(devices, 2,
                             [&](std::size_t device, int) {
                               // Each has a chunk; the second device fails when the first one has done its own.
                               if (device == 1) has_one = true;
                               while (device == 1 ? done == 0 : !has_one) std::this_thread::yield();
                               if (device == 0) ++done;
                               return device == 1;
                             },
                             {.workers_per_device = 1});
    check_squares(out, 2);
    CHECK(done == 2);
  }
}

TEST_CASE("the failure of the last device is thrown, as is that of the only one") {
  const auto always = [](std::size_t, int) { return true; };
  for (const std::size_t count : {1u, 2u, 3u}) CHECK_THROWS_AS(squares(devices_apart(count), 50, always), DeviceError);
  // All of them, but not at once.
  std::atomic<int> chunks = 0;
  CHECK_THROWS_AS(squares(devices_apart(3), 50, [&](std::size_t, int) { return ++chunks > 10; }), DeviceError);
}

TEST_CASE("a failure stops all where others do not go on, and what is no device's failure always does") {
  const std::vector<Device> devices = devices_apart(2);
  std::atomic<int> told = 0;
  for (const Device& device : devices) device.on_failure([&](const DeviceError&) { ++told; });
  CHECK_THROWS_AS(squares(devices, 50, [](std::size_t, int chunk) { return chunk == 7; }, {.others_go_on = false}),
                  DeviceError);
  CHECK_THROWS_AS(squares(devices, 50,
                          [](std::size_t, int chunk) -> bool {
                            if (chunk == 7) throw InputError("chunk 7");
                            return false;
                          }),
                  InputError);
  CHECK_THROWS_AS(squares(devices, 50,
                          [](std::size_t, int chunk) -> bool {
                            if (chunk == 7) throw std::runtime_error("chunk 7");
                            return false;
                          }),
                  std::runtime_error);
  CHECK(told == 0);
}

TEST_CASE("devices that fail at random, but one, change nothing") {
  GENOCL_SHOW_SEED();
  Random random(genocl_test::test_seed());
  for (int round = 0; round < 50; ++round) {
    const std::size_t count = random.below(4) + 2;
    const std::vector<Device> devices(count, Device::pick());
    const std::size_t stays = random.below(count);
    std::vector<int> at(count);
    for (int& chunk : at) chunk = static_cast<int>(random.below(60));
    const auto out =
        squares(devices, 60, [&](std::size_t device, int chunk) { return device != stays && chunk >= at[device]; },
                {.workers_per_device = static_cast<unsigned>(random.below(3)) + 1, .window_per_worker = 1});
    check_squares(out, 60);
  }
}
