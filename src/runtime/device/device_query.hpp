// Reads what OpenCL knows of platforms and devices.
#pragma once

#include <string>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

struct FoundDevice {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  DeviceInfo info;
};

/// Every device of every platform, in the order of their index. Empty when there is no platform; a platform that
/// answers with an error is left out.
std::vector<FoundDevice> find_devices();

/// Fills in all of DeviceInfo but the three indices.
DeviceInfo query_device(cl_device_id device);

/// The matches of one spec (see Device::pick), best first. Throws InputError when there is none.
std::vector<FoundDevice> match_devices(const std::vector<FoundDevice>& all, std::string_view spec);

}  // namespace genocl::runtime
