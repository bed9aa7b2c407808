#include "genocl/io/output_file.hpp"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "genocl/error.hpp"
#include "io/atomic_file.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {
namespace {

constexpr std::size_t buffer_size = std::size_t{256} << 10;
constexpr unsigned max_threads = 256;
constexpr int blocks_per_thread = 64;

/// While it lives, a write to a closed pipe fails with EPIPE in this thread and the threads it starts, instead of ending
/// the process. The process's own handling of SIGPIPE is not touched.
class NoPipeSignal {
 public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    was_pending_ = pending();
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    const int error = errno;
    int signal = 0;
    if (!was_pending_ && pending()) sigwait(&pipe_, &signal);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    errno = error;
  }
  NoPipeSignal(const NoPipeSignal&) = delete;
  NoPipeSignal& operator=(const NoPipeSignal&) = delete;

 private:
  static bool pending() {
    sigset_t set;
    sigemptyset(&set);
    return sigpending(&set) == 0 && sigismember(&set, SIGPIPE) == 1;
  }

  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

Compression compression_of(const std::string& path, Compression wanted) {
  if (wanted != Compression::by_name) return wanted;
  for (const char* ending : {".gz", ".bgz", ".bgzf"})
    if (path.ends_with(ending)) return Compression::bgzip;
  return Compression::none;
}

}  // namespace

struct OutputFile::State {
  enum class Status { open, failed, committed };

  State(const std::string& path, const OutputOptions& options);
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void put(std::string_view bytes);
  void flush();
  void finish_compression();
  [[noreturn]] void fail(int error);

  SilentHtslib silent;
  AtomicFile file;
  std::string buffer;
  BGZF* bgzf = nullptr;
  int bgzf_descriptor = -1;  // belongs to bgzf
  std::uint64_t bytes = 0;
  Status status = Status::open;
};

OutputFile::State::State(const std::string& path, const OutputOptions& options) : file(path) {
  const Compression compression = compression_of(path, options.compression);
  if (compression == Compression::none) {
    buffer.reserve(buffer_size);
    return;
  }
  if (options.level < 0 || options.level > 9)
    throw InputError({}, {}, "compression level " + std::to_string(options.level), "0 to 9");
  // A descriptor of its own, because closing is how htslib ends a file.
  const int descriptor = fcntl(file.descriptor(), F_DUPFD_CLOEXEC, 0);
  if (descriptor < 0) file.fail("cannot be written", errno);
  const std::string mode = (compression == Compression::gzip ? "wg" : "w") + std::to_string(options.level);
  const NoPipeSignal guard;  // htslib's threads, which write, begin with this thread's signal mask
  bgzf = bgzf_dopen(descriptor, mode.c_str());
  if (bgzf == nullptr) {
    const int error = errno;
    close(descriptor);
    file.fail("cannot be written", error);
  }
  const int threads = static_cast<int>(std::min(options.threads, max_threads));
  if (compression == Compression::bgzip && threads > 0 && bgzf_mt(bgzf, threads, blocks_per_thread) != 0) {
    const int error = errno;
    bgzf_close(bgzf);
    file.fail("no threads to compress it", error);
  }
  bgzf_descriptor = descriptor;
}

OutputFile::State::~State() {
  if (bgzf == nullptr) return;
  // Not finished: what htslib still holds, and the mark of a complete file, go nowhere.
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup3(nowhere, bgzf_descriptor, O_CLOEXEC);
    close(nowhere);
  }
  const NoPipeSignal guard;
  bgzf_close(bgzf);
}

void OutputFile::State::fail(int error) {
  status = Status::failed;
  file.fail("cannot be written", error == 0 ? EIO : error);
}

void OutputFile::State::put(std::string_view text) {
  const NoPipeSignal guard;
  errno = 0;
  if (bgzf != nullptr) {
    if (bgzf_write(bgzf, text.data(), text.size()) != static_cast<ssize_t>(text.size())) fail(errno);
    return;
  }
  while (!text.empty()) {
    const ssize_t count = ::write(file.descriptor(), text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // standard output may have been made non-blocking by whoever shares it
      pollfd wait{.fd = file.descriptor(), .events = POLLOUT, .revents = 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      fail(errno);
    }
  }
}

void OutputFile::State::flush() {
  put(buffer);
  buffer.clear();
}

void OutputFile::State::finish_compression() {
  const NoPipeSignal guard;
  errno = 0;
  BGZF* const closing = bgzf;
  bgzf = nullptr;
  if (bgzf_close(closing) != 0) fail(errno);
}

OutputFile::OutputFile(const std::string& path, const OutputOptions& options)
    : state_(std::make_unique<State>(path, options)) {}
OutputFile::OutputFile(OutputFile&&) noexcept = default;
OutputFile& OutputFile::operator=(OutputFile&&) noexcept = default;
OutputFile::~OutputFile() = default;

void OutputFile::write(std::string_view bytes) {
  State& state = *state_;
  if (state.status != State::Status::open)
    throw InputError(file(), {}, "written to after it was finished or has failed");
  state.bytes += bytes.size();
  if (state.bgzf != nullptr) {
    state.put(bytes);
  } else if (bytes.size() < buffer_size) {
    if (state.buffer.size() + bytes.size() > buffer_size) state.flush();
    state.buffer += bytes;
  } else {
    state.flush();
    state.put(bytes);
  }
}

void OutputFile::commit() {
  State& state = *state_;
  if (state.status != State::Status::open) throw InputError(file(), {}, "finished twice, or after it has failed");
  if (state.bgzf != nullptr)
    state.finish_compression();
  else
    state.flush();
  state.status = State::Status::failed;  // unless the next line returns
  state.file.commit();
  state.status = State::Status::committed;
}

const std::string& OutputFile::file() const noexcept { return state_->file.name(); }
std::uint64_t OutputFile::bytes() const noexcept { return state_->bytes; }

}  // namespace genocl::io
