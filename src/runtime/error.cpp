#include "genocl/error.hpp"

#include "genocl/packing.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "genocl/opencl.hpp"

namespace genocl {
namespace {

struct ErrorName {
  int code;
  const char* name;
};

#define NAME(code) \
  ErrorName { code, #code }
constexpr std::array error_names{
    NAME(CL_SUCCESS),
    NAME(CL_DEVICE_NOT_FOUND),
    NAME(CL_DEVICE_NOT_AVAILABLE),
    NAME(CL_COMPILER_NOT_AVAILABLE),
    NAME(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    NAME(CL_OUT_OF_RESOURCES),
    NAME(CL_OUT_OF_HOST_MEMORY),
    NAME(CL_PROFILING_INFO_NOT_AVAILABLE),
    NAME(CL_MEM_COPY_OVERLAP),
    NAME(CL_IMAGE_FORMAT_MISMATCH),
    NAME(CL_IMAGE_FORMAT_NOT_SUPPORTED),
    NAME(CL_BUILD_PROGRAM_FAILURE),
    NAME(CL_MAP_FAILURE),
    NAME(CL_MISALIGNED_SUB_BUFFER_OFFSET),
    NAME(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    NAME(CL_COMPILE_PROGRAM_FAILURE),
    NAME(CL_LINKER_NOT_AVAILABLE),
    NAME(CL_LINK_PROGRAM_FAILURE),
    NAME(CL_DEVICE_PARTITION_FAILED),
    NAME(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    NAME(CL_INVALID_VALUE),
    NAME(CL_INVALID_DEVICE_TYPE),
    NAME(CL_INVALID_PLATFORM),
    NAME(CL_INVALID_DEVICE),
    NAME(CL_INVALID_CONTEXT),
    NAME(CL_INVALID_QUEUE_PROPERTIES),
    NAME(CL_INVALID_COMMAND_QUEUE),
    NAME(CL_INVALID_HOST_PTR),
    NAME(CL_INVALID_MEM_OBJECT),
    NAME(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR),
    NAME(CL_INVALID_IMAGE_SIZE),
    NAME(CL_INVALID_SAMPLER),
    NAME(CL_INVALID_BINARY),
    NAME(CL_INVALID_BUILD_OPTIONS),
    NAME(CL_INVALID_PROGRAM),
    NAME(CL_INVALID_PROGRAM_EXECUTABLE),
    NAME(CL_INVALID_KERNEL_NAME),
    NAME(CL_INVALID_KERNEL_DEFINITION),
    NAME(CL_INVALID_KERNEL),
    NAME(CL_INVALID_ARG_INDEX),
    NAME(CL_INVALID_ARG_VALUE),
    NAME(CL_INVALID_ARG_SIZE),
    NAME(CL_INVALID_KERNEL_ARGS),
    NAME(CL_INVALID_WORK_DIMENSION),
    NAME(CL_INVALID_WORK_GROUP_SIZE),
    NAME(CL_INVALID_WORK_ITEM_SIZE),
    NAME(CL_INVALID_GLOBAL_OFFSET),
    NAME(CL_INVALID_EVENT_WAIT_LIST),
    NAME(CL_INVALID_EVENT),
    NAME(CL_INVALID_OPERATION),
    NAME(CL_INVALID_GL_OBJECT),
    NAME(CL_INVALID_BUFFER_SIZE),
    NAME(CL_INVALID_MIP_LEVEL),
    NAME(CL_INVALID_GLOBAL_WORK_SIZE),
    NAME(CL_INVALID_PROPERTY),
    NAME(CL_INVALID_IMAGE_DESCRIPTOR),
    NAME(CL_INVALID_COMPILER_OPTIONS),
    NAME(CL_INVALID_LINKER_OPTIONS),
    NAME(CL_INVALID_DEVICE_PARTITION_COUNT),
    ErrorName{-1001, "CL_PLATFORM_NOT_FOUND_KHR"},
};
#undef NAME

std::string device_message(const std::string& operation, const std::string& device, const std::string& kernel, int code,
                           const std::string& detail) {
  std::string message = operation;
  if (!kernel.empty()) message += " of kernel " + kernel;
  if (!device.empty()) message += " on " + device;
  message += " failed";
  if (code != 0) message += ": " + opencl_error_name(code) + " (" + std::to_string(code) + ")";
  if (!detail.empty()) message += ": " + detail;
  return message;
}

// Finds the compiler's first error, for a one-line message.
std::string first_error(const std::string& log) {
  std::size_t begin = 0;
  std::string first;
  while (begin < log.size()) {
    const std::size_t end = std::min(log.find('\n', begin), log.size());
    std::string line = log.substr(begin, end - begin);
    if (line.find("error") != std::string::npos) return line;
    if (first.empty() && line.find_first_not_of(" \t\r") != std::string::npos) first = line;
    begin = end + 1;
  }
  return first;
}

std::string build_detail(const std::string& file, const std::string& log, const std::string& detail) {
  std::string message = file;
  if (!detail.empty()) message += ": " + detail;
  const std::string error = first_error(log);
  if (!error.empty()) message += ": " + error;
  return message;
}

std::string input_message(const std::string& file, const std::string& where, const std::string& wrong,
                          const std::string& expected) {
  // Callers shorten quoted input with shown(). This bound keeps any other text from filling a terminal.
  constexpr std::size_t longest = 4000;
  std::string message = file;
  if (!where.empty()) message += (message.empty() ? "" : ":") + shown(where, longest);
  message += (message.empty() ? "" : ": ") + shown(wrong, longest);
  if (!expected.empty()) message += "; expected " + expected;
  return message;
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array units{"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  std::uint64_t tenths = bytes * (bytes < UINT64_MAX / 10 ? 10 : 1);
  while (tenths >= 10240 && unit + 1 < units.size()) {
    tenths /= 1024;
    ++unit;
  }
  std::string text = std::to_string(tenths / 10);
  if (unit != 0) text += "." + std::to_string(tenths % 10);
  return text + " " + units[unit] + (unit != 0 ? " (" + std::to_string(bytes) + " bytes)" : "");
}

}  // namespace

// Destructors are defined here so that the type information exists once, in the library, and exceptions can be caught
// across its boundary.
Error::~Error() = default;
DeviceError::~DeviceError() = default;
BuildError::~BuildError() = default;
InputError::~InputError() = default;
CapacityError::~CapacityError() = default;
Cancelled::~Cancelled() = default;

DeviceError::DeviceError(std::string operation, std::string device, std::string kernel, int code,
                         const std::string& detail)
    : Error(device_message(operation, device, kernel, code, detail)),
      operation_(std::move(operation)),
      device_(std::move(device)),
      kernel_(std::move(kernel)),
      code_(code) {}

BuildError::BuildError(std::string file, std::string device, int code, std::string log, const std::string& detail)
    : DeviceError("building a kernel", std::move(device), {}, code, build_detail(file, log, detail)),
      file_(std::move(file)),
      log_(std::move(log)) {}

InputError::InputError(const std::string& wrong) : Error(wrong), wrong_(wrong) {}

InputError::InputError(std::string file, std::string where, std::string wrong, std::string expected)
    : Error(input_message(file, where, wrong, expected)),
      file_(std::move(file)),
      where_(std::move(where)),
      wrong_(std::move(wrong)),
      expected_(std::move(expected)) {}

CapacityError::CapacityError(const std::string& what_for, std::uint64_t needed_bytes, std::uint64_t available_bytes)
    : Error(what_for + " needs " + size_text(needed_bytes) + ", there are " + size_text(available_bytes)),
      needed_(needed_bytes),
      available_(available_bytes) {}

Cancelled::Cancelled() : Error("cancelled") {}

std::string shown(std::string_view text, std::size_t longest) {
  std::size_t size = std::min(text.size(), longest);
  // Do not cut a UTF-8 character.
  if (size < text.size())
    for (int back = 0; back < 3 && size > 0 && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80; ++back) --size;
  std::string result(text.substr(0, size));
  for (char& c : result)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = c == '\t' ? ' ' : '?';
  return size < text.size() ? result + "..." : result;
}

void Unpacker::fail(const char* why) { throw Error(why); }

std::string in_quotes(std::string_view text) { return '"' + shown(text) + '"'; }

std::string opencl_error_name(int code) {
  const auto found =
      std::find_if(error_names.begin(), error_names.end(), [&](const ErrorName& e) { return e.code == code; });
  return found != error_names.end() ? found->name : "CL_ERROR_" + std::to_string(code);
}

}  // namespace genocl
