// Makes bgzip in memory.
#pragma once

#include <htslib/hts.h>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/io/alignment_writer.hpp"
#include "io/htslib_log.hpp"

namespace genocl::io {

/// Text to blocks of bgzip, several threads at a time. htslib compresses each block; its own writer of files is of no
/// use here, since it keeps its memory and its descriptor for good when a disk or a pipe fails.
class BgzipEncoder {
 public:
  /// Bytes of text in each block but the last.
  static constexpr std::size_t block_size = 0xff00;

  /// `level` 0 to 9. Throws InputError for another one.
  BgzipEncoder(int level, unsigned threads);

  /// How much text encode() is best given at once; a multiple of a block.
  std::size_t portion() const noexcept;
  /// Blocks for all of `text`; the last one is smaller unless text is a multiple of a block. Valid until the next call.
  const std::vector<std::string>& encode(std::string_view text);
  /// The empty block that says that the file is complete.
  std::string end() const;

 private:
  void encode_block(std::string_view text, std::string& block) const;

  int level_;
  unsigned threads_;
  std::vector<std::string> blocks_;
};

/// Made by htslib: .bai, or .csi where a contig is longer than .bai has room for.
class BamIndex {
 public:
  /// `begin`: the virtual offset of the first record.
  BamIndex(const AlignmentHeader& header, std::uint64_t begin);

  /// What the index needs of a record.
  struct Entry {
    std::int32_t reference = -1;
    std::int64_t begin = -1, end = 0;
    bool mapped = false;
  };
  /// `record`: of BAM, with its size in front.
  static Entry entry_of(std::string_view record);

  /// In the order of the file; `end`: the virtual offset behind the record.
  void add(const Entry& entry, std::uint64_t end);
  /// Ends the index, whose file has `end` as its last virtual offset, and writes it to the file of that descriptor.
  /// Throws std::system_error.
  void write(std::uint64_t end, int descriptor);
  const char* ending() const noexcept { return format_ == HTS_FMT_BAI ? ".bai" : ".csi"; }

 private:
  struct Destroy {
    void operator()(hts_idx_t* index) const noexcept { hts_idx_destroy(index); }
  };

  SilentHtslib silent_;
  int format_ = HTS_FMT_BAI;
  std::unique_ptr<hts_idx_t, Destroy> index_;
};

}  // namespace genocl::io
