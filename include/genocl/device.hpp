// genocl::Device: an OpenCL device ready to run the library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/tuning.hpp"

// Classes of CLHPP. Include genocl/opencl.hpp to use what is declared with them.
namespace cl {
class Buffer;
class CommandQueue;
class Context;
class Device;
}  // namespace cl

namespace genocl {

class DeviceError;

enum class DeviceType { cpu, gpu, accelerator, other };

GENOCL_EXPORT std::string_view to_string(DeviceType type) noexcept;

/// What the OpenCL driver says of a device. Sizes in bytes.
struct DeviceInfo {
  std::size_t index = 0;           ///< Counted over all platforms, as genocl-devices lists them.
  std::size_t platform_index = 0;  ///< Platform, and the device's place in it: the "0:1" of a device spec.
  std::size_t platform_device = 0;
  std::string platform, platform_version, name, vendor, driver_version, opencl_version, opencl_c_version;
  DeviceType type = DeviceType::other;
  std::uint64_t global_memory = 0;   ///< At most GENOCL_DEVICE_MEMORY, where that variable is set.
  std::uint64_t max_allocation = 0;  ///< One buffer. All of the memory where the driver is known to give it.
  std::uint64_t local_memory = 0;
  std::uint64_t max_work_group_size = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  bool host_unified_memory = false;  ///< Buffers live in the host's memory: map them, do not copy.
  bool fp64 = false;
};

/// What one kernel has cost so far on a Device with profiling on.
struct KernelProfile {
  std::string kernel;
  std::uint64_t launches = 0;
  double seconds = 0;       ///< Time on the device, by OpenCL's event timestamps.
  std::uint64_t bytes = 0;  ///< Read and written, as the algorithm counts them; 0 where it does not say.
};

namespace runtime {
class DeviceCore;
class DeviceQueue;
struct DeviceAccess;
}  // namespace runtime

/// A context, an in-order queue, a program cache and the device's limits. Cheap to copy: copies share all of that. Safe
/// to use from several threads. Holds no global state: when the last copy goes, so does the context.
///
/// After fork() a Device works in the parent alone. In the child all that uses it, or looks for devices, throws
/// DeviceError; its end there gives nothing back and waits for nothing.
class GENOCL_EXPORT Device {
 public:
  /// The device that `spec` names; several match: the best of them (GPU before accelerator before CPU, then the one
  /// with more memory and compute units). An empty spec means GENOCL_DEVICE, and without that the best device there is.
  ///
  /// A spec is "cpu", "gpu", "accelerator" or "all"; a number (DeviceInfo::index); "P:D" (platform and device in it);
  /// or part of the name of a device, a platform or a vendor in any case ("nvidia", "pocl", "NVIDIA H200"). Throws
  /// InputError when nothing matches (the message lists what exists) and DeviceError when there is no platform.
  static Device pick(std::string_view spec = {});

  /// Every device that matches a comma-separated list of specs, in the list's order, each once. Each has its own
  /// context.
  static std::vector<Device> list(std::string_view specs = "all");

  /// All devices of all platforms; creates no context. Empty when there is none.
  static std::vector<DeviceInfo> available();

  /// The caller's own queue, its context untouched. Throws InputError for an out-of-order queue.
  explicit Device(const cl::CommandQueue& queue);

  const DeviceInfo& info() const noexcept;
  const cl::Device& opencl_device() const noexcept;
  const cl::Context& context() const noexcept;
  const cl::CommandQueue& queue() const noexcept;

  /// What kernels go by here: what was measured and kept (stored_tuning()), else what is known of its kind
  /// (default_tuning()). GENOCL_VARIANT (cpu or gpu) overrides all families.
  const Tuning& tuning() const noexcept { return tuning_; }
  /// The same device with another tuning, for measurements. Throws InputError for a value that is out of bounds.
  Device with_tuning(const Tuning& tuning) const;

  /// Which shape runs here: tuning().family.
  KernelFamily family() const noexcept { return tuning_.family; }
  /// The same device with that shape everywhere, for tests and comparisons.
  Device with_family(KernelFamily family) const;

  /// Whether kernels may use NVIDIA's inline PTX: found by a test compile, off with GENOCL_VENDOR=off.
  bool has_ptx() const;
  /// Whether a kernel may use what only some compilers or processors have, with a portable form beside it: not with
  /// GENOCL_VENDOR=off or after without_vendor_paths().
  bool vendor_paths() const noexcept { return vendor_paths_; }
  /// Gives the same device restricted to portable OpenCL C 1.2.
  Device without_vendor_paths() const;

  /// The same context and program cache with a queue (and scratch memory) of its own, so that its copies overlap with
  /// the kernels of this one.
  Device with_own_queue() const;
  /// The same with the second queue that this one's keeps: one and the same at each call, so it is free from the second
  /// on.
  Device companion() const;

  /// Waits until everything enqueued so far is done.
  void finish() const;

  /// From here on every kernel launch is timed. Replaces the queue (after finishing it), so queue() changes; on a
  /// caller's own queue this needs CL_QUEUE_PROFILING_ENABLE and throws InputError without it. Call it before work
  /// starts.
  void enable_profiling();
  /// Per kernel, longest first; waits for what is running. Empty without enable_profiling().
  std::vector<KernelProfile> profile() const;
  void reset_profile();

  /// Calls `call`, once, when the compiling of kernels has taken this device `seconds` in all, at first launches too,
  /// on the thread that waits for them: a program can say then why nothing happens yet. With the compiled kernels of an
  /// earlier run at hand (the driver's, or GENOCL_CACHE's) it is not called as a rule. An empty function takes an
  /// earlier one back.
  void on_compiling(std::function<void()> call, double seconds = 1) const;

  /// Calls `call` when work on this device has failed that other devices do instead, so that a call for several devices
  /// goes on without it: a program can say then why it takes longer. It comes on a thread of that call, once for each,
  /// and may be called while others are. An empty function takes an earlier one back.
  void on_failure(std::function<void(const DeviceError&)> call) const;

  /// Gives back the scratch memory kept for the next call.
  void release_scratch() const;

  /// Two Devices are equal when they share a queue.
  friend bool operator==(const Device& a, const Device& b) noexcept { return a.queue_ == b.queue_; }

 private:
  friend struct runtime::DeviceAccess;
  Device(std::shared_ptr<runtime::DeviceCore> core, std::shared_ptr<runtime::DeviceQueue> queue);

  std::shared_ptr<runtime::DeviceCore> core_;
  std::shared_ptr<runtime::DeviceQueue> queue_;
  Tuning tuning_;
  bool vendor_paths_ = true;
};

}  // namespace genocl
