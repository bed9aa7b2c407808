// Events of commands and queues. Every status is checked.
#pragma once

#include <string>
#include <utility>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

/// The completion of a command, or of all commands of a queue up to a point. Holds an OpenCL event or none; an empty
/// Event is complete. Copies share the event.
class Event {
 public:
  Event() = default;
  /// Takes ownership of an event. `device`: the device whose queue created it.
  Event(const Device& device, cl_event event) : device_(device.info().name), event_(event) {}
  /// The completion of all commands enqueued on the device's queue so far. Does not flush.
  static Event behind(const Device& device);

  /// True if the command is complete. Throws DeviceError if it failed.
  bool reached() const;
  /// Waits for the command, then becomes empty. Throws DeviceError if the command failed.
  void wait();
  /// Makes the device's queue, which must be of the same context, wait for this event. Throws DeviceError if it cannot;
  /// then nothing more may be enqueued.
  void hold_back(const Device& device) const;

 private:
  std::string device_;
  cl::Event event_;
};

/// Makes the queue of `later` wait for all commands enqueued so far on `earlier`, another queue of the same context.
/// Flushes `earlier`. Throws DeviceError.
void wait_for(const Device& later, const Device& earlier);

/// Flushes the device's queue. Throws DeviceError.
void flush(const Device& device);

}  // namespace genocl::runtime
