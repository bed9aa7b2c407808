// Sorts a part of the caller's buffer after the caller's event, in the caller's scratch memory, without waiting.
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/genocl.hpp"
#include "genocl/opencl.hpp"

int main() {
  const genocl::Device device = genocl::Device::pick();
  const cl::Context context = device.context();
  const std::vector<std::uint32_t> numbers{9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  const std::size_t bytes = numbers.size() * sizeof(numbers[0]);

  // The caller's queue fills the caller's buffer.
  const cl::CommandQueue queue(context, device.opencl_device());
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
  cl::Event filled, read;
  queue.enqueueWriteBuffer(buffer, CL_FALSE, 0, bytes, numbers.data(), nullptr, &filled);
  queue.flush();

  // genocl sorts elements 2 to 6 after that.
  const genocl::Span<std::uint32_t> part(buffer, 5, 2);
  genocl::Array<std::byte> memory(device, genocl::primitives::sort_scratch_bytes<std::uint32_t>(device, 5, false));
  genocl::Event sorted;
  genocl::primitives::sort(device, part, {}, {.wait_for = {filled}, .event = &sorted, .scratch = memory});

  // The caller's queue waits for the sort.
  std::vector<std::uint32_t> result(numbers.size());
  const std::vector<cl::Event> after{sorted};
  queue.enqueueReadBuffer(buffer, CL_FALSE, 0, bytes, result.data(), &after, &read);
  queue.flush();
  read.wait();
  for (const std::uint32_t number : result) std::cout << number << ' ';
  std::cout << "\n";
  return result == std::vector<std::uint32_t>{9, 8, 3, 4, 5, 6, 7, 2, 1, 0} ? 0 : 1;
}
