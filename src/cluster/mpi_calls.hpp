// Calls of MPI: one at a time in a process, checked, and waits that sleep.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::cluster {

/// Throws Error unless `code` is success.
void check_mpi(int code, const char* call);

/// Serialises the calls of this process, as MPI_THREAD_SERIALIZED requires.
std::mutex& mpi_mutex();

/// Makes one call of MPI, which must not wait for other ranks.
template <class... Parameters, class... Arguments>
void call_mpi(const char* name, int (*function)(Parameters...), Arguments&&... arguments) {
  const std::lock_guard lock(mpi_mutex());
  check_mpi(function(arguments...), name);
}
#define GENOCL_MPI(function, ...) ::genocl::cluster::call_mpi(#function, function, __VA_ARGS__)

/// The pause between two polls; it grows with the duration of the wait.
class Patience {
 public:
  void wait() {
    if (++asked_ < 50)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::min<std::chrono::microseconds>(longest, std::chrono::microseconds(asked_)));
  }

 private:
  static constexpr std::chrono::microseconds longest{500};
  unsigned asked_ = 0;
};

/// Waits until the request is complete.
inline void wait_for(MPI_Request& request) {
  Patience patience;
  for (int done = 0;;) {
    GENOCL_MPI(MPI_Test, &request, &done, MPI_STATUS_IGNORE);
    if (done != 0) return;
    patience.wait();
  }
}

/// A communicator that belongs to the library.
class OwnComm {
 public:
  OwnComm() = default;
  OwnComm(OwnComm&& other) noexcept : comm_(std::exchange(other.comm_, MPI_COMM_NULL)) {}
  OwnComm& operator=(OwnComm&& other) noexcept {
    std::swap(comm_, other.comm_);
    return *this;
  }
  ~OwnComm();

  static OwnComm duplicate_of(MPI_Comm comm);
  /// The ranks of `comm` that share memory with this rank.
  static OwnComm on_node(MPI_Comm comm);
  /// The ranks of `group`. Collective for them.
  static OwnComm of_group(MPI_Comm comm, MPI_Group group, int tag);
  MPI_Comm get() const noexcept { return comm_; }

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace genocl::cluster
