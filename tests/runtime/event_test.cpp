#include "runtime/event.hpp"

#include <doctest/doctest.h>

#include "genocl/array.hpp"
#include "genocl/error.hpp"

using namespace genocl;

namespace {

/// A command that ends when it is told to, and how.
class Held {
 public:
  explicit Held(const Device& device) {
    cl_int code = CL_SUCCESS;
    gate_ = cl::Event(clCreateUserEvent(device.context()(), &code));
    REQUIRE(code == CL_SUCCESS);
    const cl_event gate = gate_();
    cl_event event = nullptr;
    REQUIRE(clEnqueueMarkerWithWaitList(device.queue()(), 1, &gate, &event) == CL_SUCCESS);
    event_ = runtime::EventAccess::own(event);
    runtime::flush(device);
  }
  ~Held() { end(CL_COMPLETE); }
  void end(cl_int status) {
    if (!ended_) REQUIRE(clSetUserEventStatus(gate_(), status) == CL_SUCCESS);
    ended_ = true;
  }
  Event& event() { return event_; }

 private:
  cl::Event gate_;
  Event event_;
  bool ended_ = false;
};

}  // namespace

TEST_CASE("events: a point is reached when the commands before it are done") {
  const Device device = Device::pick();
  Held held(device);
  CHECK_FALSE(held.event().complete());
  held.end(CL_COMPLETE);
  held.event().wait();
  CHECK(held.event().complete());
  CHECK_NOTHROW(held.event().wait());
  Event nothing;
  CHECK(nothing.complete());
  CHECK_NOTHROW(nothing.wait());
  CHECK_NOTHROW(device.enqueue_barrier({&nothing, 1}));
}

TEST_CASE("events: a queue waits for another one of its context") {
  const Device first = Device::pick(), second = first.with_own_queue();
  Array<std::uint32_t> array(first, 1000);
  {
    Held held(first);
    array.fill(7);
    runtime::wait_for(second, first);
    Event behind = second.enqueue_marker();
    CHECK_FALSE(behind.complete());
    held.end(CL_COMPLETE);
    behind.wait();
  }
  CHECK(array.download() == std::vector<std::uint32_t>(1000, 7));
}

TEST_CASE("events: what failed, or cannot be waited for, is an error") {
  const Device device = Device::pick(), other = Device::pick();
  {
    const Device own = device.with_own_queue();  // which waits for the command at its end
    Held held(own);
    held.end(-5);
    CHECK_THROWS_AS(held.event().wait(), DeviceError);
    CHECK_THROWS_AS(held.event().complete(), DeviceError);
  }
  // Of another context: no barrier is made, and nobody may go on as if it were.
  CHECK_THROWS_AS(runtime::wait_for(other, device), InputError);
}
