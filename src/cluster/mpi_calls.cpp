#include "cluster/mpi_calls.hpp"

#include <utility>

namespace genocl::cluster {

void check_mpi(int code, const char* call) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING];
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw Error(std::string(call) + ": " + std::string(text, static_cast<std::size_t>(length)));
}

std::mutex& mpi_mutex() {
  static std::mutex mutex;
  return mutex;
}

OwnComm OwnComm::duplicate_of(MPI_Comm comm) {
  OwnComm own;
  GENOCL_MPI(MPI_Comm_dup, comm, &own.comm_);
  // Errors are thrown instead of ending the process.
  GENOCL_MPI(MPI_Comm_set_errhandler, own.comm_, MPI_ERRORS_RETURN);
  return own;
}

OwnComm OwnComm::on_node(MPI_Comm comm) {
  OwnComm own;
  GENOCL_MPI(MPI_Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &own.comm_);
  return own;
}

OwnComm OwnComm::of_group(MPI_Comm comm, MPI_Group group, int tag) {
  OwnComm own;
  GENOCL_MPI(MPI_Comm_create_group, comm, group, tag, &own.comm_);
  GENOCL_MPI(MPI_Comm_set_errhandler, own.comm_, MPI_ERRORS_RETURN);
  return own;
}

OwnComm::~OwnComm() {
  if (comm_ == MPI_COMM_NULL) return;
  // MPI_Finalize() has freed the communicator.
  int ended = 0;
  MPI_Finalized(&ended);
  if (ended != 0) return;
  const std::lock_guard lock(mpi_mutex());
  MPI_Comm_free(&comm_);
}

}  // namespace genocl::cluster
