#include "cluster/mpi_process_group.hpp"
#include "runtime/state_access.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <exception>

namespace genocl::cluster {
namespace {

/// A message in pieces, each short enough for the int counts of MPI.
class MpiTransfer : public jacobi::MessageTransfer {
 public:
  /// Calls start(at, count, request) for each piece.
  template <class Start>
  MpiTransfer(std::size_t bytes, Start&& start) {
    for (std::size_t at = 0; at < bytes; at += message_bytes)
      start(at, static_cast<int>(std::min(message_bytes, bytes - at)), &requests_.emplace_back(MPI_REQUEST_NULL));
  }
  bool done() override {
    while (!requests_.empty()) {
      int done = 0;
      GENOCL_MPI(MPI_Test, &requests_.back(), &done, MPI_STATUS_IGNORE);
      if (done == 0) return false;
      requests_.pop_back();
    }
    return true;
  }

 private:
  std::vector<MPI_Request> requests_;
};

}  // namespace

MpiProcessGroup::MpiProcessGroup(const Communicator& ranks, bool share_memory)
    : ranks_(ranks),
      comm_(OwnComm::duplicate_of(ranks.get())),
      share_memory_(share_memory),
      exceptions_(std::uncaught_exceptions()) {}

// MPI_Win_free() waits for the other rank, which does not come after an exception.
MpiProcessGroup::~MpiProcessGroup() {
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0 || std::uncaught_exceptions() > exceptions_) return;
  const std::lock_guard lock(mpi_mutex());
  for (MPI_Win& window : windows_) {
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
  }
}

bool MpiProcessGroup::on_this_machine(std::size_t rank) const {
  MPI_Group all = MPI_GROUP_NULL, node = MPI_GROUP_NULL;
  GENOCL_MPI(MPI_Comm_group, comm_.get(), &all);
  GENOCL_MPI(MPI_Comm_group, runtime::shared_state_of(ranks_)->node.get(), &node);
  const int number = static_cast<int>(rank);
  int there = MPI_UNDEFINED;
  GENOCL_MPI(MPI_Group_translate_ranks, all, 1, &number, node, &there);
  GENOCL_MPI(MPI_Group_free, &all);
  GENOCL_MPI(MPI_Group_free, &node);
  return there != MPI_UNDEFINED;
}

std::byte MpiProcessGroup::swap_byte(std::size_t with, std::byte byte) {
  std::byte other{};
  const auto receiving = receive(with, jacobi::MessageKind::share, {&other, 1});
  const auto sending = send(with, jacobi::MessageKind::share, {&byte, 1});
  for (Patience patience; !sending->done() || !receiving->done();) patience.wait();
  return other;
}

// The calls of MPI that create a window wait for the other rank without sleeping, so the ranks first meet here.
std::span<std::byte> MpiProcessGroup::share(std::size_t with, std::size_t bytes) {
  if (!share_memory_ || !on_this_machine(with)) return {};
  swap_byte(with, {});
  const std::array<int, 2> both{static_cast<int>(std::min(with, rank())), static_cast<int>(std::max(with, rank()))};
  MPI_Group all = MPI_GROUP_NULL, two = MPI_GROUP_NULL;
  GENOCL_MPI(MPI_Comm_group, comm_.get(), &all);
  GENOCL_MPI(MPI_Group_incl, all, 2, both.data(), &two);
  const OwnComm pair = OwnComm::of_group(comm_.get(), two, static_cast<int>(jacobi::MessageKind::share));
  GENOCL_MPI(MPI_Group_free, &two);
  GENOCL_MPI(MPI_Group_free, &all);
  const bool is_owner = rank() < with;
  MPI_Win window = MPI_WIN_NULL;
  void* own = nullptr;
  int result = MPI_SUCCESS;
  {
    const std::lock_guard lock(mpi_mutex());
    result = MPI_Win_allocate_shared(is_owner ? static_cast<MPI_Aint>(bytes) : 0, 1, MPI_INFO_NULL, pair.get(), &own,
                                     &window);
  }
  const std::byte refused{result == MPI_SUCCESS ? std::uint8_t{0} : std::uint8_t{1}};
  if ((swap_byte(with, refused) | refused) != std::byte{0}) return {};
  windows_.push_back(window);
  GENOCL_MPI(MPI_Win_set_errhandler, window, MPI_ERRORS_RETURN);
  GENOCL_MPI(MPI_Win_lock_all, MPI_MODE_NOCHECK, window);
  MPI_Aint size = 0;
  int unit = 0;
  void* memory = nullptr;
  GENOCL_MPI(MPI_Win_shared_query, window, 0, &size, &unit, &memory);
  if (is_owner) std::memset(memory, 0, bytes);
  GENOCL_MPI(MPI_Win_sync, window);
  swap_byte(with, {});
  GENOCL_MPI(MPI_Win_sync, window);
  return {static_cast<std::byte*>(memory), bytes};
}

std::string MpiProcessGroup::machine() const {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  GENOCL_MPI(MPI_Get_processor_name, name, &length);
  return {name, static_cast<std::size_t>(length)};
}

std::vector<std::vector<std::byte>> MpiProcessGroup::gather(std::span<const std::byte> bytes) {
  return ranks_.gather_everywhere(bytes);
}

std::unique_ptr<jacobi::MessageTransfer> MpiProcessGroup::send(std::size_t to, jacobi::MessageKind kind,
                                                               std::span<const std::byte> bytes) {
  return std::make_unique<MpiTransfer>(bytes.size(), [&](std::size_t at, int count, MPI_Request* request) {
    GENOCL_MPI(MPI_Isend, bytes.data() + at, count, MPI_BYTE, static_cast<int>(to), static_cast<int>(kind), comm_.get(),
               request);
  });
}

std::unique_ptr<jacobi::MessageTransfer> MpiProcessGroup::receive(std::size_t from, jacobi::MessageKind kind,
                                                                  std::span<std::byte> bytes) {
  return std::make_unique<MpiTransfer>(bytes.size(), [&](std::size_t at, int count, MPI_Request* request) {
    GENOCL_MPI(MPI_Irecv, bytes.data() + at, count, MPI_BYTE, static_cast<int>(from), static_cast<int>(kind),
               comm_.get(), request);
  });
}

}  // namespace genocl::cluster
