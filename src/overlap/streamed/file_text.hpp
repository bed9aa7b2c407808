// The bytes of several files as one text: read in chunks, at any position, and by records.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/files.hpp"

namespace genocl::overlap {

/// Bytes [begin, begin + owned) of the text and up to `lookahead` more of the same file.
struct TextChunk {
  std::size_t file = 0;
  std::uint64_t begin = 0, owned = 0;
  std::uint64_t file_begin = 0, file_end = 0;
  std::vector<std::uint8_t> bytes;

  std::uint64_t end() const { return begin + owned; }
  /// The end of the bytes at hand.
  std::uint64_t bytes_end() const { return begin + bytes.size(); }
  /// The byte at a position of the text.
  const std::uint8_t* at(std::uint64_t position) const { return bytes.data() + (position - begin); }
  /// The number of positions of the chunk at which a string of this length within the file begins.
  std::uint64_t windows(std::uint64_t length) const {
    return bytes.size() < length ? 0 : std::min<std::uint64_t>(owned, bytes.size() - length + 1);
  }
};

/// Files one after the other. Does not own them. Thread-safe.
class FileText {
 public:
  explicit FileText(std::span<const files::InputFile> files) : files_(files) {
    for (const files::InputFile& file : files) begins_.push_back(begins_.back() + file.size());
  }

  std::uint64_t size() const { return begins_.back(); }
  std::size_t files() const { return files_.size(); }
  std::uint64_t begin(std::size_t file) const { return begins_[file]; }

  /// Precondition: begin + place.size() <= size(). O(log files) and the reading.
  void read(std::uint64_t begin, std::span<std::uint8_t> place) const {
    auto file = static_cast<std::size_t>(std::ranges::upper_bound(begins_, begin) - begins_.begin()) - 1;
    while (!place.empty()) {
      const std::uint64_t part = std::min<std::uint64_t>(place.size(), begins_[file + 1] - begin);
      if (part > 0) files_[file].read(begin - begins_[file], std::as_writable_bytes(place.first(part)));
      place = place.subspan(part);
      begin += part;
      ++file;
    }
  }

  /// The chunk from `begin` on; none at the end of the text.
  std::optional<TextChunk> chunk(std::uint64_t begin, std::uint64_t owned, std::uint64_t lookahead) const {
    if (begin >= size()) return std::nullopt;
    TextChunk chunk;
    chunk.file = static_cast<std::size_t>(std::ranges::upper_bound(begins_, begin) - begins_.begin()) - 1;
    chunk.begin = begin;
    chunk.file_begin = begins_[chunk.file];
    chunk.file_end = begins_[chunk.file + 1];
    chunk.owned = std::min(owned, chunk.file_end - begin);
    chunk.bytes.resize(std::min(chunk.owned + lookahead, chunk.file_end - begin));
    read(begin, chunk.bytes);
    return chunk;
  }

 private:
  std::span<const files::InputFile> files_;
  std::vector<std::uint64_t> begins_ = {0};
};

/// The records of a text, in order, from its chunks. The lookahead of a chunk must cover a separator that
/// begins in the last window.
class RecordCursor {
 public:
  explicit RecordCursor(std::string separator) : separator_(std::move(separator)) {}

  /// Begins with the record at the begin of the chunk, which follows the previous chunk.
  void enter(const TextChunk& chunk) {
    chunk_ = &chunk;
    if (chunk.begin == chunk.file_begin) begin_ = chunk.begin;
    find_end();
  }
  /// The current record: [begin(), end()). end() is at most the end of the chunk's bytes.
  std::uint64_t begin() const { return begin_; }
  std::uint64_t end() const { return end_; }
  /// Whether a separator has been found at end().
  bool separated() const { return separated_; }
  /// Precondition: separated(). The next record begins behind the separator.
  void advance() {
    begin_ = end_ + separator_.size();
    find_end();
  }
  /// Advances until the record ends at `position` or later, or the bytes at hand do.
  void advance_to(std::uint64_t position) {
    while (separated_ && end_ + separator_.size() <= position) advance();
  }
  /// Ends the chunk: the records of its separators that begin before its end are passed.
  void leave() {
    while (separated_ && end_ < chunk_->end()) advance();
  }

 private:
  void find_end() {
    end_ = chunk_->bytes_end();
    separated_ = false;
    if (separator_.empty()) return;
    const std::uint64_t from = std::max(begin_, chunk_->begin);
    if (from >= end_) return;
    const std::string_view text(reinterpret_cast<const char*>(chunk_->bytes.data()), chunk_->bytes.size());
    const std::size_t found = text.find(separator_, from - chunk_->begin);
    if (found == text.npos) return;
    end_ = chunk_->begin + found;
    separated_ = true;
  }

  std::string separator_;
  const TextChunk* chunk_ = nullptr;
  std::uint64_t begin_ = 0, end_ = 0;
  bool separated_ = false;
};

}  // namespace genocl::overlap
