#include "runtime/kernel.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"
#include "runtime/pocl_launch_guard.hpp"
#include "runtime/scratch.hpp"
#include "runtime/transfer.hpp"

namespace genocl::runtime {

KernelEntry::KernelEntry(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                         bool ptx, cl::Program program)
    : hash_(hash), file_(file), name_(name), defines_(defines), ptx_(ptx), program_(std::move(program)) {}

KernelEntry::~KernelEntry() {
  for (auto& slot : idle_)
    if (const cl_kernel kernel = slot.exchange(nullptr)) clReleaseKernel(kernel);
}

cl_kernel KernelEntry::take(const std::string& device) {
  for (auto& slot : idle_) {
    if (slot.load(std::memory_order_relaxed) == nullptr) continue;
    if (const cl_kernel kernel = slot.exchange(nullptr, std::memory_order_acquire)) return kernel;
  }
  cl_int code = CL_SUCCESS;
  const cl_kernel kernel = clCreateKernel(program_(), name_.c_str(), &code);
  check(code, "clCreateKernel", device, name_);
  return kernel;
}

void KernelEntry::give(cl_kernel kernel) noexcept {
  for (auto& slot : idle_) {
    cl_kernel none = nullptr;
    if (slot.compare_exchange_strong(none, kernel, std::memory_order_release, std::memory_order_relaxed)) return;
  }
  clReleaseKernel(kernel);
}

bool KernelEntry::is(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                     bool ptx) const {
  return hash_ == hash && ptx_ == ptx && name_ == name && file_ == file && defines_ == defines;
}

KernelTable::~KernelTable() {
  for (auto& head : heads_)
    for (const KernelEntry* entry = head.load(); entry != nullptr;) delete std::exchange(entry, entry->next_);
}

KernelEntry* KernelTable::find(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                               bool ptx) const noexcept {
  KernelEntry* entry = heads_[hash % lists].load(std::memory_order_acquire);
  while (entry != nullptr && !entry->is(hash, file, name, defines, ptx)) entry = entry->next_;
  return entry;
}

KernelEntry& KernelTable::add(std::uint64_t hash, std::string_view file, std::string_view name, const Defines& defines,
                              bool ptx, const cl::Program& program) {
  const std::lock_guard lock(adding_);
  if (KernelEntry* const known = find(hash, file, name, defines, ptx)) return *known;
  auto& head = heads_[hash % lists];
  auto* const entry = new KernelEntry(hash, file, name, defines, ptx, program);
  entry->next_ = head.load(std::memory_order_relaxed);
  head.store(entry, std::memory_order_release);
  return *entry;
}

std::uint64_t KernelTable::hash_of(std::string_view file, std::string_view name, const Defines& defines,
                                   bool ptx) noexcept {
  const std::uint64_t seed = hash_text(name, hash_text(file, ptx ? 1 : 0));
  return defines.hash(seed);
}

Kernel::Kernel(const Device& device, std::string_view file, std::string_view name, const Defines& defines)
    : device_(device) {
  core_of(device).check_process();
  entry_ = &core_of(device).kernel(file, name, defines, device.has_ptx());
  kernel_ = entry_->take(device.info().name);
}

Kernel::Kernel(Kernel&& other) noexcept
    : device_(std::move(other.device_)),
      entry_(other.entry_),
      kernel_(std::exchange(other.kernel_, nullptr)),
      held_(other.held_),
      held_count_(std::exchange(other.held_count_, 0)),
      next_(other.next_) {}

Kernel::~Kernel() {
  start_arguments();
  if (kernel_ != nullptr) entry_->give(kernel_);
}

void Kernel::start_arguments() noexcept {
  next_ = 0;
  while (held_count_ > 0) clReleaseMemObject(held_[--held_count_]);
}

void Kernel::set_argument(std::size_t bytes, const void* value) {
  const cl_int code = clSetKernelArg(kernel_, next_, bytes, value);
  if (code != CL_SUCCESS)
    throw DeviceError("setting argument " + std::to_string(next_), device_.info().name, entry_->name(), code);
  ++next_;
}

// Drivers may silently accept a buffer of another context, and read it before its queue has finished.
void Kernel::set_memory(const DeviceMemory& memory) {
  const Device* const owner = MemoryAccess::device(memory);
  if (owner != nullptr && !same_context(*owner, device_)) refuse_context(device_);
  set_handle(MemoryAccess::buffer(memory)());
}

void Kernel::set_buffer(const cl::Buffer& buffer) {
  check_context(device_, buffer);
  set_handle(buffer());
}

void Kernel::set_view(const MemoryView& view) {
  if (view.offset != 0) return set_handle(operand_buffer(device_, view)());
  if (view.memory != nullptr && view.context != device_.context()()) refuse_context(device_);
  set_handle(view.memory);
}

void Kernel::set_handle(cl_mem memory) {
  if (memory != nullptr) {
    if (held_count_ == held_.size())
      throw DeviceError("setting argument " + std::to_string(next_), device_.info().name, entry_->name(), 0,
                        "more buffers than a launch may have");
    check(clRetainMemObject(memory), "clRetainMemObject", device_.info().name, entry_->name());
    held_[held_count_++] = memory;
  }
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
  if (core_of(device_).checks_limits()) check_limits(group_size);
  DeviceQueue& queue = queue_of(device_);
  cl_event event = nullptr;
  const auto enqueue = [&] {
    check(clEnqueueNDRangeKernel(queue.queue()(), kernel_, dimensions, nullptr, global, local, 0, nullptr,
                                 queue.profiling() ? &event : nullptr),
          "launch", device_.info().name, entry_->name());
  };
  // PoCL compiles mostly at a kernel's first launch.
  const auto launch = [&] { core_of(device_).count_compiling(entry_->is_first_launch(), enqueue); };
  if (!queue.uses_launch_guard()) {
    launch();
  } else {
    std::uint64_t key = entry_->hash();
    for (const std::size_t size : local) key = (key ^ size) * 0x9e3779b97f4a7c15;
    PoclLaunchGuard::instance().run(key, std::max({global[0], global[1], global[2]}), queue, launch);
  }
  if (event != nullptr) core_of(device_).record(entry_->name(), cl::Event(event), bytes);
}

std::size_t Kernel::max_group_size() const {
  std::size_t size = 0;
  check(clGetKernelWorkGroupInfo(kernel_, device_.opencl_device()(), CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                 nullptr),
        "clGetKernelWorkGroupInfo", device_.info().name, entry_->name());
  return std::min<std::size_t>(size, device_.info().max_work_group_size);
}

void Kernel::check_limits(Range group_size) const {
  const DeviceInfo& info = device_.info();
  cl_ulong local_bytes = 0;
  check(clGetKernelWorkGroupInfo(kernel_, device_.opencl_device()(), CL_KERNEL_LOCAL_MEM_SIZE, sizeof local_bytes,
                                 &local_bytes, nullptr),
        "clGetKernelWorkGroupInfo", info.name, entry_->name());
  const auto refuse = [&](cl_int code, std::uint64_t wanted, std::uint64_t limit, const char* unit) {
    throw DeviceError("launch", info.name, entry_->name(), code,
                      std::to_string(wanted) + unit + ", at most " + std::to_string(limit));
  };
  const std::uint64_t items = std::uint64_t{group_size.x} * group_size.y * group_size.z;
  if (items > info.max_work_group_size)
    refuse(CL_INVALID_WORK_GROUP_SIZE, items, info.max_work_group_size, " items in a work-group");
  if (local_bytes > info.local_memory)
    refuse(CL_OUT_OF_RESOURCES, local_bytes, info.local_memory, " bytes of local memory");
}

}  // namespace genocl::runtime
