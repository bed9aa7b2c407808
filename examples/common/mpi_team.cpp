#include "common/mpi_team.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <future>
#include <iostream>
#include <thread>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "genocl/packing.hpp"

namespace program {
namespace {

/// Calls finish(). If it fails, other ranks wait a second before they report their error: the root's message, which
/// states the cause, comes first.
template <class Finish>
auto finish_after_root(const Finish& finish) {
  try {
    return finish();
  } catch (const genocl::Error&) {
    if (!team().is_root()) std::this_thread::sleep_for(std::chrono::seconds(1));
    throw;
  }
}

class MpiBlocks : public Blocks {
 public:
  MpiBlocks(const genocl::cluster::Communicator& ranks, Sink sink)
      : blocks_(ranks, [sink = std::move(sink)](std::uint64_t, std::span<const std::byte> bytes) {
          if (!sink) return;
          genocl::Unpacker both(genocl::as_text(bytes));
          const std::string_view head = both.next_text();
          sink(head, both.next_text());
        }) {}
  std::uint64_t take() override { return blocks_.take(); }
  void put(std::uint64_t block, std::string_view head, std::string_view bytes) override {
    genocl::Packer both;
    both.add_text(head);
    both.add_text(bytes);
    blocks_.put(block, genocl::as_bytes(both.bytes()));
  }
  void finish() override {
    finish_after_root([this] { blocks_.finish(); });
  }

 private:
  genocl::cluster::OrderedBlocks blocks_;
};

class MpiFileBlocks : public Blocks {
 public:
  MpiFileBlocks(genocl::cluster::FileBlocks blocks, std::function<void(std::uint64_t)> done)
      : blocks_(std::move(blocks)), done_(std::move(done)) {}
  std::uint64_t take() override { return blocks_.take(); }
  void put(std::uint64_t block, std::string_view head, std::string_view bytes) override {
    blocks_.put(block, genocl::as_bytes(head), genocl::as_bytes(bytes));
  }
  void finish() override {
    const std::uint64_t end = finish_after_root([this] { return blocks_.finish(); });
    if (done_) done_(end);
  }

 private:
  genocl::cluster::FileBlocks blocks_;
  std::function<void(std::uint64_t)> done_;
};

std::string machine() {
  char name[256] = "";
  return gethostname(name, sizeof name - 1) == 0 ? name : "?";
}

void check_system(bool fine, const char* what) {
  if (!fine) throw genocl::InputError("standard input", {}, std::string(what) + ": " + std::strerror(errno));
}

}  // namespace

MpiTeam::MpiTeam(MPI_Comm comm) : ranks_(comm), errors_(ranks_) {}

std::vector<genocl::Device> MpiTeam::open_devices(const std::string& spec) const {
  return genocl::cluster::pick_devices(ranks_, spec);
}

std::unique_ptr<Blocks> MpiTeam::blocks(Blocks::Sink sink) const {
  return std::make_unique<MpiBlocks>(ranks_, std::move(sink));
}

std::unique_ptr<Blocks> MpiTeam::file_blocks(const std::string& path, std::uint64_t begin, Blocks::Sink sink,
                                             std::function<void(std::uint64_t)> done) const {
  auto opened = genocl::cluster::FileBlocks::open(
      ranks_, path, begin, [sink = std::move(sink)](std::uint64_t, std::span<const std::byte> said) {
        if (sink) sink(genocl::as_text(said), {});
      });
  if (!opened) return nullptr;
  return std::make_unique<MpiFileBlocks>(std::move(*opened), is_root() ? std::move(done) : nullptr);
}

void MpiTeam::share_standard_input() const {
  if (size() == 1) return;
  const int copy = memfd_create("standard input", 0);
  check_system(copy >= 0, "no memory for it");
  // In pieces. An empty piece is the end.
  std::string piece;
  do {
    if (is_root()) {
      piece.resize(std::size_t{1} << 24);
      ssize_t count = 0;
      do count = ::read(STDIN_FILENO, piece.data(), piece.size());
      while (count < 0 && errno == EINTR);
      check_system(count >= 0, "it cannot be read");
      piece.resize(static_cast<std::size_t>(count));
    }
    broadcast(piece);
    for (std::size_t done = 0; done < piece.size();) {
      const ssize_t count = ::write(copy, piece.data() + done, piece.size() - done);
      check_system(count > 0, "no memory for it");
      done += static_cast<std::size_t>(count);
    }
  } while (!piece.empty());
  check_system(lseek(copy, 0, SEEK_SET) == 0 && dup2(copy, STDIN_FILENO) >= 0, "it cannot be passed on");
  close(copy);
}

std::vector<std::string> MpiTeam::gather(std::string bytes) const {
  std::vector<std::string> all;
  for (const std::vector<std::byte>& one : ranks_.gather(genocl::as_bytes(bytes)))
    all.emplace_back(genocl::as_text(one));
  return all;
}

void MpiTeam::broadcast(std::string& bytes) const {
  std::vector<std::byte> copy;
  if (is_root()) copy.assign(genocl::as_bytes(bytes).begin(), genocl::as_bytes(bytes).end());
  ranks_.broadcast(copy);
  bytes = genocl::as_text(copy);
}

void MpiTeam::end(const char* program, int status, const std::string& wrong) const {
  // Usually all ranks find the same error. The first rank reports it; if the counter of errors does not answer, every
  // rank does.
  std::packaged_task<bool()> ask([this] { return errors_.take() == 0; });
  std::future<bool> first = ask.get_future();
  std::thread(std::move(ask)).detach();
  bool speaks = true;
  if (first.wait_for(std::chrono::seconds(2)) == std::future_status::ready) {
    try {
      speaks = first.get();
    } catch (const genocl::Error&) {
    }
  }
  if (speaks) {
    std::string where;
    if (size() > 1) where = "rank " + std::to_string(rank()) + " on " + machine() + ": ";
    std::cerr << program << ": error: " << where + wrong + "\n" << std::flush;
    // The message must reach the terminal before mpirun kills all processes.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
  } else {
    std::this_thread::sleep_for(std::chrono::seconds(5));
  }
  genocl::files::remove_temporaries();
  MPI_Abort(MPI_COMM_WORLD, status);
  std::_Exit(status);
}

const MpiTeam& mpi_team() { return static_cast<const MpiTeam&>(team()); }

}  // namespace program
