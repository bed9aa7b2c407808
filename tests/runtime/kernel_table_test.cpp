#include "runtime/kernel.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "genocl/device.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/helpers.hpp"

using namespace genocl;
using namespace genocl_test;

TEST_CASE("a kernel is found again by its file, name and defines, and no other is") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  auto& core = runtime::core_of(device);
  using runtime::Defines;
  std::set<const runtime::KernelEntry*> entries;
  for (const char* name : {"map_plus", "group_sums"})
    for (const int add : {0, 1, -1}) entries.insert(&core.kernel("map.cl", name, Defines().set("ADD", add), false));
  entries.insert(&core.kernel("map.cl", "map_plus", {}, false));
  entries.insert(&core.kernel("map.cl", "map_plus", Defines().set("ADD", 1u), false));  // unsigned is another program
  CHECK(entries.size() == 8);
  CHECK(&core.kernel("map.cl", "map_plus", Defines().set("B", "uint").set("ADD", 1), false) ==
        &core.kernel("map.cl", "map_plus", Defines().set("ADD", 1).set("B", "uint"), false));
}

TEST_CASE("no two threads have one kernel object") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  runtime::KernelEntry& entry = runtime::core_of(device).kernel("map.cl", "map_plus", {}, false);
  std::vector<cl_kernel> taken(20);  // more than are kept
  for (cl_kernel& kernel : taken) kernel = entry.take(device.info().name);
  CHECK(std::set<cl_kernel>(taken.begin(), taken.end()).size() == taken.size());
  for (const cl_kernel kernel : taken) entry.give(kernel);

  std::mutex mutex;
  std::set<cl_kernel> held;
  std::atomic<int> clashes = 0;
  {
    std::vector<std::jthread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 2000; ++i) {
          const cl_kernel kernel = entry.take(device.info().name);
          {
            const std::lock_guard lock(mutex);
            if (!held.insert(kernel).second) ++clashes;
          }
          {
            const std::lock_guard lock(mutex);
            held.erase(kernel);
          }
          entry.give(kernel);
        }
      });
    }
  }
  CHECK(clashes == 0);
}
