// What the copies of a Device share: DeviceCore (context, programs, profile) and DeviceQueue (queue, scratch, staging).
#pragma once

#include <unistd.h>
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
#include "runtime/program_cache.hpp"

namespace genocl::runtime {

inline cl_mem handle_of(const Memory& memory) noexcept { return memory.buffer ? (*memory.buffer)() : nullptr; }

class DeviceQueue;

class DeviceCore {
 public:
  ~DeviceCore();
  DeviceCore(const cl::Device& device, const cl::Context& context, DeviceInfo info);

  /// False in a process that was forked from the one that made it: the driver's threads are not there, and whatever
  /// waits for the driver waits for ever. Nothing of it is used or given back there.
  bool is_of_this_process() const noexcept { return getpid() == process_; }
  pid_t process() const noexcept { return process_; }
  /// Throws DeviceError there.
  void check_process() const;

  const DeviceInfo& info() const noexcept { return info_; }
  const cl::Device& device() const noexcept { return device_; }
  const cl::Context& context() const noexcept { return context_; }
  bool is_nvidia() const noexcept { return is_nvidia_; }
  /// Buffers lie in the host's memory: transfers map them. GENOCL_MAP=off makes them staged copies all the same, which
  /// is what a device with memory of its own gets.
  bool maps_buffers() const noexcept { return maps_buffers_; }
  /// The driver wants launches in the order of PoclLaunchGuard.
  bool uses_launch_guard() const noexcept { return launch_guard_; }

  /// Built at the first request, then kept. `ptx`: compile with GENOCL_PTX=1.
  cl::Program program(std::string_view file, const Defines& defines, bool ptx);
  /// The kernel `name` of that program. Only the first request for it builds, locks or names anything.
  KernelEntry& kernel(std::string_view file, std::string_view name, const Defines& defines, bool ptx);
  bool has_ptx();
  /// Counts the programs that were asked for.
  std::size_t programs() const { return programs_.size(); }
  void on_compiling(std::function<void()> call, double seconds) { programs_.on_compiling(std::move(call), seconds); }
  /// Does what ProgramCache::count says.
  template <class Work>
  void count_compiling(Work&& work) {
    programs_.count(work);
  }

  void on_failure(std::function<void(const DeviceError&)> call);
  /// Calls what on_failure() was given.
  void tell_failure(const DeviceError& error);

  /// A buffer, counted against the device's memory. Idle scratch makes way for it. Throws CapacityError. `flags` as in
  /// clCreateBuffer.
  Memory allocate(std::size_t bytes, cl_mem_flags flags);
  /// Tells the device memory that no DeviceCore of this process has taken: each Device that somebody asks for has one
  /// of its own, on the same hardware.
  std::uint64_t free_memory() const noexcept;

  /// Host memory that the driver has page-locked.
  void add_pinned(const void* begin, std::size_t bytes);
  void remove_pinned(const void* begin);
  bool is_pinned(const void* begin, std::size_t bytes) const;

  /// From here on launches are recorded in the profile of `other`, too: this is a part of that device. Before any
  /// launch.
  void record_for(const Device& other) { recorded_for_.emplace(other); }
  /// Makes one; in another process it is left as it is.
  static std::shared_ptr<DeviceCore> make(const cl::Device& device, const cl::Context& context, DeviceInfo info);
  /// A queue that nobody uses, with its scratch and staging memory, or a new one. It is free again when the last copy
  /// of the pointer goes, which keeps `core`.
  static std::shared_ptr<DeviceQueue> lease_queue(const std::shared_ptr<DeviceCore>& core, bool profiling);
  /// Takes the caller's queue.
  static std::shared_ptr<DeviceQueue> adopt_queue(const std::shared_ptr<DeviceCore>& core,
                                                  const cl::CommandQueue& queue);
  /// Gives back the scratch memory of queues that nobody uses.
  void release_idle_scratch();
  /// Tells how many bytes that is.
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

  const pid_t process_ = getpid();
  DeviceInfo info_;
  cl::Device device_;
  cl::Context context_;
  bool is_nvidia_ = false;
  bool maps_buffers_ = false;
  bool launch_guard_ = false;
  ProgramCache programs_;
  KernelTable kernels_;
  std::once_flag ptx_once_;
  bool ptx_ = false;
  // Counted by what we hold, not by what the driver has let go: NVIDIA's calls a destructor callback long after the
  // release. Of all that is on this hardware.
  std::shared_ptr<std::atomic<std::uint64_t>> allocated_;
  mutable std::mutex pinned_mutex_;
  std::map<const char*, std::size_t> pinned_;
  std::optional<Device> recorded_for_;
  std::mutex failure_mutex_;
  std::function<void(const DeviceError&)> on_failure_;
  std::mutex profile_mutex_;
  std::vector<Launch> launches_;
  std::map<std::string, KernelProfile> profile_;
  // Making a queue takes milliseconds on some drivers, and its staging memory more. Destroyed before all of the above.
  std::mutex idle_mutex_;
  std::vector<std::unique_ptr<DeviceQueue>> idle_;
};

/// A page-locked piece of host memory through which copies are staged.
struct StagingSlot {
  Memory memory;
  char* data = nullptr;
  Event in_use;  // the last transfer out of or into the slot
};

/// Made by DeviceCore::lease_queue() and adopt_queue(), which keep the core as long as the queue.
class DeviceQueue {
 public:
  /// A new in-order queue.
  DeviceQueue(DeviceCore& core, bool profiling);
  /// Takes the caller's.
  DeviceQueue(DeviceCore& core, const cl::CommandQueue& queue);
  ~DeviceQueue();
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;

  const cl::CommandQueue& queue() const noexcept { return queue_; }
  bool profiling() const noexcept { return profiling_; }
  /// Launches go through PoclLaunchGuard. Not on a queue of the caller's, which may wait for what only the caller does.
  bool uses_launch_guard() const noexcept { return core_->uses_launch_guard() && !foreign_; }
  void enable_profiling();
  void finish() const;
  /// Waits for all of it and of its companion, and says whether nothing has failed. For a queue that nobody uses.
  bool ends_well() const;
  /// A second queue, made at first use and kept with this one, to which `self` points.
  std::shared_ptr<DeviceQueue> companion(const std::shared_ptr<DeviceQueue>& self);

  /// Gives the smallest kept buffer of at least `bytes` and not much more, or a new one.
  Memory take_scratch(std::size_t bytes);
  void give_scratch(Memory memory) noexcept;
  void release_scratch();
  /// Tells the bytes that are kept and not in use.
  std::uint64_t kept_scratch();

  static constexpr std::size_t staging_bytes = std::size_t{16} << 20;
  /// Both slots, allocated at first use, or nullptr where the device has no room for them; hold staging_mutex() while
  /// using them.
  std::array<StagingSlot, 2>* staging();
  std::mutex& staging_mutex() noexcept { return staging_mutex_; }

 private:
  DeviceCore* core_;
  cl::CommandQueue queue_;
  bool profiling_ = false;
  bool foreign_ = false;
  std::mutex companion_mutex_;
  std::unique_ptr<DeviceQueue> companion_;
  std::mutex scratch_mutex_;
  std::multimap<std::size_t, Memory> scratch_;
  std::size_t scratch_kept_ = 0;
  std::mutex staging_mutex_;
  std::array<StagingSlot, 2> staging_;
};

}  // namespace genocl::runtime
