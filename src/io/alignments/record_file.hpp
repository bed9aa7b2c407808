// Files that take alignment records one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "genocl/io/alignment_writer.hpp"

namespace genocl::io {

/// Behaves as AlignmentWriter: the file is there whole after commit(), or not at all.
class RecordFile {
 public:
  RecordFile() = default;
  virtual ~RecordFile() = default;
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// A line of SAM with its end, a record of BAM with its size in front, or for CRAM one of append_native().
  virtual void add(std::string_view record) = 0;
  virtual void commit() = 0;
};

/// Each writes the header at once. The options' `sort` says whether records come by coordinate.
std::unique_ptr<RecordFile> make_sam_file(const std::string& path, const AlignmentHeader& header,
                                          const AlignmentWriterOptions& options);
/// Takes records by coordinate, and writes an index beside a regular file.
std::unique_ptr<RecordFile> make_sorted_bam_file(const std::string& path, const AlignmentHeader& header,
                                                 const AlignmentWriterOptions& options);
/// With an index where records come by coordinate.
std::unique_ptr<RecordFile> make_cram_file(const std::string& path, const AlignmentHeader& header,
                                           const AlignmentWriterOptions& options);

}  // namespace genocl::io
