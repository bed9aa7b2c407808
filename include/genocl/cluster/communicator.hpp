// The processes of one job on one or more machines. MPI starts, places and ends them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/device.hpp"
#include "genocl/export.hpp"

/// The optional component genocl::cluster.
///
/// It uses a communicator of the caller and never initialises or finalises MPI. MPI_Init_thread() must have been called
/// with MPI_THREAD_SERIALIZED or more: the library calls MPI from several threads, one at a time. A caller that calls
/// MPI during a call of the library needs MPI_THREAD_MULTIPLE. Waits sleep, so a waiting rank leaves its cores to
/// others.
///
/// All ranks must make collective calls in the same order. An error of one rank is thrown on that rank, and the other
/// ranks wait forever, as usual in MPI: the caller that catches it ends the job with MPI_Abort.
namespace genocl::cluster {

/// The ranks of a job. Copies share the communicator. Used by one thread at a time.
class GENOCL_EXPORT Communicator {
 public:
  /// Collective. Duplicates `comm`, which the caller continues to own. Throws Error if MPI is not initialised, or has
  /// a lower level of thread support than required.
  explicit Communicator(MPI_Comm comm);

  int rank() const noexcept;
  int size() const noexcept;
  /// Whether this is rank 0, which does input and output that only one rank can do.
  bool is_root() const noexcept { return rank() == 0; }
  /// The rank among the ranks of the same machine (those that share memory), and their number.
  int node_rank() const noexcept;
  int node_size() const noexcept;
  /// The duplicate, for messages of the caller to the same ranks.
  MPI_Comm get() const noexcept;

  // The following functions are collective and need O(log ranks) messages unless stated otherwise.

  void barrier() const;
  /// Replaces `bytes` on every rank by those of rank `from`.
  void broadcast(std::vector<std::byte>& bytes, int from = 0) const;
  /// Returns the bytes of each rank, by rank, on rank 0, and nothing on other ranks. O(ranks) messages.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) const;
  /// Returns the bytes of each rank, by rank, on every rank.
  std::vector<std::vector<std::byte>> gather_everywhere(std::span<const std::byte> bytes) const;
  /// Replaces values[i] by the sum, or the maximum, of the values[i] of all ranks. All ranks pass the same number of
  /// values.
  void sum(std::span<std::uint64_t> values) const;
  void max(std::span<double> values) const;

  /// Defined in the library.
  struct State;

 private:
  friend struct runtime::StateAccess;
  std::shared_ptr<State> state_;
};

/// Collective. Divides the cores of a machine among its ranks, so that each does not start threads for all of them.
/// Limits the threads of PoCL by its environment variables, unless they are set. If Open MPI's mpirun has bound ranks
/// to single cores by default, binds each rank to its part of the cores instead. Call it before any call of OpenCL,
/// which reads these variables once.
GENOCL_EXPORT void share_cores(const Communicator& ranks);

/// The devices of this rank: of those that `spec` or, if it is empty, GENOCL_DEVICE or else "gpu" names. GPUs and
/// accelerators of a machine are distributed to its ranks in turn: a rank has several if they outnumber ranks, and
/// ranks share one if ranks outnumber them. Each rank has all CPUs that `spec` names. Without a spec and a GPU, each
/// rank has the default device. Ranks of a machine must see the same devices, or one each.
///
/// @throws InputError if no device matches; the message lists all devices
GENOCL_EXPORT std::vector<Device> pick_devices(const Communicator& ranks, const std::string& spec = {});

}  // namespace genocl::cluster
