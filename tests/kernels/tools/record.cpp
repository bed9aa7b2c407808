// To be preloaded (LD_PRELOAD) into a program that uses OpenCL: records under the folder $GENOCL_RECORD what genocl
// builds and launches.
//   <hash>.cl, <hash>.options   each distinct program that was built, as the driver got it
//   launched                    a line for each kernel launched: its file inside cl/, its name
// With GENOCL_RECORD_PTX=pretend it lets genocl believe that the device is NVIDIA's and takes inline PTX: programs are
// recorded with GENOCL_PTX=1, which the compilers for that target can check, and built without, so that they run on any
// device as far as they have a portable form; a kernel that has none is launched nowhere, and what the program makes of
// its results says nothing.
//
// It stands between the program and whatever OpenCL library it runs on, so it sees the truth of Oclgrind's runs too.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>

namespace {

struct State {
  std::mutex mutex;
  std::map<cl_program, std::string> sources;
  std::map<cl_kernel, std::string> kernels;
  std::set<std::string> written;
};

// Never destroyed: the program's own destructors may still call OpenCL.
State& state() {
  static State* const instance = new State;
  return *instance;
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

std::string folder() {
  const char* given = std::getenv("GENOCL_RECORD");
  if (given == nullptr) {
    std::fputs("record: GENOCL_RECORD is not set\n", stderr);
    std::abort();
  }
  return given;
}

// The file inside cl/ that a source was expanded from: it begins with `#line 1 "primitives/scan.cl"`, or has that line
// behind the text of a caller's expressions, whose lines are those of "genocl" and others without ending.
std::string file_of(const std::string& source) {
  const std::string begin = "#line 1 \"";
  if (source.compare(0, begin.size(), begin) != 0) return {};
  for (auto at = source.find(begin); at != std::string::npos; at = source.find(begin, at + 1)) {
    const auto first = at + begin.size();
    const std::string name = source.substr(first, source.find('"', first) - first);
    if (name.ends_with(".cl")) return name;
  }
  return {};
}

bool pretend_ptx() {
  const char* given = std::getenv("GENOCL_RECORD_PTX");
  return given != nullptr && given == std::string("pretend");
}

constexpr const char* ptx_define = " -DGENOCL_PTX=1";

// The options that the driver at hand understands.
std::string options_here(std::string options) {
  if (!pretend_ptx()) return options;
  if (const auto at = options.find(ptx_define); at != std::string::npos) options.erase(at, std::strlen(ptx_define));
  for (auto at = options.find("-cl-nv-"); at != std::string::npos; at = options.find("-cl-nv-"))
    options.erase(at, std::min(options.find(' ', at), options.size()) - at);
  return options;
}

void write(const std::string& name, const std::string& text, std::ios::openmode mode = std::ios::trunc) {
  std::ofstream stream(folder() + "/" + name, std::ios::out | mode);
  stream << text << std::flush;
  if (!stream) {
    std::fprintf(stderr, "record: cannot write %s/%s\n", folder().c_str(), name.c_str());
    std::abort();
  }
}

// Stands for a kernel that is not in the portable form of its program.
char absent_kernel;
bool is_absent(cl_kernel kernel) { return reinterpret_cast<char*>(kernel) == &absent_kernel; }

}  // namespace

extern "C" {

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform, cl_platform_info what, size_t bytes,
                                                  void* value, size_t* needed) {
  if (what != CL_PLATFORM_NAME || !pretend_ptx())
    return next<decltype(clGetPlatformInfo)>("clGetPlatformInfo")(platform, what, bytes, value, needed);
  const char name[] = "NVIDIA, pretended";
  if (needed != nullptr) *needed = sizeof name;
  if (value != nullptr && bytes < sizeof name) return CL_INVALID_VALUE;
  if (value != nullptr) std::memcpy(value, name, sizeof name);
  return CL_SUCCESS;
}

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count, const char** strings,
                                                              const size_t* lengths, cl_int* error) {
  const auto program =
      next<decltype(clCreateProgramWithSource)>("clCreateProgramWithSource")(context, count, strings, lengths, error);
  std::string source;
  for (cl_uint i = 0; i < count; i++)
    source += lengths != nullptr && lengths[i] != 0 ? std::string(strings[i], lengths[i]) : std::string(strings[i]);
  const std::lock_guard lock(state().mutex);
  state().sources[program] = source;
  return program;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id* devices,
                                               const char* options, void(CL_CALLBACK* notify)(cl_program, void*),
                                               void* data) {
  const std::string text = options != nullptr ? options : "";
  std::string source;
  {
    const std::lock_guard lock(state().mutex);
    if (const auto found = state().sources.find(program); found != state().sources.end()) source = found->second;
  }
  const bool pretend = pretend_ptx() && text.find(ptx_define) != std::string::npos;
  cl_int code = CL_SUCCESS;
  // genocl builds this one to see whether it can, and never runs it.
  if (!pretend || file_of(source) != "common/probe_ptx.cl")
    code = next<decltype(clBuildProgram)>("clBuildProgram")(program, count, devices, options_here(text).c_str(), notify,
                                                            data);
  // Without PTX it may be none that the kernel allows; the one with it is recorded all the same.
  if ((code != CL_SUCCESS && !pretend) || file_of(source).empty()) return code;
  char name[32];
  std::snprintf(name, sizeof name, "%016zx", std::hash<std::string>{}(text + '\n' + source));
  const std::lock_guard lock(state().mutex);
  if (state().written.insert(name).second) {
    write(name + std::string(".cl"), source);
    write(name + std::string(".options"), text + '\n');
  }
  return code;
}

CL_API_ENTRY cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char* name, cl_int* error) {
  cl_int code = CL_SUCCESS;
  auto kernel = next<decltype(clCreateKernel)>("clCreateKernel")(program, name, &code);
  const std::lock_guard lock(state().mutex);
  if (code == CL_INVALID_KERNEL_NAME && pretend_ptx()) {
    kernel = reinterpret_cast<cl_kernel>(&absent_kernel);
    code = CL_SUCCESS;
  } else {
    state().kernels[kernel] = file_of(state().sources[program]) + ' ' + name;
  }
  if (error != nullptr) *error = code;
  return kernel;
}

CL_API_ENTRY cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t bytes, const void* value) {
  if (is_absent(kernel)) return CL_SUCCESS;
  return next<decltype(clSetKernelArg)>("clSetKernelArg")(kernel, index, bytes, value);
}

CL_API_ENTRY cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
  return is_absent(kernel) ? CL_SUCCESS : next<decltype(clRetainKernel)>("clRetainKernel")(kernel);
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
  return is_absent(kernel) ? CL_SUCCESS : next<decltype(clReleaseKernel)>("clReleaseKernel")(kernel);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                                       const size_t* offset, const size_t* global, const size_t* local,
                                                       cl_uint waits, const cl_event* wait_list, cl_event* event) {
  if (is_absent(kernel)) return CL_SUCCESS;
  const cl_int code = next<decltype(clEnqueueNDRangeKernel)>("clEnqueueNDRangeKernel")(
      queue, kernel, dimensions, offset, global, local, waits, wait_list, event);
  if (code != CL_SUCCESS) return code;
  const std::lock_guard lock(state().mutex);
  const std::string& line = state().kernels[kernel];
  if (state().written.insert(line).second) write("launched", line + '\n', std::ios::app);
  return code;
}
}
