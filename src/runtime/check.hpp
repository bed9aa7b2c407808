// Turns OpenCL's status codes into genocl's exceptions.
#pragma once

#include <string>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

/// Throws DeviceError if `code` is not CL_SUCCESS. The arguments are views, so a successful call copies nothing.
inline void check(cl_int code, std::string_view operation, std::string_view device = {}, std::string_view kernel = {}) {
  if (code != CL_SUCCESS) [[unlikely]]
    throw DeviceError(std::string(operation), std::string(device), std::string(kernel), code);
}

}  // namespace genocl::runtime
