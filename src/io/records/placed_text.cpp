#include "io/records/placed_text.hpp"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>

#include "files/positioned.hpp"

namespace genocl::io {
namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;  // of a plain file; it stays in the cache

// A block of bgzip (SAM specification, 4.1): a member of gzip whose extra field says how long it is.
constexpr std::array<unsigned char, 4> block_begin = {0x1f, 0x8b, 8, 4};
constexpr std::array<unsigned char, 6> block_extra = {6, 0, 'B', 'C', 2, 0};  // from byte 10 on
constexpr std::size_t header_bytes = 18, longest_block = std::size_t{1} << 16;

bool is_block(std::string_view bytes) {
  return bytes.size() >= header_bytes && std::memcmp(bytes.data(), block_begin.data(), block_begin.size()) == 0 &&
         std::memcmp(bytes.data() + 10, block_extra.data(), block_extra.size()) == 0;
}

std::size_t block_size(std::string_view bytes) {
  return std::size_t{static_cast<unsigned char>(bytes[16])} + std::size_t{static_cast<unsigned char>(bytes[17])} * 256 +
         1;
}

bool read(int file, std::uint64_t at, std::span<char> place) {
  return files::read_at(file, at, std::as_writable_bytes(place));
}

/// Whether they are blocks as far as they go: each has the next one's header behind it, or the end.
bool begins_blocks(std::string_view bytes, bool at_end) {
  while (is_block(bytes)) {
    const std::size_t size = block_size(bytes);
    if (size > bytes.size()) return !at_end;
    bytes.remove_prefix(size);
    if (bytes.size() < header_bytes) return bytes.empty() || !at_end;
  }
  return false;
}

}  // namespace

PlacedText::PlacedText(const std::string& path) {
  file_ = path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file_ < 0 || fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  std::array<char, header_bytes> head{};
  if (!read(file_, 0, std::span(head).first(std::min<std::size_t>(size_, header_bytes)))) return;
  if (std::memcmp(head.data(), block_begin.data(), 2) != 0) {
    usable_ = true;
    buffer_ = std::make_unique<char[]>(piece_bytes);
    return;
  }
  if (!is_block({head.data(), head.size()})) return;
  const int copy = fcntl(file_, F_DUPFD_CLOEXEC, 0);
  hFILE* const stream = copy < 0 ? nullptr : hdopen(copy, "r");
  if (stream == nullptr) {
    if (copy >= 0) close(copy);
    return;
  }
  bgzf_ = bgzf_hopen(stream, "r");
  if (bgzf_ == nullptr) {
    hclose_abruptly(stream);
    return;
  }
  buffer_ = std::make_unique<char[]>(longest_block);
  usable_ = bgzf_check_EOF(bgzf_) == 1;
}

PlacedText::~PlacedText() {
  if (bgzf_ != nullptr) bgzf_close(bgzf_);
  if (file_ >= 0) close(file_);
}

std::uint64_t PlacedText::place_from(std::uint64_t byte) const {
  if (byte >= size_) return end();
  if (bgzf_ == nullptr || byte == 0) return byte;
  // Two blocks, so that one begins there with the header of the next behind it.
  std::string bytes(std::min<std::uint64_t>(2 * longest_block + header_bytes, size_ - byte), '\0');
  if (!read(file_, byte, bytes)) return end();
  const std::string_view all = bytes;
  const std::string_view begin(reinterpret_cast<const char*>(block_begin.data()), block_begin.size());
  for (std::size_t at = all.find(begin); at != std::string_view::npos; at = all.find(begin, at + 1))
    if (begins_blocks(all.substr(at), byte + all.size() == size_)) return (byte + at) << 16;
  return end();
}

void PlacedText::seek(std::uint64_t place) {
  next_ = place;
  failed_ = bgzf_ != nullptr && bgzf_seek(bgzf_, static_cast<std::int64_t>(place), SEEK_SET) != 0;
}

bool PlacedText::next(std::uint64_t end) {
  piece_ = {};
  if (failed_) return false;
  if (bgzf_ != nullptr) return next_of_bgzip(end);
  if (next_ >= std::min(end, size_)) return false;
  const std::size_t count = std::min<std::uint64_t>(piece_bytes, std::min(end, size_) - next_);
  failed_ = !read(file_, next_, {buffer_.get(), count});
  if (failed_) return false;
  place_ = next_;
  next_ += count;
  piece_ = {buffer_.get(), count};
  return true;
}

bool PlacedText::next_of_bgzip(std::uint64_t end) {
  // Brings the next block that is not empty.
  const int first = bgzf_peek(bgzf_);
  if (first < 0) {
    failed_ = first != -1;
    return false;
  }
  place_ = static_cast<std::uint64_t>(bgzf_tell(bgzf_));
  if (place_ >= end) return false;
  std::size_t count = static_cast<std::size_t>(bgzf_->block_length - bgzf_->block_offset);
  if (place_ >> 16 == end >> 16) count = std::min<std::size_t>(count, end - place_);
  failed_ = bgzf_read(bgzf_, buffer_.get(), count) != static_cast<ssize_t>(count);
  if (failed_) return false;
  piece_ = {buffer_.get(), count};
  return true;
}

}  // namespace genocl::io
