#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "files/positioned.hpp"
#include "genocl/error.hpp"
#include "genocl/files.hpp"

namespace genocl::files {
namespace {

std::string default_folder() {
  if (const char* const chosen = std::getenv("TMPDIR"); chosen != nullptr && *chosen != '\0') return chosen;
  return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

/// -1 with errno where there can be none.
int unnamed_file(const std::string& folder) {
#ifdef O_TMPFILE
  const int unnamed = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
#endif
  // Not every file system has files without a name. A process that is killed between the two calls leaves no bytes.
  std::string name = folder + "/.genocl-XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor >= 0) unlink(name.c_str());
  return descriptor;
}

}  // namespace

SpillFile::SpillFile(const std::string& folder)
    : folder_(folder.empty() ? default_folder() : folder), descriptor_(unnamed_file(folder_)) {
  if (descriptor_ < 0) fail("no temporary file can be made", errno);
}

SpillFile::SpillFile(SpillFile&& other) noexcept
    : folder_(std::move(other.folder_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(std::exchange(other.size_, 0)) {}

SpillFile& SpillFile::operator=(SpillFile&& other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

SpillFile::~SpillFile() {
  if (descriptor_ >= 0) close(descriptor_);
}

void SpillFile::append(std::span<const std::byte> bytes) {
  // What a failed call has written is behind the end, where the next one writes again.
  if (!write_at(descriptor_, size_, bytes)) fail("no room for a temporary file", errno);
  size_ += bytes.size();
}

void SpillFile::append_zeros(std::uint64_t count) {
  if (count == 0) return;
  // The bytes of a failed append() are cut off, since they need not be zeros.
  if (ftruncate(descriptor_, static_cast<off_t>(size_)) != 0) fail("no room for a temporary file", errno);
  int error = EINTR;
  while (error == EINTR) error = posix_fallocate(descriptor_, static_cast<off_t>(size_), static_cast<off_t>(count));
  if (error != 0) fail("no room for a temporary file", error);
  size_ += count;
}

void SpillFile::read(std::uint64_t begin, std::span<std::byte> place) const {
  if (begin > size_ || place.size() > size_ - begin) throw std::out_of_range("a temporary file read past its end");
  if (!read_at(descriptor_, begin, place)) fail("a temporary file cannot be read", errno == 0 ? EIO : errno);
}

void SpillFile::fail(const std::string& what, int error) const {
  throw InputError(folder_, {}, what + ": " + std::generic_category().message(error));
}

}  // namespace genocl::files
