#include <algorithm>
#include <cstdlib>

#include "genocl/device.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/tuning.hpp"
#include "genocl/version.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/device_query.hpp"
#include "runtime/tuning.hpp"

namespace genocl {
namespace {

Tuning of_family(Tuning tuning, KernelFamily family) {
  tuning.family = tuning.search_family = tuning.relaxation_family = family;
  return tuning;
}

Tuning first_tuning(const DeviceInfo& info) {
  const Tuning tuning = stored_tuning(info).value_or(default_tuning(info));
  const char* variable = std::getenv("GENOCL_VARIANT");
  const std::string choice = variable != nullptr ? variable : "";
  // "lanes" and "group" are the names of 0.1.
  if (choice == "cpu" || choice == "lanes") return of_family(tuning, KernelFamily::cpu);
  if (choice == "gpu" || choice == "group") return of_family(tuning, KernelFamily::gpu);
  if (!choice.empty()) throw InputError("GENOCL_VARIANT", choice, "is not a choice", "cpu or gpu");
  return tuning;
}

bool default_vendor_paths() {
  const char* variable = std::getenv("GENOCL_VENDOR");
  const std::string choice = variable != nullptr ? variable : "";
  if (choice == "off") return false;
  if (!choice.empty() && choice != "on") throw InputError("GENOCL_VENDOR", choice, "is not a choice", "on or off");
  return true;
}

std::shared_ptr<runtime::DeviceCore> make_core(const cl::Device& device, cl_platform_id platform, DeviceInfo info) {
  const cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(platform),
                                              0};
  cl_int code = CL_SUCCESS;
  const cl_device_id id = device();
  const cl::Context context(clCreateContext(properties, 1, &id, nullptr, nullptr, &code));
  runtime::check(code, "clCreateContext", info.name);
  return runtime::DeviceCore::make(device, context, std::move(info));
}

std::shared_ptr<runtime::DeviceCore> make_core(const runtime::FoundDevice& found) {
  return make_core(cl::Device(found.device, true), found.platform, found.info);
}

std::vector<runtime::FoundDevice> find_or_explain() {
  auto found = runtime::find_devices();
  if (found.empty())
    throw DeviceError("finding an OpenCL device", {}, {}, CL_DEVICE_NOT_FOUND, runtime::why_no_device());
  return found;
}

template <class T>
T queue_value(const cl::CommandQueue& queue, cl_command_queue_info what) {
  T value{};
  runtime::check(clGetCommandQueueInfo(queue(), what, sizeof value, &value, nullptr), "clGetCommandQueueInfo");
  return value;
}

}  // namespace

std::string_view to_string(DeviceType type) noexcept {
  switch (type) {
    case DeviceType::cpu:
      return "cpu";
    case DeviceType::gpu:
      return "gpu";
    case DeviceType::accelerator:
      return "accelerator";
    case DeviceType::other:
      break;
  }
  return "other";
}

std::string_view to_string(KernelFamily family) noexcept { return family == KernelFamily::cpu ? "cpu" : "gpu"; }

Device::Device(std::shared_ptr<runtime::DeviceCore> core, std::shared_ptr<runtime::DeviceQueue> queue)
    : core_(std::move(core)),
      queue_(std::move(queue)),
      tuning_(first_tuning(core_->info())),
      vendor_paths_(default_vendor_paths()) {}

Device Device::pick(std::string_view spec) {
  const auto all = find_or_explain();
  std::string wanted(spec);
  if (wanted.empty()) {
    const char* variable = std::getenv("GENOCL_DEVICE");
    wanted = variable != nullptr && *variable != '\0' ? variable : "all";
  }
  auto core = make_core(runtime::match_devices(all, wanted).front());
  auto queue = runtime::DeviceCore::lease_queue(core, false);
  return Device(std::move(core), std::move(queue));
}

std::vector<Device> Device::list(std::string_view specs) {
  const auto all = find_or_explain();
  std::vector<std::size_t> taken;
  std::vector<Device> devices;
  for (std::size_t begin = 0; begin <= specs.size();) {
    const std::size_t end = std::min(specs.find(',', begin), specs.size());
    for (const auto& found : runtime::match_devices(all, specs.substr(begin, end - begin))) {
      if (std::find(taken.begin(), taken.end(), found.info.index) != taken.end()) continue;
      taken.push_back(found.info.index);
      auto core = make_core(found);
      auto queue = runtime::DeviceCore::lease_queue(core, false);
      devices.push_back(Device(std::move(core), std::move(queue)));
    }
    begin = end + 1;
  }
  return devices;
}

std::vector<DeviceInfo> Device::available() {
  std::vector<DeviceInfo> infos;
  for (auto& found : runtime::find_devices()) infos.push_back(std::move(found.info));
  return infos;
}

Device::Device(const cl::CommandQueue& queue) {
  if (queue() == nullptr) throw InputError("the command queue is null");
  if ((queue_value<cl_command_queue_properties>(queue, CL_QUEUE_PROPERTIES) & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) !=
      0)
    throw InputError("the command queue is out of order", {}, {}, "an in-order queue");
  const auto device = queue_value<cl_device_id>(queue, CL_QUEUE_DEVICE);
  const auto context = queue_value<cl_context>(queue, CL_QUEUE_CONTEXT);
  DeviceInfo info = runtime::query_device(device);
  for (const auto& found : runtime::find_devices())
    if (found.device == device) info = found.info;
  core_ = runtime::DeviceCore::make(cl::Device(device, true), cl::Context(context, true), std::move(info));
  queue_ = runtime::DeviceCore::adopt_queue(core_, queue);
  tuning_ = first_tuning(core_->info());
  vendor_paths_ = default_vendor_paths();
}

const DeviceInfo& Device::info() const noexcept { return core_->info(); }
const cl::Device& Device::opencl_device() const noexcept { return core_->device(); }
const cl::Context& Device::context() const noexcept { return core_->context(); }
const cl::CommandQueue& Device::queue() const noexcept { return queue_->queue(); }

Device Device::with_family(KernelFamily family) const {
  Device other = *this;
  other.tuning_ = of_family(tuning_, family);
  return other;
}

Device Device::with_tuning(const Tuning& tuning) const {
  runtime::check_tuning(tuning);
  Device other = *this;
  other.tuning_ = tuning;
  return other;
}

bool Device::has_ptx() const { return vendor_paths_ && core_->has_ptx(); }

Device Device::without_vendor_paths() const {
  Device other = *this;
  other.vendor_paths_ = false;
  return other;
}

Device Device::with_compute_units(std::uint32_t units) const {
  if (units == 0) throw InputError("a device of 0 compute units");
  if (units >= info().compute_units) return *this;
  const cl_device_id whole = opencl_device()();
  const cl_device_partition_property properties[] = {CL_DEVICE_PARTITION_BY_COUNTS,
                                                     static_cast<cl_device_partition_property>(units),
                                                     CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  cl_device_id id = nullptr;
  runtime::check(clCreateSubDevices(whole, properties, 1, &id, nullptr), "clCreateSubDevices", info().name);
  const cl::Device part(id);
  cl_platform_id platform = nullptr;
  runtime::check(clGetDeviceInfo(whole, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr), "clGetDeviceInfo",
                 info().name);
  DeviceInfo described = info();
  described.compute_units = units;
  auto core = make_core(part, platform, std::move(described));
  auto queue = runtime::DeviceCore::lease_queue(core, queue_->profiling());
  Device device(std::move(core), std::move(queue));
  device.tuning_ = tuning_;
  device.vendor_paths_ = vendor_paths_;
  return device;
}

Device Device::with_own_queue() const {
  Device other = *this;
  other.queue_ = runtime::DeviceCore::lease_queue(core_, queue_->profiling());
  other.arena_ = nullptr;
  return other;
}

Device Device::companion() const {
  Device other = *this;
  other.queue_ = queue_->companion(queue_);
  other.arena_ = nullptr;
  return other;
}

void Device::finish() const { queue_->finish(); }
void Device::enable_profiling() { queue_->enable_profiling(); }
std::vector<KernelProfile> Device::profile() const { return core_->profile(); }
void Device::reset_profile() { core_->reset_profile(); }
double Device::compile_seconds() const { return core_->compile_seconds(); }

void Device::on_compiling(std::function<void()> call, double seconds) const {
  core_->on_compiling(std::move(call), seconds);
}
void Device::on_failure(std::function<void(const DeviceError&)> call) const { core_->on_failure(std::move(call)); }
void Device::release_scratch() const {
  queue_->release_scratch();
  core_->release_idle_scratch();
}

std::string_view version() noexcept { return GENOCL_VERSION; }

}  // namespace genocl
