// Queries platforms and devices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

struct FoundDevice {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  DeviceInfo info;
};

/// All devices of all platforms, in the order of their index. Empty if no platform is installed. A platform that
/// reports an error is left out.
std::vector<FoundDevice> find_devices();

/// Fills in all of DeviceInfo except the three indices.
DeviceInfo query_device(cl_device_id device);

/// The devices that match one spec (see Device::pick), best first. Throws InputError if none matches.
std::vector<FoundDevice> match_devices(const std::vector<FoundDevice>& all, std::string_view spec);

/// Parses a number of bytes with an optional suffix K, M, G or T (powers of 1024). Throws InputError that names `what`.
std::uint64_t parse_bytes(std::string_view what, std::string_view text);

/// Corrects the limits that the driver reports. NVIDIA's driver reports a quarter of the memory as the maximum
/// allocation but allocates buffers of any size. GENOCL_DEVICE_MEMORY bounds the memory that is used, and
/// GENOCL_DEVICE_LIMITS (like "256:32K") the size of a work-group and its local memory.
void apply_limits(DeviceInfo& info);

/// True if GENOCL_DEVICE_LIMITS is set: the driver allows more than DeviceInfo says, so each launch is checked.
bool simulates_limits();

/// The registered drivers that cannot be used, with the reason: "x.icd: libx.so: cannot open shared object file". Reads
/// the loader's folder (OCL_ICD_VENDORS, OPENCL_VENDOR_PATH or /etc/OpenCL/vendors); the loader skips such drivers
/// silently. Empty if all drivers work.
std::string unusable_drivers();

/// The reason why no device was found, in one line: no driver is registered, or the message of each driver.
std::string why_no_device();

}  // namespace genocl::runtime
