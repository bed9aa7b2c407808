// Queues are leased: who makes many short-lived ones gets the same few.
#include <doctest/doctest.h>

#include <set>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/helpers.hpp"
#include "runtime/kernel.hpp"
#include "runtime/scratch.hpp"

using namespace genocl;
using namespace genocl_test;

TEST_CASE("a queue that nobody uses any more is the next one") {
  const Device device = Device::pick();
  std::set<cl_command_queue> queues;
  for (int i = 0; i < 100; ++i) queues.insert(device.with_own_queue().queue()());
  CHECK(queues.size() == 1);

  const Device a = device.with_own_queue(), b = device.with_own_queue();
  CHECK(a.queue()() != b.queue()());
  CHECK(a.queue()() != device.queue()());
}

TEST_CASE("a leased queue lives as long as what lies on it") {
  Array<int> array;
  runtime::Scratch scratch;
  {
    const Device device = Device::pick();
    const Device own = device.with_own_queue();
    array = Array<int>(own, std::vector<int>{1, 2, 3});
    scratch = runtime::Scratch(own.companion(), 1000);
  }
  CHECK(array.download() == std::vector<int>{1, 2, 3});
  CHECK(scratch.bytes() >= 1000);
}

TEST_CASE("scratch on a queue that went back is given back where memory is wanted") {
  const Device device = Device::pick();
  const std::uint64_t before = runtime::core_of(device).free_memory();
  { const runtime::Scratch scratch(device.with_own_queue(), 1 << 20); }
  CHECK(runtime::core_of(device).free_memory() < before);
  device.release_scratch();
  CHECK(runtime::core_of(device).free_memory() == before);
}

TEST_CASE("profiling reaches the companion, and a queue without it is not leased for one with it") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  Device device = Device::pick();
  const auto launches = [&](const Device& on) {
    const Array<std::uint32_t> in(on, std::vector<std::uint32_t>(64, 1)), out(on, 64);
    runtime::Kernel(on, "map.cl", "map_plus").args(in, out, cl_ulong{64}).run(1, 64);
    on.finish();
    const auto profile = device.profile();
    return profile.empty() ? 0 : profile.front().launches;
  };
  { const Device own = device.with_own_queue(); }
  const Device companion = device.companion();
  device.enable_profiling();
  CHECK(launches(device) == 1);
  CHECK(launches(companion) == 2);
  CHECK(launches(device.with_own_queue()) == 3);
}

TEST_CASE("a long profile is settled from the oldest launch on") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  Device device = Device::pick();
  device.enable_profiling();
  const Array<std::uint32_t> in(device, std::vector<std::uint32_t>(64, 1)), out(device, 64);
  constexpr std::uint64_t launches = 5000;  // more than are kept
  for (std::uint64_t i = 0; i < launches; ++i)
    runtime::Kernel(device, "map.cl", "map_plus").args(in, out, cl_ulong{64}).run(1, 64, 8);
  const auto profile = device.profile();
  REQUIRE(profile.size() == 1);
  CHECK(profile.front().launches == launches);
  CHECK(profile.front().bytes == 8 * launches);
}
