#include "runtime/host_memory.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include "genocl/error.hpp"
#include "runtime/access.hpp"
#include "runtime/device_core.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;

/// The first number in a file; empty if the file is absent or contains a word ("max").
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream stream(file);
  std::uint64_t number = 0;
  if (!(stream >> number)) return std::nullopt;
  return number;
}

/// The number after `name` in a file with a name and a number per line.
std::optional<std::uint64_t> value_of(const fs::path& file, const std::string& name) {
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t number = 0;
    if (words >> word >> number && word == name) return number;
  }
  return std::nullopt;
}

std::uint64_t left_of(std::uint64_t limit, std::uint64_t used) { return limit > used ? limit - used : 0; }

/// The remaining bytes of one control group. Cached file pages count as used but are reclaimable: `cached` lists their
/// keys.
std::uint64_t left_in_group(const fs::path& group, const char* limit_file, const char* used_file,
                            std::initializer_list<const char*> cached) {
  const auto limit = number_in(group / limit_file), used = number_in(group / used_file);
  if (!limit || !used) return no_limit;
  std::uint64_t files = 0;
  for (const char* name : cached) files += value_of(group / "memory.stat", name).value_or(0);
  return left_of(*limit, left_of(*used, files));
}

/// The minimum over the process's control group and its ancestors. In a container the path may be one of the host,
/// invisible here; then only the root is read.
template <class Left>
std::uint64_t left_up_to_root(const fs::path& root, const std::string& path, const Left& left) {
  std::uint64_t least = no_limit;
  fs::path group = fs::path(path).relative_path();
  for (; !group.empty(); group = group.parent_path()) least = std::min(least, left(root / group));
  return std::min(least, left(root));
}

std::uint64_t left_in_groups(const fs::path& root) {
  std::uint64_t least = no_limit;
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {  // number:controllers:path
    const std::size_t first = line.find(':'), second = line.find(':', first == std::string::npos ? first : first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,")  // version 2
      least = std::min(least, left_up_to_root(root / "sys/fs/cgroup", path, [](const fs::path& group) {
                         return left_in_group(group, "memory.max", "memory.current", {"inactive_file", "active_file"});
                       }));
    else if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_up_to_root(root / "sys/fs/cgroup/memory", path, [](const fs::path& group) {
                         return left_in_group(group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                              {"total_inactive_file", "total_active_file"});
                       }));
  }
  return least;
}

/// The remaining bytes of the process's resource limits.
std::uint64_t left_of_limits(const fs::path& root) {
  std::ifstream stream(root / "proc/self/statm");  // in pages: size, resident, shared, text, 0, data
  std::uint64_t size = 0, resident = 0, shared = 0, text = 0, nothing = 0, data = 0;
  if (!(stream >> size >> resident >> shared >> text >> nothing >> data)) return no_limit;
  const auto left = [](std::uint64_t limit, std::uint64_t pages) {
    return limit == no_limit ? no_limit : left_of(limit, pages * platform::page_size());
  };
  const platform::MemoryLimits limits = platform::memory_limits();
  return std::min(left(limits.address_space, size), left(limits.data, data));
}

}  // namespace

std::uint64_t available_host_memory(const fs::path& root) {
  std::uint64_t least = platform::available_memory();
  if (const auto kilobytes = value_of(root / "proc/meminfo", "MemAvailable:")) least = *kilobytes * 1024;
  return std::min({least, left_in_groups(root), left_of_limits(root)});
}

void check_host_memory(const std::string& what_for, std::uint64_t bytes, std::uint64_t available) {
  if (bytes > available) throw CapacityError(what_for + " in the host's memory", bytes, available);
}

// Not on an integrated GPU: it would have to lock the pages, which drivers refuse for a mapped file.
bool computes_in_host_memory(const Device& device) {
  return device.info().type == DeviceType::cpu && core_of(device).maps_buffers();
}

cl::Buffer buffer_of_host(const Device& device, std::span<const std::byte> bytes) {
  if (!computes_in_host_memory(device) || bytes.empty() || bytes.size() > device.info().max_allocation) return {};
  cl_int code = CL_SUCCESS;
  // OpenCL's parameter is not const; CL_MEM_READ_ONLY prevents writes.
  void* const memory = const_cast<std::byte*>(bytes.data());
  const cl_mem buffer =
      clCreateBuffer(device.context()(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes.size(), memory, &code);
  return code == CL_SUCCESS ? cl::Buffer(buffer) : cl::Buffer();
}

}  // namespace genocl::runtime
