#include "runtime/kernel.hpp"

#include <algorithm>
#include <utility>

#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/widest_first.hpp"

namespace genocl::runtime {

Kernel::Kernel(const Device& device, std::string_view file, std::string_view name, const Defines& defines)
    : device_(device), name_(name) {
  if (queue_of(device).widest_first()) key_ = std::string(file) + '\n' + name_ + '\n' + defines.options();
  const cl::Program program = core_of(device).program(file, defines, device.has_ptx());
  cl_int code = CL_SUCCESS;
  kernel_ = clCreateKernel(program(), name_.c_str(), &code);
  check(code, "clCreateKernel", device.info().name, name_);
}

Kernel::Kernel(Kernel&& other) noexcept
    : device_(other.device_),
      kernel_(std::exchange(other.kernel_, nullptr)),
      name_(std::move(other.name_)),
      key_(std::move(other.key_)),
      held_(std::exchange(other.held_, {})),
      next_(other.next_) {}

Kernel& Kernel::operator=(Kernel&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(kernel_, other.kernel_);
  std::swap(name_, other.name_);
  std::swap(key_, other.key_);
  std::swap(held_, other.held_);
  std::swap(next_, other.next_);
  return *this;
}

Kernel::~Kernel() {
  start_arguments();
  if (kernel_ != nullptr) clReleaseKernel(kernel_);
}

void Kernel::start_arguments() noexcept {
  next_ = 0;
  for (const cl_mem memory : held_)
    if (memory != nullptr) clReleaseMemObject(memory);
  held_.clear();
}

void Kernel::set_argument(std::size_t bytes, const void* value) {
  check(clSetKernelArg(kernel_, next_, bytes, value), "setting argument " + std::to_string(next_), device_.info().name,
        name_);
  ++next_;
}

void Kernel::set_buffer(const cl::Buffer& buffer) {
  const cl_mem memory = buffer();
  held_.push_back(memory);
  if (memory != nullptr) clRetainMemObject(memory);
  set_argument(sizeof memory, &memory);
}

void Kernel::run(std::size_t groups, std::size_t group_size, std::uint64_t bytes) {
  run(Range{groups, 1, 1}, Range{group_size, 1, 1}, bytes);
}

void Kernel::run(Range groups, Range group_size, std::uint64_t bytes) {
  if (groups.x == 0 || groups.y == 0 || groups.z == 0) return;
  const std::size_t global[3] = {groups.x * group_size.x, groups.y * group_size.y, groups.z * group_size.z};
  const std::size_t local[3] = {group_size.x, group_size.y, group_size.z};
  const cl_uint dimensions = groups.z * group_size.z > 1 ? 3 : groups.y * group_size.y > 1 ? 2 : 1;
  DeviceQueue& queue = queue_of(device_);
  cl_event event = nullptr;
  const auto launch = [&] {
    check(clEnqueueNDRangeKernel(queue.queue()(), kernel_, dimensions, nullptr, global, local, 0, nullptr,
                                 queue.profiling() ? &event : nullptr),
          "launch", device_.info().name, name_);
  };
  if (key_.empty()) {
    launch();
  } else {
    std::string key = key_;
    for (const std::size_t size : local) key += ' ' + std::to_string(size);
    WidestFirst::instance().run(key, std::max({global[0], global[1], global[2]}), queue, launch);
  }
  if (event != nullptr) core_of(device_).record(name_, cl::Event(event), bytes);
}

std::size_t Kernel::max_group_size() const {
  std::size_t size = 0;
  check(clGetKernelWorkGroupInfo(kernel_, device_.opencl_device()(), CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                 nullptr),
        "clGetKernelWorkGroupInfo", device_.info().name, name_);
  return size;
}

}  // namespace genocl::runtime
