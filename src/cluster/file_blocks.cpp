#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <condition_variable>
#include <exception>
#include <map>
#include <system_error>

#include "cluster/communicator_state.hpp"
#include "genocl/cluster/blocks.hpp"
#include "genocl/packing.hpp"
#include "runtime/platform.hpp"

namespace genocl::cluster {
namespace {

constexpr int place_tag = 1;

/// Identifies a file, also between machines that mount it from one server.
struct FileIs {
  std::uint64_t file = 0, size = 0;
};

FileIs identity(int file) {
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0) return {};
  return {static_cast<std::uint64_t>(status.st_ino), static_cast<std::uint64_t>(status.st_size)};
}

}  // namespace

struct FileBlocks::State {
  Communicator ranks;
  OwnComm comm;  // for the offsets
  std::string path;
  int file = -1;
  std::uint64_t end = 0;  // of the blocks with an offset
  Sink sink;
  std::mutex mutex;  // guards the following members, of rank 0's blocks
  std::condition_variable changed;
  std::map<std::uint64_t, std::uint64_t> places;
  std::exception_ptr failed;
  std::unique_ptr<OrderedBlocks> blocks;

  explicit State(const Communicator& r) : ranks(r), comm(OwnComm::duplicate_of(r.get())) {}
  ~State() {
    blocks.reset();
    if (file >= 0) close(file);
  }

  /// Assigns a block its offset; on rank 0, in the order of the blocks.
  void place(std::uint64_t block, std::span<const std::byte> message) try {
    Unpacker left(as_text(message));
    const int rank = left.next<int>();
    const auto size = left.next<std::uint64_t>();
    const std::uint64_t begin = end;
    end += size;
    if (sink) sink(block, as_bytes(left.next_text()));
    if (rank == 0) {
      const std::lock_guard lock(mutex);
      places[block] = begin;
      changed.notify_all();
      return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    GENOCL_MPI(MPI_Isend, &begin, 1, MPI_UINT64_T, rank, place_tag, comm.get(), &request);
    wait_for(request);
  } catch (...) {
    const std::lock_guard lock(mutex);
    failed = std::current_exception();
    changed.notify_all();
    throw;
  }

  std::uint64_t place_of(std::uint64_t block) {
    std::uint64_t begin = 0;
    if (!ranks.is_root()) {
      MPI_Request request = MPI_REQUEST_NULL;
      GENOCL_MPI(MPI_Irecv, &begin, 1, MPI_UINT64_T, 0, place_tag, comm.get(), &request);
      Patience patience;
      constexpr unsigned waits_per_check = 16;  // a check is a message
      for (unsigned asked = 1;; ++asked) {
        int done = 0;
        const bool fails = asked % waits_per_check == 0 && blocks->failed();
        GENOCL_MPI(MPI_Test, &request, &done, MPI_STATUS_IGNORE);
        if (done != 0) return begin;
        if (fails) break;
        patience.wait();
      }
      GENOCL_MPI(MPI_Cancel, &request);
      wait_for(request);
      throw Error("rank 0 could not take the summaries of the blocks");
    }
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return failed || places.contains(block); });
    if (failed) std::rethrow_exception(failed);
    begin = places.at(block);
    places.erase(block);
    return begin;
  }

  void write(std::uint64_t begin, std::span<const std::byte> bytes) const {
    if (!platform::write_at(file, begin, bytes)) fail();
  }
  [[noreturn]] void fail() const {
    throw InputError(path, {}, "cannot be written: " + std::generic_category().message(errno));
  }
};

std::optional<FileBlocks> FileBlocks::open(const Communicator& ranks, const std::string& path, std::uint64_t begin,
                                           Sink sink) {
  auto state = std::make_unique<State>(ranks);
  std::vector<std::byte> name;
  if (ranks.is_root()) name.assign(as_bytes(path).begin(), as_bytes(path).end());
  ranks.broadcast(name);
  state->path = as_text(name);
  state->file = ::open(state->path.c_str(), O_WRONLY | O_CLOEXEC);
  state->end = begin;
  state->sink = std::move(sink);
  // All files must be the one of rank 0.
  const FileIs own = identity(state->file);
  Packer packed;
  packed.add(own);
  std::vector<std::byte> bytes(as_bytes(packed.bytes()).begin(), as_bytes(packed.bytes()).end());
  ranks.broadcast(bytes);
  const auto first = Unpacker(as_text(bytes)).next<FileIs>();
  std::uint64_t others = state->file < 0 || own.file != first.file || own.size != first.size ? 1 : 0;
  ranks.sum(std::span(&others, 1));
  if (others != 0) return std::nullopt;
  State& s = *state;
  s.blocks = std::make_unique<OrderedBlocks>(
      ranks, [&s](std::uint64_t block, std::span<const std::byte> message) { s.place(block, message); });
  return FileBlocks(std::move(state));
}

FileBlocks::FileBlocks(std::unique_ptr<State> state) : state_(std::move(state)) {}
FileBlocks::FileBlocks(FileBlocks&&) noexcept = default;
FileBlocks& FileBlocks::operator=(FileBlocks&&) noexcept = default;
FileBlocks::~FileBlocks() = default;

std::uint64_t FileBlocks::take() const { return state_->blocks->take(); }

void FileBlocks::put(std::uint64_t block, std::span<const std::byte> summary, std::span<const std::byte> bytes) {
  State& s = *state_;
  Packer message;
  message.add(s.ranks.rank());
  message.add(static_cast<std::uint64_t>(bytes.size()));
  message.add_text(as_text(summary));
  s.blocks->put(block, as_bytes(message.bytes()));
  s.write(s.place_of(block), bytes);
}

std::uint64_t FileBlocks::finish() {
  State& s = *state_;
  // The bytes of other machines must be on the server before finish() returns anywhere.
  const int error = fdatasync(s.file) == 0 ? 0 : errno;
  s.blocks->finish();
  std::uint64_t failed = error != 0 ? 1 : 0;
  s.ranks.sum(std::span(&failed, 1));
  errno = error;
  if (error != 0) s.fail();
  if (failed != 0) throw Error("another rank could not write " + s.path);
  return s.ranks.is_root() ? s.end : 0;
}

}  // namespace genocl::cluster
