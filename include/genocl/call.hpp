// What a caller may add to a call: events to wait for, an event to signal, scratch memory, a launch shape.
#pragma once

#include <cstddef>
#include <vector>

#include "genocl/export.hpp"
#include "genocl/span.hpp"

// A handle type of OpenCL, and a class of CLHPP. Include genocl/opencl.hpp to use declarations with them.
struct _cl_event;  // NOLINT(bugprone-reserved-identifier)
namespace cl {
class Event;
}

namespace genocl {

namespace runtime {
struct EventAccess;
}

/// The completion of a command. Holds an OpenCL event or none; an empty Event is complete. Copies share the event.
/// Different copies may be used by several threads at once.
class GENOCL_EXPORT Event {
 public:
  Event() noexcept = default;
  /// Shares a caller's event.
  Event(const cl::Event& event);
  Event(const Event& other) noexcept;
  Event(Event&& other) noexcept;
  Event& operator=(Event other) noexcept;
  ~Event();

  /// For clEnqueue functions of the caller. Null for an empty Event.
  operator cl::Event() const;

  /// True if the command is complete. Throws DeviceError if it failed.
  bool complete() const;
  /// Waits for the command and makes this Event empty. Throws DeviceError if the command failed.
  void wait();

 private:
  friend struct runtime::EventAccess;
  _cl_event* event_ = nullptr;
};

/// Launch shape of a primitive, for benchmarks and tests. 0: chosen for the device. No result depends on it, including
/// floating-point sums.
struct LaunchTuning {
  /// `gpu` kernels: work-group size, a power of two of at least 64; reduced to the device's limit.
  unsigned group_size = 0;
  /// `cpu` kernels: number of workers; reduced if there is too little work.
  std::size_t workers = 0;

  friend bool operator==(const LaunchTuning&, const LaunchTuning&) = default;
};

/// Last argument of every primitive. All members are optional.
struct Call {
  /// Commands of other queues that must complete before the call's first kernel starts. The events must be of the
  /// device's context. The host does not wait, unless the call says that it waits for the device. PoCL before 6.0 also
  /// waits at the first launch of a kernel, except on a caller's queue.
  std::vector<Event> wait_for = {};
  /// Receives the completion of the call.
  Event* event = nullptr;
  /// Scratch memory of at least the bytes that the algorithm's ..._scratch_bytes() returns. It must not overlap the
  /// operands, and may be used again when the call is complete. Without it, the call uses a pool of the device's queue.
  /// Copies of operands at unaligned offsets always come from the pool.
  Span<std::byte> scratch = {};
  LaunchTuning tuning = {};
};

}  // namespace genocl
