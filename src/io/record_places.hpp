// The text of a file from any place on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct BGZF;

namespace genocl::io {

/// A place is a byte's number in a plain file; in bgzip it is a virtual offset: 2^16 times that of its block's first
/// byte in the file, and the byte's number in the block's text.
class PlacedText {
 public:
  /// Not usable where it is no regular file, or compressed in another way, or bgzip without its last block.
  explicit PlacedText(const std::string& path);
  ~PlacedText();
  PlacedText(const PlacedText&) = delete;
  PlacedText& operator=(const PlacedText&) = delete;

  bool usable() const noexcept { return usable_; }
  bool is_bgzip() const noexcept { return bgzf_ != nullptr; }
  /// Of the file, in bytes.
  std::uint64_t size() const noexcept { return size_; }
  /// Behind the last byte.
  std::uint64_t end() const noexcept { return bgzf_ != nullptr ? size_ << 16 : size_; }
  /// The first place to go to that is not before that byte of the file; end() where there is none. O(1): the next
  /// blocks of bgzip are looked at.
  std::uint64_t place_from(std::uint64_t byte) const;

  /// The next piece begins at that place.
  void seek(std::uint64_t place);
  /// The next piece of the text; all of it lies before `end`, unless that is within its block. False at `end`, and
  /// where the file cannot be read any further: failed() tells.
  bool next(std::uint64_t end);
  std::string_view piece() const noexcept { return piece_; }
  /// Of the piece's first byte; those of the others follow.
  std::uint64_t place() const noexcept { return place_; }
  bool failed() const noexcept { return failed_; }

 private:
  bool next_of_bgzip(std::uint64_t end);

  int file_ = -1;
  BGZF* bgzf_ = nullptr;
  bool usable_ = false, failed_ = false;
  std::uint64_t size_ = 0, place_ = 0, next_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::string_view piece_;
};

}  // namespace genocl::io
