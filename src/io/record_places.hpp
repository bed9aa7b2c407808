// The text of a file from any place on.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct BGZF;

namespace genocl::io {

/// A place is a byte offset in a plain file. In bgzip it is a virtual offset: 2^16 times the file offset of the block,
/// plus the offset in the block's text.
class PlacedText {
 public:
  /// Not usable if the file is not regular, has another compression, or is bgzip without its final block.
  explicit PlacedText(const std::string& path);
  ~PlacedText();
  PlacedText(const PlacedText&) = delete;
  PlacedText& operator=(const PlacedText&) = delete;

  bool usable() const noexcept { return usable_; }
  bool is_bgzip() const noexcept { return bgzf_ != nullptr; }
  /// File size in bytes.
  std::uint64_t size() const noexcept { return size_; }
  /// The place after the last byte.
  std::uint64_t end() const noexcept { return bgzf_ != nullptr ? size_ << 16 : size_; }
  /// Returns the first place at or after that file offset; end() if none. O(1): examines the next bgzip blocks.
  std::uint64_t place_from(std::uint64_t byte) const;

  /// Sets the place of the next piece.
  void seek(std::uint64_t place);
  /// Advances to the next piece of text. The piece ends before `end`, unless `end` is within its block. Returns false
  /// at `end` and on a read error (see failed()).
  bool next(std::uint64_t end);
  std::string_view piece() const noexcept { return piece_; }
  /// Place of the piece's first byte; the others are consecutive.
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
