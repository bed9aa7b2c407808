// Optional fields that come as text.
#pragma once

#include <htslib/sam.h>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "genocl/io/alignment_writer.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {

struct AlignmentRecord;

/// Throws InputError for a record's `tag_text` that check_tags() refuses, or that has a field which `tags` has, too.
void check_tag_text(const AlignmentRecord& record);

/// Turns fields that check_tags() found to be good into BAM's bytes, by htslib.
class TagEncoder {
 public:
  TagEncoder();
  /// Appends the bytes to `bytes`.
  void encode(std::string_view fields, std::string& bytes);

 private:
  struct Destroy {
    void operator()(bam1_t* record) const noexcept { bam_destroy1(record); }
    void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
  };
  std::unique_ptr<bam1_t, Destroy> record_;
  std::unique_ptr<sam_hdr_t, Destroy> header_;
  std::string line_;
};

struct DestroyBamRecord {
  void operator()(bam1_t* record) const noexcept { bam_destroy1(record); }
};
using BamRecordPointer = std::unique_ptr<bam1_t, DestroyBamRecord>;

BamRecordPointer new_bam_record();

/// Makes htslib's records, by its own functions, each in the memory of the one before.
class BamRecordMaker {
 public:
  BamRecordMaker() : record_(new_bam_record()) {}
  /// check_record() found nothing wrong with it.
  const bam1_t& make(const AlignmentRecord& record);

 private:
  void add_tag(const AlignmentTag& tag);
  void append(const char (&name)[2], char type, const void* bytes, std::size_t size);

  SilentHtslib silent_;
  BamRecordPointer record_;
  TagEncoder tag_text_;
  std::string letters_, quality_, text_;
};

/// Appends the record as BAM has it, with its size in front.
void append_bam(const bam1_t& record, std::string& bytes);
/// Appends the record as it lies in memory, for read_native().
void append_native(const bam1_t& record, std::string& bytes);
void read_native(std::string_view bytes, bam1_t& record);

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
