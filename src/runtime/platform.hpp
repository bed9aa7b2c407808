// The core's calls of the operating system: files, memory, processes, folders and shared libraries.
//
// platform_posix.cpp and platform_windows.cpp implement them, and CMake chooses one. No other file of the core or of a
// topic includes a header of the system (tests/style/system_headers.sh).
//
// Paths are UTF-8. A call that fails returns false, -1 or an empty object and sets errno, unless stated otherwise.
// GENOCL_EXPORT marks what genocl::io and genocl::cluster call.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::platform {

// ---- Process and memory ----

/// A limit that is unknown or absent.
inline constexpr std::uint64_t unlimited = ~std::uint64_t{0};

/// Differs from the parent's in a forked process.
std::int64_t process_id() noexcept;

/// Bytes of a memory page.
std::size_t page_size() noexcept;

/// Bytes of the caches of a core; 0 if unknown.
struct CacheSizes {
  std::uint64_t level1_data = 0, level2 = 0;
};
CacheSizes cache_sizes() noexcept;

/// Bytes of the machine's memory; `unlimited` if unknown.
std::uint64_t physical_memory() noexcept;

/// Bytes of memory that processes can still get. `unlimited` on Linux, where /proc/meminfo has the number.
std::uint64_t available_memory() noexcept;

/// Limits of this process in bytes (ulimit -v, -d).
struct MemoryLimits {
  std::uint64_t address_space = unlimited, data = unlimited;
};
MemoryLimits memory_limits() noexcept;

/// Requests large pages for memory that has not been written yet; several threads then fault it in several times
/// faster. Linux grants the request if transparent_hugepage is "madvise" (common on Debian and Ubuntu) or "always". No
/// effect on other systems or below 16 MiB.
GENOCL_EXPORT void use_large_pages(void* begin, std::size_t bytes) noexcept;

// ---- Folders ----

/// Separates folders in a list, as in PATH.
#ifdef _WIN32
inline constexpr char path_separator = ';';
#else
inline constexpr char path_separator = ':';
#endif

/// The user's folder of caches; empty if unknown.
std::filesystem::path user_cache_folder();

/// A folder for large temporary files.
std::string temporary_folder();

// ---- Files by name ----

struct FileStatus {
  bool exists = false, regular = false, folder = false;
  std::uint64_t size = 0;
  unsigned permissions = 0;
  int error = 0;  ///< errno if `exists` is false; ENOENT for an absent file
};
/// Follows symbolic links.
FileStatus file_status(const std::string& path);
FileStatus file_status(int descriptor) noexcept;

/// True if this process may write the existing file or folder.
bool may_write(const std::string& path);

/// Renames a closed file and replaces an existing one.
bool rename_file(const std::string& from, const std::string& to);

/// Errors are ignored. Async-signal-safe on POSIX systems.
void remove_file(const char* path) noexcept;

// ---- Files by descriptor ----
// Descriptors are not inherited by child processes. Bytes are not translated.

int open_to_read(const std::string& path);
/// For a device or a named pipe.
int open_to_write(const std::string& path);
/// A new file to read and write. Fails with EEXIST if the name is taken.
int create_file(const std::string& path);
/// A new file without a name in `folder`, to read and write. Fails where the file system has none.
int create_unnamed(const std::string& folder);
/// Gives an unnamed file a name. Fails with EEXIST if the name is taken.
bool name_unnamed(int descriptor, const std::string& path);
/// A new file in `folder` to read and write, which is gone when its descriptor and mappings are, in whatever way the
/// process ends.
int create_temporary(const std::string& folder);
int duplicate_standard_output() noexcept;
/// 0, or the errno that a write to standard output would fail with.
int standard_output_error() noexcept;
bool close_file(int descriptor) noexcept;

bool set_permissions(int descriptor, unsigned permissions) noexcept;
/// Sets the offset of the next write_all().
bool seek(int descriptor, std::uint64_t offset) noexcept;
/// Writes all bytes. A closed pipe is EPIPE and raises no signal; a full non-blocking pipe is waited for.
bool write_all(int descriptor, std::string_view bytes) noexcept;
/// Reads place.size() bytes from offset `begin`. If the file ends before, it fails with errno 0.
GENOCL_EXPORT bool read_at(int descriptor, std::uint64_t begin, std::span<std::byte> place) noexcept;
GENOCL_EXPORT bool write_at(int descriptor, std::uint64_t begin, std::span<const std::byte> bytes) noexcept;
/// Cuts the file off at `begin`, then appends `size` zeros and allocates their disk blocks, so that a mapping of them
/// can be written.
bool append_zeros(int descriptor, std::uint64_t begin, std::uint64_t size) noexcept;
/// Writes the file to disk. Also succeeds for files that the system cannot sync, such as pipes.
bool sync_file(int descriptor) noexcept;
/// Writes the names in a folder to disk. Errors are ignored.
void sync_folder(const std::string& folder);

// ---- Mapped files ----

enum class Access { read, read_write };

/// Bytes of a file in memory. They stay valid after the descriptor is closed. Writes reach the file.
class Mapping {
 public:
  Mapping() = default;
  /// The bytes [begin, begin + size) of the file; size > 0. is_mapped() is false on failure.
  Mapping(int descriptor, std::uint64_t begin, std::size_t size, Access access) noexcept;
  ~Mapping();
  Mapping(Mapping&& other) noexcept { swap(other); }
  Mapping& operator=(Mapping&& other) noexcept {
    swap(other);
    return *this;
  }

  bool is_mapped() const noexcept { return memory_ != nullptr; }
  std::span<std::byte> bytes() const noexcept { return {memory_ + before_, size_}; }
  /// Requests that the bytes be read ahead. `bytes` is a part of a mapping.
  static void read_ahead(std::span<const std::byte> bytes) noexcept;

 private:
  void swap(Mapping& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(before_, other.before_);
    std::swap(size_, other.size_);
    std::swap(file_, other.file_);
  }

  std::byte* memory_ = nullptr;  // from a page's beginning
  std::size_t before_ = 0;       // bytes from there to `begin`
  std::size_t size_ = 0;
  void* file_ = nullptr;  // a handle that Windows needs
};

// ---- Programs and shared libraries ----

/// The file of the program or shared library that contains the address; empty if unknown.
std::filesystem::path file_of_code(const void* address);

/// Loads a shared library for the life of the process. nullptr and the system's message on failure.
void* load_library(const std::string& name, std::string& message);
/// nullptr if the library does not export it.
void* find_function(void* library, const char* name) noexcept;

/// Where the OpenCL loader registers drivers, for messages.
std::string driver_registry();
/// The drivers' libraries registered outside folders of .icd files: in Windows' registry.
std::vector<std::string> registry_drivers();

}  // namespace genocl::platform
