// Optional fields that come as text.
#pragma once

#include <htslib/sam.h>

#include <memory>
#include <string>
#include <string_view>

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

}  // namespace genocl::io
