// The operating system's calls on Linux, macOS and other POSIX systems.
#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "runtime/platform.hpp"

namespace genocl::platform {
namespace {

namespace fs = std::filesystem;

/// A single call of the system transfers less than 2 GiB.
constexpr std::size_t max_transfer = std::size_t{64} << 20;

std::string variable(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr ? value : "";
}

/// Repeats a call that a signal interrupts.
template <class Call>
auto uninterrupted(const Call& call) noexcept {
  auto result = call();
  while (result == -1 && errno == EINTR) result = call();
  return result;
}

/// While it lives, a write to a closed pipe fails with EPIPE in this thread instead of ending the process. The
/// process's own handling of SIGPIPE is not touched.
class NoPipeSignal {
 public:
  NoPipeSignal() noexcept {
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
  static bool pending() noexcept {
    sigset_t set;
    sigemptyset(&set);
    return sigpending(&set) == 0 && sigismember(&set, SIGPIPE) == 1;
  }

  sigset_t pipe_, before_;
  bool was_pending_ = false;
};

FileStatus status_from(int result, const struct stat& status) noexcept {
  if (result != 0) return {.error = errno};
  return {.exists = true,
          .regular = S_ISREG(status.st_mode),
          .folder = S_ISDIR(status.st_mode),
          .size = static_cast<std::uint64_t>(status.st_size),
          .permissions = static_cast<unsigned>(status.st_mode) & 07777U};
}

/// The name by which Linux links a file without a name to one.
std::string process_name(int descriptor) { return "/proc/self/fd/" + std::to_string(descriptor); }

#if !defined(__linux__)
bool set_close_on_exec(int descriptor) noexcept { return fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0; }
#endif

}  // namespace

// ---- Process and memory ----

std::int64_t process_id() noexcept {
  // Every launch asks, and a system call takes microseconds in some sandboxes: fork() renews a stored number.
  static std::atomic<std::int64_t> stored = [] {
    ::pthread_atfork(nullptr, nullptr, [] { stored.store(::getpid(), std::memory_order_relaxed); });
    return std::int64_t{::getpid()};
  }();
  return stored.load(std::memory_order_relaxed);
}

std::size_t page_size() noexcept { return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE)); }

CacheSizes cache_sizes() noexcept {
  CacheSizes sizes;
#ifdef __GLIBC__
  const auto bytes = [](int name) { return static_cast<std::uint64_t>(std::max(0L, ::sysconf(name))); };
  sizes.level1_data = bytes(_SC_LEVEL1_DCACHE_SIZE);
  sizes.level2 = bytes(_SC_LEVEL2_CACHE_SIZE);
#endif
  return sizes;
}

std::uint64_t physical_memory() noexcept {
  const auto pages = ::sysconf(_SC_PHYS_PAGES);
  return pages > 0 ? static_cast<std::uint64_t>(pages) * page_size() : unlimited;
}

std::uint64_t available_memory() noexcept {
#if defined(__linux__)
  return unlimited;
#else
  return physical_memory();
#endif
}

MemoryLimits memory_limits() noexcept {
  const auto limit_of = [](auto resource) -> std::uint64_t {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
    return limit.rlim_cur;
  };
  return {.address_space = limit_of(RLIMIT_AS), .data = limit_of(RLIMIT_DATA)};
}

void use_large_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_HUGEPAGE
  constexpr std::size_t page = std::size_t{2} << 20;
  constexpr std::size_t min_bytes = std::size_t{16} << 20;
  if (begin == nullptr || bytes < min_bytes) return;
  const std::size_t before = (page - reinterpret_cast<std::uintptr_t>(begin) % page) % page;
  // Advice only: the result is ignored.
  (void)madvise(static_cast<std::byte*>(begin) + before, (bytes - before) / page * page, MADV_HUGEPAGE);
#endif
}

// ---- Folders ----

fs::path user_cache_folder() {
  if (const std::string folder = variable("XDG_CACHE_HOME"); !folder.empty()) return folder;
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache";
  return {};
}

std::string temporary_folder() {
  if (std::string chosen = variable("TMPDIR"); !chosen.empty()) return chosen;
  return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

// ---- Files by name ----

FileStatus file_status(const std::string& path) {
  struct stat status {};
  return status_from(::stat(path.c_str(), &status), status);
}

FileStatus file_status(int descriptor) noexcept {
  struct stat status {};
  return status_from(::fstat(descriptor, &status), status);
}

bool may_write(const std::string& path) { return ::access(path.c_str(), W_OK) == 0; }

bool rename_file(const std::string& from, const std::string& to) { return std::rename(from.c_str(), to.c_str()) == 0; }

void remove_file(const char* path) noexcept { ::unlink(path); }

// ---- Files by descriptor ----

int open_to_read(const std::string& path) { return ::open(path.c_str(), O_RDONLY | O_CLOEXEC); }

int open_to_write(const std::string& path) { return ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY); }

int create_file(const std::string& path) { return ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666); }

int create_unnamed([[maybe_unused]] const std::string& folder) {
#ifdef O_TMPFILE
  const int descriptor = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0666);
  // Without /proc it could not be given a name later.
  if (descriptor < 0 || ::access(process_name(descriptor).c_str(), F_OK) == 0) return descriptor;
  ::close(descriptor);
#endif
  errno = ENOTSUP;
  return -1;
}

bool name_unnamed(int descriptor, const std::string& path) {
  return ::linkat(AT_FDCWD, process_name(descriptor).c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0;
}

int create_temporary(const std::string& folder) {
#ifdef O_TMPFILE
  const int unnamed = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
#endif
  // Not every file system has files without a name. A process that is killed between the two calls leaves no bytes.
  std::string name = folder + "/.genocl-XXXXXX";
#if defined(__linux__)
  const int descriptor = ::mkostemp(name.data(), O_CLOEXEC);
#else
  const int descriptor = ::mkstemp(name.data());
  if (descriptor >= 0) set_close_on_exec(descriptor);
#endif
  if (descriptor >= 0) ::unlink(name.c_str());
  return descriptor;
}

int duplicate_standard_output() noexcept { return ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0); }

int standard_output_error() noexcept {
  const int mode = ::fcntl(STDOUT_FILENO, F_GETFL);
  if (mode < 0) return errno;
  return (mode & O_ACCMODE) == O_RDONLY ? EBADF : 0;
}

bool close_file(int descriptor) noexcept { return ::close(descriptor) == 0 || errno == EINTR; }

bool set_permissions(int descriptor, unsigned permissions) noexcept {
  return ::fchmod(descriptor, static_cast<mode_t>(permissions)) == 0;
}

bool seek(int descriptor, std::uint64_t offset) noexcept {
  return ::lseek(descriptor, static_cast<off_t>(offset), SEEK_SET) >= 0;
}

bool write_all(int descriptor, std::string_view bytes) noexcept {
  const NoPipeSignal guard;
  while (!bytes.empty()) {
    const auto count = ::write(descriptor, bytes.data(), std::min(bytes.size(), max_transfer));
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno == EAGAIN) {  // standard output may be made non-blocking by a process that shares it
      pollfd wait{.fd = descriptor, .events = POLLOUT, .revents = 0};
      ::poll(&wait, 1, -1);
    } else if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

bool read_at(int descriptor, std::uint64_t begin, std::span<std::byte> place) noexcept {
  while (!place.empty()) {
    errno = 0;
    const auto count = uninterrupted([&] {
      return ::pread(descriptor, place.data(), std::min(place.size(), max_transfer), static_cast<off_t>(begin));
    });
    if (count <= 0) {
      if (count == 0) errno = 0;
      return false;
    }
    begin += static_cast<std::uint64_t>(count);
    place = place.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool write_at(int descriptor, std::uint64_t begin, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    const auto count = uninterrupted([&] {
      return ::pwrite(descriptor, bytes.data(), std::min(bytes.size(), max_transfer), static_cast<off_t>(begin));
    });
    if (count < 0) return false;
    begin += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return true;
}

bool append_zeros(int descriptor, std::uint64_t begin, std::uint64_t size) noexcept {
  if (::ftruncate(descriptor, static_cast<off_t>(begin)) != 0) return false;
#if defined(__APPLE__)
  fstore_t storage{};
  storage.fst_flags = F_ALLOCATEALL;
  storage.fst_posmode = F_PEOFPOSMODE;
  storage.fst_length = static_cast<off_t>(size);
  // A file system that cannot reserve blocks reports ENOTSUP.
  if (::fcntl(descriptor, F_PREALLOCATE, &storage) == -1 && errno != ENOTSUP) return false;
  return ::ftruncate(descriptor, static_cast<off_t>(begin + size)) == 0;
#else
  int error = EINTR;
  while (error == EINTR) error = ::posix_fallocate(descriptor, static_cast<off_t>(begin), static_cast<off_t>(size));
  errno = error;
  return error == 0;
#endif
}

bool sync_file(int descriptor) noexcept { return ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOSYS; }

void sync_folder(const std::string& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return;
  ::fsync(descriptor);
  ::close(descriptor);
}

// ---- Mapped files ----

Mapping::Mapping(int descriptor, std::uint64_t begin, std::size_t size, Access access) noexcept {
  const std::size_t before = static_cast<std::size_t>(begin % page_size());
  const int protection = access == Access::read ? PROT_READ : PROT_READ | PROT_WRITE;
  void* const memory =
      ::mmap(nullptr, before + size, protection, MAP_SHARED, descriptor, static_cast<off_t>(begin - before));
  if (memory == MAP_FAILED) return;
  memory_ = static_cast<std::byte*>(memory);
  before_ = before;
  size_ = size;
}

Mapping::~Mapping() {
  if (memory_ != nullptr) ::munmap(memory_, before_ + size_);
}

void Mapping::read_ahead(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return;
  const std::size_t before = reinterpret_cast<std::uintptr_t>(bytes.data()) % page_size();
  // Advice only: the result is ignored. The parameter is not const, though nothing is written.
  (void)::posix_madvise(const_cast<std::byte*>(bytes.data()) - before, before + bytes.size(), POSIX_MADV_WILLNEED);
}

// ---- Programs and shared libraries ----

fs::path file_of_code(const void* address) {
  Dl_info found{};
  if (::dladdr(address, &found) == 0 || found.dli_fname == nullptr) return {};
  std::error_code error;
  fs::path file = fs::canonical(found.dli_fname, error);
  if (!error && fs::is_regular_file(file, error)) return file;
    // A program found through PATH is reported without its folder.
#if defined(__APPLE__)
  std::string name(4096, '\0');
  std::uint32_t size = static_cast<std::uint32_t>(name.size());
  if (_NSGetExecutablePath(name.data(), &size) != 0) return {};
  file = fs::canonical(name.c_str(), error);
#else
  file = fs::read_symlink("/proc/self/exe", error);
#endif
  return error ? fs::path() : file;
}

void* load_library(const std::string& name, std::string& message) {
  void* const library = ::dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (library == nullptr) {
    const char* const reason = ::dlerror();
    message = reason == nullptr ? "cannot be loaded" : reason;
  }
  return library;
}

void* find_function(void* library, const char* name) noexcept { return ::dlsym(library, name); }

std::string driver_registry() { return "/etc/OpenCL/vendors"; }

std::vector<std::string> registry_drivers() { return {}; }

}  // namespace genocl::platform
