// The device that the tests run on, and the ways in which a step runs on it.
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"

namespace genocl_test {

/// One context for all cases: each would load its programs again. Never destroyed: drivers do not like calls at exit.
inline const genocl::Device& device_under_test() {
  static const genocl::Device* const device = new genocl::Device(genocl::Device::pick());
  return *device;
}

/// Another context of the device under test, made for each call.
inline genocl::Device device_of_other_context() {
  return genocl::Device::pick(std::to_string(device_under_test().info().index));
}

/// The kernel families to test. The kernels for CPUs are not tested on a GPU unless GENOCL_TEST_FAMILIES is `all`: no
/// user runs them there, and they take minutes to compile.
inline std::vector<genocl::KernelFamily> families_under_test() {
  const char* const wanted = std::getenv("GENOCL_TEST_FAMILIES");
  if (device_under_test().info().type == genocl::DeviceType::gpu &&
      (wanted == nullptr || std::string_view(wanted) != "all"))
    return {genocl::KernelFamily::gpu};
  return {genocl::KernelFamily::cpu, genocl::KernelFamily::gpu};
}

inline bool tests_cpu_kernels() { return families_under_test().front() == genocl::KernelFamily::cpu; }

/// The device of the kernels for CPUs: the device under test or, on a machine with a GPU, its CPU.
inline const genocl::Device& cpu_device() {
  static const genocl::Device* const device = [] {
    genocl::Device found = device_under_test();
    if (found.info().type != genocl::DeviceType::cpu)
      for (const genocl::DeviceInfo& info : genocl::Device::available())
        if (info.type == genocl::DeviceType::cpu) {
          found = genocl::Device::pick(std::to_string(info.index));
          break;
        }
    return new genocl::Device(found.with_family(genocl::KernelFamily::cpu));
  }();
  return *device;
}

struct DeviceVariant {
  std::string name;
  genocl::Device device;
};

/// The families under test: `cpu`, group without vendor paths, and group with them where the device has any.
inline std::vector<DeviceVariant> device_variants(
    const genocl::Device& lanes = device_under_test().with_family(genocl::KernelFamily::cpu)) {
  const genocl::Device group = device_under_test().with_family(genocl::KernelFamily::gpu);
  std::vector<DeviceVariant> all;
  if (tests_cpu_kernels()) all.push_back({"cpu", lanes});
  all.push_back({"portable", group.without_vendor_paths()});
  if (group.has_ptx()) all.push_back({"vendor", group});
  return all;
}

}  // namespace genocl_test
