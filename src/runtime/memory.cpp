// The type-independent part of Array and HostArray.
#include <new>
#include <string>
#include <utility>

#include "genocl/array.hpp"
#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl {

DeviceMemory::DeviceMemory() noexcept = default;
DeviceMemory::DeviceMemory(DeviceMemory&& other) noexcept
    : device_(std::move(other.device_)),
      memory_(std::exchange(other.memory_, {})),
      taken_(other.taken_.exchange(false, std::memory_order_relaxed)) {}
DeviceMemory& DeviceMemory::operator=(DeviceMemory&& other) noexcept {
  device_ = std::move(other.device_);
  memory_ = std::exchange(other.memory_, {});
  taken_.store(other.taken_.exchange(false, std::memory_order_relaxed), std::memory_order_relaxed);
  return *this;
}
DeviceMemory::~DeviceMemory() = default;

DeviceMemory::DeviceMemory(const Device& device, std::size_t bytes)
    : device_(device), memory_(runtime::allocate(device, bytes)) {}

DeviceMemory::DeviceMemory(const Device& device, const cl::Buffer& buffer, std::size_t bytes)
    : device_(device), memory_{runtime::shared_handle(device, buffer), bytes, false} {}

const cl::Buffer& DeviceMemory::buffer() const noexcept {
  taken_.store(true, std::memory_order_relaxed);
  return lent_buffer();
}

const cl::Buffer& DeviceMemory::lent_buffer() const noexcept {
  // Never destroyed, so no driver is called at exit; a null handle needs none.
  alignas(cl::Buffer) static char storage[sizeof(cl::Buffer)];
  static const cl::Buffer* const none = new (storage) cl::Buffer;
  return memory_.buffer ? *memory_.buffer : *none;
}

void DeviceMemory::upload(std::size_t offset, const void* from, std::size_t bytes) {
  runtime::upload(*device_, lent_buffer(), offset, from, bytes);
}
void DeviceMemory::download(std::size_t offset, void* to, std::size_t bytes) const {
  runtime::download(*device_, lent_buffer(), offset, to, bytes);
}
void DeviceMemory::copy_from(const DeviceMemory& other, std::size_t other_offset, std::size_t offset,
                             std::size_t bytes) {
  if (!runtime::same_context(*other.device_, *device_))
    throw InputError("copy of an array of another context than that of the array it goes to");
  if (runtime::share_memory({other.lent_buffer(), other_offset, bytes}, {lent_buffer(), offset, bytes}))
    throw InputError("copy of elements to memory that some of them are in");
  runtime::copy(*device_, other.lent_buffer(), other_offset, lent_buffer(), offset, bytes);
}
void DeviceMemory::fill(const void* pattern, std::size_t pattern_bytes, std::size_t bytes) {
  runtime::fill(*device_, lent_buffer(), pattern, pattern_bytes, bytes);
}
void DeviceMemory::check_range(const char* what, std::size_t first, std::size_t count, std::size_t size) {
  runtime::check_range(what, first, count, size);
}

std::size_t DeviceMemory::bytes_of(const Device& device, std::size_t size, std::size_t element_bytes) {
  return runtime::bytes_of(device, size, element_bytes);
}

void DeviceMemory::check_adopted(const Device& device, const cl::Buffer& buffer, std::size_t size,
                                 std::size_t element_bytes) {
  if (buffer() == nullptr) throw InputError("an array of a null buffer");
  cl_context context = nullptr;
  runtime::check(clGetMemObjectInfo(buffer(), CL_MEM_CONTEXT, sizeof context, &context, nullptr), "clGetMemObjectInfo",
                 device.info().name);
  if (context != device.context()())
    throw InputError("an array on " + device.info().name + " of a buffer of another context");
  std::size_t bytes = 0;
  runtime::check(clGetMemObjectInfo(buffer(), CL_MEM_SIZE, sizeof bytes, &bytes, nullptr), "clGetMemObjectInfo",
                 device.info().name);
  if (size > bytes / element_bytes)
    throw InputError("an array of " + std::to_string(size) + " elements of " + std::to_string(element_bytes) +
                     " bytes in a buffer of " + std::to_string(bytes) + " bytes");
}

HostMemory::HostMemory() noexcept = default;
HostMemory::HostMemory(const Device& device, std::size_t size, std::size_t element_bytes)
    : device_(device), data_(runtime::map_host(device, runtime::bytes_of(device, size, element_bytes), memory_)) {}
HostMemory::HostMemory(HostMemory&& other) noexcept { *this = std::move(other); }
HostMemory& HostMemory::operator=(HostMemory&& other) noexcept {
  std::swap(device_, other.device_);
  std::swap(memory_, other.memory_);
  std::swap(data_, other.data_);
  return *this;
}
HostMemory::~HostMemory() {
  if (data_ != nullptr) runtime::unmap_host(*device_, memory_, data_);
}

}  // namespace genocl

namespace genocl::runtime {

Scratch::Scratch(const Device& device, std::size_t bytes)
    : queue_(DeviceAccess::shared_queue(device)), memory_(queue_->take_scratch(bytes)) {}

Scratch::~Scratch() {
  if (queue_) queue_->give_scratch(std::move(memory_));
}

void Scratch::swap(Scratch& other) noexcept {
  std::swap(queue_, other.queue_);
  std::swap(memory_, other.memory_);
}

void check_capacity(const Device& device, const char* what_for, std::uint64_t largest_buffer, std::uint64_t total) {
  const DeviceInfo& info = device.info();
  if (largest_buffer > info.max_allocation)
    throw CapacityError(std::string(what_for) + " on " + info.name, largest_buffer, info.max_allocation);
  if (total <= core_of(device).free_memory()) return;
  release_unused_scratch(device);
  const std::uint64_t free = core_of(device).free_memory();
  if (total > free) throw CapacityError(std::string(what_for) + " on " + info.name, total, free);
}

std::uint64_t usable_memory(const Device& device) {
  DeviceCore& core = core_of(device);
  return core.free_memory() + core.idle_scratch() + queue_of(device).kept_scratch();
}

void release_unused_scratch(const Device& device) {
  queue_of(device).finish();
  queue_of(device).release_scratch();
  core_of(device).release_idle_scratch();
}

}  // namespace genocl::runtime
