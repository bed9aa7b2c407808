// Runs the work of a program: exit status, one line of error message, removal of temporary files.
#pragma once

#include <signal.h>

#include <cerrno>
#include <exception>
#include <iostream>
#include <new>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include "file_kind.hpp"  // from the same folder: a test includes this file from elsewhere
#include "genocl/error.hpp"
#include "program.hpp"
#include "signals.hpp"

namespace program {

/// Calls `work` and returns the exit status: 0; 1 for an error of the command line or of a file; 2 for an error of a
/// device or a kernel, and for insufficient memory. `fail(status, text)` receives the error message and returns the
/// status.
template <class Work, class Fail>
int status_of(Work&& work, Fail&& fail) {
  try {
    work();
    return 0;
  } catch (const genocl::DeviceError& error) {
    return fail(2, error.what());
  } catch (const genocl::CapacityError& error) {
    return fail(2, error.what());
  } catch (const genocl::InputError& error) {
    return fail(1, message_of(error));
  } catch (const std::bad_alloc&) {
    return fail(2, "the host has too little memory for this");
  } catch (const std::length_error&) {  // above the maximum size of a container
    return fail(2, "the host has too little memory for this");
  } catch (const std::system_error& error) {
    return fail(1, error.code() == std::errc::resource_unavailable_try_again
                       ? std::string("no further thread can be started: ") + error.what()
                       : error.what());
  } catch (const std::exception& error) {
    return fail(1, error.what());
  } catch (...) {
    return fail(1, "an unknown error");
  }
}

/// Ends the process as SIGPIPE does, without a message, if `text` is the error of a closed pipe: `genocl ... | head`.
inline void end_if_pipe_is_closed(const std::string& text) {
  if (text != "standard output: cannot be written: " + std::generic_category().message(EPIPE)) return;
  signal(SIGPIPE, SIG_DFL);
  raise(SIGPIPE);
}

/// status_of() for a single process. Writes an error as one line to standard error.
template <class Work>
int run_program(const char* name, Work&& work) {
  prepare_for_signals(name);
  return status_of(std::forward<Work>(work), [name](int status, const std::string& text) {
    end_if_pipe_is_closed(text);
    std::cerr << called_name(name) << ": error: " << text << "\n";
    return status;
  });
}

}  // namespace program
