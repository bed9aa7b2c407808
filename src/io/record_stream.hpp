// Encodes what a file has for letters.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/io/sequence_reader.hpp"
#include "genocl/sequence.hpp"
#include "io/byte_source.hpp"
#include "io/text.hpp"

namespace genocl::io {

/// Where the first character that does not print is, letters.size() without one. No early exit: one pass of vector
/// code.
inline std::size_t find_unprintable(std::string_view letters) {
  unsigned char most = 0;
  for (const char c : letters) most = std::max(most, static_cast<unsigned char>(c - 0x21));
  if (most <= 0x7e - 0x21) return letters.size();
  return static_cast<std::size_t>(std::ranges::find_if_not(letters, is_printable) - letters.begin());
}

/// Does what genocl::encode does, but takes only bytes that print for letters.
inline std::size_t encode_letters(Alphabet alphabet, std::string_view letters, std::span<Code> codes) {
  const std::size_t bad = encode(alphabet, letters, codes);
  return alphabet == Alphabet::bytes ? find_unprintable(letters) : bad;
}

/// Views into buffers that the next call of RecordStream::next() uses again.
struct RawRecord {
  std::string_view name, description;
  std::string_view letters;  ///< those of the file without line ends; blanks and anything else are still there
  std::string_view quality;  ///< FASTQ: as many characters, not looked at yet.
  std::string_view plus;     ///< FASTQ: the first word of the '+' line where it is another than the name.
};

class RecordStream {
 public:
  /// `strict`: ReadOptions::strict.
  RecordStream(const std::string& path, const ByteSource::Options& options, bool strict);
  /// Of text in memory that begins behind record number `before` of a file.
  RecordStream(std::string_view text, const std::string& file, std::uint64_t before, bool strict);
  ~RecordStream();
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;

  /// False at the end. Throws InputError.
  bool next(RawRecord& record);
  /// Replaces `text` by the next records as they stand in the file, as many as `limits` allow, whose residues count
  /// bytes here, and one at least. Returns their number, 0 at the end. Where records are not those of plain FASTA or
  /// FASTQ of four lines each, they are written anew as such. Records that next() has looked at are not among them.
  std::uint64_t take(std::string& text, const BatchLimits& limits);

  const ByteSource& source() const noexcept { return source_; }
  SequenceFormat format() const noexcept { return format_; }
  bool no_records() const noexcept { return records_ == 0 && header_ < 0; }
  /// Of the record last given out.
  const std::string& last_name() const noexcept { return last_name_; }
  /// Given out so far: the number, from 1, of the record last given out.
  std::uint64_t records() const noexcept { return records_; }

  /// "record 3 (chr3)", of the record last given out, whose name the caller has.
  std::string where(std::string_view name) const;

 private:
  struct Parser;

  void find_header();
  void look_at_first_header();
  bool next_in_buffer(RawRecord& record);
  std::uint64_t take_plain(std::string& text, const BatchLimits& limits);
  void check_fastq(RawRecord& record) const;
  [[noreturn]] void fail(const std::string& where, const std::string& wrong, const std::string& expected = {}) const;

  ByteSource source_;
  std::unique_ptr<Parser> parser_;
  SequenceFormat format_ = SequenceFormat::fasta;
  bool strict_ = false;
  std::uint64_t records_ = 0;
  std::string last_name_;              // of the record last given out
  std::optional<InputError> failure_;  // of the source, that take() met behind whole records
  std::exception_ptr later_;           // of a record, likewise
  bool plain_ = true;                  // all records that take() has met are plain
  int header_ = 0;  // the next record's '>' or '@' where it has been read already, else 0; -1 at the end
};

}  // namespace genocl::io
