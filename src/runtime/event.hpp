// Points in queues that are waited for, every status looked at.
#pragma once

#include <string>
#include <utility>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

/// What a command, or all commands of a queue up to a point, will have done. Holds OpenCL's event, or nothing: what is
/// nothing is done. Copies share the event.
class Event {
 public:
  Event() = default;
  /// Takes over the event that an enqueuing call gave. `device`: whose queue it was.
  Event(const Device& device, cl_event event) : device_(device.info().name), event_(event) {}
  /// Behind all that is enqueued on the device's queue so far. Does not flush.
  static Event behind(const Device& device);

  /// Throws DeviceError when the command failed.
  bool reached() const;
  /// Returns when it is done, and is nothing from then on. Throws DeviceError when the command failed.
  void wait();
  /// The device's queue, of the same context, goes on when this is done. Throws DeviceError when it cannot wait for it:
  /// what is enqueued next must not run then.
  void hold_back(const Device& device) const;

 private:
  std::string device_;
  cl::Event event_;
};

/// `later` goes on when `earlier`, another queue of the same context, has done all that is enqueued on it by now.
/// `earlier` is flushed. Throws DeviceError.
void wait_for(const Device& later, const Device& earlier);

/// Hands what is enqueued on the device's queue to the driver. Throws DeviceError.
void flush(const Device& device);

}  // namespace genocl::runtime
