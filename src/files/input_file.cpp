#include <atomic>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <system_error>
#include <utility>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/files.hpp"
#include "runtime/platform.hpp"

namespace genocl::files {
namespace {

/// Systems allow a process some thousand descriptors, many of them 1,024: files beyond these are opened for each read.
constexpr int max_held = 256;
std::atomic<int> held_descriptors = 0;

SpillFile copy_of_stream(std::istream& in, const std::string& folder) {
  SpillFile copy(folder);
  std::vector<char> block(std::size_t{1} << 20);
  while (in.read(block.data(), static_cast<std::streamsize>(block.size())), in.gcount() > 0)
    copy.append(std::as_bytes(std::span(block).first(static_cast<std::size_t>(in.gcount()))));
  return copy;
}

}  // namespace

InputFile::InputFile(const std::string& path, const std::string& folder)
    : name_(path == "-" ? "standard input" : path) {
  const auto copy = [&](std::istream& in) {
    errno = 0;
    copy_.emplace(copy_of_stream(in, folder));
    // std::cin does not report errors of stdin.
    if (in.bad() || (&in == &std::cin && std::ferror(stdin) != 0)) fail("cannot be read", errno != 0 ? errno : EIO);
    size_ = copy_->size();
    if (size_ == 0) copy_.reset();  // and its descriptor
  };
  if (path == "-") {
    copy(std::cin);
  } else {
    const platform::FileStatus status = platform::file_status(path);
    if (!status.exists) fail("cannot be read", status.error);
    if (status.folder) throw InputError(name_, {}, "cannot be read: it is a folder");
    // Pipes and files of /proc have no size.
    if (!status.regular || status.size == 0) {
      std::ifstream in(path, std::ios::binary);
      if (!in) fail("cannot be read", errno);
      copy(in);
    } else {
      open();
      size_ = status.size;
    }
  }
}

InputFile::InputFile(InputFile&& other) noexcept
    : name_(std::move(other.name_)),
      copy_(std::move(other.copy_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      size_(std::exchange(other.size_, 0)) {}

InputFile& InputFile::operator=(InputFile&& other) noexcept {
  std::swap(name_, other.name_);
  std::swap(copy_, other.copy_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(size_, other.size_);
  return *this;
}

InputFile::~InputFile() {
  if (descriptor_ < 0) return;
  platform::close_file(descriptor_);
  --held_descriptors;
}

void InputFile::open() {
  const int descriptor = platform::open_to_read(name_);
  if (descriptor < 0) fail("cannot be read", errno);
  if (held_descriptors++ < max_held) {
    descriptor_ = descriptor;
  } else {
    --held_descriptors;
    platform::close_file(descriptor);
  }
}

void InputFile::read(std::uint64_t begin, std::span<std::byte> place) const {
  if (begin > size_ || place.size() > size_ - begin) throw InputError(name_, {}, "read past its end");
  if (place.empty()) return;
  if (copy_) return copy_->read(begin, place);
  const int descriptor = descriptor_ >= 0 ? descriptor_ : platform::open_to_read(name_);
  if (descriptor < 0) fail("cannot be read", errno);
  const bool complete = platform::read_at(descriptor, begin, place);
  const int error = errno;
  if (descriptor_ < 0) platform::close_file(descriptor);
  if (complete) return;
  if (error == 0) throw InputError(name_, {}, "became shorter while it was read");
  fail("cannot be read", error);
}

void InputFile::fail(const std::string& what, int error) const {
  throw InputError(name_, {}, what + ": " + std::generic_category().message(error));
}

}  // namespace genocl::files
