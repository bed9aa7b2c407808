// Reads of SAM, BAM or CRAM as the text of FASTQ.
#pragma once

#include <htslib/sam.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "genocl/io/sequence_reader.hpp"

namespace genocl::io {

/// The first record of each read, as `samtools fastq` gives it: in the direction of the read, with /1 or /2 behind the
/// names of mates; missing qualities are 1. FLAG and the tags follow the name, except those that describe an alignment.
class AlignmentText {
 public:
  /// Takes the file, whose header it reads. Both throw InputError with that name.
  AlignmentText(hFILE* file, std::string name, unsigned threads, const std::string& cram_reference);
  AlignmentText(const AlignmentText&) = delete;
  AlignmentText& operator=(const AlignmentText&) = delete;

  /// As ByteSource::read().
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
  std::size_t given_ = 0;                  // of text_
  std::uint64_t records_ = 0, reads_ = 0;  // of the file, and those of them that are in the text
};

}  // namespace genocl::io
