#include <doctest/doctest.h>

#include <numeric>
#include <thread>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/device_query.hpp"
#include "runtime/helpers.hpp"
#include "runtime/kernel.hpp"

using namespace genocl;
using namespace genocl_test;

TEST_CASE("there is a device, and pick() without a spec takes GENOCL_DEVICE or the best") {
  const auto all = Device::available();
  REQUIRE_FALSE(all.empty());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i].index == i);
    CHECK(all[i].global_memory >= all[i].max_allocation);
    CHECK(all[i].compute_units > 0);
    CHECK_FALSE(all[i].name.empty());
  }
  const Device device = Device::pick();
  CHECK(device.context()() != nullptr);
  for (const DeviceInfo& info : all) {
    const Environment chosen("GENOCL_DEVICE", std::to_string(info.index));
    CHECK(Device::pick().info().index == info.index);
  }
  {
    const Environment none("GENOCL_DEVICE", nullptr);
    const DeviceInfo best = Device::pick().info();
    for (const DeviceInfo& info : all)
      if (info.type == DeviceType::gpu) CHECK(best.type == DeviceType::gpu);
  }
}

TEST_CASE("a spec names a device by index, platform and place, type, or part of a name") {
  for (const DeviceInfo& info : Device::available()) {
    CHECK(Device::pick(std::to_string(info.index)).info().index == info.index);
    const std::string place = std::to_string(info.platform_index) + ":" + std::to_string(info.platform_device);
    CHECK(Device::pick(place).info().index == info.index);
    CHECK(Device::pick(to_string(info.type)).info().type == info.type);
    CHECK(Device::pick(info.name).info().name == info.name);
    std::string upper = info.name.substr(0, info.name.size() / 2 + 1);
    for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    CHECK_NOTHROW(Device::pick(upper));
  }
}

TEST_CASE("list() keeps the order of the specs, each device once") {
  const auto all = Device::available();
  CHECK(Device::list().size() == all.size());
  CHECK(Device::list("all,all").size() == all.size());
  std::string reversed;
  for (std::size_t i = all.size(); i-- > 0;) reversed += (reversed.empty() ? "" : ",") + std::to_string(i);
  const auto devices = Device::list(reversed);
  REQUIRE(devices.size() == all.size());
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(devices[i].info().index == all.size() - 1 - i);
}

TEST_CASE("a spec that matches nothing is an error that lists what exists") {
  const std::string message = message_of<InputError>([] { (void)Device::pick("no such device"); });
  CHECK(contains(message, "'no such device'"));
  for (const DeviceInfo& info : Device::available()) CHECK(contains(message, info.name));
  CHECK(contains(message_of<InputError>([] { (void)Device::pick("99"); }), "'99'"));
  CHECK(contains(message_of<InputError>([] { (void)Device::pick("0:99"); }), "'0:99'"));
  CHECK(contains(message_of<InputError>([] { (void)Device::list("0,,0"); }), "empty"));
  CHECK_THROWS_AS(Device::list(""), InputError);
  const Environment chosen("GENOCL_DEVICE", "nonsense");
  CHECK(contains(message_of<InputError>([] { (void)Device::pick(); }), "'nonsense'"));
}

TEST_CASE("the variant family follows the device's type, GENOCL_VARIANT, or with_family()") {
  const Environment unset("GENOCL_VARIANT", nullptr);
  const Device device = Device::pick();
  CHECK((device.family() == KernelFamily::cpu) == (device.info().type == DeviceType::cpu));
  CHECK(device.with_family(KernelFamily::gpu).family() == KernelFamily::gpu);
  CHECK(device.with_family(KernelFamily::cpu).family() == KernelFamily::cpu);
  {
    const Environment gpu("GENOCL_VARIANT", "gpu");
    CHECK(Device::pick().family() == KernelFamily::gpu);
    const Environment as_in_0_1("GENOCL_VARIANT", "group");
    CHECK(Device::pick().family() == KernelFamily::gpu);
  }
  {
    const Environment cpu("GENOCL_VARIANT", "cpu");
    CHECK(Device::pick().family() == KernelFamily::cpu);
    const Environment as_in_0_1("GENOCL_VARIANT", "lanes");
    CHECK(Device::pick().family() == KernelFamily::cpu);
  }
  const Environment wrong("GENOCL_VARIANT", "warp");
  CHECK(contains(message_of<InputError>([] { (void)Device::pick(); }), "warp"));
}

TEST_CASE("vendor paths are on NVIDIA only, and can be turned off") {
  const Environment unset("GENOCL_VENDOR", nullptr);
  const Device device = Device::pick();
  if (!contains(device.info().platform, "NVIDIA")) CHECK_FALSE(device.has_ptx());
  CHECK_FALSE(device.without_vendor_paths().has_ptx());
  CHECK(device.vendor_paths());
  CHECK_FALSE(device.without_vendor_paths().vendor_paths());
  {
    const Environment off("GENOCL_VENDOR", "off");
    CHECK_FALSE(Device::pick().has_ptx());
    CHECK_FALSE(Device::pick().vendor_paths());
  }
  {
    const Environment on("GENOCL_VENDOR", "on");
    CHECK(Device::pick().vendor_paths());
  }
  const Environment wrong("GENOCL_VENDOR", "maybe");
  CHECK_THROWS_AS((void)Device::pick(), InputError);
}

TEST_CASE("a caller's queue is used as it is") {
  const Device made = Device::pick();
  cl_int code = CL_SUCCESS;
  const cl::CommandQueue queue(clCreateCommandQueue(made.context()(), made.opencl_device()(), 0, &code));
  REQUIRE(code == CL_SUCCESS);
  const Device device(queue);
  CHECK(device.queue()() == queue());
  CHECK(device.context()() == made.context()());
  CHECK(device.info().index == made.info().index);
  std::vector<std::uint32_t> numbers(1000);
  std::iota(numbers.begin(), numbers.end(), 7u);
  const Array<std::uint32_t> array(device, numbers);
  CHECK(array.download() == numbers);
  Device profiled = device;
  CHECK(contains(message_of<InputError>([&] { profiled.enable_profiling(); }), "CL_QUEUE_PROFILING_ENABLE"));

  const cl::CommandQueue out_of_order(
      clCreateCommandQueue(made.context()(), made.opencl_device()(), CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code));
  if (code == CL_SUCCESS) CHECK(contains(message_of<InputError>([&] { const Device no(out_of_order); }), "in-order"));
  CHECK_THROWS_AS(Device(cl::CommandQueue{}), InputError);
}

TEST_CASE("devices that share a queue are equal") {
  const Device a = Device::pick();
  const Device b = a;
  CHECK(a == b);
  CHECK(a == a.with_family(KernelFamily::gpu));
  CHECK_FALSE(a == a.with_own_queue());
  CHECK(a.context()() == a.with_own_queue().context()());
}

TEST_CASE("eight threads share one Device") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  std::vector<int> wrong(8, -1);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < wrong.size(); ++t) {
    threads.emplace_back([&, t] {
      int failures = 0;
      for (int round = 0; round < 20; ++round) {
        std::vector<std::uint32_t> numbers(5000 + 131 * t);
        std::iota(numbers.begin(), numbers.end(),
                  static_cast<std::uint32_t>(1000 * t + static_cast<std::size_t>(round)));
        const Array<std::uint32_t> in(device, numbers);
        const Array<std::uint32_t> out(device, numbers.size());
        runtime::Defines defines;
        defines.set("ADD", static_cast<int>(t % 3));  // some threads ask for the same program, some do not
        runtime::Kernel(device, "map.cl", "map_plus", defines)
            .args(in, out, static_cast<cl_ulong>(numbers.size()))
            .run((numbers.size() + 63) / 64, 64);
        const auto result = out.download();
        for (std::size_t i = 0; i < numbers.size(); ++i)
          if (result[i] != 2 * numbers[i] + t % 3) ++failures;
      }
      wrong[t] = failures;
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(wrong == std::vector<int>(8, 0));
}

TEST_CASE("among the drivers of a CPU, double precision comes before memory and Mesa's last") {
  const auto one = [](std::size_t index, const char* name, std::uint64_t memory, bool fp64) {
    genocl::runtime::FoundDevice found;
    found.info.index = index;
    found.info.name = name;
    found.info.type = genocl::DeviceType::cpu;
    found.info.host_unified_memory = true;
    found.info.global_memory = memory;
    found.info.fp64 = fp64;
    return found;
  };
  const auto sorted =
      genocl::runtime::match_devices({one(0, "llvmpipe (LLVM 19)", 64, true), one(1, "no doubles", 32, false),
                                      one(2, "pthread", 8, true), one(3, "Intel", 16, true)},
                                     "cpu");
  std::string order;
  for (const auto& found : sorted) order += std::to_string(found.info.index);
  CHECK(order == "3210");
}

TEST_CASE("with_compute_units: a part of a CPU runs kernels, other devices may refuse") {
  const Environment kernels("GENOCL_KERNEL_DIR", test_kernels().string());
  const Device device = Device::pick();
  CHECK_THROWS_AS(device.with_compute_units(0), InputError);
  CHECK(device.with_compute_units(device.info().compute_units).context() == device.context());
  if (device.info().compute_units < 2) return;
  const auto check = [&] {
    const Device part = device.with_compute_units(1);
    CHECK(part.info().compute_units == 1);
    CHECK(part.info().index == device.info().index);
    CHECK(part.context() != device.context());
    Array<std::uint32_t> values(part, std::vector<std::uint32_t>(1000, 4));
    runtime::Kernel kernel(part, "map.cl", "map_plus", runtime::Defines().set("ADD", 3));
    kernel.args(values, values, std::uint64_t{1000}).run(1000, 1);
    CHECK(values.download() == std::vector<std::uint32_t>(1000, 11));
  };
  if (device.info().type == DeviceType::cpu) {
    check();
  } else {
    try {
      check();
    } catch (const DeviceError& error) {
      CHECK(std::string(error.what()).find("clCreateSubDevices") != std::string::npos);
    }
  }
}
