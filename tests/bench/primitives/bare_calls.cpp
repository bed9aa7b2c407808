// The functions below stand before OpenCL's own of the same names, in the executable, so that the library's calls come
// here. They pass everything on, and note it while note_calls() runs.
#include "bare_calls.hpp"

#include <dlfcn.h>

#include <cstring>
#include <memory>
#include <string>

#include "genocl/opencl.hpp"

namespace genocl_bench {
namespace {

BareCalls* noted = nullptr;

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

std::vector<char> bytes_at(const void* data, std::size_t size) {
  std::vector<char> bytes(data != nullptr ? size : 0);
  if (!bytes.empty()) std::memcpy(bytes.data(), data, size);
  return bytes;
}

struct Sizes {
  std::size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1};
};

}  // namespace

BareCalls note_calls(const std::function<void()>& call) {
  BareCalls calls;
  noted = &calls;
  call();
  noted = nullptr;
  return calls;
}

}  // namespace genocl_bench

using genocl_bench::noted;

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void* value) {
  static auto* const real = genocl_bench::next<decltype(clSetKernelArg)>("clSetKernelArg");
  if (noted != nullptr)
    noted->calls.push_back([=, bytes = genocl_bench::bytes_at(value, size), local = value == nullptr] {
      real(kernel, index, size, local ? nullptr : bytes.data());
    });
  return real(kernel, index, size, value);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t* offset, const size_t* global, const size_t* local,
                                                       cl_uint waits, const cl_event* wait_list, cl_event* event) {
  static auto* const real = genocl_bench::next<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel");
  if (noted != nullptr) ++noted->commands;
  if (noted != nullptr) {
    genocl_bench::Sizes sizes;
    std::memcpy(sizes.global, global, dimensions * sizeof(size_t));
    std::memcpy(sizes.local, local, dimensions * sizeof(size_t));
    noted->calls.push_back(
        [=] { real(queue, kernel, dimensions, nullptr, sizes.global, sizes.local, 0, nullptr, nullptr); });
  }
  return real(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t size, void* host, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  static auto* const real = genocl_bench::next<decltype(clEnqueueReadBuffer)>("clEnqueueReadBuffer");
  if (noted != nullptr) ++noted->commands;
  if (noted != nullptr)
    noted->calls.push_back([=, to = std::make_shared<std::vector<char>>(size)] {
      real(queue, buffer, blocking, offset, size, to->data(), 0, nullptr, nullptr);
    });
  return real(queue, buffer, blocking, offset, size, host, waits, wait_list, event);
}

CL_API_ENTRY void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t size, cl_uint waits,
                                                  const cl_event* wait_list, cl_event* event, cl_int* code) {
  static auto* const real = genocl_bench::next<decltype(clEnqueueMapBuffer)>("clEnqueueMapBuffer");
  if (noted != nullptr) ++noted->commands;
  static auto* const unmap = genocl_bench::next<decltype(clEnqueueUnmapMemObject)>("clEnqueueUnmapMemObject");
  // With its unmapping.
  if (noted != nullptr)
    noted->calls.push_back([=] {
      cl_int ignored = CL_SUCCESS;
      void* const mapped = real(queue, buffer, blocking, flags, offset, size, 0, nullptr, nullptr, &ignored);
      unmap(queue, buffer, mapped, 0, nullptr, nullptr);
    });
  return real(queue, buffer, blocking, flags, offset, size, waits, wait_list, event, code);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                                                    size_t pattern_size, size_t offset, size_t size, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  static auto* const real = genocl_bench::next<decltype(clEnqueueFillBuffer)>("clEnqueueFillBuffer");
  if (noted != nullptr) ++noted->commands;
  if (noted != nullptr)
    noted->calls.push_back([=, bytes = genocl_bench::bytes_at(pattern, pattern_size)] {
      real(queue, buffer, bytes.data(), bytes.size(), offset, size, 0, nullptr, nullptr);
    });
  return real(queue, buffer, pattern, pattern_size, offset, size, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                    size_t to_offset, size_t size, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  static auto* const real = genocl_bench::next<decltype(clEnqueueCopyBuffer)>("clEnqueueCopyBuffer");
  if (noted != nullptr) ++noted->commands;
  if (noted != nullptr)
    noted->calls.push_back([=] { real(queue, from, to, from_offset, to_offset, size, 0, nullptr, nullptr); });
  return real(queue, from, to, from_offset, to_offset, size, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  static auto* const real = genocl_bench::next<decltype(clFinish)>("clFinish");
  if (noted != nullptr) noted->calls.push_back([=] { real(queue); });
  return real(queue);
}

}  // extern "C"
