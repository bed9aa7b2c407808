// Reads records, and encodes their letters.
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

/// Returns the position of the first nonprinting character, or letters.size(). No early exit, so that the loop
/// vectorizes.
inline std::size_t find_unprintable(std::string_view letters) {
  unsigned char most = 0;
  for (const char c : letters) most = std::max(most, static_cast<unsigned char>(c - 0x21));
  if (most <= 0x7e - 0x21) return letters.size();
  return static_cast<std::size_t>(std::ranges::find_if_not(letters, is_printable) - letters.begin());
}

/// Like genocl::encode(), but treats only printing bytes as letters.
inline std::size_t encode_letters(Alphabet alphabet, std::string_view letters, std::span<Code> codes) {
  const std::size_t bad = encode(alphabet, letters, codes);
  return alphabet == Alphabet::bytes ? find_unprintable(letters) : bad;
}

/// Views into buffers that the next call of RecordStream::next() reuses.
struct RawRecord {
  std::string_view name, description;
  std::string_view letters;  ///< from the file, without line ends; with blanks and invalid characters
  std::string_view quality;  ///< FASTQ: as many characters, not yet checked.
  std::string_view plus;     ///< FASTQ: the first word of the '+' line if it differs from the name.
};

class RecordStream {
 public:
  /// `strict`: ReadOptions::strict.
  RecordStream(const std::string& path, const ByteSource::Options& options, bool strict);
  /// Reads text in memory that follows record number `before` of a file.
  RecordStream(std::string_view text, const std::string& file, std::uint64_t before, bool strict);
  ~RecordStream();
  RecordStream(const RecordStream&) = delete;
  RecordStream& operator=(const RecordStream&) = delete;

  /// Returns false at the end. Throws InputError.
  bool next(RawRecord& record);
  /// Replaces `text` by the next records in the file's format, up to `limits` but at least one. The residues of
  /// `limits` count bytes here. Returns the number of records, 0 at the end. Records that are not plain FASTA or FASTQ
  /// of four lines are rewritten in that form. Records that next() has read are not included.
  std::uint64_t take(std::string& text, const BatchLimits& limits);

  const ByteSource& source() const noexcept { return source_; }
  SequenceFormat format() const noexcept { return format_; }
  bool no_records() const noexcept { return records_ == 0 && header_ < 0; }
  /// The name of the last record returned.
  const std::string& last_name() const noexcept { return last_name_; }
  /// The number of records returned, i.e. the 1-based number of the last one.
  std::uint64_t records() const noexcept { return records_; }

  /// Returns "record 3 (chr3)" for the last record returned; the caller provides its name.
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
  std::string last_name_;              // of the last record returned
  std::optional<InputError> failure_;  // error of the source, after complete records in take()
  std::exception_ptr later_;           // error of a record, likewise
  bool plain_ = true;                  // all records in take() so far are plain
  int header_ = 0;                     // the '>' or '@' of the next record if already read, else 0; -1 at the end
};

}  // namespace genocl::io
