// Processes that do one job together, on one machine or many. MPI starts, places and ends them.
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
/// It takes a communicator of the caller's and never starts or ends MPI. MPI has to be there with
/// MPI_THREAD_SERIALIZED at least (MPI_Init_thread): the library calls it on several threads, one at a time. A caller
/// who calls MPI while a call of the library is under way needs MPI_THREAD_MULTIPLE. Waiting sleeps: a rank that waits
/// leaves its cores to the others.
///
/// Calls that are named collective have to be made by all ranks, in the same order. An error of one rank is thrown on
/// that rank; the others wait for it in vain, as is usual in MPI: who catches it ends the job with MPI_Abort.
namespace genocl::cluster {

/// The ranks of a job. Copies share the communicator. For one thread at a time.
class GENOCL_EXPORT Communicator {
 public:
  /// Collective. Duplicates `comm`, which stays the caller's. Throws Error where MPI was not initialised, or with fewer
  /// threads than are needed.
  explicit Communicator(MPI_Comm comm);

  int rank() const noexcept;
  int size() const noexcept;
  /// Rank 0 reads what only one can read, and writes what only one can write.
  bool is_root() const noexcept { return rank() == 0; }
  /// The place among the ranks of the same machine (those that share memory), and how many they are.
  int node_rank() const noexcept;
  int node_size() const noexcept;
  /// The duplicate, for the caller's own messages to the same ranks.
  MPI_Comm get() const noexcept;

  /// Collective, all that follow. O(log ranks) messages each, unless it says otherwise.
  void barrier() const;
  /// Makes `bytes` of every rank those of rank `from`.
  void broadcast(std::vector<std::byte>& bytes, int from = 0) const;
  /// On rank 0: [rank], the bytes that each gave. On the others: nothing. O(ranks) messages.
  std::vector<std::vector<std::byte>> gather(std::span<const std::byte> bytes) const;
  /// On every rank: [rank], the bytes that each gave.
  std::vector<std::vector<std::byte>> gather_everywhere(std::span<const std::byte> bytes) const;
  /// values[i] becomes the sum, or the greatest, of all ranks' values[i]. Every rank gives as many.
  void sum(std::span<std::uint64_t> values) const;
  void greatest(std::span<double> values) const;

  /// For the library's own use.
  struct State;
  const std::shared_ptr<State>& state() const noexcept { return state_; }

 private:
  std::shared_ptr<State> state_;
};

/// Collective. Gives this rank its share of its machine's cores, so that the ranks there do not each start threads for
/// all of them: bounds the threads of PoCL (by its environment variables, unless they are set), and where Open MPI's
/// mpirun has bound ranks to single cores without being asked to, binds each to its share instead. To be called before
/// anything of OpenCL, which reads those variables once.
GENOCL_EXPORT void share_cores(const Communicator& ranks);

/// The devices of this rank. With `spec` those that it names, on every rank. Without it the machine's GPUs are dealt
/// out to its ranks in turn, one for each and again from the first where there are more ranks; a rank gets several
/// where there are more GPUs; where there is no GPU, each gets the default device.
GENOCL_EXPORT std::vector<Device> pick_devices(const Communicator& ranks, const std::string& spec = {});

}  // namespace genocl::cluster
