#include "cluster/shared_numbers.hpp"

#include <algorithm>
#include <array>
#include <exception>

namespace genocl::cluster {
namespace {

enum NumberTag : int { number_request_tag = 1, number_answer_tag = 2 };

struct NumberRequest {
  std::int64_t number = 0;
  std::uint64_t add = 0;
};

}  // namespace

SharedNumbers::SharedNumbers(const Communicator& ranks, int count, bool windows)
    : ranks_(ranks), exceptions_(std::uncaught_exceptions()) {
  if (windows && make_window(ranks, count)) return;
  comm_ = OwnComm::duplicate_of(ranks.get());
  if (!ranks.is_root()) return;
  numbers_ = std::vector<std::atomic<std::uint64_t>>(static_cast<std::size_t>(count));
  if (ranks.size() > 1) answering_ = std::thread([this] { answer(); });
}

bool SharedNumbers::make_window(const Communicator& ranks, int count) {
  const MPI_Aint bytes = ranks.is_root() ? static_cast<MPI_Aint>(count * sizeof(std::uint64_t)) : 0;
  std::uint64_t* numbers = nullptr;
  int result = MPI_SUCCESS;
  {
    const std::lock_guard lock(mpi_mutex());
    result = MPI_Win_allocate(bytes, static_cast<int>(sizeof(std::uint64_t)), MPI_INFO_NULL, ranks.get(), &numbers,
                              &window_);
  }
  std::array<std::uint64_t, 1> refused = {result == MPI_SUCCESS ? 0u : 1u};
  ranks.sum(refused);
  if (refused[0] != 0) {
    window_ = MPI_WIN_NULL;
    return false;
  }
  GENOCL_MPI(MPI_Win_set_errhandler, window_, MPI_ERRORS_RETURN);
  GENOCL_MPI(MPI_Win_lock_all, MPI_MODE_NOCHECK, window_);
  if (ranks.is_root()) {
    std::fill_n(numbers, count, 0);
    GENOCL_MPI(MPI_Win_sync, window_);
  }
  ranks.barrier();
  return true;
}

SharedNumbers::~SharedNumbers() {
  int ended = 0;
  MPI_Finalized(&ended);
  // After an exception of this rank the others do not come: the job is about to end.
  const bool together = ended == 0 && std::uncaught_exceptions() <= exceptions_;
  if (window_ != MPI_WIN_NULL) {
    if (!together) return;
    const std::lock_guard lock(mpi_mutex());
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
    return;
  }
  try {
    if (together) ranks_.barrier();
  } catch (const Error&) {
    // MPI has failed: no rank sends requests.
  }
  ends_ = true;
  if (answering_.joinable()) answering_.join();
}

void SharedNumbers::answer() {
  Patience patience;
  while (!ends_) try {
      int there = 0;
      MPI_Message message = MPI_MESSAGE_NULL;
      MPI_Status status;
      GENOCL_MPI(MPI_Improbe, MPI_ANY_SOURCE, number_request_tag, comm_.get(), &there, &message, &status);
      if (there == 0) {
        patience.wait();
        continue;
      }
      patience = {};
      NumberRequest request;
      MPI_Request transfer = MPI_REQUEST_NULL;
      GENOCL_MPI(MPI_Imrecv, &request, static_cast<int>(sizeof request), MPI_BYTE, &message, &transfer);
      wait_for(transfer);
      const std::uint64_t before = numbers_[static_cast<std::size_t>(request.number)].fetch_add(request.add);
      GENOCL_MPI(MPI_Isend, &before, 1, MPI_UINT64_T, status.MPI_SOURCE, number_answer_tag, comm_.get(), &transfer);
      wait_for(transfer);
    } catch (const Error&) {
      return;  // MPI has failed
    }
}

std::uint64_t SharedNumbers::ask(int number, std::uint64_t add) const {
  if (ranks_.is_root()) return numbers_[static_cast<std::size_t>(number)].fetch_add(add);
  const std::lock_guard lock(asking_);
  const NumberRequest request{number, add};
  std::uint64_t before = 0;
  MPI_Request answer = MPI_REQUEST_NULL, transfer = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Irecv, &before, 1, MPI_UINT64_T, 0, number_answer_tag, comm_.get(), &answer);
  GENOCL_MPI(MPI_Isend, &request, static_cast<int>(sizeof request), MPI_BYTE, 0, number_request_tag, comm_.get(),
             &transfer);
  wait_for(transfer);
  wait_for(answer);
  return before;
}

std::uint64_t SharedNumbers::add(int number, std::uint64_t add) const {
  if (window_ == MPI_WIN_NULL) return ask(number, add);
  std::uint64_t before = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Rget_accumulate, &add, 1, MPI_UINT64_T, &before, 1, MPI_UINT64_T, 0, static_cast<MPI_Aint>(number), 1,
             MPI_UINT64_T, MPI_SUM, window_, &request);
  wait_for(request);
  return before;
}

}  // namespace genocl::cluster
