#include "genocl/cluster/communicator.hpp"

#include "cluster/communicator_state.hpp"

namespace genocl::cluster {
namespace {

/// Throws unless MPI can be called. Returns `comm`.
MPI_Comm ready(MPI_Comm comm) {
  int begun = 0, ended = 0, threads = MPI_THREAD_SINGLE;
  MPI_Initialized(&begun);
  MPI_Finalized(&ended);
  if (begun == 0 || ended != 0) throw Error("MPI is not initialised; a communicator needs MPI_Init_thread before it");
  MPI_Query_thread(&threads);
  if (threads < MPI_THREAD_SERIALIZED)
    throw Error("MPI was initialised for one thread; expected MPI_Init_thread with MPI_THREAD_SERIALIZED or more");
  return comm;
}

}  // namespace

Communicator::State::State(MPI_Comm of) : comm(OwnComm::duplicate_of(ready(of))), node(OwnComm::on_node(comm.get())) {
  GENOCL_MPI(MPI_Comm_rank, comm.get(), &rank);
  GENOCL_MPI(MPI_Comm_size, comm.get(), &size);
  GENOCL_MPI(MPI_Comm_rank, node.get(), &node_rank);
  GENOCL_MPI(MPI_Comm_size, node.get(), &node_size);
  if (size > 1) progress_ = std::thread([this] { run_progress(); });
}

Communicator::State::~State() {
  ends_ = true;
  if (progress_.joinable()) progress_.join();
}

void Communicator::State::run_progress() {
  while (!ends_) {
    {
      const std::lock_guard lock(mpi_mutex());
      int there = 0, ended = 0;
      MPI_Finalized(&ended);
      if (ended != 0) return;
      MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, node.get(), &there, MPI_STATUS_IGNORE);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Communicator::Communicator(MPI_Comm comm) : state_(std::make_shared<State>(comm)) {}

int Communicator::rank() const noexcept { return state_->rank; }
int Communicator::size() const noexcept { return state_->size; }
int Communicator::node_rank() const noexcept { return state_->node_rank; }
int Communicator::node_size() const noexcept { return state_->node_size; }
MPI_Comm Communicator::get() const noexcept { return state_->comm.get(); }

void Communicator::barrier() const {
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Ibarrier, get(), &request);
  wait_for(request);
}

void Communicator::broadcast(std::vector<std::byte>& bytes, int from) const {
  std::uint64_t size = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Ibcast, &size, 1, MPI_UINT64_T, from, get(), &request);
  wait_for(request);
  bytes.resize(size);
  for (std::size_t done = 0; done < size; done += message_bytes) {
    const int count = static_cast<int>(std::min<std::size_t>(message_bytes, size - done));
    GENOCL_MPI(MPI_Ibcast, bytes.data() + done, count, MPI_BYTE, from, get(), &request);
    wait_for(request);
  }
}

std::vector<std::vector<std::byte>> Communicator::gather(std::span<const std::byte> bytes) const {
  constexpr int tag = 1;
  const auto pieces = [](std::size_t size, auto&& use) {
    for (std::size_t done = 0; done < size; done += message_bytes)
      use(done, static_cast<int>(std::min<std::size_t>(message_bytes, size - done)));
  };
  std::vector<std::uint64_t> sizes(is_root() ? static_cast<std::size_t>(size()) : 0);
  const std::uint64_t own = bytes.size();
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Igather, &own, 1, MPI_UINT64_T, sizes.data(), 1, MPI_UINT64_T, 0, get(), &request);
  wait_for(request);
  std::vector<std::vector<std::byte>> all(sizes.size());
  if (!is_root()) {
    pieces(bytes.size(), [&](std::size_t at, int count) {
      GENOCL_MPI(MPI_Isend, bytes.data() + at, count, MPI_BYTE, 0, tag, get(), &request);
      wait_for(request);
    });
    return all;
  }
  all[0].assign(bytes.begin(), bytes.end());
  for (std::size_t from = 1; from < all.size(); ++from) {
    all[from].resize(sizes[from]);
    pieces(sizes[from], [&](std::size_t at, int count) {
      GENOCL_MPI(MPI_Irecv, all[from].data() + at, count, MPI_BYTE, static_cast<int>(from), tag, get(), &request);
      wait_for(request);
    });
  }
  return all;
}

std::vector<std::vector<std::byte>> Communicator::gather_everywhere(std::span<const std::byte> bytes) const {
  std::vector<std::vector<std::byte>> all = gather(bytes);
  all.resize(static_cast<std::size_t>(size()));
  std::vector<std::uint64_t> sizes;
  std::vector<std::byte> joined;
  for (const std::vector<std::byte>& one : all) {
    sizes.push_back(one.size());
    joined.insert(joined.end(), one.begin(), one.end());
  }
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Ibcast, sizes.data(), size(), MPI_UINT64_T, 0, get(), &request);
  wait_for(request);
  broadcast(joined);
  auto at = joined.begin();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto end = at + static_cast<std::ptrdiff_t>(sizes[i]);
    all[i].assign(at, end);
    at = end;
  }
  return all;
}

void Communicator::sum(std::span<std::uint64_t> values) const {
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Iallreduce, MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, get(),
             &request);
  wait_for(request);
}

void Communicator::max(std::span<double> values) const {
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Iallreduce, MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, get(),
             &request);
  wait_for(request);
}

}  // namespace genocl::cluster
