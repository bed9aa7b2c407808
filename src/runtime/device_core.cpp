#include "runtime/device_core.hpp"

#include <algorithm>
#include <cstdlib>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_query.hpp"
#include "runtime/pocl_launch_guard.hpp"

namespace genocl::runtime {
namespace {

cl::CommandQueue make_queue(const DeviceCore& core, bool profiling) {
  core.check_process();
  cl_int code = CL_SUCCESS;
  const cl_command_queue_properties properties = profiling ? CL_QUEUE_PROFILING_ENABLE : 0;
  cl::CommandQueue queue(clCreateCommandQueue(core.context()(), core.device()(), properties, &code));
  check(code, "clCreateCommandQueue", core.info().name);
  return queue;
}

cl_command_queue_properties properties_of(const cl::CommandQueue& queue) {
  cl_command_queue_properties properties = 0;
  check(clGetCommandQueueInfo(queue(), CL_QUEUE_PROPERTIES, sizeof properties, &properties, nullptr),
        "clGetCommandQueueInfo");
  return properties;
}

bool mapping_is_off() {
  const char* variable = std::getenv("GENOCL_MAP");
  const std::string choice = variable != nullptr ? variable : "";
  if (!choice.empty() && choice != "on" && choice != "off")
    throw InputError("GENOCL_MAP", choice, "is not a choice", "on or off");
  return choice == "off";
}

/// The allocation count of this hardware and memory limit (GENOCL_DEVICE_MEMORY).
std::shared_ptr<std::atomic<std::uint64_t>> allocated_on(cl_device_id device, std::uint64_t memory) {
  static std::mutex mutex;
  static std::map<std::pair<cl_device_id, std::uint64_t>, std::weak_ptr<std::atomic<std::uint64_t>>> known;
  const std::lock_guard lock(mutex);
  std::weak_ptr<std::atomic<std::uint64_t>>& count = known[{device, memory}];
  std::shared_ptr<std::atomic<std::uint64_t>> kept = count.lock();
  if (!kept) count = kept = std::make_shared<std::atomic<std::uint64_t>>(0);
  return kept;
}

}  // namespace

DeviceCore::DeviceCore(const cl::Device& device, const cl::Context& context, DeviceInfo info)
    : info_(std::move(info)),
      device_(device),
      context_(context),
      is_nvidia_(info_.platform.find("NVIDIA") != std::string::npos),
      maps_buffers_(info_.host_unified_memory && !mapping_is_off()),
      checks_limits_(simulates_limits()),
      launch_guard_(needs_launch_guard(info_.platform_version)),
      programs_(context_, device_, info_),
      allocated_(allocated_on(device_(), info_.global_memory)) {}

cl::Program DeviceCore::program(std::string_view file, const Defines& defines, bool ptx) {
  // -w: PoCL's compiler prints its number of warnings on standard error.
  std::string options = "-cl-std=CL1.2 -w" + defines.options();
  if (ptx) options += " -DGENOCL_PTX=1";
  // A caller's buffer may then be host memory of any alignment.
  if (info_.host_unified_memory) options += " -DGENOCL_HOST_MEMORY=1";
  if (is_nvidia_ && defines.register_limit() != 0)
    options += " -cl-nv-maxrregcount=" + std::to_string(defines.register_limit());
  return programs_.get(file, options, defines.front());
}

KernelEntry& DeviceCore::kernel(std::string_view file, std::string_view name, const Defines& defines, bool ptx) {
  const std::uint64_t hash = KernelTable::hash_of(file, name, defines, ptx);
  if (KernelEntry* const known = kernels_.find(hash, file, name, defines, ptx)) [[likely]]
    return *known;
  return kernels_.add(hash, file, name, defines, ptx, program(file, defines, ptx));
}

bool DeviceCore::has_ptx() {
  std::call_once(ptx_once_, [&] {
    if (!is_nvidia_) return;
    try {
      program("common/probe_ptx.cl", {}, true);
      ptx_ = true;
    } catch (const BuildError& error) {
      if (error.log().empty()) throw;  // a missing source, not a compiler's answer
    }
  });
  return ptx_;
}

std::uint64_t DeviceCore::free_memory() const noexcept {
  const std::uint64_t taken = allocated_->load();
  return taken < info_.global_memory ? info_.global_memory - taken : 0;
}

Memory DeviceCore::allocate(std::size_t bytes, cl_mem_flags flags, void* contents) {
  check_process();
  // Page-locked memory of a host behind a bus does not count as device memory.
  const bool counts = (flags & CL_MEM_ALLOC_HOST_PTR) == 0 || info_.host_unified_memory;
  if (counts && bytes > info_.max_allocation)
    throw CapacityError("one buffer on " + info_.name, bytes, info_.max_allocation);
  if (counts && bytes > free_memory()) release_idle_scratch();
  if (counts && bytes > free_memory()) throw CapacityError("a buffer on " + info_.name, bytes, free_memory());
  // OpenCL has no empty buffers.
  const std::size_t size = std::max<std::size_t>(bytes, 16);
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(clCreateBuffer(context_(), flags, size, contents, &code));
  if (code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES || code == CL_OUT_OF_HOST_MEMORY ||
      code == CL_INVALID_BUFFER_SIZE)
    throw CapacityError("a buffer on " + info_.name + " (" + opencl_error_name(code) + ")", bytes, free_memory());
  check(code, "clCreateBuffer", info_.name);
  const std::uint64_t counted = counts ? size : 0;
  allocated_->fetch_add(counted);
  const auto uncount = [count = allocated_, counted, process = process_](const cl::Buffer* gone) {
    if (platform::process_id() != process) return;
    delete gone;
    count->fetch_sub(counted);
  };
  return {std::shared_ptr<const cl::Buffer>(new cl::Buffer(std::move(buffer)), uncount), size, true};
}

void DeviceCore::on_failure(std::function<void(const DeviceError&)> call) {
  const std::lock_guard lock(failure_mutex_);
  on_failure_ = std::move(call);
}

void DeviceCore::tell_failure(const DeviceError& error) {
  std::function<void(const DeviceError&)> call;
  {
    const std::lock_guard lock(failure_mutex_);
    call = on_failure_;
  }
  if (call) call(error);
}

void DeviceCore::add_pinned(const void* begin, std::size_t bytes) {
  const std::lock_guard lock(pinned_mutex_);
  pinned_[static_cast<const char*>(begin)] = bytes;
}

void DeviceCore::remove_pinned(const void* begin) {
  const std::lock_guard lock(pinned_mutex_);
  pinned_.erase(static_cast<const char*>(begin));
}

bool DeviceCore::is_pinned(const void* begin, std::size_t bytes) const {
  const auto* first = static_cast<const char*>(begin);
  const std::lock_guard lock(pinned_mutex_);
  auto next = pinned_.upper_bound(first);
  if (next == pinned_.begin()) return false;
  --next;
  return static_cast<std::size_t>(first - next->first) + bytes <= next->second;
}

void DeviceCore::record(const std::string& kernel, const cl::Event& event, std::uint64_t bytes) {
  if (recorded_for_) core_of(*recorded_for_).record(kernel, event, bytes);
  const std::lock_guard lock(profile_mutex_);
  launches_.push_back({kernel, event, bytes});
  // Events use driver memory, so they are collected regularly. The oldest are complete.
  if (launches_.size() >= 4096) collect_launches(launches_.size() / 2);
}

void DeviceCore::collect_launches(std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const Launch& launch = launches_[i];
    const cl_event event = launch.event();
    cl_ulong start = 0, end = 0;
    // A failed event has no time; the queue reports the failure to the caller that waits for its results.
    if (clWaitForEvents(1, &event) != CL_SUCCESS ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, nullptr) != CL_SUCCESS ||
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, nullptr) != CL_SUCCESS)
      continue;
    KernelProfile& profile = profile_[launch.kernel];
    profile.kernel = launch.kernel;
    ++profile.launches;
    profile.seconds += static_cast<double>(end - start) * 1e-9;
    profile.bytes += launch.bytes;
  }
  launches_.erase(launches_.begin(), launches_.begin() + static_cast<std::ptrdiff_t>(count));
}

std::vector<KernelProfile> DeviceCore::profile() {
  const std::lock_guard lock(profile_mutex_);
  collect_launches(launches_.size());
  std::vector<KernelProfile> result;
  for (const auto& [name, profile] : profile_) result.push_back(profile);
  std::stable_sort(result.begin(), result.end(),
                   [](const KernelProfile& a, const KernelProfile& b) { return a.seconds > b.seconds; });
  return result;
}

void DeviceCore::reset_profile() {
  const std::lock_guard lock(profile_mutex_);
  collect_launches(launches_.size());
  profile_.clear();
}

DeviceCore::~DeviceCore() = default;

std::shared_ptr<DeviceCore> DeviceCore::make(const cl::Device& device, const cl::Context& context, DeviceInfo info) {
  return {new DeviceCore(device, context, std::move(info)), [](DeviceCore* core) {
            if (core->is_of_this_process()) delete core;
          }};
}

void DeviceCore::check_process() const {
  if (!is_of_this_process())
    throw DeviceError(
        "use after fork()", info_.name, {}, 0,
        "a Device works in the process that made it; make Devices in the child before the parent makes any");
}

std::shared_ptr<DeviceQueue> DeviceCore::lease_queue(const std::shared_ptr<DeviceCore>& core, bool profiling) {
  core->check_process();
  std::unique_ptr<DeviceQueue> queue;
  {
    const std::lock_guard lock(core->idle_mutex_);
    const auto found = std::find_if(core->idle_.begin(), core->idle_.end(),
                                    [&](const auto& idle) { return idle->profiling() == profiling; });
    if (found != core->idle_.end()) {
      queue = std::move(*found);
      core->idle_.erase(found);
    }
  }
  if (!queue) queue = std::make_unique<DeviceQueue>(*core, profiling);
  DeviceQueue* const leased = queue.release();
  // If the shared pointer's allocation fails, this returns the queue also.
  return {leased, [core](DeviceQueue* done) { core->take_back(done); }};
}

std::shared_ptr<DeviceQueue> DeviceCore::adopt_queue(const std::shared_ptr<DeviceCore>& core,
                                                     const cl::CommandQueue& queue) {
  return {new DeviceQueue(*core, queue), [core](DeviceQueue* done) {
            if (core->is_of_this_process()) delete done;
          }};
}

void DeviceCore::take_back(DeviceQueue* queue) noexcept {
  if (!is_of_this_process()) return;
  constexpr std::size_t max_idle = 32;
  std::unique_ptr<DeviceQueue> owner(queue);
  try {
    if (!owner->ends_well()) return;
    const std::lock_guard lock(idle_mutex_);
    if (idle_.size() < max_idle) idle_.push_back(std::move(owner));
  } catch (...) {  // a queue with failed work is not reused
  }
}

void DeviceCore::release_idle_scratch() {
  const std::lock_guard lock(idle_mutex_);
  for (const auto& queue : idle_) queue->release_scratch();
}

std::uint64_t DeviceCore::idle_scratch() {
  const std::lock_guard lock(idle_mutex_);
  std::uint64_t bytes = 0;
  for (const auto& queue : idle_) bytes += queue->kept_scratch();
  return bytes;
}

DeviceQueue::DeviceQueue(DeviceCore& core, bool profiling)
    : core_(&core), queue_(make_queue(*core_, profiling)), profiling_(profiling) {
  if (core_->uses_launch_guard()) PoclLaunchGuard::instance().add(this);
}

DeviceQueue::DeviceQueue(DeviceCore& core, const cl::CommandQueue& queue)
    : core_(&core), queue_(queue), foreign_(true) {}

DeviceQueue::~DeviceQueue() {
  if (uses_launch_guard()) PoclLaunchGuard::instance().remove(this);
  for (StagingSlot& slot : staging_) {
    if (slot.data == nullptr) continue;
    // Best effort: a destructor cannot report a failure.
    clEnqueueUnmapMemObject(queue_(), handle_of(slot.memory), slot.data, 0, nullptr, nullptr);
  }
  if (queue_() != nullptr) clFinish(queue_());
}

void DeviceQueue::enable_profiling() {
  if (profiling_) return;
  if (foreign_) {
    if ((properties_of(queue_) & CL_QUEUE_PROFILING_ENABLE) == 0)
      throw InputError("profiling needs a command queue made with CL_QUEUE_PROFILING_ENABLE");
  } else {
    finish();
    if (core_->uses_launch_guard()) PoclLaunchGuard::instance().remove(this);
    queue_ = make_queue(*core_, true);
    if (core_->uses_launch_guard()) PoclLaunchGuard::instance().add(this);
  }
  profiling_ = true;
  const std::lock_guard lock(companion_mutex_);
  if (companion_) companion_->enable_profiling();
}

void DeviceQueue::finish() const {
  core_->check_process();
  check(clFinish(queue_()), "clFinish", core_->info().name);
}

bool DeviceQueue::ends_well() const {
  cl_event last = nullptr;
  if (clEnqueueMarkerWithWaitList(queue_(), 0, nullptr, &last) != CL_SUCCESS) return false;
  const cl::Event owner(last);
  cl_int status = CL_COMPLETE;
  if (clFinish(queue_()) != CL_SUCCESS ||
      clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr) != CL_SUCCESS ||
      status != CL_COMPLETE)
    return false;
  return !companion_ || companion_->ends_well();
}

std::shared_ptr<DeviceQueue> DeviceQueue::companion(const std::shared_ptr<DeviceQueue>& self) {
  const std::lock_guard lock(companion_mutex_);
  if (companion_ == nullptr) companion_ = std::make_unique<DeviceQueue>(*core_, profiling_);
  return {self, companion_.get()};
}

Memory DeviceQueue::take_scratch(std::size_t bytes) {
  {
    const std::lock_guard lock(scratch_mutex_);
    const auto found = scratch_.lower_bound(bytes);
    // A much larger buffer is kept for larger requests.
    if (found != scratch_.end() && found->first / 2 <= std::max<std::size_t>(bytes, 4096)) {
      Memory memory = std::move(found->second);
      scratch_kept_ -= found->first;
      scratch_.erase(found);
      return memory;
    }
  }
  // Rounded up to four sizes per octave, so that similar requests reuse a buffer.
  std::size_t step = 1024;
  while (step * 8 <= bytes) step *= 2;
  std::size_t rounded = (bytes + step - 1) / step * step;
  if (rounded > core_->info().max_allocation) rounded = bytes;
  try {
    return core_->allocate(rounded, CL_MEM_READ_WRITE);
  } catch (const CapacityError&) {
    if (bytes > core_->info().max_allocation) throw;
    finish();  // kept memory may still be in use
    release_scratch();
    core_->release_idle_scratch();
    return core_->allocate(bytes, CL_MEM_READ_WRITE);
  }
}

Memory DeviceQueue::take_zeroed(std::size_t bytes) {
  {
    const std::lock_guard lock(scratch_mutex_);
    const auto found = zeroed_.lower_bound(bytes);
    if (found != zeroed_.end()) {
      Memory memory = std::move(found->second);
      scratch_kept_ -= found->first;
      zeroed_.erase(found);
      return memory;
    }
  }
  // Not by a command: commands behind a failed event may not run, and later calls would find other contents.
  constexpr std::size_t least = std::size_t{32} << 10;
  std::vector<char> zeros(std::max(bytes, least));
  return core_->allocate(zeros.size(), CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, zeros.data());
}

void DeviceQueue::give_scratch(Memory memory) noexcept { keep(scratch_, std::move(memory)); }
void DeviceQueue::give_zeroed(Memory memory) noexcept { keep(zeroed_, std::move(memory)); }

void DeviceQueue::keep(std::multimap<std::size_t, Memory>& kept, Memory memory) noexcept {
  const std::uint64_t limit = std::max<std::uint64_t>(std::uint64_t{256} << 20, core_->info().global_memory / 8);
  const std::size_t bytes = memory.bytes;
  try {
    const std::lock_guard lock(scratch_mutex_);
    if (scratch_kept_ + bytes > limit) return;
    kept.emplace(bytes, std::move(memory));
    scratch_kept_ += bytes;
  } catch (...) {  // no host memory for the entry: release the buffer
  }
}

void DeviceQueue::release_scratch() {
  const std::lock_guard lock(scratch_mutex_);
  scratch_.clear();
  zeroed_.clear();
  scratch_kept_ = 0;
}

std::uint64_t DeviceQueue::kept_scratch() {
  const std::lock_guard lock(scratch_mutex_);
  return scratch_kept_;
}

std::array<StagingSlot, 2>* DeviceQueue::staging() {
  for (StagingSlot& slot : staging_) {
    if (slot.data != nullptr) continue;
    try {
      slot.memory = core_->allocate(staging_bytes, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR);
    } catch (const CapacityError&) {
      return nullptr;
    }
    cl_int code = CL_SUCCESS;
    slot.data =
        static_cast<char*>(clEnqueueMapBuffer(queue_(), handle_of(slot.memory), CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                              staging_bytes, 0, nullptr, nullptr, &code));
    check(code, "clEnqueueMapBuffer", core_->info().name);
  }
  return &staging_;
}

}  // namespace genocl::runtime
