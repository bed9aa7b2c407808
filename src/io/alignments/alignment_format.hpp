// Turns one record into bytes.
#pragma once

#include <cstdint>
#include <string>

#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {

/// Throws InputError for what neither SAM nor BAM has a place for.
void check_record(const AlignmentRecord& record, std::size_t references);

/// Lines of SAM. Written here and not by htslib's sam_format1, which takes a record of BAM: that would be twice the
/// work.
class SamLines {
 public:
  explicit SamLines(const AlignmentHeader& header) : header_(header) {}
  void add(const AlignmentRecord& record);
  std::size_t size() const noexcept { return used_; }
  /// Exchanges the lines for an empty buffer.
  void take(std::string& lines);

 private:
  char* room_for(const AlignmentRecord& record);

  const AlignmentHeader& header_;
  std::string buffer_;  // what lies behind `used_` is room
  std::size_t used_ = 0;
};

/// The letters and qualities of a record in the order of its line.
void put_letters(const AlignmentRecord& record, char* to);
void put_quality(const AlignmentRecord& record, char* to, char offset);

}  // namespace genocl::io
