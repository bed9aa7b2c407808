// Header and records of BAM, and files of records.
#pragma once

#include <htslib/sam.h>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "genocl/io/alignment_writer.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {

/// Returns the uncompressed header of BAM. `sorted`: by coordinate. Throws InputError above 2 GiB.
std::string bam_header(const AlignmentHeader& header, bool sorted);

/// Encodes valid fields (see check_tags()) as BAM bytes, with htslib.
class TagEncoder {
 public:
  TagEncoder();
  /// Appends the encoded fields to `bytes`.
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

/// Creates htslib records with htslib's functions. Each record reuses the memory of the previous one.
class BamRecordMaker {
 public:
  BamRecordMaker() : record_(new_bam_record()) {}
  /// Precondition: sam::check_record() accepts the record.
  const bam1_t& make(const AlignmentRecord& record);

 private:
  void add_tag(const AlignmentTag& tag);
  void append(const char (&name)[2], char type, const void* bytes, std::size_t size);

  SilentHtslib silent_;
  BamRecordPointer record_;
  TagEncoder tag_text_;
  std::string letters_, quality_, text_;
};

/// Appends the record in BAM format, preceded by its size.
void append_bam(const bam1_t& record, std::string& bytes);
/// Appends the record in htslib's memory format, for read_native().
void append_native(const bam1_t& record, std::string& bytes);
void read_native(std::string_view bytes, bam1_t& record);

/// Like AlignmentWriter, the file appears completely after commit() or not at all.
class RecordFile {
 public:
  RecordFile() = default;
  virtual ~RecordFile() = default;
  RecordFile(const RecordFile&) = delete;
  RecordFile& operator=(const RecordFile&) = delete;

  /// @param record A line of SAM with its line end, a record of BAM preceded by its size, or for CRAM the result of
  /// append_native().
  virtual void add(std::string_view record) = 0;
  virtual void commit() = 0;
};

/// These functions write the header immediately. `sort` of the options declares records sorted by coordinate.
std::unique_ptr<RecordFile> make_sam_file(const std::string& path, const AlignmentHeader& header,
                                          const AlignmentWriterOptions& options);
/// Requires records sorted by coordinate, and writes an index next to a regular file.
std::unique_ptr<RecordFile> make_sorted_bam_file(const std::string& path, const AlignmentHeader& header,
                                                 const AlignmentWriterOptions& options);
/// Also writes an index if records are sorted by coordinate.
std::unique_ptr<RecordFile> make_cram_file(const std::string& path, const AlignmentHeader& header,
                                           const AlignmentWriterOptions& options);

}  // namespace genocl::io
