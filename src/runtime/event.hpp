// Events of commands and queues. Every status is checked.
#pragma once

#include "genocl/call.hpp"
#include "genocl/device.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

struct EventAccess {
  /// Takes ownership of an event of a clEnqueue function.
  static Event own(cl_event event) noexcept {
    Event owner;
    owner.event_ = event;
    return owner;
  }
  static cl_event handle(const Event& event) noexcept { return event.event_; }
};

/// The completion of all commands enqueued on the device's queue so far. Does not flush.
Event enqueue_marker(const Device& device);

/// Makes the queue of `later` wait for all commands enqueued so far on `earlier`, another queue of the same context.
/// Flushes `earlier`. Throws DeviceError.
void wait_for(const Device& later, const Device& earlier);

/// Flushes the device's queue. Throws DeviceError.
void flush(const Device& device);

}  // namespace genocl::runtime
