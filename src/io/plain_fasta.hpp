// Splits text into records without parsing their content.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/sequence.hpp"

namespace genocl::io {

/// Returns the end of the line that begins at `from`, with its \n; npos: not in the text.
std::size_t behind_line(std::string_view text, std::size_t from);

/// Returns the line between these positions without its end, \n or \r\n.
std::string_view line_of(std::string_view text, std::size_t from, std::size_t behind);

enum class PlainRecord : std::uint8_t { found, unfinished, other };

/// Finds the end of the FASTQ record of four lines that begins at `from`.
PlainRecord plain_fastq(std::string_view text, std::size_t from, std::size_t& behind);

/// Finds the end of the FASTA record that begins at `from`, i.e. the beginning of the next one.
PlainRecord plain_fasta(std::string_view text, std::size_t from, std::size_t& behind);

/// The records of a file in order, divided as by RecordStream. The file is read in windows of about 64 MB, or of one
/// record if longer. Threads share reading, counting and encoding of a window. Unusual records, in particular errors,
/// are returned to the caller as text.
class PlainFasta {
 public:
  /// Bytes to read at a time, in total and by each thread.
  struct Sizes {
    std::size_t window = std::size_t{64} << 20, part = std::size_t{1} << 20;
  };

  /// @param file Open descriptor of a regular file of `size` bytes that begins with '>'. The caller owns it.
  /// @param name Name for messages.
  /// @param threads Number of threads, with the caller's.
  PlainFasta(int file, std::uint64_t size, std::string name, unsigned threads, const Sizes& sizes);

  /// Makes at least one record ready. Returns false at the end of the file. Throws InputError if the file is unreadable
  /// or has become shorter.
  bool fetch();
  /// The number of records that are ready before the next fetch().
  std::size_t ready() const noexcept { return records_.size() - next_; }
  /// The number of letters of the i-th ready record in the file, with blanks.
  std::uint64_t letters(std::size_t i) const noexcept { return records_[next_ + i].letters; }
  /// Returns whether the i-th record has lines other than a header and letters.
  bool unusual(std::size_t i) const noexcept { return records_[next_ + i].unusual; }
  /// The name of the first ready record.
  std::string_view name() const;
  /// Appends the next `count` records to `batch`, which has no qualities. Keeps descriptions if requested. Stops before
  /// the first unusual record. Returns the number of appended records.
  std::size_t take(SequenceSet& batch, std::size_t count, bool keep_descriptions);
  /// Removes the next record and returns its text. Valid until fetch().
  std::string_view take_text();

  /// The fraction of the file that was taken, 0 to 1.
  double fraction() const noexcept;

 private:
  /// Lines of one record that begin in one part of the window.
  struct Run {
    std::size_t begin = 0;  // of the header, or of the first line of letters if the header is in a previous part
    std::uint64_t letters = 0;
    bool header = false, unusual = false;
  };
  struct Part {
    std::size_t begin = 0, end = 0;  // of the window
    std::vector<Run> runs;
  };
  struct Record {
    std::size_t begin = 0;  // of the window
    std::uint64_t letters = 0;
    std::size_t part = 0, run = 0;  // of the first
    bool unusual = false;
  };

  void read_more();
  void look_through(Part& part) const;
  void find_records();
  bool ends_file() const noexcept { return at_ + filled_ == size_; }
  std::string_view window() const noexcept { return {window_.get(), filled_}; }
  std::size_t end_of(std::size_t record) const noexcept;
  std::string_view header(const Record& record) const;
  bool encode_run(const Run& run, std::size_t end, Alphabet alphabet, Code* codes) const;

  int file_;
  std::uint64_t size_;
  std::string name_;
  unsigned threads_;
  Sizes sizes_;

  std::unique_ptr<char[]> window_;
  std::size_t capacity_ = 0, filled_ = 0;
  std::uint64_t at_ = 0;  // offset of the window in the file
  std::vector<Part> parts_;
  std::vector<Record> records_;  // complete records in the window
  std::size_t next_ = 0;         // index in records_
  std::size_t rest_ = 0;         // offset of the incomplete record in the window
};

}  // namespace genocl::io
