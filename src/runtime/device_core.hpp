// The state that copies of a Device share: DeviceCore (context, programs, profile) and DeviceQueue (queue, scratch,
// staging memory).
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genocl/array.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/defines.hpp"
#include "runtime/event.hpp"
#include "runtime/kernel.hpp"
#include "runtime/platform.hpp"
#include "runtime/program_cache.hpp"

namespace genocl::runtime {

inline cl_mem handle_of(const Memory& memory) noexcept { return memory.buffer ? (*memory.buffer)() : nullptr; }

class DeviceQueue;

class DeviceCore {
 public:
  ~DeviceCore();
  DeviceCore(const cl::Device& device, const cl::Context& context, DeviceInfo info);

  /// False in a process forked from the one that created this object. The driver's threads do not exist there, and a
  /// call that waits for the driver would hang. The object is then neither used nor released.
  bool is_of_this_process() const noexcept { return platform::process_id() == process_; }
  std::int64_t process() const noexcept { return process_; }
  /// Throws DeviceError in a forked process.
  void check_process() const;

  const DeviceInfo& info() const noexcept { return info_; }
  const cl::Device& device() const noexcept { return device_; }
  const cl::Context& context() const noexcept { return context_; }
  bool is_nvidia() const noexcept { return is_nvidia_; }
  /// True if buffers are in host memory, so transfers map them. GENOCL_MAP=off uses staged copies instead, as for a
  /// device with separate memory.
  bool maps_buffers() const noexcept { return maps_buffers_; }
  /// True if launches are checked against simulated limits (GENOCL_DEVICE_LIMITS).
  bool checks_limits() const noexcept { return checks_limits_; }
  /// True if launches must go through PoclLaunchGuard.
  bool uses_launch_guard() const noexcept { return launch_guard_; }

  /// Compiled at the first request, then cached. `ptx`: compile with GENOCL_PTX=1.
  cl::Program program(std::string_view file, const Defines& defines, bool ptx);
  /// The kernel `name` of that program. Only the first request compiles, takes a lock or builds a key.
  KernelEntry& kernel(std::string_view file, std::string_view name, const Defines& defines, bool ptx);
  bool has_ptx();
  /// The number of programs requested so far.
  std::size_t programs() const { return programs_.size(); }
  void on_compiling(std::function<void()> call, double seconds) { programs_.on_compiling(std::move(call), seconds); }
  double compile_seconds() const { return programs_.compile_seconds(); }
  /// See ProgramCache::count().
  template <class Work>
  void count_compiling(bool compiles, Work&& work) {
    programs_.count(compiles, work);
  }

  void on_failure(std::function<void(const DeviceError&)> call);
  /// Calls the function given to on_failure().
  void tell_failure(const DeviceError& error);

  /// Allocates a buffer and counts it against the device's memory; idle scratch memory is released if necessary.
  /// `flags`: as for clCreateBuffer. Throws CapacityError.
  /// `contents`: at least 16 bytes, of CL_MEM_COPY_HOST_PTR.
  Memory allocate(std::size_t bytes, cl_mem_flags flags, void* contents = nullptr);
  /// Bytes of device memory that no DeviceCore of this process has allocated. Every Device that a caller creates has a
  /// separate core on the same hardware.
  std::uint64_t free_memory() const noexcept;

  /// Registers host memory that the driver has page-locked.
  void add_pinned(const void* begin, std::size_t bytes);
  void remove_pinned(const void* begin);
  bool is_pinned(const void* begin, std::size_t bytes) const;

  /// Also records launches in the profile of `other`, the device that this is a part of. Call it before any launch.
  void record_for(const Device& other) { recorded_for_.emplace(other); }
  /// Creates a core. A forked process never destroys it.
  static std::shared_ptr<DeviceCore> make(const cl::Device& device, const cl::Context& context, DeviceInfo info);
  /// An idle queue with its scratch and staging memory, or a new one. It becomes idle when the last copy of the pointer
  /// goes. The pointer keeps `core` alive.
  static std::shared_ptr<DeviceQueue> lease_queue(const std::shared_ptr<DeviceCore>& core, bool profiling);
  /// Wraps a caller's queue.
  static std::shared_ptr<DeviceQueue> adopt_queue(const std::shared_ptr<DeviceCore>& core,
                                                  const cl::CommandQueue& queue);
  /// Releases the scratch memory of idle queues.
  void release_idle_scratch();
  /// Bytes of scratch memory that idle queues keep.
  std::uint64_t idle_scratch();

  void record(const std::string& kernel, const cl::Event& event, std::uint64_t bytes);
  std::vector<KernelProfile> profile();
  void reset_profile();

 private:
  struct Launch {
    std::string kernel;
    cl::Event event;
    std::uint64_t bytes;
  };
  void collect_launches(std::size_t count);  // the oldest; with profile_mutex_ held
  void take_back(DeviceQueue* queue) noexcept;

  const std::int64_t process_ = platform::process_id();
  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  bool is_nvidia_ = false;
  bool maps_buffers_ = false;
  bool checks_limits_ = false;
  bool launch_guard_ = false;
  ProgramCache programs_;
  KernelTable kernels_;
  std::once_flag ptx_once_;
  bool ptx_ = false;
  // Counts the buffers that we hold on this hardware. NVIDIA's driver calls a destructor callback long after the
  // release.
  std::shared_ptr<std::atomic<std::uint64_t>> allocated_;
  mutable std::mutex pinned_mutex_;
  std::map<const char*, std::size_t> pinned_;
  std::optional<Device> recorded_for_;
  std::mutex failure_mutex_;
  std::function<void(const DeviceError&)> on_failure_;
  std::mutex profile_mutex_;
  std::vector<Launch> launches_;
  std::map<std::string, KernelProfile> profile_;
  // Creating a queue takes milliseconds on some drivers, and its staging memory longer. Declared last, so destroyed
  // before the members above.
  std::mutex idle_mutex_;
  std::vector<std::unique_ptr<DeviceQueue>> idle_;
};

/// A page-locked block of host memory through which copies are staged.
struct StagingSlot {
  Memory memory;
  char* data = nullptr;
  Event in_use;  // the last transfer out of or into the slot
};

/// Created by DeviceCore::lease_queue() and adopt_queue(), which keep the core alive as long as the queue.
class DeviceQueue {
 public:
  /// Creates an in-order queue.
  DeviceQueue(DeviceCore& core, bool profiling);
  /// Wraps a caller's queue.
  DeviceQueue(DeviceCore& core, const cl::CommandQueue& queue);
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  const cl::CommandQueue& queue() const noexcept { return queue_; }
  bool profiling() const noexcept { return profiling_; }
  /// True if launches go through PoclLaunchGuard. A caller's queue does not: it may wait for an event that only the
  /// caller completes.
  bool uses_launch_guard() const noexcept { return core_->uses_launch_guard() && !foreign_; }
  void enable_profiling();
  void finish() const;
  /// Waits for this queue and its companion; true if no command failed. For idle queues.
  bool ends_well() const;
  /// A second queue, created at the first request and kept with this one. `self` points to this queue.
  std::shared_ptr<DeviceQueue> companion(const std::shared_ptr<DeviceQueue>& self);

  /// The smallest kept buffer that is large enough and not much larger, or a new one of at least `bytes` bytes.
  Memory take_scratch(std::size_t bytes);
  void give_scratch(Memory memory) noexcept;
  /// Memory that is zero. Kept memory that is large enough, or new memory.
  Memory take_zeroed(std::size_t bytes);
  void give_zeroed(Memory memory) noexcept;
  void release_scratch();
  /// Bytes of scratch memory kept and not in use.
  std::uint64_t kept_scratch();

  static constexpr std::size_t staging_bytes = std::size_t{16} << 20;
  /// Both slots, allocated at the first request; nullptr if the device's memory does not suffice. Hold staging_mutex()
  /// while using them.
  std::array<StagingSlot, 2>* staging();
  std::mutex& staging_mutex() noexcept { return staging_mutex_; }

 private:
  /// Keeps memory that is not in use, or releases it if much is kept.
  void keep(std::multimap<std::size_t, Memory>& kept, Memory memory) noexcept;

  DeviceCore* core_;
  cl::CommandQueue queue_;
  bool profiling_ = false;
  bool foreign_ = false;
  std::mutex companion_mutex_;
  std::unique_ptr<DeviceQueue> companion_;
  std::mutex scratch_mutex_;
  std::multimap<std::size_t, Memory> scratch_, zeroed_;
  std::size_t scratch_kept_ = 0;  // of both
  std::mutex staging_mutex_;
  std::array<StagingSlot, 2> staging_;
};

}  // namespace genocl::runtime
