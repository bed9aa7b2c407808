#include "runtime/kernel/program_cache.hpp"

#include <cstdlib>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/check.hpp"

namespace genocl::runtime {
namespace {

bool keep_on_disk(const DeviceInfo& info) {
  const char* wanted = std::getenv("GENOCL_CACHE");
  const std::string choice = wanted != nullptr && *wanted != '\0' ? wanted : "auto";
  if (choice == "on") return true;
  if (choice == "off") return false;
  if (choice != "auto") throw InputError("GENOCL_CACHE", choice, "is not a choice", "on, off or auto");
  const bool driver_does_it = info.platform_version.find("PoCL") != std::string::npos ||
                              info.platform_version.find("pocl") != std::string::npos ||
                              info.platform.find("NVIDIA") != std::string::npos;
  return !driver_does_it;
}

std::string build_log(cl_program program, cl_device_id device) {
  std::size_t size = 0;
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, nullptr, &size) != CL_SUCCESS || size == 0)
    return {};
  std::string log(size, '\0');
  if (clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log.data(), nullptr) != CL_SUCCESS) return {};
  while (!log.empty() && (log.back() == '\0' || log.back() == '\n')) log.pop_back();
  return log;
}

std::vector<unsigned char> binary_of(cl_program program) {
  std::size_t size = 0;
  if (clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, nullptr) != CL_SUCCESS || size == 0)
    return {};
  std::vector<unsigned char> binary(size);
  unsigned char* pointer = binary.data();
  if (clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof pointer, &pointer, nullptr) != CL_SUCCESS) return {};
  return binary;
}

}  // namespace

ProgramCache::ProgramCache(const cl::Context& context, const cl::Device& device, const DeviceInfo& info)
    : context_(context),
      device_(device),
      device_name_(info.name),
      device_key_(info.name + '\n' + info.driver_version + '\n' + info.platform + '\n' + info.platform_version + '\n') {
  if (keep_on_disk(info)) disk_.emplace();
}

cl::Program ProgramCache::get(std::string_view file, const std::string& options) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    auto& slot = entries_[std::string(file) + '\n' + options];
    if (!slot) slot = std::make_shared<Entry>();
    entry = slot;
    // Found at the first need, so that a Device can be made and listed without any kernels.
    if (!sources_) sources_ = KernelSources::locate();
  }
  const std::lock_guard lock(entry->mutex);
  if (entry->program() == nullptr) count([&] { entry->program = build(file, options); });
  return entry->program;
}

void ProgramCache::on_compiling(std::function<void()> call, double seconds) {
  const std::lock_guard lock(mutex_);
  on_compiling_ = std::move(call);
  seconds_left_ = seconds;
  counts_ = on_compiling_ != nullptr;
}

void ProgramCache::count_seconds(double seconds) {
  // What takes less was compiled before, and many of those are no reason to say anything.
  constexpr double at_hand = 0.1;
  std::function<void()> call;
  {
    const std::lock_guard lock(mutex_);
    if (seconds_left_ > 0 && seconds < at_hand) return;
    seconds_left_ -= seconds;
    if (!on_compiling_ || seconds_left_ > 0) return;
    call.swap(on_compiling_);
    counts_ = false;
  }
  call();
}

cl::Program ProgramCache::build(std::string_view file, const std::string& options) const {
  const std::string source = sources_->expand(file);
  if (!disk_) return build_source(file, source, options);
  const std::string key = device_key_ + options + '\n' + source;
  if (const auto binary = disk_->load(key)) {
    if (cl::Program program = build_binary(*binary, options); program() != nullptr) return program;
  }
  cl::Program program = build_source(file, source, options);
  if (const auto binary = binary_of(program()); !binary.empty()) disk_->store(key, binary);
  return program;
}

cl::Program ProgramCache::build_source(std::string_view file, const std::string& source,
                                       const std::string& options) const {
  const char* text = source.data();
  const std::size_t length = source.size();
  cl_int code = CL_SUCCESS;
  cl::Program program(clCreateProgramWithSource(context_(), 1, &text, &length, &code));
  check(code, "clCreateProgramWithSource", device_name_);
  const cl_device_id device = device_();
  code = clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr);
  if (code != CL_SUCCESS)
    throw BuildError(std::string(file), device_name_, code, resolve_lines(build_log(program(), device), source));
  return program;
}

// Null when the driver does not take it.
cl::Program ProgramCache::build_binary(const std::vector<unsigned char>& binary, const std::string& options) const {
  const cl_device_id device = device_();
  const std::size_t size = binary.size();
  const unsigned char* data = binary.data();
  cl_int code = CL_SUCCESS, status = CL_SUCCESS;
  cl::Program program(clCreateProgramWithBinary(context_(), 1, &device, &size, &data, &status, &code));
  if (code != CL_SUCCESS || status != CL_SUCCESS) return {};
  if (clBuildProgram(program(), 1, &device, options.c_str(), nullptr, nullptr) != CL_SUCCESS) return {};
  return program;
}

}  // namespace genocl::runtime
