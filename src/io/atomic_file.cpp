#include "io/atomic_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include "genocl/error.hpp"

namespace genocl::io {
namespace {

namespace fs = std::filesystem;

/// The end of a chain of symbolic links, whether it exists or not.
fs::path follow(fs::path path) {
  std::error_code error;
  for (int links = 0; links < 40 && fs::is_symlink(path, error); ++links) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target takes the place of all
  }
  return path;
}

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
    descriptor_ = open(folder_of(target_).c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (descriptor_ >= 0 && access(process_name(descriptor_).c_str(), F_OK) == 0) return;
    if (descriptor_ >= 0) close(descriptor_);
  }
#endif
  const bool made = with_new_name(
      [&](const char* name) { return descriptor_ = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); });
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
    if (make(name.c_str()) >= 0) {
      temporary_ = name;
      return true;
    }
    if (errno != EEXIST) return false;
  }
  return false;
}

AtomicFile::~AtomicFile() {
  if (descriptor_ >= 0) close(descriptor_);
  if (!temporary_.empty()) unlink(temporary_.c_str());
}

void AtomicFile::commit() {
  const bool beside = !target_.empty();
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
  temporary_.clear();
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

}  // namespace genocl::io
