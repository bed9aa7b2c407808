// How a program ends that fails: one line on standard error, and a status that says whose fault it was.
#pragma once

#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>

#include "genocl/error.hpp"

namespace program {

/// For the `catch (...)` of main(): tells the exception that is being handled. Returns the program's status: 1 for
/// wrong usage or input, 2 where a device failed or there is too little memory.
inline int report_error(const char* name) noexcept {
  const auto tell = [name](const char* what) { std::cerr << name << ": error: " << what << '\n'; };
  try {
    throw;
  } catch (const genocl::DeviceError& error) {
    tell(error.what());
    return 2;
  } catch (const genocl::CapacityError& error) {
    tell(error.what());
    return 2;
  } catch (const std::bad_alloc&) {
    tell("the host has too little memory for this");
    return 2;
  } catch (const std::length_error&) {  // more than a container can ever hold
    tell("the host has too little memory for this");
    return 2;
  } catch (const std::exception& error) {
    tell(error.what());
    return 1;
  } catch (...) {
    tell("an unknown error");
    return 1;
  }
}

}  // namespace program
