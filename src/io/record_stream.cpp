#include "io/record_stream.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include "genocl/error.hpp"
#include "io/plain_fasta.hpp"
#include "io/text.hpp"
#include "sequence/letters.hpp"

namespace genocl::io {
namespace {

/// A byte buffer that grows by realloc, which moves pages of large buffers instead of copying them.
class Text {
 public:
  Text() = default;
  ~Text() { std::free(bytes_); }
  Text(const Text&) = delete;
  Text& operator=(const Text&) = delete;

  std::string_view view() const noexcept { return {bytes_, size_}; }
  std::size_t size() const noexcept { return size_; }
  void clear() noexcept { size_ = 0; }
  void remove_last() noexcept { --size_; }
  char last() const noexcept { return bytes_[size_ - 1]; }

  /// Throws std::bad_alloc and keeps its content.
  void append(const char* from, std::size_t count) {
    if (count > capacity_ - size_) grow(size_ + count);
    if (count > 0) std::memcpy(bytes_ + size_, from, count);
    size_ += count;
  }

 private:
  void grow(std::size_t least) {
    const std::size_t wanted = std::max(least, capacity_ + capacity_ / 2 + 64);
    void* const moved = std::realloc(bytes_, wanted);
    if (moved == nullptr) throw std::bad_alloc();
    bytes_ = static_cast<char*>(moved);
    capacity_ = wanted;
  }

  char* bytes_ = nullptr;
  std::size_t size_ = 0, capacity_ = 0;
};

std::string record_number(std::uint64_t number) { return "record " + std::to_string(number); }

}  // namespace

/// The file's bytes, one buffer at a time, or bytes in memory without a copy, and the current record.
struct RecordStream::Parser {
  explicit Parser(ByteSource& from) : source(from), buffer(buffer_size) {}

  /// Inserts bytes before the unread bytes.
  void give_back(std::string_view bytes) {
    std::vector<char> joined(std::max(buffer_size, bytes.size() + end - at));
    std::ranges::copy(bytes, joined.begin());
    std::copy(data + at, data + end, joined.begin() + static_cast<std::ptrdiff_t>(bytes.size()));
    end = bytes.size() + end - at;
    at = 0;
    buffer.swap(joined);
    data = buffer.data();
  }

  /// Returns false at the end of the file.
  bool fill() {
    if (at < end) return true;
    const std::string_view bytes = source.next(buffer.data(), buffer.size());
    data = bytes.data();
    at = 0;
    end = bytes.size();
    if (!begun) {
      begun = true;
      constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
      if (bytes.starts_with(byte_order_mark)) at = byte_order_mark.size();
      if (at == end && at > 0) return fill();
    }
    return at < end;
  }

  /// Returns the next byte, -1 at the end of the file.
  int peek() { return fill() ? static_cast<unsigned char>(data[at]) : -1; }

  /// Appends the remainder of the line without its end, \n or \r\n. Returns false if the file ends in the line.
  bool append_line(Text& line) {
    const std::size_t before = line.size();
    bool ended = false;
    while (!ended && fill()) {
      const char* const from = data + at;
      const void* const newline = std::memchr(from, '\n', end - at);
      ended = newline != nullptr;
      const std::size_t count = ended ? static_cast<std::size_t>(static_cast<const char*>(newline) - from) : end - at;
      line.append(from, count);
      at += count + (ended ? 1 : 0);
    }
    if (line.size() > before && line.last() == '\r') line.remove_last();
    return ended;
  }

  /// Appends the complete lines of letters in the buffer, or one incomplete line. Returns false if another kind of line
  /// begins, or at the end.
  bool append_letters() {
    if (!fill()) return false;
    const char* from = data + at;
    const char* const last = data + end;
    while (from < last && *from != '>' && *from != '@' && *from != '+') {
      const auto* const newline =
          static_cast<const char*>(std::memchr(from, '\n', static_cast<std::size_t>(last - from)));
      if (newline == nullptr) break;
      const bool carriage_return = newline > from && newline[-1] == '\r';
      const std::size_t count = static_cast<std::size_t>(newline - from) - (carriage_return ? 1 : 0);
      letters.append(from, count);
      letter_lines += count > 0 ? 1 : 0;
      blank_lines += count > 0 ? 0 : 1;
      from = newline + 1;
    }
    at = static_cast<std::size_t>(from - data);
    if (from == last) return true;
    if (*from == '>' || *from == '@' || *from == '+') return false;
    const std::size_t before = letters.size();
    append_line(letters);
    letter_lines += letters.size() > before ? 1 : 0;
    return true;
  }

  /// Reads from after '>' or '@' to the next one or the end, or to the end of the qualities.
  void read_record() {
    for (Text* const text : {&header, &letters, &plus_line, &quality}) text->clear();
    letter_lines = quality_lines = first_quality_line = blank_lines = 0;
    plus = plus_ended = false;
    append_line(header);
    while (append_letters()) {
    }
    if (peek() != '+') return;
    plus = true;
    ++at;
    plus_ended = append_line(plus_line);
    if (!plus_ended) return;
    // If the letters are on one line, the qualities must be also. Otherwise the next record could be read as more
    // qualities.
    do {
      append_line(quality);
      if (++quality_lines == 1) first_quality_line = quality.size();
      blank_lines += quality.size() == 0 && letters.size() > 0 ? 1 : 0;
    } while ((letter_lines > 1 || quality.size() == 0) && quality.size() < letters.size() && peek() >= 0);
  }

  static constexpr std::size_t buffer_size = std::size_t{1} << 17;

  ByteSource& source;
  std::vector<char> buffer;
  const char* data = buffer.data();  // or bytes in memory
  std::size_t at = 0, end = 0;       // of the unread bytes in `data`
  bool begun = false;

  Text header, letters, plus_line, quality;
  bool plus = false;                                                          // a line that begins with '+' was read
  bool plus_ended = false;                                                    // and a complete line end after it
  std::uint64_t letter_lines = 0, quality_lines = 0, first_quality_line = 0;  // the last one: its length
  std::uint64_t blank_lines = 0;                                              // inside the record
};

RecordStream::RecordStream(const std::string& path, const ByteSource::Options& options, bool strict)
    : source_(path, options), parser_(std::make_unique<Parser>(source_)), strict_(strict) {
  look_at_first_header();
}

RecordStream::RecordStream(std::string_view text, const std::string& file, std::uint64_t before, bool strict)
    : source_(text, file), parser_(std::make_unique<Parser>(source_)), strict_(strict), records_(before) {
  look_at_first_header();
}

RecordStream::~RecordStream() = default;

std::string RecordStream::where(std::string_view name) const {
  return record_number(records_) + (name.empty() ? "" : " (" + shown(name) + ")");
}

void RecordStream::fail(const std::string& where, const std::string& wrong, const std::string& expected) const {
  // The detected format helps if the very first record is invalid.
  const bool may_be_other = records_ <= 1 && source_.is_other_format();
  throw InputError(source_.name(), where,
                   wrong + (may_be_other ? " (it looks like " + source_.description() + ")" : ""), expected);
}

void RecordStream::look_at_first_header() {
  find_header();
  if (header_ == '@') format_ = SequenceFormat::fastq;
}

void RecordStream::find_header() {
  Parser& parser = *parser_;
  do {
    header_ = parser.peek();
    if (header_ >= 0) ++parser.at;
  } while (header_ == '\n' || header_ == '\r' || header_ == ' ' || header_ == '\t');
  if (header_ < 0 || header_ == '>' || header_ == '@') return;

  const char c = static_cast<char>(header_);
  if (records_ == 0) {
    const bool binary = is_control(c) || static_cast<unsigned char>(c) >= 0x80;
    fail("record 1",
         binary ? "binary: the file begins with " + sequence::quoted(c)
                : "text before the first record: the file begins with " + sequence::quoted(c),
         "'>' (FASTA) or '@' (FASTQ)");
  }
  fail("after " + where(last_name_),
       sequence::quoted(c) + " where the next record should begin: letters and qualities do not go together", "'@'");
}

// Reads a FASTQ record of four lines that is completely in the buffer, after its '@', without a copy. This path reads
// nearly every record of a file of short reads, at twice the rate. All unusual cases and errors are left to Parser.
bool RecordStream::next_in_buffer(RawRecord& record) {
  Parser& parser = *parser_;
  if (header_ != '@' || format_ != SequenceFormat::fastq || parser.at >= parser.end) return false;
  const char* const begin = parser.data + parser.at;
  const char* const end = parser.data + parser.end;
  const char* at = begin;
  const auto line_at = [&](std::string_view& line) {
    const void* const newline = std::memchr(at, '\n', static_cast<std::size_t>(end - at));
    if (newline == nullptr) return false;
    line = {at, static_cast<std::size_t>(static_cast<const char*>(newline) - at)};
    at += line.size() + 1;
    return true;
  };
  std::string_view header, letters;
  if (!line_at(header) || !line_at(letters)) return false;
  // "+", and as many qualities as letters. If their line is shorter, it contains a line end, which is not a quality
  // character.
  if (static_cast<std::size_t>(end - at) < letters.size() + 3 || at[0] != '+' || at[1] != '\n') return false;
  const std::string_view quality(at + 2, letters.size());
  at += 2 + quality.size();
  if (*at++ != '\n') return false;
  if (header.empty() || letters.empty() || letters.back() == '\r' || quality.back() == '\r' || letters.front() == '>' ||
      letters.front() == '@' || letters.front() == '+' ||
      std::ranges::any_of(header, [](char c) { return is_control(c) || static_cast<unsigned char>(c) >= 0x80; }) ||
      is_blank(header.front()))
    return false;
  record.name = first_word(header);
  record.description = trimmed(header.substr(record.name.size()));
  record.letters = letters;
  record.quality = quality;
  record.plus = {};
  parser.at += static_cast<std::size_t>(at - begin);
  header_ = 0;
  ++records_;
  last_name_.assign(record.name);
  return true;
}

std::uint64_t RecordStream::take_plain(std::string& text, const BatchLimits& limits) {
  Parser& parser = *parser_;
  if (header_ > 0) parser.give_back(std::string(1, static_cast<char>(header_)));
  header_ = 0;
  text.assign(parser.data + parser.at, parser.end - parser.at);
  parser.at = parser.end;
  std::uint64_t count = 0;
  std::size_t last = 0, taken = 0, behind = 0;
  while (count < std::max<std::uint64_t>(limits.records, 1) && (count == 0 || taken < limits.residues)) {
    const PlainRecord found =
        format_ == SequenceFormat::fastq ? plain_fastq(text, taken, behind) : plain_fasta(text, taken, behind);
    if (found == PlainRecord::other) {
      plain_ = false;
      break;
    }
    if (found == PlainRecord::found) {
      last = taken;
      taken = behind;
      ++count;
      continue;
    }
    // Appended from the buffer, which stays in the cache: resize() would write zeros first.
    std::size_t more = 0;
    try {
      more = source_.read(parser.buffer.data(), parser.buffer.size());
    } catch (const InputError& error) {
      failure_ = error;  // thrown after the complete records
    }
    if (failure_) break;
    text.append(parser.buffer.data(), more);
    if (more > 0) continue;
    plain_ = false;  // the last record, or an incomplete one
    break;
  }
  parser.give_back(std::string_view(text).substr(taken));
  text.resize(taken);
  records_ += count;
  if (count > 0) last_name_ = first_word(line_of(text, last + 1, behind_line(text, last)));
  return count;
}

std::uint64_t RecordStream::take(std::string& text, const BatchLimits& limits) {
  text.clear();
  if (later_) std::rethrow_exception(later_);
  std::uint64_t count = 0;
  if (plain_) {
    if (!failure_) count = take_plain(text, limits);
    if (count == 0 && failure_)
      throw InputError(failure_->file(), record_number(records_ + 1), failure_->wrong(), failure_->expected());
    if (count > 0 && (plain_ || failure_)) return count;
  }
  RawRecord record;
  while (count < std::max<std::uint64_t>(limits.records, 1) && (count == 0 || text.size() < limits.residues)) {
    try {
      if (!next(record)) break;
    } catch (const InputError&) {
      if (count == 0) throw;
      later_ = std::current_exception();  // thrown after the complete records
      break;
    }
    const bool fastq = format_ == SequenceFormat::fastq;
    text.append(1, fastq ? '@' : '>').append(record.name);
    if (!record.description.empty()) text.append(1, ' ').append(record.description);
    text.append(1, '\n').append(record.letters).append(1, '\n');
    if (fastq) text.append(1, '+').append(record.plus).append(1, '\n').append(record.quality).append(1, '\n');
    ++count;
  }
  return count;
}

bool RecordStream::next(RawRecord& record) {
  Parser& parser = *parser_;
  try {
    if (header_ == 0) find_header();
    if (header_ < 0) return false;
    if (next_in_buffer(record)) return true;
    if ((header_ == '@') != (format_ == SequenceFormat::fastq))
      fail(record_number(records_ + 1), "begins with '" + std::string(1, static_cast<char>(header_)) + "' in a " +
                                            std::string(to_string(format_)) + " file");
    parser.read_record();
    record.description = trimmed(parser.header.view());
    record.name = first_word(record.description);
    record.description = trimmed(record.description.substr(record.name.size()));
    record.letters = parser.letters.view();
    record.quality = parser.quality.view();
    record.plus = {};
    last_name_.assign(record.name);
  } catch (const InputError& error) {
    if (!error.where().empty()) throw;
    throw InputError(error.file(), record_number(records_ + 1), error.wrong(), error.expected());
  } catch (const std::bad_alloc&) {
    const std::string_view name = first_word(trimmed(parser.header.view()));
    fail(record_number(records_ + 1) + (name.empty() ? "" : " (" + shown(name) + ")"),
         "more than the memory holds: " + std::to_string(parser.letters.size()) + " letters of it have been read");
  }
  header_ = 0;
  ++records_;
  for (const std::string_view text : {record.name, record.description}) {
    const auto bad = std::ranges::find_if(text, is_control);
    if (bad != text.end()) fail(where(record.name), "binary: " + sequence::quoted(*bad) + " in the header line");
  }
  if (format_ == SequenceFormat::fastq)
    check_fastq(record);
  else if (parser.plus)
    fail(where(record.name), "a line that begins with '+' in a FASTA file");
  return true;
}

void RecordStream::check_fastq(RawRecord& record) const {
  const Parser& parser = *parser_;
  if (!parser.plus)
    fail(where(record.name),
         parser.at == parser.end ? "the file ends inside the record: no '+' line and no qualities" : "no '+' line");
  if (!parser.plus_ended) fail(where(record.name), "the file ends inside the record: no qualities");

  const std::string_view plus = first_word(trimmed(parser.plus_line.view()));
  if (!plus.empty() && plus != record.name) record.plus = plus;
  const std::string letters = std::to_string(record.letters.size());
  if (record.quality.size() != record.letters.size()) {
    // After a blank line the next header may have been read as qualities.
    const bool none = parser.first_quality_line == 0 && record.quality.starts_with('@');
    if (parser.letter_lines <= 1)
      fail(where(record.name),
           std::to_string(none ? 0 : record.quality.size()) + " quality characters for " + letters + " letters");
    fail(where(record.name), "the lines of quality characters do not add up to " + letters + " as the letters do");
  }
  if (!strict_) return;
  if (!record.plus.empty()) fail(where(record.name), "its '+' line names another record: '" + shown(plus) + "'");
  if (record.letters.empty()) fail(where(record.name), "an empty record", "letters and qualities");
  if (parser.blank_lines > 0) fail(where(record.name), "a blank line inside the record");
}

}  // namespace genocl::io
