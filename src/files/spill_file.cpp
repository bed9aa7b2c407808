#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::files {
SpillFile::SpillFile(const std::string& folder)
    : folder_(folder.empty() ? platform::temporary_folder() : folder),
      descriptor_(platform::create_temporary(folder_)) {
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
  if (descriptor_ >= 0) platform::close_file(descriptor_);
}

void SpillFile::append(std::span<const std::byte> bytes) {
  // A failed call leaves bytes only after the end, where the next call overwrites them.
  if (!platform::write_at(descriptor_, size_, bytes)) fail("no room for a temporary file", errno);
  size_ += bytes.size();
}

void SpillFile::append_zeros(std::uint64_t count) {
  if (count == 0) return;
  // Truncates the bytes of a failed append() first, which may be nonzero.
  if (!platform::append_zeros(descriptor_, size_, count)) fail("no room for a temporary file", errno);
  size_ += count;
}

void SpillFile::read(std::uint64_t begin, std::span<std::byte> place) const {
  if (begin > size_ || place.size() > size_ - begin) throw std::out_of_range("a temporary file read past its end");
  if (!platform::read_at(descriptor_, begin, place)) fail("a temporary file cannot be read", errno == 0 ? EIO : errno);
}

void SpillFile::fail(const std::string& what, int error) const {
  throw InputError(folder_, {}, what + ": " + std::generic_category().message(error));
}

}  // namespace genocl::files
