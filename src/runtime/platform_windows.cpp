// The operating system's calls on Windows. Files are descriptors of the C runtime, whose calls set errno.
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0602  // Windows 8: PrefetchVirtualMemory
#include <windows.h>
// After windows.h.
#include <fcntl.h>
#include <io.h>
#include <share.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "runtime/platform.hpp"

namespace genocl::platform {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_transfer = std::size_t{64} << 20;

/// Sets errno for the last error of Windows. Always false.
bool fail() noexcept {
  const DWORD error = ::GetLastError();
  switch (error) {
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
      errno = ENOENT;
      break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      errno = EACCES;
      break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      errno = EEXIST;
      break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      errno = ENOSPC;
      break;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_COMMITMENT_LIMIT:
    case ERROR_OUTOFMEMORY:
      errno = ENOMEM;
      break;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      errno = EPIPE;
      break;
    case ERROR_INVALID_HANDLE:
      errno = EBADF;
      break;
    case ERROR_NOT_SUPPORTED:
      errno = ENOTSUP;
      break;
    default:
      errno = EIO;
      break;
  }
  return false;
}

std::string utf8(std::wstring_view text) {
  const int length = static_cast<int>(text.size());
  std::string result(
      static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr)),
      '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, result.data(), static_cast<int>(result.size()), nullptr,
                        nullptr);
  return result;
}

std::wstring wide(std::string_view text) {
  const int length = static_cast<int>(text.size());
  std::wstring result(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0)),
                      L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, result.data(), static_cast<int>(result.size()));
  return result;
}

fs::path folder_variable(const wchar_t* name) {
  const wchar_t* const value = ::_wgetenv(name);
  return value != nullptr ? fs::path(value) : fs::path();
}

int open_file(const std::string& path, int flags, int share = _SH_DENYNO) {
  int descriptor = -1;
  const int error =
      ::_wsopen_s(&descriptor, wide(path).c_str(), flags | _O_BINARY | _O_NOINHERIT, share, _S_IREAD | _S_IWRITE);
  if (error == 0) return descriptor;
  errno = error;
  return -1;
}

FileStatus status_from(int result, const struct _stat64& status) noexcept {
  if (result != 0) return {.error = errno};
  const auto kind = status.st_mode & _S_IFMT;
  return {.exists = true,
          .regular = kind == _S_IFREG,
          .folder = kind == _S_IFDIR,
          .size = static_cast<std::uint64_t>(status.st_size),
          .permissions = static_cast<unsigned>(status.st_mode) & 0777U};
}

HANDLE handle_of(int descriptor) noexcept { return reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor)); }

OVERLAPPED offset_of(std::uint64_t begin) noexcept {
  OVERLAPPED place{};
  place.Offset = static_cast<DWORD>(begin);
  place.OffsetHigh = static_cast<DWORD>(begin >> 32);
  return place;
}

fs::path file_of_module(HMODULE module) {
  std::wstring name(32'768, L'\0');  // the maximum length of a path
  name.resize(::GetModuleFileNameW(module, name.data(), static_cast<DWORD>(name.size())));
  return name;
}

constexpr const wchar_t* registry_key = L"SOFTWARE\\Khronos\\OpenCL\\Vendors";

}  // namespace

// ---- Process and memory ----

std::int64_t process_id() noexcept { return ::GetCurrentProcessId(); }

std::size_t page_size() noexcept {
  SYSTEM_INFO info{};
  ::GetSystemInfo(&info);
  return info.dwPageSize;
}

CacheSizes cache_sizes() noexcept { return {}; }

std::uint64_t physical_memory() noexcept {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return ::GlobalMemoryStatusEx(&status) != 0 ? status.ullTotalPhys : unlimited;
}

std::uint64_t available_memory() noexcept {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  return ::GlobalMemoryStatusEx(&status) != 0 ? std::min(status.ullAvailPhys, status.ullAvailPageFile) : unlimited;
}

MemoryLimits memory_limits() noexcept { return {}; }

void use_large_pages(void*, std::size_t) noexcept {}

// ---- Folders ----

fs::path user_cache_folder() {
  if (fs::path folder = folder_variable(L"XDG_CACHE_HOME"); !folder.empty()) return folder;
  return folder_variable(L"LOCALAPPDATA");
}

std::string temporary_folder() {
  if (const fs::path chosen = folder_variable(L"TMPDIR"); !chosen.empty()) return utf8(chosen.native());
  std::array<wchar_t, MAX_PATH + 1> name{};
  const DWORD length = ::GetTempPathW(static_cast<DWORD>(name.size()), name.data());
  return length == 0 ? "." : utf8({name.data(), length});
}

// ---- Files by name ----

FileStatus file_status(const std::string& path) {
  struct _stat64 status {};
  return status_from(::_wstat64(wide(path).c_str(), &status), status);
}

FileStatus file_status(int descriptor) noexcept {
  struct _stat64 status {};
  return status_from(::_fstat64(descriptor, &status), status);
}

bool may_write(const std::string& path) {
  constexpr int write = 2;
  return ::_waccess(wide(path).c_str(), write) == 0;
}

bool rename_file(const std::string& from, const std::string& to) {
  return ::MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0 ||
         fail();
}

void remove_file(const char* path) noexcept {
  // Handlers of signals call this: no memory is allocated.
  std::array<wchar_t, 4096> name{};
  if (::MultiByteToWideChar(CP_UTF8, 0, path, -1, name.data(), static_cast<int>(name.size())) > 0)
    ::DeleteFileW(name.data());
}

// ---- Files by descriptor ----

int open_to_read(const std::string& path) { return open_file(path, _O_RDONLY); }

int open_to_write(const std::string& path) { return open_file(path, _O_WRONLY); }

int create_file(const std::string& path) { return open_file(path, _O_RDWR | _O_CREAT | _O_EXCL); }

int create_unnamed(const std::string&) {
  errno = ENOTSUP;
  return -1;
}

bool name_unnamed(int, const std::string&) {
  errno = ENOTSUP;
  return false;
}

int create_temporary(const std::string& folder) {
  static std::atomic<unsigned> counter = 0;
  constexpr int tries = 1000;
  for (int i = 0; i < tries; ++i) {
    const std::string name =
        folder + "\\.genocl-" + std::to_string(process_id()) + "-" + std::to_string(counter++) + ".tmp";
    // _O_TEMPORARY: the file is deleted with its last handle. _O_SHORT_LIVED: it stays in memory where possible.
    const int descriptor = open_file(name, _O_RDWR | _O_CREAT | _O_EXCL | _O_TEMPORARY | _O_SHORT_LIVED);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

int duplicate_standard_output() noexcept {
  constexpr int standard_output = 1;
  const int descriptor = ::_dup(standard_output);
  if (descriptor >= 0) ::_setmode(descriptor, _O_BINARY);
  return descriptor;
}

int standard_output_error() noexcept {
  const HANDLE handle = ::GetStdHandle(STD_OUTPUT_HANDLE);
  return handle == nullptr || handle == INVALID_HANDLE_VALUE ? EBADF : 0;
}

bool close_file(int descriptor) noexcept { return ::_close(descriptor) == 0; }

bool set_permissions(int, unsigned) noexcept { return true; }  // a new file inherits those of its folder

bool seek(int descriptor, std::uint64_t offset) noexcept {
  return ::_lseeki64(descriptor, static_cast<std::int64_t>(offset), SEEK_SET) >= 0;
}

bool write_all(int descriptor, std::string_view bytes) noexcept {
  while (!bytes.empty()) {
    const int count = ::_write(descriptor, bytes.data(), static_cast<unsigned>(std::min(bytes.size(), max_transfer)));
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

bool read_at(int descriptor, std::uint64_t begin, std::span<std::byte> place) noexcept {
  while (!place.empty()) {
    OVERLAPPED at = offset_of(begin);
    DWORD count = 0;
    const auto wanted = static_cast<DWORD>(std::min(place.size(), max_transfer));
    const bool done = ::ReadFile(handle_of(descriptor), place.data(), wanted, &count, &at) != 0;
    if (!done && ::GetLastError() != ERROR_HANDLE_EOF) return fail();
    if (count == 0) {
      errno = 0;
      return false;
    }
    begin += count;
    place = place.subspan(count);
  }
  return true;
}

bool write_at(int descriptor, std::uint64_t begin, std::span<const std::byte> bytes) noexcept {
  while (!bytes.empty()) {
    OVERLAPPED at = offset_of(begin);
    DWORD count = 0;
    const auto given = static_cast<DWORD>(std::min(bytes.size(), max_transfer));
    if (::WriteFile(handle_of(descriptor), bytes.data(), given, &count, &at) == 0) return fail();
    begin += count;
    bytes = bytes.subspan(count);
  }
  return true;
}

bool append_zeros(int descriptor, std::uint64_t begin, std::uint64_t size) noexcept {
  // The second call writes the zeros, so the disk has room for them.
  for (const std::uint64_t end : {begin, begin + size})
    if (const int error = ::_chsize_s(descriptor, static_cast<std::int64_t>(end)); error != 0) {
      errno = error;
      return false;
    }
  return true;
}

bool sync_file(int descriptor) noexcept { return ::_commit(descriptor) == 0 || errno == EINVAL; }

void sync_folder(const std::string&) {}  // rename_file() writes the names

// ---- Mapped files ----

Mapping::Mapping(int descriptor, std::uint64_t begin, std::size_t size, Access access) noexcept {
  SYSTEM_INFO info{};
  ::GetSystemInfo(&info);
  const auto before = static_cast<std::size_t>(begin % info.dwAllocationGranularity);
  const std::uint64_t first = begin - before;
  const bool writes = access == Access::read_write;
  // A handle of its own: a temporary file must not be deleted before its mapping ends.
  HANDLE file = nullptr;
  const HANDLE process = ::GetCurrentProcess();
  if (::DuplicateHandle(process, handle_of(descriptor), process, &file, 0, FALSE, DUPLICATE_SAME_ACCESS) == 0) {
    fail();
    return;
  }
  const HANDLE object = ::CreateFileMappingW(file, nullptr, writes ? PAGE_READWRITE : PAGE_READONLY, 0, 0, nullptr);
  void* memory = nullptr;
  if (object != nullptr) {
    memory = ::MapViewOfFile(object, writes ? FILE_MAP_READ | FILE_MAP_WRITE : FILE_MAP_READ,
                             static_cast<DWORD>(first >> 32), static_cast<DWORD>(first), before + size);
  }
  if (memory == nullptr) fail();
  if (object != nullptr) ::CloseHandle(object);
  if (memory == nullptr) {
    ::CloseHandle(file);
    return;
  }
  memory_ = static_cast<std::byte*>(memory);
  before_ = before;
  size_ = size;
  file_ = file;
}

Mapping::~Mapping() {
  if (memory_ == nullptr) return;
  ::FlushViewOfFile(memory_, 0);
  ::UnmapViewOfFile(memory_);
  ::CloseHandle(file_);
}

void Mapping::read_ahead(std::span<const std::byte> bytes) noexcept {
  if (bytes.empty()) return;
  WIN32_MEMORY_RANGE_ENTRY range{const_cast<std::byte*>(bytes.data()), bytes.size()};
  // Advice only: the result is ignored.
  (void)::PrefetchVirtualMemory(::GetCurrentProcess(), 1, &range, 0);
}

// ---- Programs and shared libraries ----

fs::path file_of_code(const void* address) {
  HMODULE module = nullptr;
  if (::GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           static_cast<const wchar_t*>(address), &module) == 0)
    return {};
  std::error_code error;
  fs::path file = fs::canonical(file_of_module(module), error);
  return error ? fs::path() : file;
}

void* load_library(const std::string& name, std::string& message) {
  const HMODULE library = ::LoadLibraryW(wide(name).c_str());
  if (library == nullptr) message = std::system_category().message(static_cast<int>(::GetLastError()));
  return library;
}

void* find_function(void* library, const char* name) noexcept {
  return reinterpret_cast<void*>(::GetProcAddress(static_cast<HMODULE>(library), name));
}

std::string driver_registry() { return "HKEY_LOCAL_MACHINE\\" + utf8(registry_key); }

std::vector<std::string> registry_drivers() {
  std::vector<std::string> libraries;
  HKEY key = nullptr;
  if (::RegOpenKeyExW(HKEY_LOCAL_MACHINE, registry_key, 0, KEY_READ, &key) != ERROR_SUCCESS) return libraries;
  std::wstring name(16'384, L'\0');  // the maximum length of a value's name, which is the library
  for (DWORD i = 0;; ++i) {
    DWORD length = static_cast<DWORD>(name.size()), type = 0, disabled = 0, size = sizeof disabled;
    if (::RegEnumValueW(key, i, name.data(), &length, nullptr, &type, reinterpret_cast<BYTE*>(&disabled), &size) !=
        ERROR_SUCCESS)
      break;
    if (type == REG_DWORD && disabled == 0) libraries.push_back(utf8({name.data(), length}));
  }
  ::RegCloseKey(key);
  return libraries;
}

}  // namespace genocl::platform
