#include "runtime/device_query.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <functional>
#include <mutex>
#include <string>
#include <tuple>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/check.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {
namespace {

std::string device_text(cl_device_id device, cl_device_info what) {
  std::size_t size = 0;
  if (clGetDeviceInfo(device, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (clGetDeviceInfo(device, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(std::min(text.find('\0'), text.size()));
  const auto last = text.find_last_not_of(' ');
  text.resize(last == std::string::npos ? 0 : last + 1);
  text.erase(0, std::min(text.find_first_not_of(' '), text.size()));
  return text;
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  std::size_t size = 0;
  if (clGetPlatformInfo(platform, what, 0, nullptr, &size) != CL_SUCCESS || size == 0) return {};
  std::string text(size, '\0');
  if (clGetPlatformInfo(platform, what, size, text.data(), nullptr) != CL_SUCCESS) return {};
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

template <class T>
T device_value(cl_device_id device, cl_device_info what) {
  T value{};
  return clGetDeviceInfo(device, what, sizeof value, &value, nullptr) == CL_SUCCESS ? value : T{};
}

DeviceType type_of(cl_device_type type) {
  if ((type & CL_DEVICE_TYPE_GPU) != 0) return DeviceType::gpu;
  if ((type & CL_DEVICE_TYPE_CPU) != 0) return DeviceType::cpu;
  if ((type & CL_DEVICE_TYPE_ACCELERATOR) != 0) return DeviceType::accelerator;
  return DeviceType::other;
}

std::string lower(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

bool matches(const DeviceInfo& info, const std::string& spec) {
  if (spec == "all") return true;
  if (spec == "cpu") return info.type == DeviceType::cpu;
  if (spec == "gpu") return info.type == DeviceType::gpu;
  if (spec == "accelerator") return info.type == DeviceType::accelerator;
  if (is_number(spec)) return std::to_string(info.index) == spec;
  if (const auto colon = spec.find(':');
      colon != std::string::npos && is_number(spec.substr(0, colon)) && is_number(spec.substr(colon + 1)))
    return std::to_string(info.platform_index) + ":" + std::to_string(info.platform_device) == spec;
  for (const std::string& text : {info.name, info.platform, info.platform_version, info.vendor})
    if (lower(text).find(spec) != std::string::npos) return true;
  return false;
}

/// A driver that computes on the CPU whatever its name: Mesa's, the slowest known.
bool is_mesa_software(const DeviceInfo& info) {
  return lower(info.name).find("llvmpipe") != std::string::npos ||
         lower(info.name).find("softpipe") != std::string::npos;
}

// Larger is better. Drivers of the same CPU report memory sizes that cannot be compared, so devices without double
// precision rank after the others, and Mesa's software renderer last.
int type_rank(const DeviceInfo& info) {
  switch (info.type) {
    case DeviceType::gpu:
      return 3;
    case DeviceType::accelerator:
      return 2;
    case DeviceType::cpu:
      return 1;
    case DeviceType::other:
      break;
  }
  return 0;
}
auto rank(const DeviceInfo& info) {
  const bool cpu = info.type == DeviceType::cpu;
  return std::tuple(type_rank(info), !is_mesa_software(info), cpu && info.fp64, !info.host_unified_memory,
                    info.global_memory, info.compute_units);
}

std::string listing(const std::vector<FoundDevice>& all) {
  std::string text;
  for (const FoundDevice& found : all) {
    const DeviceInfo& info = found.info;
    text += (text.empty() ? "" : "; ") + std::to_string(info.index) + " (" + std::to_string(info.platform_index) + ":" +
            std::to_string(info.platform_device) + ") " + std::string(to_string(info.type)) + " " + info.name + " [" +
            info.platform + "]";
  }
  return text;
}

}  // namespace

DeviceInfo query_device(cl_device_id device) {
  DeviceInfo info;
  const auto platform = device_value<cl_platform_id>(device, CL_DEVICE_PLATFORM);
  info.platform = platform_text(platform, CL_PLATFORM_NAME);
  info.platform_version = platform_text(platform, CL_PLATFORM_VERSION);
  info.name = device_text(device, CL_DEVICE_NAME);
  info.vendor = device_text(device, CL_DEVICE_VENDOR);
  info.driver_version = device_text(device, CL_DRIVER_VERSION);
  info.opencl_version = device_text(device, CL_DEVICE_VERSION);
  info.opencl_c_version = device_text(device, CL_DEVICE_OPENCL_C_VERSION);
  info.type = type_of(device_value<cl_device_type>(device, CL_DEVICE_TYPE));
  info.global_memory = device_value<cl_ulong>(device, CL_DEVICE_GLOBAL_MEM_SIZE);
  info.max_allocation = device_value<cl_ulong>(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  info.local_memory = device_value<cl_ulong>(device, CL_DEVICE_LOCAL_MEM_SIZE);
  // OpenCL reports bits. Vector types of 16 bytes need no more than that.
  info.buffer_alignment = std::max<std::uint64_t>(16, device_value<cl_uint>(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) / 8);
  info.max_work_group_size = device_value<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE);
  info.compute_units = device_value<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS);
  info.clock_mhz = device_value<cl_uint>(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
  info.host_unified_memory = device_value<cl_bool>(device, CL_DEVICE_HOST_UNIFIED_MEMORY) != CL_FALSE;
  info.fp64 = (" " + device_text(device, CL_DEVICE_EXTENSIONS) + " ").find(" cl_khr_fp64 ") != std::string::npos;
  apply_limits(info);
  return info;
}

std::vector<FoundDevice> find_devices() {
  // ICD loaders and PoCL are not thread-safe during the first call.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  std::vector<FoundDevice> found;
  // Drivers start threads at the first call. A forked child has none of them, and a call that waits for one hangs.
  static const std::int64_t process = platform::process_id();
  if (platform::process_id() != process)
    throw DeviceError("use after fork()", {}, {}, 0,
                      "OpenCL was used in the parent process before; expected its first use in the child");
  cl_uint platform_count = 0;
  if (clGetPlatformIDs(0, nullptr, &platform_count) != CL_SUCCESS || platform_count == 0) return found;
  std::vector<cl_platform_id> platforms(platform_count);
  check(clGetPlatformIDs(platform_count, platforms.data(), nullptr), "clGetPlatformIDs");
  for (std::size_t p = 0; p < platforms.size(); ++p) {
    cl_uint device_count = 0;
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, 0, nullptr, &device_count) != CL_SUCCESS || device_count == 0)
      continue;
    std::vector<cl_device_id> devices(device_count);
    if (clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, device_count, devices.data(), nullptr) != CL_SUCCESS) continue;
    for (std::size_t d = 0; d < devices.size(); ++d) {
      FoundDevice next{platforms[p], devices[d], query_device(devices[d])};
      next.info.platform_index = p;
      next.info.platform_device = d;
      found.push_back(std::move(next));
    }
  }
  std::ranges::stable_sort(found, std::ranges::greater(), [](const FoundDevice& one) { return type_rank(one.info); });
  for (std::size_t i = 0; i < found.size(); ++i) found[i].info.index = i;
  return found;
}

std::vector<FoundDevice> match_devices(const std::vector<FoundDevice>& all, std::string_view spec) {
  std::string wanted = lower(spec);
  wanted.erase(0, std::min(wanted.find_first_not_of(' '), wanted.size()));
  wanted.resize(wanted.find_last_not_of(' ') + 1);
  if (wanted.empty()) throw InputError("a device spec is empty; there are: " + listing(all));
  std::vector<FoundDevice> found;
  for (const FoundDevice& device : all)
    if (matches(device.info, wanted)) found.push_back(device);
  if (found.empty()) {
    const std::string broken = unusable_drivers();
    throw InputError("no device matches '" + shown(spec) + "'; there are: " + listing(all) +
                     (broken.empty() ? "" : "; registered and not usable: " + broken));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const FoundDevice& a, const FoundDevice& b) { return rank(a.info) > rank(b.info); });
  return found;
}

std::uint64_t parse_bytes(std::string_view what, std::string_view text) {
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  unsigned shift = 0;
  if (rest != end) {
    const std::size_t unit = std::string_view("KMGT").find(static_cast<char>(*rest & ~0x20));
    shift = unit == std::string_view::npos || rest + 1 != end ? 64 : 10 * static_cast<unsigned>(unit + 1);
  }
  if (error != std::errc() || number == 0 || shift == 64 || number > UINT64_MAX >> shift)
    throw InputError(std::string(what), std::string(text), "is no number of bytes", "one like 800M or 24G");
  return number << shift;
}

bool simulates_limits() {
  const char* const limits = std::getenv("GENOCL_DEVICE_LIMITS");
  return limits != nullptr && *limits != '\0';
}

void apply_limits(DeviceInfo& info) {
  if (info.platform.find("NVIDIA") != std::string::npos) info.max_allocation = info.global_memory;
  if (const char* const limit = std::getenv("GENOCL_DEVICE_MEMORY"); limit != nullptr && *limit != '\0')
    info.global_memory = std::min(info.global_memory, parse_bytes("GENOCL_DEVICE_MEMORY", limit));
  info.max_allocation = std::min(info.max_allocation, info.global_memory);
  const char* const simulated = std::getenv("GENOCL_DEVICE_LIMITS");
  if (simulated == nullptr || *simulated == '\0') return;
  const std::string_view limits = simulated;
  const std::size_t colon = limits.find(':');
  if (colon == std::string_view::npos)
    throw InputError("GENOCL_DEVICE_LIMITS", std::string(limits), "has no ':'",
                     "WORK_GROUP_SIZE:LOCAL_MEMORY, like 256:32K");
  info.max_work_group_size =
      std::min(info.max_work_group_size, parse_bytes("GENOCL_DEVICE_LIMITS", limits.substr(0, colon)));
  info.local_memory = std::min(info.local_memory, parse_bytes("GENOCL_DEVICE_LIMITS", limits.substr(colon + 1)));
}

}  // namespace genocl::runtime
