// Signal handlers: they remove temporary files, and report an input that another process truncated.
#pragma once

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdio>

#include "genocl/files.hpp"

namespace program {

/// The message for SIGBUS. It is prepared in advance, since a signal handler must not allocate.
inline std::array<char, 256>& bus_error_text() {
  static std::array<char, 256> text{};
  return text;
}

/// Removes temporary files on SIGHUP, SIGINT and SIGTERM.
inline void remove_temporaries_at_signals() {
  for (const int number : {SIGHUP, SIGINT, SIGTERM}) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) continue;  // as under nohup
    struct sigaction action {};
    // The handler raises the signal again with its default action, so that the exit status shows it.
    action.sa_flags = SA_RESETHAND | SA_NODEFER;
    action.sa_handler = [](int again) {
      genocl::files::remove_temporaries();
      raise(again);
    };
    sigaction(number, &action, nullptr);
  }
}

/// SIGXFSZ: ignored, so that a write beyond the file size limit (ulimit -f) is an ordinary error. SIGBUS: another
/// process truncated a mapped file; the program ends with an error message.
inline void prepare_for_signals_of_files(const char* name) {
  struct sigaction action {};
  action.sa_handler = SIG_IGN;
  sigaction(SIGXFSZ, &action, nullptr);
  std::array<char, 256>& text = bus_error_text();
  std::snprintf(text.data(), text.size(), "%s: error: an input was cut off by another process while it was read\n",
                name);
  action.sa_handler = [](int) {
    // Several threads may receive the signal. The first one ends the process.
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

/// Installs all handlers. `name`: the program's name for messages. To be called before the work begins.
inline void prepare_for_signals(const char* name) {
  remove_temporaries_at_signals();
  prepare_for_signals_of_files(name);
}

}  // namespace program
