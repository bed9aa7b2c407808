// Turns OpenCL's status codes into genocl's exceptions.
#pragma once

#include <string>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/opencl.hpp"

namespace genocl::runtime {

/// Throws DeviceError when `code` is not CL_SUCCESS.
inline void check(cl_int code, std::string_view operation, const std::string& device = {},
                  const std::string& kernel = {}) {
  if (code != CL_SUCCESS) throw DeviceError(std::string(operation), device, kernel, code);
}

}  // namespace genocl::runtime
