// Reads what OpenCL knows of platforms and devices.
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

/// Every device of every platform, in the order of their index. Empty when there is no platform; a platform that
/// answers with an error is left out.
std::vector<FoundDevice> find_devices();

/// Fills in all of DeviceInfo but the three indices.
DeviceInfo query_device(cl_device_id device);

/// The matches of one spec (see Device::pick), best first. Throws InputError when there is none.
std::vector<FoundDevice> match_devices(const std::vector<FoundDevice>& all, std::string_view spec);

/// A number of bytes as users write it, with K, M, G or T (of 1024) behind it. Throws InputError, which names `what`.
std::uint64_t parse_bytes(std::string_view what, std::string_view text);

/// Changes what the driver has said where it is known to be otherwise (NVIDIA's gives buffers of any size that its
/// memory has, and says a quarter of it), and where GENOCL_DEVICE_MEMORY bounds what may be taken.
void limit_memory(DeviceInfo& info);

/// The drivers that are registered in the loader's folder (OCL_ICD_VENDORS, OPENCL_VENDOR_PATH or /etc/OpenCL/vendors)
/// and cannot be used, and why: "x.icd: libx.so: cannot open shared object file". Empty where all can be. The loader
/// passes over them without a word.
std::string unusable_drivers();

/// Why there is no device: no driver registered, or what each of them says. One line.
std::string why_no_device();

}  // namespace genocl::runtime
