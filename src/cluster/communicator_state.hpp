// The state of a Communicator.
#pragma once

#include <atomic>
#include <thread>

#include "cluster/mpi_calls.hpp"
#include "genocl/cluster/communicator.hpp"

namespace genocl::cluster {

struct Communicator::State {
  OwnComm comm, node;
  int rank = 0, size = 1, node_rank = 0, node_size = 1;

  explicit State(MPI_Comm of);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

 private:
  /// Calls MPI at intervals, so that one-sided operations of other ranks progress while this rank computes.
  void run_progress();
  std::atomic<bool> ends_ = false;
  std::thread progress_;
};

/// Maximum bytes of one message: MPI counts in int.
constexpr std::size_t message_bytes = std::size_t{1} << 30;

}  // namespace genocl::cluster
