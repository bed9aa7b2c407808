#include "runtime/event.hpp"

#include <string>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "runtime/access.hpp"
#include "runtime/check.hpp"
#include "runtime/device_core.hpp"

namespace genocl {
namespace {

/// The name of the device whose queue an event belongs to, for an error. Empty for a user event.
std::string device_of(cl_event event) {
  cl_command_queue queue = nullptr;
  cl_device_id device = nullptr;
  std::string name(256, '\0');
  std::size_t size = 0;
  if (clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr) != CL_SUCCESS || queue == nullptr ||
      clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr) != CL_SUCCESS ||
      clGetDeviceInfo(device, CL_DEVICE_NAME, name.size(), name.data(), &size) != CL_SUCCESS)
    return {};
  name.resize(size == 0 ? 0 : size - 1);  // without the final null
  return name;
}

}  // namespace

Event::Event(const cl::Event& event) : event_(event()) {
  if (event_ != nullptr) runtime::check(clRetainEvent(event_), "clRetainEvent");
}
Event::Event(const Event& other) noexcept : event_(other.event_) {
  if (event_ != nullptr) clRetainEvent(event_);
}
Event::Event(Event&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
Event& Event::operator=(Event other) noexcept {
  std::swap(event_, other.event_);
  return *this;
}
Event::~Event() {
  if (event_ != nullptr) clReleaseEvent(event_);
}

Event::operator cl::Event() const { return event_ != nullptr ? cl::Event(event_, true) : cl::Event(); }

bool Event::complete() const {
  if (event_ == nullptr) return true;
  cl_int status = CL_COMPLETE;
  const cl_int code = clGetEventInfo(event_, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr);
  if (code != CL_SUCCESS) runtime::check(code, "clGetEventInfo", device_of(event_));
  if (status < 0) runtime::check(status, "a command", device_of(event_));
  return status == CL_COMPLETE;
}

void Event::wait() {
  if (event_ == nullptr) return;
  const cl_event event = event_;
  const cl_int code = clWaitForEvents(1, &event);
  // Some drivers report only that one event failed, some nothing; the event's status is reliable.
  complete();
  if (code != CL_SUCCESS) runtime::check(code, "clWaitForEvents", device_of(event_));
  *this = Event();
}

Event Device::enqueue_marker() const {
  runtime::core_of(*this).check_process();
  Event event = runtime::enqueue_marker(*this);
  runtime::flush(*this);
  return event;
}

void Device::enqueue_barrier(std::span<const Event> events) const {
  runtime::core_of(*this).check_process();
  std::vector<cl_event> handles;
  for (const Event& event : events) {
    const cl_event handle = runtime::EventAccess::handle(event);
    if (handle == nullptr) continue;
    cl_context context = nullptr;
    runtime::check(clGetEventInfo(handle, CL_EVENT_CONTEXT, sizeof context, &context, nullptr), "clGetEventInfo",
                   info().name);
    if (context != this->context()())
      throw InputError("an event of another context than that of " + info().name +
                       "; expected one of the Device's context");
    handles.push_back(handle);
  }
  if (handles.empty()) return;
  runtime::check(clEnqueueBarrierWithWaitList(queue()(), static_cast<cl_uint>(handles.size()), handles.data(), nullptr),
                 "clEnqueueBarrierWithWaitList", info().name);
}

}  // namespace genocl

namespace genocl::runtime {

Event enqueue_marker(const Device& device) {
  cl_event event = nullptr;
  check(clEnqueueMarkerWithWaitList(device.queue()(), 0, nullptr, &event), "clEnqueueMarkerWithWaitList",
        device.info().name);
  return EventAccess::own(event);
}

void wait_for(const Device& later, const Device& earlier) {
  const Event done = enqueue_marker(earlier);
  flush(earlier);
  later.enqueue_barrier({&done, 1});
}

void flush(const Device& device) { check(clFlush(device.queue()()), "clFlush", device.info().name); }

}  // namespace genocl::runtime
