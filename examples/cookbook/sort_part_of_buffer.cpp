// Sorts a part of a buffer of your own after an event of your own, in scratch memory of your own, without a wait.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "genocl/genocl.hpp"
#include "genocl/opencl.hpp"

int main() {
  const genocl::Device device = genocl::Device::pick();
  const cl::Context context = device.context();
  const std::vector<std::uint32_t> numbers{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const std::size_t bytes = numbers.size() * sizeof(numbers[0]);

  // Your own queue fills your own buffer.
  const cl::CommandQueue queue(context, device.opencl_device());
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
  cl::Event filled, read;
  queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, numbers.data(), nullptr, &filled);
  queue.flush();

  // genocl sorts elements 2 to 6 when that is complete.
  const genocl::Span<std::uint32_t> part(buffer, 5, 2);
  genocl::Array<std::byte> memory(device, genocl::primitives::sort_scratch_bytes<std::uint32_t>(device, 5, false));
  genocl::Event sorted;
  genocl::primitives::sort(device, part, {}, {.wait_for = {filled}, .event = &sorted, .scratch = memory});

  // Your own queue waits for the sort.
  std::vector<std::uint32_t> result(numbers.size());
  const std::vector<cl::Event> after{sorted};
  queue.enqueueReadBuffer(buffer, CL_FALSE, 0, bytes, result.data(), &after, &read);
  queue.flush();
  read.wait();
  return result == std::vector<std::uint32_t>{9, 8, 3, 4, 5, 6, 7, 2, 1, 0} ? 0 : 1;
}
