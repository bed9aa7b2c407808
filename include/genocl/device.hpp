// genocl::Device: an OpenCL device ready to run the library.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/call.hpp"
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

/// Properties of a device as the OpenCL driver reports them. Sizes in bytes.
struct DeviceInfo {
  std::size_t index = 0;           ///< Number over all platforms: GPUs, accelerators, CPUs, in the drivers' order.
  std::size_t platform_index = 0;  ///< Platform number, then the device's number in it: "0:1" in a device spec.
  std::size_t platform_device = 0;
  std::string platform, platform_version, name, vendor, driver_version, opencl_version, opencl_c_version;
  DeviceType type = DeviceType::other;
  std::uint64_t global_memory = 0;   ///< At most GENOCL_DEVICE_MEMORY, if set.
  std::uint64_t max_allocation = 0;  ///< Maximum size of one buffer.
  std::uint64_t local_memory = 0;
  std::uint64_t max_work_group_size = 0;
  /// A Span whose offset in bytes is a multiple of this is used in place.
  std::uint64_t buffer_alignment = 0;
  std::uint32_t compute_units = 0;
  std::uint32_t clock_mhz = 0;
  bool host_unified_memory = false;  ///< Buffers are in host memory: map them, do not copy.
  bool fp64 = false;
};

/// Accumulated cost of one kernel on a Device with profiling.
struct KernelProfile {
  std::string kernel;
  std::uint64_t launches = 0;
  double seconds = 0;       ///< Device time from OpenCL event timestamps.
  std::uint64_t bytes = 0;  ///< Bytes read and written, as counted by the algorithm; 0 if not counted.
};

namespace runtime {
class DeviceCore;
class DeviceQueue;
class ScratchArena;
struct DeviceAccess;
}  // namespace runtime

/// An OpenCL device ready to run the library: a context, an in-order queue, a program cache and the device's limits.
///
/// Cheap to copy; copies share all of these. Thread-safe. There is no global state: the last copy releases the context.
///
/// After fork() a Device works in the parent only. In the child, any use and any search for devices throws DeviceError,
/// and destructors release nothing and wait for nothing.
class GENOCL_EXPORT Device {
 public:
  /// The best device that matches `spec`: GPU before accelerator before CPU, then by memory and compute units. An empty
  /// spec is GENOCL_DEVICE; if that is unset, any device.
  ///
  /// @param spec  "cpu", "gpu", "accelerator" or "all"; a number (DeviceInfo::index); "P:D" (platform and device
  /// number); or a part of a device, platform or vendor name in any case ("nvidia", "pocl", "NVIDIA H200")
  /// @throws InputError if no device matches; the message lists all devices
  /// @throws DeviceError if there is no platform
  static Device pick(std::string_view spec = {});

  /// All devices that match a comma-separated list of specs, in the order of the list, each once. Each has a separate
  /// context.
  static std::vector<Device> list(std::string_view specs = "all");

  /// All devices of all platforms; may be empty. Creates no context.
  static std::vector<DeviceInfo> available();

  /// Wraps a caller's queue; its context stays untouched. Throws InputError for an out-of-order queue.
  explicit Device(const cl::CommandQueue& queue);

  const DeviceInfo& info() const noexcept;
  const cl::Device& opencl_device() const noexcept;
  const cl::Context& context() const noexcept;
  const cl::CommandQueue& queue() const noexcept;

  /// Launch parameters of this device: the stored measurement (stored_tuning()), else the default of its kind
  /// (default_tuning()). GENOCL_VARIANT (cpu or gpu) overrides all families.
  const Tuning& tuning() const noexcept { return tuning_; }
  /// The same device with another tuning, for measurements. Throws InputError for a value out of bounds.
  Device with_tuning(const Tuning& tuning) const;

  /// The kernel shape: tuning().family.
  KernelFamily family() const noexcept { return tuning_.family; }
  /// The same device with one shape for all kernels, for tests and comparisons.
  Device with_family(KernelFamily family) const;

  /// True if kernels may use NVIDIA's inline PTX. Determined by a test compilation; disabled by GENOCL_VENDOR=off.
  bool has_ptx() const;
  /// True if kernels may use features of single compilers or processors; each has a portable alternative. False with
  /// GENOCL_VENDOR=off and after without_vendor_paths().
  bool vendor_paths() const noexcept { return vendor_paths_; }
  /// The same device restricted to portable OpenCL C 1.2.
  Device without_vendor_paths() const;

  /// Returns a device with `units` of this device's compute units and a separate context. For CPUs, which OpenCL can
  /// divide. Returns this device if it has at most `units`. The index, name and tuning stay.
  ///
  /// @throws InputError if `units` is 0
  /// @throws DeviceError if the driver cannot divide the device
  Device with_compute_units(std::uint32_t units) const;

  /// The same context and program cache with a separate queue and scratch memory, so that its copies overlap with the
  /// kernels of this one.
  Device with_own_queue() const;
  /// The same device with the companion queue, which is created at the first call and then reused.
  Device companion() const;

  /// Waits for all enqueued commands.
  void finish() const;
  /// The completion of all commands enqueued so far. Flushes the queue. Throws DeviceError.
  Event enqueue_marker() const;
  /// Commands enqueued later start when all `events` are complete. Does not wait. Throws InputError for an event of
  /// another context, and DeviceError; then nothing more may be enqueued.
  void enqueue_barrier(std::span<const Event> events) const;

  /// Enables timing of kernel launches. Waits for the queue and replaces it, so queue() changes. A caller's queue is
  /// kept and needs CL_QUEUE_PROFILING_ENABLE; otherwise throws InputError. Call it before any work starts.
  void enable_profiling();
  /// Times per kernel, longest first. Waits for running kernels. Empty without enable_profiling().
  std::vector<KernelProfile> profile() const;
  void reset_profile();

  /// Sets a callback that is called once when compilation has taken `seconds` in total on this device, on the thread
  /// that waits for it. Programs use it to explain a delay. Cached kernels of an earlier run (by the driver or
  /// GENOCL_CACHE) usually prevent the call. An empty function removes the callback.
  void on_compiling(std::function<void()> call, double seconds = 1) const;

  /// Seconds in which at least one thread has compiled kernels for this device, or loaded them from a cache. Includes
  /// the first launch of each kernel, in which some drivers compile.
  double compile_seconds() const;

  /// Sets a callback for failures of this device that other devices of the same call compensate. Called once per
  /// failure on a thread of that call, possibly concurrently. An empty function removes the callback.
  void on_failure(std::function<void(const DeviceError&)> call) const;

  /// Releases the pooled scratch memory.
  void release_scratch() const;

  /// True if both share a queue.
  friend bool operator==(const Device& a, const Device& b) noexcept { return a.queue_ == b.queue_; }

 private:
  friend struct runtime::DeviceAccess;
  Device(std::shared_ptr<runtime::DeviceCore> core, std::shared_ptr<runtime::DeviceQueue> queue);

  std::shared_ptr<runtime::DeviceCore> core_;
  std::shared_ptr<runtime::DeviceQueue> queue_;
  Tuning tuning_;
  bool vendor_paths_ = true;
  runtime::ScratchArena* arena_ = nullptr;  // of a call with scratch memory, during that call
};

/// Parameter of functions that run on one or more devices: a Device, or a vector or other contiguous range of them.
/// Does not own them.
class Devices : public std::span<const Device> {
 public:
  Devices() = default;
  Devices(const Device& device) noexcept : std::span<const Device>(&device, 1) {}
  template <class Range>
  requires std::convertible_to<const Range&, std::span<const Device>> Devices(const Range& devices)
      : std::span<const Device>(devices) {}
};

}  // namespace genocl
