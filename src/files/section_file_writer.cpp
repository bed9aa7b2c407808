// Writes section files: beside their place first, so that they are there whole or not at all.
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>
#include <system_error>

#include "files/section_file.hpp"
#include "files/section_file_layout.hpp"
#include "genocl/error.hpp"

namespace genocl::runtime {
namespace {

namespace fs = std::filesystem;
using section_file::Entry;
using section_file::Header;

/// Gone again unless it is committed.
class NewFile {
 public:
  explicit NewFile(const std::string& path) : path_(path), target_(path) {
    std::error_code error;
    const fs::file_status status = fs::status(target_, error);
    if (fs::is_directory(status)) fail(EISDIR);
    if (fs::exists(status) && !fs::is_regular_file(status)) {  // a device, a pipe: nothing to be renamed
      descriptor_ = open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    } else {
      const bool dangling = !fs::exists(status) && fs::is_symlink(fs::symlink_status(target_, error));
      error.clear();
      if (fs::exists(status)) target_ = fs::canonical(target_, error);
      if (dangling) target_ = target_.parent_path() / fs::read_symlink(target_, error);
      if (error) fail(error.value());
      // A rename asks for the folder's permission only, and would replace a file that is there not to be written to.
      if (fs::exists(status) && access(path.c_str(), W_OK) != 0) fail(errno);
      static std::atomic<unsigned> counter = 0;
      const std::string name = ".genocl-" + std::to_string(getpid()) + "-" + std::to_string(counter++) + "-file.tmp";
      temporary_ = target_.parent_path() / name;
      descriptor_ = open(temporary_.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
      if (descriptor_ < 0) temporary_.clear();
      if (descriptor_ >= 0 && fs::exists(status)) fchmod(descriptor_, static_cast<mode_t>(status.permissions()));
    }
    if (descriptor_ < 0) fail(errno);
  }
  ~NewFile() {
    if (descriptor_ >= 0) close(descriptor_);
    if (!temporary_.empty()) unlink(temporary_.c_str());
  }
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;

  /// `fill` writes into the file's bytes [begin, begin + size), of which it sees a map; their checksum.
  std::uint64_t make(std::uint64_t begin, std::uint64_t size, const std::function<void(std::span<std::byte>)>& fill) {
    if (temporary_.empty()) throw InputError(path_, {}, "is no regular file", "one, or the name of a new one");
    if (size == 0) return checksum({});
    // Room first: a map of a file on a full disk would end the process.
    if (const int error = posix_fallocate(descriptor_, static_cast<off_t>(begin), static_cast<off_t>(size)); error != 0)
      fail(error);
    const std::uint64_t page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    const std::uint64_t before = begin % page;
    void* const memory = mmap(nullptr, before + size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_,
                              static_cast<off_t>(begin - before));
    if (memory == MAP_FAILED) fail(errno);
    const std::unique_ptr<void, std::function<void(void*)>> map(memory, [&](void* it) { munmap(it, before + size); });
    const std::span<std::byte> bytes(static_cast<std::byte*>(memory) + before, size);
    fill(bytes);
    return checksum(bytes);
  }

  /// The next bytes written are those from `position` on.
  void go_to(std::uint64_t position) {
    if (lseek(descriptor_, static_cast<off_t>(position), SEEK_SET) < 0) fail(errno);
  }

  void write(std::span<const std::byte> bytes) {
    constexpr std::size_t most = std::size_t{64} << 20;
    while (!bytes.empty()) {
      const ssize_t count = ::write(descriptor_, bytes.data(), std::min(bytes.size(), most));
      if (count >= 0)
        bytes = bytes.subspan(static_cast<std::size_t>(count));
      else if (errno != EINTR)
        fail(errno);
    }
  }

  void commit() {
    if (fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOSYS) fail(errno);
    const int descriptor = descriptor_;
    descriptor_ = -1;
    if (close(descriptor) != 0 && errno != EINTR) fail(errno);
    if (temporary_.empty()) return;
    std::error_code error;
    fs::rename(temporary_, target_, error);
    if (error) fail(error.value());
    temporary_.clear();
    // So that the new name outlives a power cut too; a file system that cannot do it has its own ways.
    const fs::path parent = target_.parent_path();
    const int folder = open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return;
    fsync(folder);
    close(folder);
  }

 private:
  [[noreturn]] void fail(int error) const {
    throw InputError(path_, {}, "cannot be written: " + std::generic_category().message(error));
  }

  std::string path_;
  fs::path target_, temporary_;
  int descriptor_ = -1;
};

/// Makes the sections that are made, too.
std::vector<Entry> entries_of(const std::vector<Section>& sections, NewFile& file) {
  std::vector<Entry> entries(sections.size());
  std::set<std::string_view> names;
  std::uint64_t end = sizeof(Header) + sections.size() * sizeof(Entry);
  for (std::size_t i = 0; i < sections.size(); ++i) {
    const Section& section = sections[i];
    Entry& entry = entries[i];
    if (section.name.empty() || section.name.size() >= entry.name.size() || !names.insert(section.name).second)
      throw InputError("a section named \"" + section.name + "\"");
    std::copy(section.name.begin(), section.name.end(), entry.name.begin());
    entry.begin = section_file::aligned(end);
    entry.size = section.size();
    entry.bytes_checksum = section.make ? file.make(entry.begin, entry.size, section.make) : checksum(section.bytes);
    end = entry.begin + entry.size;
  }
  return entries;
}

}  // namespace

void write_section_file(const std::string& path, const FileKind& kind, const std::vector<Section>& sections) {
  if (path.empty() || path == "-") throw InputError(std::string(kind.name) + " needs a file of its own, with a name");
  NewFile file(path);  // first, so that what cannot be written is known before the checksums are made
  const std::vector<Entry> entries = entries_of(sections, file);
  const auto table = std::as_bytes(std::span(entries));
  Header header;
  header.magic_bytes = section_file::magic(kind);
  header.format_version = kind.version;
  header.section_count = entries.size();
  header.file_size = entries.empty() ? sizeof header : entries.back().begin + entries.back().size;
  header.table_checksum = checksum(table);
  const auto head = std::as_bytes(std::span(&header, 1));
  header.header_checksum = checksum(head.first(sizeof header - sizeof header.header_checksum));

  file.write(head);
  file.write(table);
  std::uint64_t end = head.size() + table.size();
  constexpr std::array<std::byte, section_file::alignment> zeros{};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    file.write(std::span(zeros).first(entries[i].begin - end));
    end = entries[i].begin + entries[i].size;
    if (sections[i].make)
      file.go_to(end);
    else
      file.write(sections[i].bytes);
  }
  file.commit();
}

}  // namespace genocl::runtime
