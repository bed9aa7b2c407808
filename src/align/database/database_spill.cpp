#include "align/database/database_spill.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "genocl/error.hpp"

namespace genocl::align {
namespace {

[[noreturn]] void fail(const std::string& folder, int error) {
  throw InputError(folder, {}, "no room for a temporary file: " + std::generic_category().message(error));
}

int unnamed_file(const std::string& folder) {
#ifdef O_TMPFILE
  const int unnamed = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (unnamed >= 0) return unnamed;
#endif
  std::string name = folder + "/genocl-XXXXXX";  // a file system that does not have them
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) fail(folder, errno);
  unlink(name.c_str());
  return descriptor;
}

std::string default_folder() {
  if (const char* const chosen = std::getenv("TMPDIR"); chosen != nullptr && *chosen != '\0') return chosen;
  return access("/var/tmp", W_OK) == 0 ? "/var/tmp" : "/tmp";
}

}  // namespace

TemporaryMap::TemporaryMap(const std::string& folder, std::uint64_t size)
    : TemporaryMap(
          [&] {
            const int descriptor = unnamed_file(folder);
            // Room first: a map of a file on a full disk would end the process.
            if (const int error = posix_fallocate(descriptor, 0, static_cast<off_t>(size)); error != 0) {
              close(descriptor);
              fail(folder, error);
            }
            return descriptor;
          }(),
          folder, size) {}

TemporaryMap::TemporaryMap(int descriptor, const std::string& folder, std::uint64_t size) {
  void* const memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  const int error = errno;
  close(descriptor);
  if (memory == MAP_FAILED) fail(folder, error);
  bytes_ = {static_cast<std::byte*>(memory), size};
}

TemporaryMap::~TemporaryMap() { munmap(bytes_.data(), bytes_.size()); }

Spill::Spill(std::uint64_t most, std::string folder)
    : most_(std::max<std::uint64_t>(most, 1)), folder_(folder.empty() ? default_folder() : std::move(folder)) {}

Spill::Spill(Spill&& other) noexcept
    : most_(other.most_),
      folder_(std::move(other.folder_)),
      memory_(std::move(other.memory_)),
      spilled_(other.spilled_),
      descriptor_(std::exchange(other.descriptor_, -1)) {}

Spill& Spill::operator=(Spill&& other) noexcept {
  std::swap(most_, other.most_);
  std::swap(folder_, other.folder_);
  std::swap(memory_, other.memory_);
  std::swap(spilled_, other.spilled_);
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

Spill::~Spill() {
  if (descriptor_ >= 0) close(descriptor_);
}

void Spill::append(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    if (memory_.size() >= most_) write_out();
    const std::uint64_t count = std::min<std::uint64_t>(bytes.size(), most_ - memory_.size());
    const std::uint64_t needed = memory_.size() + count;
    if (needed > memory_.capacity()) memory_.reserve(std::min(most_, std::max(needed, 2 * memory_.capacity())));
    memory_.insert(memory_.end(), bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(count));
    bytes = bytes.subspan(count);
  }
}

void Spill::write_out() {
  if (memory_.empty()) return;
  if (descriptor_ < 0) descriptor_ = unnamed_file(folder_);
  constexpr std::size_t most_at_once = std::size_t{64} << 20;
  for (std::size_t done = 0; done < memory_.size();) {
    const ssize_t count = write(descriptor_, memory_.data() + done, std::min(memory_.size() - done, most_at_once));
    if (count >= 0)
      done += static_cast<std::size_t>(count);
    else if (errno != EINTR)
      fail(folder_, errno);
  }
  spilled_ += memory_.size();
  memory_.clear();
}

Spill::Content Spill::finish() {
  Content content;
  if (in_memory()) {
    content.memory = std::move(memory_);
    return content;
  }
  write_out();
  memory_ = {};
  content.map = std::make_unique<TemporaryMap>(std::exchange(descriptor_, -1), folder_, spilled_);
  return content;
}

}  // namespace genocl::align
