#include "genocl/cluster/blocks.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <map>
#include <optional>

#include "cluster/shared_numbers.hpp"

namespace genocl::cluster {

struct SharedCounter::State {
  SharedNumbers numbers;
  explicit State(const Communicator& ranks) : numbers(ranks, 1) {}
};

SharedCounter::SharedCounter(const Communicator& ranks) : state_(std::make_unique<State>(ranks)) {}
SharedCounter::SharedCounter(SharedCounter&&) noexcept = default;
SharedCounter& SharedCounter::operator=(SharedCounter&&) noexcept = default;
SharedCounter::~SharedCounter() = default;
std::uint64_t SharedCounter::take(std::uint64_t count) const { return state_->numbers.add(0, count); }

namespace {

enum Number : int { next_block, blocks_done, sink_failed, number_count };

/// Precedes the bytes of a block.
struct Header {
  std::uint64_t block = 0, bytes = 0;
};
constexpr std::uint64_t no_more = ~std::uint64_t{0};

enum BlockTag : int { header_tag = 2, bytes_tag = 3 };

constexpr const char* not_taken = "rank 0 could not take the results";

/// Blocks of each rank that may wait for an earlier one.
constexpr std::uint64_t usual_ahead = 8;

}  // namespace

struct OrderedBlocks::State {
  Communicator ranks;
  OwnComm comm;  // separate, since two objects may be in use at once
  SharedNumbers numbers;
  Sink sink;
  std::uint64_t ahead;

  // On rank 0: results that wait for an earlier block.
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::uint64_t, std::vector<std::byte>> waiting;
  std::uint64_t given = 0;  // blocks that the sink has received
  std::exception_ptr failed;
  bool ends = false;        // finish() was called here, and all other ranks have put their blocks
  bool dropped = false;     // the waiting results are not needed
  std::uint64_t ended = 0;  // other ranks that have called finish()
  std::thread writer, receiver;
  int exceptions = std::uncaught_exceptions();

  State(const Communicator& r, Sink s, std::uint64_t a)
      : ranks(r),
        comm(OwnComm::duplicate_of(r.get())),
        numbers(r, number_count),
        sink(std::move(s)),
        ahead(a != 0 ? a : usual_ahead * static_cast<std::uint64_t>(r.size())) {
    if (!ranks.is_root()) return;
    writer = std::thread([this] { write(); });
    if (ranks.size() > 1) receiver = std::thread([this] { receive(); });
  }
  ~State() {
    int ended_here = 0;
    MPI_Finalized(&ended_here);
    // Another rank may still be sending, and rank 0 must receive until all ranks are here. After an exception of this
    // rank the others do not come.
    try {
      if (ended_here == 0 && std::uncaught_exceptions() <= exceptions) ranks.barrier();
    } catch (const Error&) {
      // MPI has failed: no rank sends.
    }
    stop();
  }

  void stop() {
    {
      const std::lock_guard lock(mutex);
      dropped = true;
    }
    changed.notify_all();
    if (receiver.joinable()) receiver.join();
    if (writer.joinable()) writer.join();
  }
  void fail() {
    {
      const std::lock_guard lock(mutex);
      if (!failed) failed = std::current_exception();
      waiting.clear();
      changed.notify_all();
    }
    try {
      numbers.add(sink_failed, 1);  // other ranks read it while they wait
    } catch (const Error&) {
      // MPI has failed: other ranks cannot be notified.
    }
  }
  void add(std::uint64_t block, std::vector<std::byte>&& bytes) {
    const std::lock_guard lock(mutex);
    if (failed) return;
    waiting.emplace(block, std::move(bytes));
    changed.notify_all();
  }

  void write();
  void receive();
  bool receive_one();
  void send(const Header& header, std::span<const std::byte> bytes) const;
};

void OrderedBlocks::State::write() {
  try {
    while (true) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return dropped || failed || waiting.contains(given) || ends; });
      if (dropped || failed) return;
      const auto first = waiting.find(given);
      if (first == waiting.end()) {
        if (waiting.empty()) return;
        throw Error("block " + std::to_string(given) + " was taken, and never put");
      }
      const std::vector<std::byte> bytes = std::move(first->second);
      waiting.erase(first);
      lock.unlock();
      if (sink) sink(given, bytes);
      numbers.add(blocks_done, 1);
      lock.lock();
      ++given;
      changed.notify_all();
    }
  } catch (...) {
    fail();
  }
}

bool OrderedBlocks::State::receive_one() {
  MPI_Message message = MPI_MESSAGE_NULL;
  MPI_Status status;
  int there = 0;
  GENOCL_MPI(MPI_Improbe, MPI_ANY_SOURCE, header_tag, comm.get(), &there, &message, &status);
  if (there == 0) return false;
  Header header;
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Imrecv, &header, static_cast<int>(sizeof header), MPI_BYTE, &message, &request);
  wait_for(request);
  if (header.block == no_more) {
    const std::lock_guard lock(mutex);
    ++ended;
    changed.notify_all();
    return true;
  }
  std::vector<std::byte> bytes(header.bytes);
  for (std::size_t done = 0; done < bytes.size(); done += message_bytes) {
    GENOCL_MPI(MPI_Irecv, bytes.data() + done, static_cast<int>(std::min(message_bytes, bytes.size() - done)), MPI_BYTE,
               status.MPI_SOURCE, bytes_tag, comm.get(), &request);
    wait_for(request);
  }
  add(header.block, std::move(bytes));
  return true;
}

void OrderedBlocks::State::receive() {
  try {
    Patience patience;
    while (true) {
      {
        const std::lock_guard lock(mutex);
        if (dropped || ended + 1 == static_cast<std::uint64_t>(ranks.size())) return;
      }
      if (receive_one())
        patience = {};
      else
        patience.wait();
    }
  } catch (...) {
    fail();
  }
}

void OrderedBlocks::State::send(const Header& header, std::span<const std::byte> bytes) const {
  MPI_Request request = MPI_REQUEST_NULL;
  GENOCL_MPI(MPI_Isend, &header, static_cast<int>(sizeof header), MPI_BYTE, 0, header_tag, comm.get(), &request);
  wait_for(request);
  for (std::size_t done = 0; done < bytes.size(); done += message_bytes) {
    GENOCL_MPI(MPI_Isend, bytes.data() + done, static_cast<int>(std::min(message_bytes, bytes.size() - done)), MPI_BYTE,
               0, bytes_tag, comm.get(), &request);
    wait_for(request);
  }
}

OrderedBlocks::OrderedBlocks(const Communicator& ranks, Sink sink, std::uint64_t ahead)
    : state_(std::make_unique<State>(ranks, std::move(sink), ahead)) {}
OrderedBlocks::OrderedBlocks(OrderedBlocks&&) noexcept = default;
OrderedBlocks& OrderedBlocks::operator=(OrderedBlocks&&) noexcept = default;
OrderedBlocks::~OrderedBlocks() = default;

std::uint64_t OrderedBlocks::take() const { return state_->numbers.add(next_block, 1); }

bool OrderedBlocks::failed() const { return state_->numbers.get(sink_failed) != 0; }

void OrderedBlocks::put(std::uint64_t block, std::span<const std::byte> bytes) {
  State& s = *state_;
  if (!s.ranks.is_root()) {
    Patience patience;
    constexpr unsigned waits_per_check = 16;  // a check is a message
    for (unsigned asked = 1; block >= s.numbers.get(blocks_done) + s.ahead; ++asked) {
      if (asked % waits_per_check == 0 && failed()) throw Error(not_taken);
      patience.wait();
    }
    if (failed()) throw Error(not_taken);
    s.send({block, bytes.size()}, bytes);
    return;
  }
  std::unique_lock lock(s.mutex);
  s.changed.wait(lock, [&] { return s.failed || block < s.given + s.ahead; });
  if (s.failed) std::rethrow_exception(s.failed);
  s.waiting.emplace(block, std::vector<std::byte>(bytes.begin(), bytes.end()));
  s.changed.notify_all();
}

void OrderedBlocks::finish() {
  State& s = *state_;
  if (s.ranks.is_root()) {
    {
      std::unique_lock lock(s.mutex);
      s.changed.wait(lock, [&] { return s.failed || s.ended + 1 == static_cast<std::uint64_t>(s.ranks.size()); });
      s.ends = true;
      s.changed.notify_all();
    }
    if (s.writer.joinable()) s.writer.join();
  } else {
    s.send({no_more, 0}, {});
  }
  std::vector<std::byte> failed(s.failed ? 1 : 0);
  s.ranks.broadcast(failed);
  if (s.failed) std::rethrow_exception(s.failed);
  if (!failed.empty()) throw Error(not_taken);
}

}  // namespace genocl::cluster
