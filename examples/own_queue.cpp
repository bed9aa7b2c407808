// genocl with the caller's context and queue: calls of the library and the caller's kernels share buffers and keep
// their order. The library leaves context and queue unchanged.
#include <cstdint>
#include <iostream>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"
#include "genocl/primitives.hpp"

int main() try {
  // The caller's OpenCL: any device of any platform, a context, an in-order queue, a buffer.
  std::vector<cl::Platform> platforms;
  cl::Platform::get(&platforms);
  std::vector<cl::Device> devices;
  for (const cl::Platform& platform : platforms)
    if (devices.empty()) platform.getDevices(CL_DEVICE_TYPE_ALL, &devices);
  if (devices.empty()) {
    std::cerr << "no OpenCL device\n";
    return 2;
  }
  const cl::Context context(devices[0]);
  const cl::CommandQueue queue(context, devices[0]);
  std::vector<std::uint32_t> numbers = {170, 45, 75, 90, 802, 24, 2, 66};
  const std::size_t bytes = numbers.size() * sizeof(numbers[0]);
  const cl::Buffer buffer(context, CL_MEM_READ_WRITE, bytes);
  queue.enqueueWriteBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());

  // genocl uses these objects.
  const genocl::Device device(queue);
  genocl::primitives::sort(device, genocl::Span<std::uint32_t>(buffer));

  // The caller's OpenCL again: the queue is in order, so this waits for the sort.
  queue.enqueueReadBuffer(buffer, CL_TRUE, 0, bytes, numbers.data());
  for (const std::uint32_t number : numbers) std::cout << number << ' ';
  std::cout << "\nsorted on " << device.info().name << '\n';
  return numbers == std::vector<std::uint32_t>{2, 24, 45, 66, 75, 90, 170, 802} ? 0 : 2;
} catch (const genocl::Error& error) {
  std::cerr << error.what() << '\n';
  return 2;
}
