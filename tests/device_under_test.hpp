// The device that the tests run on, and the ways in which a step runs on it.
#pragma once

#include <string>
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

struct DeviceVariant {
  std::string name;
  genocl::Device device;
};

/// `cpu`, group without vendor paths, and group with them where the device has any.
inline std::vector<DeviceVariant> device_variants(
    const genocl::Device& lanes = device_under_test().with_family(genocl::KernelFamily::cpu)) {
  const genocl::Device group = device_under_test().with_family(genocl::KernelFamily::gpu);
  std::vector<DeviceVariant> all = {{"cpu", lanes}, {"portable", group.without_vendor_paths()}};
  if (group.has_ptx()) all.push_back({"vendor", group});
  return all;
}

}  // namespace genocl_test
