// Makes bgzip in memory.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

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

}  // namespace genocl::io
