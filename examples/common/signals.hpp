// What signals do to a program: nothing is left behind, and what has a reason that can be told is told.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>

#include "genocl/files.hpp"

namespace program {

/// What is said at SIGBUS, made beforehand: a handler may make nothing.
inline std::array<char, 256>& bus_error_text() {
  static std::array<char, 256> text{};
  return text;
}

/// Files that are begun go away with the program also where they have names already.
inline void remove_temporaries_at_signals() {
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;  // as under nohup
    struct sigaction action {};
    // The signal comes a second time with its default action, so that the status tells of it.
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    action.sa_handler = [](int again) {
      genocl::files::remove_temporaries();
      raise(again);
    };
    sigaction(number, &action, nullptr);
  }
}

/// Signals of files: what would grow beyond the process's limit (ulimit -f) cannot be written, which is an error like
/// others; where another process cuts off a file that is mapped, its bytes are gone, and so is what was to be done.
inline void prepare_for_signals_of_files(const char* name) {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
  std::array<char, 256>& text = bus_error_text();
  std::snprintf(text.data(), text.size(), "%s: error: an input was cut off by another process while it was read\n",
                name);
  action.sa_handler = [](int) {
    // Other threads may meet the same: one tells of it, and ends all.
    static std::atomic_flag told = ATOMIC_FLAG_INIT;
    while (told.test_and_set()) pause();
    genocl::files::remove_temporaries();
    const std::array<char, 256>& said = bus_error_text();
    std::size_t size = 0;
    while (said[size] != '\0') ++size;
    if (write(STDERR_FILENO, said.data(), size) < 0) _exit(2);
    _exit(1);
  };
  sigaction(SIGBUS, &action, nullptr);
}

/// Does both for the program of that name, before its work.
inline void prepare_for_signals(const char* name) {
  remove_temporaries_at_signals();
  prepare_for_signals_of_files(name);
}

}  // namespace program
