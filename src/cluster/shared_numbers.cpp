#include "cluster/shared_numbers.hpp"

#include <algorithm>
#include <exception>

namespace genocl::cluster {

SharedNumbers::SharedNumbers(const Communicator& ranks, int count)
    : ranks_(ranks.state()), exceptions_(std::uncaught_exceptions()) {
  const MPI_Aint bytes = ranks.is_root() ? static_cast<MPI_Aint>(count * sizeof(std::uint64_t)) : 0;
  std::uint64_t* numbers = nullptr;
  GENOCL_MPI(MPI_Win_allocate, bytes, static_cast<int>(sizeof(std::uint64_t)), MPI_INFO_NULL, ranks.get(), &numbers,
             &window_);
  GENOCL_MPI(MPI_Win_set_errhandler, window_, MPI_ERRORS_RETURN);
  GENOCL_MPI(MPI_Win_lock_all, MPI_MODE_NOCHECK, window_);
  if (ranks.is_root()) {
    std::fill_n(numbers, count, 0);
    GENOCL_MPI(MPI_Win_sync, window_);
  }
  ranks.barrier();
}

SharedNumbers::~SharedNumbers() {
  int ended = 0;
  MPI_Finalized(&ended);
  // The other ranks do not come along with an exception of this one: the job is about to be ended.
  if (ended != 0 || std::uncaught_exceptions() > exceptions_) return;
  const std::lock_guard lock(mpi_mutex());
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

std::uint64_t SharedNumbers::add(int number, std::uint64_t add) const {
  std::uint64_t before = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Rget_accumulate, &add, 1, MPI_UINT64_T, &before, 1, MPI_UINT64_T, 0, static_cast<MPI_Aint>(number), 1,
             MPI_UINT64_T, MPI_SUM, window_, &request);
  wait_for(request);
  return before;
}

}  // namespace genocl::cluster
