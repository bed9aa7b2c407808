#include "runtime/memory/host_view.hpp"

#include "runtime/device/access.hpp"
#include "runtime/device/device_core.hpp"

namespace genocl::runtime {

// An integrated GPU would have to lock the pages, which drivers refuse for a mapped file.
bool computes_in_host_memory(const Device& device) {
  return device.info().type == DeviceType::cpu && core_of(device).maps_buffers();
}

cl::Buffer buffer_of_host(const Device& device, std::span<const std::byte> bytes) {
  if (!computes_in_host_memory(device) || bytes.empty() || bytes.size() > device.info().max_allocation) return {};
  cl_int code = CL_SUCCESS;
  // OpenCL's argument is not const; with CL_MEM_READ_ONLY nothing writes to it.
  void* const memory = const_cast<std::byte*>(bytes.data());
  const cl_mem buffer =
      clCreateBuffer(device.context()(), CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, bytes.size(), memory, &code);
  return code == CL_SUCCESS ? cl::Buffer(buffer) : cl::Buffer();
}

}  // namespace genocl::runtime
