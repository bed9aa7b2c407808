// Finds the records of a FASTQ file in parallel, part by part.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::io {

/// Scans one part of a file independently of the others. Threads or processes scan one part each and add up the
/// results, which gives the position of every record. Supports plain files and bgzip, FASTQ of four lines per record.
///
/// A place is a byte offset in a plain file, and a virtual offset (SAM specification, 4.1.1) in bgzip. RecordText takes
/// two of them.
class GENOCL_EXPORT RecordPlaces {
 public:
  /// Reads part `part` of `parts` parts of about equal size, and some bytes after it. Memory: 16 bytes per 1,024 lines.
  RecordPlaces(const std::string& path, std::uint64_t part, std::uint64_t parts);
  RecordPlaces(RecordPlaces&&) noexcept;
  RecordPlaces& operator=(RecordPlaces&&) noexcept;
  ~RecordPlaces();

  /// Returns false if the file is empty, not regular, unreadable, truncated, in another compression, or does not begin
  /// like FASTQ. The other results are then undefined.
  bool usable() const noexcept;
  /// File size in bytes, to check that all parts come from the same file.
  std::uint64_t file_size() const noexcept;
  /// The number of lines that begin in this part. The line count before a part is the sum over the previous parts.
  std::uint64_t lines() const noexcept;
  /// The length of the part's text in bytes. The texts of the parts are consecutive.
  std::uint64_t text_size() const noexcept;
  /// Returns whether the records that begin in this part have four lines ('@', letters, '+', as many qualities), if
  /// `line` lines precede the part. O(1).
  bool is_four_lines(std::uint64_t line) const noexcept;

  struct Begin {
    std::uint64_t place = 0;  ///< In the file.
    std::uint64_t text = 0;   ///< In the part's text, in bytes.
  };
  /// Returns the beginning of every `records`-th record of the file that begins in this part, if `line` lines precede
  /// the part. Reads some kilobytes for each. Throws InputError if the file is no longer readable.
  std::vector<Begin> begins(std::uint64_t line, std::uint64_t records) const;
  /// The place after the file's last byte.
  std::uint64_t end() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::io
