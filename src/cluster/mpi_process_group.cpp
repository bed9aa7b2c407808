#include "cluster/mpi_process_group.hpp"

#include <algorithm>

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

MpiProcessGroup::MpiProcessGroup(const Communicator& ranks)
    : ranks_(ranks), comm_(OwnComm::duplicate_of(ranks.get())) {}

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
