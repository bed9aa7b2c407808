// Tells records of text apart without looking at what is in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/sequence.hpp"

namespace genocl::io {

/// Where the line that begins at `from` ends, its \n included; npos: not in the text.
std::size_t behind_line(std::string_view text, std::size_t from);

/// The line between those places without its end, \n or \r\n.
std::string_view line_of(std::string_view text, std::size_t from, std::size_t behind);

enum class PlainRecord : std::uint8_t { found, unfinished, other };

/// Finds the end of the FASTQ record of four lines that begins at `from`.
PlainRecord plain_fastq(std::string_view text, std::size_t from, std::size_t& behind);

/// Finds the end of the FASTA record that begins at `from`, where the next one begins.
PlainRecord plain_fasta(std::string_view text, std::size_t from, std::size_t& behind);

/// The records of a file in their order, as RecordStream tells them apart. The file is read in windows of some 64 MB,
/// or of one record where that is longer; threads share the reading of a window, the counting of its letters and their
/// encoding. What is unusual in a record, an error above all, is left to the caller, who gets the record's text.
class PlainFasta {
 public:
  /// How much is read at a time, and by each thread of that, in bytes.
  struct Sizes {
    std::size_t window = std::size_t{64} << 20, part = std::size_t{1} << 20;
  };

  /// `file` is open, regular, has `size` bytes of which the first is '>', and stays the caller's. Messages call it
  /// `name`. Threads: all of those, the caller's among them.
  PlainFasta(int file, std::uint64_t size, std::string name, unsigned threads, const Sizes& sizes);

  /// Makes sure that there is a record to be taken; false at the end of the file. Throws InputError where the file
  /// cannot be read, or has become shorter.
  bool fetch();
  /// How many records there are to be taken without another fetch().
  std::size_t ready() const noexcept { return records_.size() - next_; }
  /// Letters of the i-th of them as they stand there, blanks included.
  std::uint64_t letters(std::size_t i) const noexcept { return records_[next_ + i].letters; }
  /// Whether the i-th has lines that are neither a header nor letters.
  bool unusual(std::size_t i) const noexcept { return records_[next_ + i].unusual; }
  /// The name of the first of them.
  std::string_view name() const;
  /// Takes the next `count`, and puts them behind what is in `batch`, which has no qualities; descriptions are kept
  /// where wanted. Stops before the first one with something unusual in it; returns how many it has taken.
  std::size_t take(SequenceSet& batch, std::size_t count, bool keep_descriptions);
  /// The text of the next one, which is taken. Holds until fetch().
  std::string_view take_text();

  /// How much of the file has been taken, from 0 to 1.
  double fraction() const noexcept;

 private:
  /// Lines of one record that begin in one part of the window.
  struct Run {
    std::size_t begin = 0;  // of the header, or of the first line of letters where that is in a part before
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
    std::size_t part = 0, run = 0;  // the first
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
  std::uint64_t at_ = 0;  // of the window in the file
  std::vector<Part> parts_;
  std::vector<Record> records_;  // that are whole in the window
  std::size_t next_ = 0;         // of them
  std::size_t rest_ = 0;         // of the window: where the record begins that is not whole
};

}  // namespace genocl::io
