// Where the records of a FASTQ file stand, so that nobody has to read all of it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "genocl/export.hpp"

namespace genocl::io {

/// One part of a file, looked through without knowledge of the others: threads or processes take a part each, add up
/// what they have found, and know where every record is. Plain files and bgzip, FASTQ of four lines a record.
///
/// A place is a byte's number in a plain file, and a virtual offset (SAM specification, 4.1.1) in bgzip; RecordText
/// takes two of them.
class GENOCL_EXPORT RecordPlaces {
 public:
  /// Reads part `part` of `parts` of the file, which are about as long, and a little behind it. Memory: 16 bytes for
  /// 1,024 lines.
  RecordPlaces(const std::string& path, std::uint64_t part, std::uint64_t parts);
  RecordPlaces(RecordPlaces&&) noexcept;
  RecordPlaces& operator=(RecordPlaces&&) noexcept;
  ~RecordPlaces();

  /// False where the file is not regular or empty, or it cannot be read, or is compressed in another way, or cut off,
  /// or does not begin like FASTQ. What follows means nothing then.
  bool usable() const noexcept;
  /// Of the file, in bytes: whether all have seen the same one.
  std::uint64_t file_size() const noexcept;
  /// How many lines begin in this part. Those before them are the sum of the parts' before.
  std::uint64_t lines() const noexcept;
  /// How long the part's text is, in bytes. The parts' texts follow one another.
  std::uint64_t text_size() const noexcept;
  /// Whether the records that begin in this part are of four lines ('@', letters, '+', as many qualities), if `line`
  /// lines are before the part. O(1).
  bool is_four_lines(std::uint64_t line) const noexcept;

  struct Begin {
    std::uint64_t place = 0;  ///< In the file.
    std::uint64_t text = 0;   ///< In the part's text, in bytes.
  };
  /// Where every `records`-th record of the file begins, those that begin in this part, if `line` lines are before it.
  /// Reads some kilobytes for each. Throws InputError where the file cannot be read any more.
  std::vector<Begin> begins(std::uint64_t line, std::uint64_t records) const;
  /// The place behind the file's last byte.
  std::uint64_t end() const noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace genocl::io
