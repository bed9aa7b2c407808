// Reads of SAM, BAM or CRAM as FASTQ text.
#pragma once

#include <htslib/sam.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "genocl/io/sequence_reader.hpp"

namespace genocl::io {

/// Returns the first record of each read like `samtools fastq`: in the direction of the read, with /1 or /2 appended to
/// the names of mates. Missing qualities become 1. FLAG and the tags follow the name, except tags that describe an
/// alignment.
class AlignmentText {
 public:
  /// Takes ownership of the file and reads its header. Both functions throw InputError with `name`.
  AlignmentText(hFILE* file, std::string name, unsigned threads, const std::string& cram_reference);
  AlignmentText(const AlignmentText&) = delete;
  AlignmentText& operator=(const AlignmentText&) = delete;

  /// See ByteSource::read().
  std::size_t read(char* to, std::size_t size);
  const AlignmentInput& input() const noexcept { return input_; }
  /// SequenceReader::first_mate()
  std::optional<std::uint64_t> first_mate() const noexcept { return first_mate_; }

 private:
  void prepare_cram(const std::string& reference);
  bool next();
  void append_record();

  struct Destroy {
    void operator()(samFile* file) const noexcept { hts_close(file); }
    void operator()(sam_hdr_t* header) const noexcept { sam_hdr_destroy(header); }
    void operator()(bam1_t* record) const noexcept { bam_destroy1(record); }
  };
  std::string name_;
  std::unique_ptr<samFile, Destroy> file_;
  std::unique_ptr<sam_hdr_t, Destroy> header_;
  std::unique_ptr<bam1_t, Destroy> record_;
  AlignmentInput input_;
  std::optional<std::uint64_t> first_mate_;
  std::string text_, letters_;
  std::size_t given_ = 0;                  // returned bytes of text_
  std::uint64_t records_ = 0, reads_ = 0;  // of the file, and those in the text
};

}  // namespace genocl::io
