// Reads the decompressed bytes of a file.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "genocl/files.hpp"
#include "io/alignment_text.hpp"
#include "io/htslib_log.hpp"
#include "io/read_ahead.hpp"

struct BGZF;

namespace genocl::io {

/// Decompressed bytes of a plain, gzip or bgzip file; htslib detects the compression. Constructor and read() throw
/// InputError.
class ByteSource {
 public:
  struct Options {
    unsigned threads = 0;
    bool allow_missing_bgzip_end = false;
    bool alignments = false;          ///< read SAM, BAM and CRAM as FASTQ (AlignmentText)
    std::string cram_reference = {};  ///< ReadOptions::cram_reference
  };

  /// "-" is standard input.
  ByteSource(const std::string& path, const Options& options);
  /// Bytes in memory, which must outlive this object. `name`: for messages.
  ByteSource(std::string_view bytes, std::string name);
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Returns the next bytes, up to `size`; 0 at the end.
  std::size_t read(void* to, std::size_t size);
  /// Like read(), without a copy of bytes in memory, which are returned at once. Other bytes are read into `buffer`.
  std::string_view next(char* buffer, std::size_t size) {
    return memory_.empty() ? std::string_view(buffer, read(buffer, size)) : std::exchange(memory_, {});
  }

  /// The name for messages.
  const std::string& name() const noexcept { return name_; }
  /// htslib's description of the contents, for example "FASTQ gzip-compressed sequence data".
  const std::string& description() const noexcept { return description_; }
  /// Returns whether the contents are not sequences.
  bool is_other_format() const noexcept { return other_format_; }
  /// Size in bytes of a plain, uncompressed file; 0 otherwise.
  std::uint64_t plain_size() const noexcept { return compression_ == 0 && !alignments_ ? size_ : 0; }
  /// The file's descriptor, owned by this object; -1 for bytes in memory.
  int descriptor() const noexcept { return descriptor_; }
  /// The source of the text; null for other files.
  const AlignmentText* alignments() const noexcept { return alignments_.get(); }
  double fraction() const noexcept;

 private:
  [[noreturn]] void fail(const std::string& wrong) const;
  void check_end() const;
  std::size_t read_file(void* to, std::size_t size);

  SilentHtslib silent_;
  std::string name_, description_;
  Options options_;
  std::string_view memory_;  // remaining bytes
  bool other_format_ = false;
  std::unique_ptr<AlignmentText> alignments_;  // replaces the following members
  BGZF* bgzf_ = nullptr;
  int descriptor_ = -1;  // owned by bgzf_ or alignments_
  int compression_ = 0;  // see bgzf_compression(): 0 none, 1 gzip, 2 bgzip
  std::uint64_t size_ = 0;
  std::optional<ReadAhead> ahead_;  // of gzip, with threads; last: its thread uses the others
};

/// A pipe that a thread drains into a file. After a write error it discards the remaining bytes, so that the writer of
/// the pipe never sees the error: htslib leaks its memory if one of its files fails.
class PipeToFile {
 public:
  /// Throws InputError with the file's name if no pipe can be created.
  explicit PipeToFile(files::AtomicFile& file);
  /// Waits until the other end of the pipe is closed. Bytes not written by then are lost.
  ~PipeToFile();
  PipeToFile(const PipeToFile&) = delete;
  PipeToFile& operator=(const PipeToFile&) = delete;

  /// Returns the descriptor to write to. Call it once; the caller closes it.
  int take_writing_end() noexcept;
  /// Throws the file's exception, if any.
  void check() const;
  /// Waits until all bytes are in the file, or throws the file's exception. Call it after the writing end is closed.
  void finish();
  /// Discards all further bytes.
  void discard() noexcept { discarding_ = true; }

 private:
  void drain() noexcept;

  files::AtomicFile& file_;
  int reading_end_ = -1, writing_end_ = -1;
  std::atomic<bool> failed_ = false, discarding_ = false;
  std::exception_ptr failure_;  // set before `failed_`
  std::thread thread_;
};

}  // namespace genocl::io
