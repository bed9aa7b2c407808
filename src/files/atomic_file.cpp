#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "genocl/error.hpp"
#include "genocl/files.hpp"

namespace genocl::files {
namespace {

namespace fs = std::filesystem;

/// The end of a chain of symbolic links, whether it exists or not. The system has looked at it already, so that it does
/// end.
fs::path follow(fs::path path) {
  std::error_code error;
  while (fs::is_symlink(path, error)) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target takes the place of all
  }
  return path;
}

/// A name that remove_temporaries() can read at any moment: nothing here takes memory or a lock.
struct Temporary {
  enum State : int { unused, changing, in_use };
  std::atomic<int> state = unused;
  std::array<char, 4096> path{};
};
/// What is beyond is not removed by a signal; a program writes a few files at a time.
std::array<Temporary, 16> temporaries;
static_assert(std::atomic<int>::is_always_lock_free);

int remember(const std::string& path) {
  for (std::size_t i = 0; i < temporaries.size(); ++i) {
    Temporary& one = temporaries[i];
    int expected = Temporary::unused;
    if (path.size() >= one.path.size() || !one.state.compare_exchange_strong(expected, Temporary::changing)) continue;
    std::memcpy(one.path.data(), path.c_str(), path.size() + 1);
    one.state = Temporary::in_use;
    return static_cast<int>(i);
  }
  return -1;
}

/// While it lives, a write to a closed pipe fails with EPIPE in this thread instead of ending the process. The
/// process's own handling of SIGPIPE is not touched.
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

fs::path folder_of(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

/// The name by which a file that has none can be linked to one.
std::string process_name(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

}  // namespace

AtomicFile::AtomicFile(const std::string& path, bool allow_unnamed) : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0);
    if (descriptor_ < 0) fail("cannot be written", errno);
    return;
  }
  if (path.empty()) throw InputError("an output file without a name");
  struct stat status {};
  const bool exists = stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail("cannot be written", errno);  // a loop of links among others
  if (exists && S_ISDIR(status.st_mode)) fail("cannot be written", EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    open_directly();
    return;
  }
  // A rename asks for the folder's permission only, and would replace a file that is there not to be written to.
  if (exists && access(path.c_str(), W_OK) != 0) fail("cannot be written", errno);
  target_ = follow(path).string();
  open_beside(allow_unnamed);
  if (exists) fchmod(descriptor_, status.st_mode & 07777);
}

void AtomicFile::open_directly() {
  descriptor_ = open(name_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  if (descriptor_ < 0) fail("cannot be written", errno);
}

void AtomicFile::open_beside(bool allow_unnamed) {
#ifdef O_TMPFILE
  // Without a name nothing is left behind even by a process that is killed.
  if (allow_unnamed) {
    descriptor_ = open(folder_of(target_).c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 && access(process_name(descriptor_).c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) close(descriptor_);
  }
#endif
  const bool made = with_new_name(
      [&](const char* name) { return descriptor_ = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
  if (!made) fail("cannot be written", errno);
}

template <class Make>
bool AtomicFile::with_new_name(Make make) {
  static std::atomic<unsigned> counter = 0;
  constexpr int tries = 1000;
  for (int i = 0; i < tries; ++i) {
    const std::string name =
        (folder_of(target_) / (".genocl-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + ".tmp"))
            .string();
    // Remembered first: a signal may come as soon as the name is there.
    remembered_ = remember(name);
    if (make(name.c_str()) >= 0) {
      temporary_ = name;
      return true;
    }
    const int error = errno;
    forget_temporary();
    errno = error;
    if (error != EEXIST) return false;
  }
  return false;
}

void AtomicFile::forget_temporary() {
  if (remembered_ >= 0) temporaries[static_cast<std::size_t>(remembered_)].state = Temporary::unused;
  remembered_ = -1;
  temporary_.clear();
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
  forget_temporary();
}

void AtomicFile::write(std::string_view bytes) {
  constexpr std::size_t most_at_once = std::size_t{64} << 20;
  const NoPipeSignal guard;
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most_at_once));
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // standard output may have been made non-blocking by whoever shares it
      pollfd wait{.fd = descriptor_, .events = POLLOUT, .revents = 0};
      poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      fail("cannot be written", errno);
    }
  }
}

void AtomicFile::commit() {
  const bool beside = !special();
  if (beside) {
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) fail("cannot be written", errno);
    if (temporary_.empty()) {
      const std::string unnamed = process_name(descriptor_);
      if (!with_new_name(
              [&](const char* name) { return linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW); }))
        fail("cannot be put in its place", errno);
    }
  }
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (close(descriptor) != 0 && errno != EINTR) fail("cannot be written", errno);
  if (!beside) return;
  if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be put in its place", errno);
  forget_temporary();
  // So that the new name outlives a power cut too; a file system that cannot do it has its own ways.
  const int folder = open(folder_of(target_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder >= 0) {
    fsync(folder);
    close(folder);
  }
}

void AtomicFile::fail(const std::string& what, int error) const {
  throw InputError(name_, {}, what + ": " + std::generic_category().message(error));
}

void check_output(const std::string& path) {
  struct stat status {};
  if (path == "-") {
    const int mode = fcntl(STDOUT_FILENO, F_GETFL);
    const int error = mode < 0 ? errno : (mode & O_ACCMODE) == O_RDONLY ? EBADF : 0;
    if (error != 0)
      throw InputError("standard output", {}, "cannot be written: " + std::generic_category().message(error));
    return;
  }
  const bool special =
      !path.empty() && stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
  if (!special) {
    const AtomicFile file(path);
    return;
  }
  if (access(path.c_str(), W_OK) != 0)
    throw InputError(path, {}, "cannot be written: " + std::generic_category().message(errno));
}

void remove_temporaries() noexcept {
  for (Temporary& one : temporaries)
    if (one.state == Temporary::in_use) unlink(one.path.data());
}

}  // namespace genocl::files
