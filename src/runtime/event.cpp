#include "runtime/event.hpp"

#include "runtime/check.hpp"

namespace genocl::runtime {

Event Event::behind(const Device& device) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(device.queue()(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList",
        device.info().name);
  return Event(device, event);
}

bool Event::reached() const {
  if (event_() == nullptr) return true;
  cl_int status = CL_COMPLETE;
  check(clGetEventInfo(event_(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr), "clGetEventInfo",
        device_);
  if (status < 0) check(status, "a command", device_);
  return status == CL_COMPLETE;
}

void Event::wait() {
  if (event_() == nullptr) return;
  const cl_event event = event_();
  const cl_int code = clWaitForEvents(1, &event);
  // Some drivers report only that one event failed, some nothing; the event's status is reliable.
  reached();
  check(code, "clWaitForEvents", device_);
  event_ = cl::Event();
}

void Event::hold_back(const Device& device) const {
  if (event_() == nullptr) return;
  const cl_event event = event_();
  check(clEnqueueBarrierWithWaitList(device.queue()(), 1, &event, nullptr), "clEnqueueBarrierWithWaitList",
        device.info().name);
}

void wait_for(const Device& later, const Device& earlier) {
  const Event done = Event::behind(earlier);
  flush(earlier);
  done.hold_back(later);
}

void flush(const Device& device) { check(clFlush(device.queue()()), "clFlush", device.info().name); }

}  // namespace genocl::runtime
