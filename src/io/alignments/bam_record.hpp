// A record as htslib holds it, and its bytes.
#pragma once

#include <htslib/sam.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "genocl/io/alignment_writer.hpp"
#include "io/alignments/alignment_tags.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {

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

}  // namespace genocl::io
