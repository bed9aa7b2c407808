// bgzip compression in memory.
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

/// Compresses text to bgzip blocks with several threads. htslib compresses each block. Its file writer is unsuitable,
/// because it leaks memory and a descriptor if a disk or a pipe fails.
class BgzipEncoder {
 public:
  /// Bytes of text in each block except the last.
  static constexpr std::size_t block_size = 0xff00;

  /// `level` 0 to 9. Throws InputError for other values.
  BgzipEncoder(int level, unsigned threads);

  /// The preferred size of text for encode(); a multiple of a block.
  std::size_t portion() const noexcept;
  /// Returns the blocks of `text`; the last block may be smaller. Valid until the next call.
  const std::vector<std::string>& encode(std::string_view text);
  /// Returns the empty block that marks the end of the file.
  std::string end() const;

 private:
  void encode_block(std::string_view text, std::string& block) const;

  int level_;
  unsigned threads_;
  std::vector<std::string> blocks_;
};

/// An index by htslib: .bai, or .csi if a contig exceeds the limit of .bai.
class BamIndex {
 public:
  /// @param begin Virtual offset of the first record.
  BamIndex(const AlignmentHeader& header, std::uint64_t begin);

  /// The data of a record that the index requires.
  struct Entry {
    std::int32_t reference = -1;
    std::int64_t begin = -1, end = 0;
    bool mapped = false;
  };
  /// @param record A record of BAM, preceded by its size.
  static Entry entry_of(std::string_view record);

  /// Adds records in the order of the file. `end`: the virtual offset after the record.
  void add(const Entry& entry, std::uint64_t end);
  /// Completes the index and writes it to a file descriptor. `end`: the last virtual offset of the indexed file. Throws
  /// std::system_error.
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
