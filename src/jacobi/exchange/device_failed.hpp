// Tells which device of a run has failed, so that the others can go on.
#pragma once

#include <cstddef>
#include <exception>
#include <string>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::jacobi {

struct DeviceFailed {
  std::size_t device;        ///< its number in the run
  std::exception_ptr error;  ///< what it threw, a DeviceError
  std::string what;
};

/// Does something on a device. What OpenCL refuses there is thrown as DeviceFailed; everything else is no device's
/// fault, nor is a kernel that does not compile.
template <class Do>
decltype(auto) on_device(std::size_t device, Do&& what) {
  try {
    return std::forward<Do>(what)();
  } catch (const BuildError&) {
    throw;
  } catch (const DeviceError& error) {
    throw DeviceFailed{device, std::current_exception(), error.what()};
  }
}

}  // namespace genocl::jacobi
