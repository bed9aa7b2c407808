// To be preloaded (LD_PRELOAD) into a program that uses OpenCL: makes calls fail that would not.
//   GENOCL_FAIL=clCreateBuffer:17   the 17th call of that function, counted from 1, is not made and returns an error; :17:-5
//                                   chooses which
//   GENOCL_FAIL_DEVICE=1:17         from its 17th command on, every command of the second device fails, counted from 0 in
//                                   the order of its platform, as those of a device that is lost
//   GENOCL_FAIL_COUNTS=FILE         at the end of the process: a line for each function, with how often it was called, and
//                                   one for each device with commands, "device N", with how many those were
//
// clFinish and clWaitForEvents wait before they fail: the commands are not to write into memory that the program has
// given back by then, which a device that is lost does not do.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

enum class Call {
  create_context,
  create_queue,
  create_buffer,
  create_program,
  build_program,
  create_kernel,
  set_argument,
  launch,
  read,
  write,
  map,
  unmap,
  fill,
  copy,
  marker,
  barrier,
  flush,
  finish,
  wait,
  event_info,
  profiling_info,
  count
};

struct Fault {
  const char* name;
  cl_int code;  // what drivers say most often
};

constexpr std::size_t functions = static_cast<std::size_t>(Call::count);

constexpr std::array<Fault, functions> faults{{
    {"clCreateContext", CL_OUT_OF_HOST_MEMORY},
    {"clCreateCommandQueue", CL_OUT_OF_RESOURCES},
    {"clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"clCreateProgramWithSource", CL_OUT_OF_HOST_MEMORY},
    {"clBuildProgram", CL_BUILD_PROGRAM_FAILURE},
    {"clCreateKernel", CL_OUT_OF_HOST_MEMORY},
    {"clSetKernelArg", CL_OUT_OF_RESOURCES},
    {"clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES},
    {"clEnqueueReadBuffer", CL_OUT_OF_RESOURCES},
    {"clEnqueueWriteBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"clEnqueueMapBuffer", CL_MAP_FAILURE},
    {"clEnqueueUnmapMemObject", CL_OUT_OF_RESOURCES},
    {"clEnqueueFillBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"clEnqueueCopyBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE},
    {"clEnqueueMarkerWithWaitList", CL_OUT_OF_HOST_MEMORY},
    {"clEnqueueBarrierWithWaitList", CL_OUT_OF_HOST_MEMORY},
    {"clFlush", CL_OUT_OF_RESOURCES},
    {"clFinish", CL_OUT_OF_RESOURCES},
    {"clWaitForEvents", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST},
    {"clGetEventInfo", CL_OUT_OF_RESOURCES},
    {"clGetEventProfilingInfo", CL_PROFILING_INFO_NOT_AVAILABLE},
}};

constexpr std::size_t max_devices = 16;

constexpr std::size_t index_of(Call call) { return static_cast<std::size_t>(call); }

struct State {
  std::array<std::atomic<std::uint64_t>, functions> calls{};
  std::array<std::atomic<std::uint64_t>, max_devices> commands{};
  std::string function;  // that fails
  std::uint64_t at = 0;
  cl_int code = CL_SUCCESS;  // 0: the function's own
  std::size_t lost = max_devices;
  std::uint64_t lost_at = 0;
  std::string counts;

  State() {
    if (const char* given = std::getenv("GENOCL_FAIL_COUNTS")) counts = given;
    if (const char* given = std::getenv("GENOCL_FAIL")) {
      const std::string text = given;
      const std::size_t colon = text.find(':');
      function = text.substr(0, colon);
      char* end = nullptr;
      at = colon == std::string::npos ? 0 : std::strtoull(text.c_str() + colon + 1, &end, 10);
      if (end != nullptr && *end == ':') code = static_cast<cl_int>(std::strtol(end + 1, nullptr, 10));
      bool known = false;
      for (const Fault& fault : faults) known = known || function == fault.name;
      if (!known || at == 0) complain("GENOCL_FAIL", given);
    }
    if (const char* given = std::getenv("GENOCL_FAIL_DEVICE")) {
      char* end = nullptr;
      lost = std::strtoull(given, &end, 10);
      if (end != nullptr && *end == ':') lost_at = std::strtoull(end + 1, nullptr, 10);
      if (lost >= max_devices || lost_at == 0) complain("GENOCL_FAIL_DEVICE", given);
    }
  }
  static void complain(const char* variable, const char* given) {
    std::fprintf(stderr, "fail_call: %s=%s is not understood\n", variable, given);
    std::abort();
  }
};

// Never destroyed: the program's own destructors may still call OpenCL.
State& state() {
  static State* const instance = new State;
  return *instance;
}

struct AtEnd {
  ~AtEnd() {
    const State& known = state();
    if (known.counts.empty()) return;
    std::FILE* const file = std::fopen(known.counts.c_str(), "w");
    if (file == nullptr) return;
    for (std::size_t i = 0; i < functions; ++i)
      std::fprintf(file, "%s %llu\n", faults[i].name, static_cast<unsigned long long>(known.calls[i].load()));
    for (std::size_t i = 0; i < max_devices; ++i)
      if (known.commands[i] != 0)
        std::fprintf(file, "device %zu %llu\n", i, static_cast<unsigned long long>(known.commands[i].load()));
    std::fclose(file);
  }
} at_end;

template <class Called>
Called* next(const char* name) {
  return reinterpret_cast<Called*>(dlsym(RTLD_NEXT, name));
}

/// A call's error, or CL_SUCCESS for one that is to be made.
cl_int error_of(Call which) {
  State& known = state();
  const std::uint64_t number = ++known.calls[index_of(which)];
  if (number != known.at || known.function != faults[index_of(which)].name) return CL_SUCCESS;
  return known.code != CL_SUCCESS ? known.code : faults[index_of(which)].code;
}

std::size_t number_of(cl_device_id device) {
  cl_platform_id platform = nullptr;
  cl_uint count = 0;
  std::array<cl_device_id, max_devices> all{};
  if (clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, nullptr) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, max_devices, all.data(), &count) != CL_SUCCESS)
    return max_devices;
  for (std::size_t i = 0; i < count && i < all.size(); ++i)
    if (all[i] == device) return i;
  return max_devices;
}

/// The same for a command of this device.
cl_int error_of(Call which, cl_device_id device) {
  const cl_int code = error_of(which);
  State& known = state();
  if (code != CL_SUCCESS || (known.lost == max_devices && known.counts.empty())) return code;
  const std::size_t number = number_of(device);
  if (number == max_devices) return CL_SUCCESS;
  const std::uint64_t count = ++known.commands[number];
  return number == known.lost && count >= known.lost_at ? faults[index_of(which)].code : CL_SUCCESS;
}

cl_int error_of(Call which, cl_command_queue queue) {
  cl_device_id device = nullptr;
  clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, nullptr);
  return error_of(which, device);
}

cl_int error_of(Call which, cl_context context) {
  cl_device_id device = nullptr;  // genocl's contexts have one
  clGetContextInfo(context, CL_CONTEXT_DEVICES, sizeof device, &device, nullptr);
  return error_of(which, device);
}

cl_int error_of(Call which, cl_event event) {
  cl_command_queue queue = nullptr;
  clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, nullptr);
  return queue != nullptr ? error_of(which, queue) : error_of(which);
}

template <class Made>
Made none(cl_int code, cl_int* error) {
  if (error != nullptr) *error = code;
  return Made{};
}

}  // namespace

// Makes the call, unless there is an error for it.
#define GENOCL_NEXT(name) next<decltype(name)>(#name)

extern "C" {

CL_API_ENTRY cl_context CL_API_CALL clCreateContext(const cl_context_properties* properties, cl_uint count,
                                                    const cl_device_id* devices,
                                                    void(CL_CALLBACK* notify)(const char*, const void*, size_t, void*),
                                                    void* data, cl_int* error) {
  if (const cl_int code = error_of(Call::create_context)) return none<cl_context>(code, error);
  return GENOCL_NEXT(clCreateContext)(properties, count, devices, notify, data, error);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                               cl_command_queue_properties properties, cl_int* error) {
  if (const cl_int code = error_of(Call::create_queue, device)) return none<cl_command_queue>(code, error);
  return GENOCL_NEXT(clCreateCommandQueue)(context, device, properties, error);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void* host,
                                               cl_int* error) {
  if (const cl_int code = error_of(Call::create_buffer, context)) return none<cl_mem>(code, error);
  return GENOCL_NEXT(clCreateBuffer)(context, flags, bytes, host, error);
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                                              const size_t* lengths, cl_int* error) {
  if (const cl_int code = error_of(Call::create_program)) return none<cl_program>(code, error);
  return GENOCL_NEXT(clCreateProgramWithSource)(context, count, strings, lengths, error);
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                                               const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                               void* data) {
  if (const cl_int code = error_of(Call::build_program)) return code;
  return GENOCL_NEXT(clBuildProgram)(program, count, devices, options, notify, data);
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* name, cl_int* error) {
  if (const cl_int code = error_of(Call::create_kernel)) return none<cl_kernel>(code, error);
  return GENOCL_NEXT(clCreateKernel)(program, name, error);
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  if (const cl_int code = error_of(Call::set_argument)) return code;
  return GENOCL_NEXT(clSetKernelArg)(kernel, index, bytes, value);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t* offset, const size_t* global, const size_t* local,
                                                       cl_uint waits, const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::launch, queue)) return code;
  return GENOCL_NEXT(clEnqueueNDRangeKernel)(queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    size_t offset, size_t bytes, void* to, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::read, queue)) return code;
  return GENOCL_NEXT(clEnqueueReadBuffer)(queue, buffer, blocking, offset, bytes, to, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                     size_t offset, size_t bytes, const void* from, cl_uint waits,
                                                     const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::write, queue)) return code;
  return GENOCL_NEXT(clEnqueueWriteBuffer)(queue, buffer, blocking, offset, bytes, from, waits, wait_list, event);
}

CL_API_ENTRY void* CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                  cl_map_flags flags, size_t offset, size_t bytes, cl_uint waits,
                                                  const cl_event* wait_list, cl_event* event, cl_int* error) {
  if (const cl_int code = error_of(Call::map, queue)) return none<void*>(code, error);
  return GENOCL_NEXT(clEnqueueMapBuffer)(queue, buffer, blocking, flags, offset, bytes, waits, wait_list, event, error);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem buffer, void* mapped,
                                                        cl_uint waits, const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::unmap, queue)) return code;
  return GENOCL_NEXT(clEnqueueUnmapMemObject)(queue, buffer, mapped, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void* pattern,
                                                    size_t pattern_bytes, size_t offset, size_t bytes, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::fill, queue)) return code;
  return GENOCL_NEXT(clEnqueueFillBuffer)(queue, buffer, pattern, pattern_bytes, offset, bytes, waits, wait_list,
                                          event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem from, cl_mem to, size_t from_offset,
                                                    size_t to_offset, size_t bytes, cl_uint waits,
                                                    const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::copy, queue)) return code;
  return GENOCL_NEXT(clEnqueueCopyBuffer)(queue, from, to, from_offset, to_offset, bytes, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint waits,
                                                            const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::marker, queue)) return code;
  return GENOCL_NEXT(clEnqueueMarkerWithWaitList)(queue, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint waits,
                                                             const cl_event* wait_list, cl_event* event) {
  if (const cl_int code = error_of(Call::barrier, queue)) return code;
  return GENOCL_NEXT(clEnqueueBarrierWithWaitList)(queue, waits, wait_list, event);
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  if (const cl_int code = error_of(Call::flush, queue)) return code;
  return GENOCL_NEXT(clFlush)(queue);
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  const cl_int code = error_of(Call::finish, queue);
  const cl_int real = GENOCL_NEXT(clFinish)(queue);
  return code != CL_SUCCESS ? code : real;
}

CL_API_ENTRY cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event* events) {
  const cl_int code = count > 0 ? error_of(Call::wait, events[0]) : error_of(Call::wait);
  const cl_int real = GENOCL_NEXT(clWaitForEvents)(count, events);
  return code != CL_SUCCESS ? code : real;
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info what, size_t bytes, void* value,
                                               size_t* needed) {
  if (what == CL_EVENT_COMMAND_EXECUTION_STATUS)
    if (const cl_int code = error_of(Call::event_info)) return code;
  return GENOCL_NEXT(clGetEventInfo)(event, what, bytes, value, needed);
}

CL_API_ENTRY cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info what, size_t bytes,
                                                        void* value, size_t* needed) {
  if (const cl_int code = error_of(Call::profiling_info)) return code;
  return GENOCL_NEXT(clGetEventProfilingInfo)(event, what, bytes, value, needed);
}
}
