#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::files {
namespace {

namespace fs = std::filesystem;

/// Returns the end of a chain of symbolic links, which may not exist. An earlier system call has verified that the
/// chain ends.
fs::path follow(fs::path path) {
  std::error_code error;
  while (fs::is_symlink(path, error)) {
    const fs::path target = fs::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / target;  // an absolute target replaces the whole path
  }
  return path;
}

/// A name that remove_temporaries() can read at any time, without memory allocation or locks.
struct Temporary {
  enum State : int { unused, changing, in_use };
  std::atomic<int> state = unused;
  std::array<char, 4096> path{};
};
/// A signal handler does not remove further files; a program writes only a few files at a time.
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

fs::path folder_of(const std::string& target) {
  const fs::path folder = fs::path(target).parent_path();
  return folder.empty() ? fs::path(".") : folder;
}

}  // namespace

AtomicFile::AtomicFile(const std::string& path, bool allow_unnamed) : name_(path == "-" ? "standard output" : path) {
  if (path == "-") {
    descriptor_ = platform::duplicate_standard_output();
    if (descriptor_ < 0) fail("cannot be written", errno);
    return;
  }
  if (path.empty()) throw InputError("an output file without a name");
  const platform::FileStatus status = platform::file_status(path);
  if (!status.exists && status.error != ENOENT) fail("cannot be written", status.error);  // for example a loop of links
  if (status.folder) fail("cannot be written", EISDIR);
  if (status.exists && !status.regular) {
    open_directly();
    return;
  }
  // A rename requires only permission for the folder, and would replace a read-only file.
  if (status.exists && !platform::may_write(path)) fail("cannot be written", errno);
  target_ = follow(path).string();
  open_beside(allow_unnamed);
  if (status.exists) platform::set_permissions(descriptor_, status.permissions);
}

void AtomicFile::open_directly() {
  descriptor_ = platform::open_to_write(name_);
  if (descriptor_ < 0) fail("cannot be written", errno);
}

void AtomicFile::open_beside(bool allow_unnamed) {
  // An unnamed file disappears even if the process is killed.
  if (allow_unnamed) descriptor_ = platform::create_unnamed(folder_of(target_).string());
  if (descriptor_ >= 0) return;
  const bool made =
      with_new_name([&](const std::string& name) { return (descriptor_ = platform::create_file(name)) >= 0; });
  if (!made) fail("cannot be written", errno);
}

template <class Make>
bool AtomicFile::with_new_name(Make make) {
  static std::atomic<unsigned> counter = 0;
  constexpr int tries = 1000;
  for (int i = 0; i < tries; ++i) {
    const std::string name = (folder_of(target_) / (".genocl-" + std::to_string(platform::process_id()) + "-" +
                                                    std::to_string(counter++) + ".tmp"))
                                 .string();
    // Registered before the file exists, since a signal may arrive immediately after.
    remembered_ = remember(name);
    if (make(name)) {
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
  if (descriptor_ >= 0) platform::close_file(descriptor_);
  if (!temporary_.empty()) platform::remove_file(temporary_.c_str());
  forget_temporary();
}

void AtomicFile::write(std::string_view bytes) {
  if (!platform::write_all(descriptor_, bytes)) fail("cannot be written", errno);
}

void AtomicFile::commit(Sync sync) {
  const bool beside = !special();
  if (beside) {
    if (sync == Sync::disk && !platform::sync_file(descriptor_)) fail("cannot be written", errno);
    if (temporary_.empty() &&
        !with_new_name([&](const std::string& name) { return platform::name_unnamed(descriptor_, name); }))
      fail("cannot be put in its place", errno);
  }
  const int descriptor = descriptor_;
  descriptor_ = -1;
  if (!platform::close_file(descriptor)) fail("cannot be written", errno);
  if (!beside) return;
  if (!platform::rename_file(temporary_, target_)) fail("cannot be put in its place", errno);
  forget_temporary();
  // The new name must also survive a power failure.
  if (sync == Sync::disk) platform::sync_folder(folder_of(target_).string());
}

void AtomicFile::fail(const std::string& what, int error) const {
  throw InputError(name_, {}, what + ": " + std::generic_category().message(error));
}

void check_output(const std::string& path) {
  if (path == "-") {
    if (const int error = platform::standard_output_error(); error != 0)
      throw InputError("standard output", {}, "cannot be written: " + std::generic_category().message(error));
    return;
  }
  const platform::FileStatus status = path.empty() ? platform::FileStatus{} : platform::file_status(path);
  if (!status.exists || status.regular || status.folder) {
    const AtomicFile file(path);
    return;
  }
  if (!platform::may_write(path))
    throw InputError(path, {}, "cannot be written: " + std::generic_category().message(errno));
}

void remove_temporaries() noexcept {
  for (Temporary& one : temporaries)
    if (one.state == Temporary::in_use) platform::remove_file(one.path.data());
}

}  // namespace genocl::files
