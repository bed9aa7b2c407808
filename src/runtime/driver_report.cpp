#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/device_query.hpp"
#include "runtime/platform.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;

/// Maximum length of a driver's message, which may be a paragraph.
constexpr std::size_t longest_reason = 300;

struct Registered {
  std::string file, library;
};

/// The folder of the registered drivers, or another registry of the system.
std::string vendors_folder() {
  for (const char* name : {"OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH"})
    if (const char* const value = std::getenv(name); value != nullptr && *value != '\0') return value;
  return platform::driver_registry();
}

std::vector<Registered> registered_drivers(const std::string& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  if (fs::is_directory(folder, error)) {
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error))
      if (entry.path().extension() == ".icd") files.push_back(entry.path());
  } else if (fs::is_regular_file(folder, error)) {
    files.emplace_back(folder);  // OCL_ICD_VENDORS may name one file
  }
  std::ranges::sort(files);
  std::vector<Registered> drivers;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    std::string library;
    std::getline(in, library);
    while (!library.empty() && (library.back() == '\r' || library.back() == ' ')) library.pop_back();
    drivers.push_back({file.filename().string(), library});
  }
  if (folder == platform::driver_registry())
    for (const std::string& library : platform::registry_drivers()) drivers.push_back({folder, library});
  return drivers;
}

/// The reason why a driver is unusable; empty if it has a device.
std::string complaint(const Registered& driver) {
  if (driver.library.empty()) return "names no library";
  // The library stays loaded: drivers may crash when unloaded.
  std::string reason;
  void* const library = platform::load_library(driver.library, reason);
  if (library == nullptr) return reason;
  // Declared here: Apple's headers lack the extension cl_khr_icd.
  using Extension = void*(CL_API_CALL*)(const char*);
  using PlatformIds = cl_int(CL_API_CALL*)(cl_uint, cl_platform_id*, cl_uint*);
  constexpr const char* wanted = "clIcdGetPlatformIDsKHR";
  const auto extension = reinterpret_cast<Extension>(platform::find_function(library, "clGetExtensionFunctionAddress"));
  void* const address = extension != nullptr ? extension(wanted) : platform::find_function(library, wanted);
  if (address == nullptr) return driver.library + " is no OpenCL driver";
  cl_uint count = 0;
  const cl_int code = reinterpret_cast<PlatformIds>(address)(0, nullptr, &count);
  if (code != CL_SUCCESS)
    return driver.library + " is there and starts no platform: " + opencl_error_name(code) + " (" +
           std::to_string(code) + ")";
  return count == 0 ? driver.library + " is there and has no platform" : "";
}

std::string listed(const std::vector<Registered>& drivers) {
  std::string text;
  for (const Registered& driver : drivers)
    if (const std::string wrong = complaint(driver); !wrong.empty())
      text += (text.empty() ? "" : "; ") + driver.file + ": " + shown(wrong, longest_reason);
  return text;
}

/// The answers of existing platforms to the query for devices.
std::string platforms_without_devices() {
  cl_uint count = 0;
  if (clGetPlatformIDs(0, nullptr, &count) != CL_SUCCESS || count == 0) return {};
  std::vector<cl_platform_id> platforms(count);
  if (clGetPlatformIDs(count, platforms.data(), nullptr) != CL_SUCCESS) return {};
  std::string text;
  for (const cl_platform_id platform : platforms) {
    char name[200] = "a platform";
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, nullptr);
    cl_uint devices = 0;
    const cl_int code = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &devices);
    if (code != CL_SUCCESS || devices == 0)
      text += (text.empty() ? "" : "; ") + shown(name) + " has no device: " + opencl_error_name(code) + " (" +
              std::to_string(code) + ")";
  }
  return text;
}

}  // namespace

std::string unusable_drivers() { return listed(registered_drivers(vendors_folder())); }

std::string why_no_device() {
  const std::string folder = vendors_folder();
  const std::vector<Registered> drivers = registered_drivers(folder);
  constexpr const char* get_one =
      "for the CPU install PoCL (apt-get install pocl-opencl-icd), for a GPU its vendor's driver";
  if (drivers.empty()) return "no OpenCL driver is registered in " + folder + "; " + get_one;
  const std::string platforms = platforms_without_devices(), wrong = listed(drivers);
  std::string text = "no driver of those registered in " + folder + " gives a device";
  for (const std::string& said : {platforms, wrong})
    if (!said.empty()) text += ": " + said;
  // Drivers cache compiled kernels in a folder, and some do not start without it.
  return text + "; a driver may need memory, and a folder to write to (HOME, XDG_CACHE_HOME, POCL_CACHE_DIR)";
}

}  // namespace genocl::runtime
