// Writes to closed pipes that are errors and do not end the process.
#pragma once

#include <pthread.h>

#include <cerrno>
#include <csignal>

namespace genocl::files {

/// While it lives, a write to a closed pipe fails with EPIPE in this thread instead of ending the process. The
/// process's own handling of SIGPIPE is not touched.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = pending();
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const int error = errno;
    int signal = 0;
    if (!was_pending_ && pending()) sigwait(&pipe_, &signal);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  static bool pending() {
    sigset_t set;
    sigemptyset(&set);
    return sigpending(&set) == 0 && sigismember(&set, SIGPIPE) == 1;
  }

  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

}  // namespace genocl::files
