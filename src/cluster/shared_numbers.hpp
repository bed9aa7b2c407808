// Numbers on rank 0 that all ranks read and add to.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "cluster/communicator_state.hpp"

namespace genocl::cluster {

/// They are in a window of MPI, so no rank answers requests. If MPI has no windows for the network (Debian's Open MPI 4
/// over TCP), a thread of rank 0 answers messages instead.
class SharedNumbers {
 public:
  /// Collective. `count` numbers, all 0. `windows` false: as if MPI had none.
  SharedNumbers(const Communicator& ranks, int count, bool windows = true);
  /// Collective.
  ~SharedNumbers();
  SharedNumbers(const SharedNumbers&) = delete;
  SharedNumbers& operator=(const SharedNumbers&) = delete;

  /// Adds `add` and returns the number before. Thread-safe.
  std::uint64_t add(int number, std::uint64_t add) const;
  std::uint64_t get(int number) const { return add(number, 0); }

 private:
  bool make_window(const Communicator& ranks, int count);
  void answer();
  std::uint64_t ask(int number, std::uint64_t add) const;

  Communicator ranks_;
  int exceptions_ = 0;
  MPI_Win window_ = MPI_WIN_NULL;

  // Without a window.
  OwnComm comm_;
  mutable std::vector<std::atomic<std::uint64_t>> numbers_;  // rank 0's
  mutable std::mutex asking_;
  std::atomic<bool> ends_ = false;
  std::thread answering_;
};

}  // namespace genocl::cluster
