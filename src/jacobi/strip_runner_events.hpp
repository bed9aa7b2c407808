// Events between the two queues of one device, and the clock.
#pragma once

#include <chrono>

#include "genocl/device.hpp"
#include "genocl/opencl.hpp"
#include "runtime/check.hpp"

namespace genocl::jacobi {

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

inline void flush(const Device& device) { runtime::check(clFlush(device.queue()()), "clFlush", device.info().name); }

/// A point in a device's queue.
class Mark {
 public:
  Mark() = default;
  /// Behind all that is enqueued so far.
  explicit Mark(const Device& device) : device_(device.info().name) {
    cl_event event = nullptr;
    runtime::check(clEnqueueMarkerWithWaitList(device.queue()(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList",
                   device_);
    event_ = cl::Event(event);
  }

  bool reached() const {
    cl_int status = CL_COMPLETE;
    runtime::check(clGetEventInfo(event_(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
                   "clGetEventInfo", device_);
    if (status < 0) runtime::check(status, "a command", device_);
    return status == CL_COMPLETE;
  }
  void wait() const {
    const cl_event event = event_();
    runtime::check(clWaitForEvents(1, &event), "clWaitForEvents", device_);
  }
  /// Another queue of the same context goes on when this point is reached.
  void hold_back(const Device& device) const {
    const cl_event event = event_();
    runtime::check(clEnqueueBarrierWithWaitList(device.queue()(), 1, &event, nullptr), "clEnqueueBarrierWithWaitList",
                   device_);
  }

 private:
  std::string device_;
  cl::Event event_;
};

}  // namespace genocl::jacobi
