#include "io/record_stream.hpp"

#include <htslib/kseq.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>

#include "genocl/error.hpp"
#include "io/text.hpp"
#include "sequence/letters.hpp"

namespace genocl::io {
namespace {

/// Where kseq gets its bytes, and what kseq passes over without telling.
struct Feed {
  ByteSource* source = nullptr;
  bool begun = false;

  // Of the record that is being read.
  bool plus = false;      // a line that begins with '+' was there
  std::string plus_line;  // what follows the '+'
  std::uint64_t letter_lines = 0;
  std::uint64_t quality_lines = 0;
  std::uint64_t first_quality_line = 0;  // its length

  void begin_record() {
    plus = false;
    plus_line.clear();
    letter_lines = quality_lines = first_quality_line = 0;
  }
};

/// An exception from here passes through kseq's functions, which are C++ here and hold nothing that it would leak.
int read_feed(Feed* feed, unsigned char* to, int size) {
  std::size_t count = feed->source->read(to, static_cast<std::size_t>(size));
  if (!feed->begun) {
    feed->begun = true;
    constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
    if (count >= 3 && std::memcmp(to, byte_order_mark.data(), 3) == 0) {
      count -= 3;
      std::memmove(to, to + 3, count);
      if (count == 0) count = feed->source->read(to, static_cast<std::size_t>(size));
    }
  }
  return static_cast<int>(count);
}

// kseq.h is not clean under -Wconversion.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
KSTREAM_INIT(Feed*, read_feed, 1 << 17)
#pragma GCC diagnostic pop

// kseq_read() calls these two in place of ks_getc() and ks_getuntil2(): it uses the first for the first byte of a line
// and for the '+' line, which it throws away, the second for the rest of a line of letters and for lines of qualities.
int noting_getc(kstream_t* stream) {
  const int c = ks_getc(stream);
  Feed& feed = *stream->f;
  if (feed.plus) {
    if (c >= 0 && c != '\n') feed.plus_line.push_back(static_cast<char>(c));
  } else if (c == '+') {
    feed.plus = true;
  }
  return c;
}

/// As ks_getuntil2(stream, KS_SEP_LINE, line, nullptr, 1) where the rest of the line is in the buffer, which memchr
/// finds several times as fast. False where it is not.
bool append_buffered_line(kstream_t* stream, kstring_t* line) {
  if (stream->begin >= stream->end) return false;
  const unsigned char* const begin = stream->buf + stream->begin;
  const void* const newline = std::memchr(begin, '\n', static_cast<std::size_t>(stream->end - stream->begin));
  if (newline == nullptr) return false;
  const std::ptrdiff_t length = static_cast<const unsigned char*>(newline) - begin;
  if (kputsn(reinterpret_cast<const char*>(begin), static_cast<std::size_t>(length), line) < 0) throw std::bad_alloc();
  stream->begin += static_cast<int>(length) + 1;
  stream->seek_pos += static_cast<std::uint64_t>(length) + 1;
  if (line->l > 1 && line->s[line->l - 1] == '\r') line->s[--line->l] = '\0';
  return true;
}

int noting_getuntil2(kstream_t* stream, int delimiter, kstring_t* line, int* delimiter_found, int append) {
  const int result =
      append_buffered_line(stream, line) ? 0 : ks_getuntil2(stream, delimiter, line, delimiter_found, append);
  if (line->l == 1 && line->s[0] == '\r') line->l = 0;  // an empty line; kseq strips it from longer ones only
  Feed& feed = *stream->f;
  if (!feed.plus)
    ++feed.letter_lines;
  else if (++feed.quality_lines == 1)
    feed.first_quality_line = line->l;
  return result;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#define ks_getc noting_getc
#define ks_getuntil2 noting_getuntil2
__KSEQ_TYPE(Feed*)
__KSEQ_BASIC(static, Feed*)
__KSEQ_READ(static)
#undef ks_getc
#undef ks_getuntil2
#pragma GCC diagnostic pop

/// What last_char is before a record is read: not 0, which would make kseq search for a header, and no header either,
/// so that it shows whether kseq has read the next one.
constexpr int no_header_read = 1;

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (is_blank(text.back()) || text.back() == '\r')) text.remove_suffix(1);
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  return text;
}

std::string_view first_word(std::string_view text) {
  return text.substr(0, std::min(text.size(), text.find_first_of(" \t")));
}

std::string_view view(const kstring_t& text) { return {text.l == 0 ? "" : text.s, text.l}; }

/// A name as it can stand in a message: on one line and not too long.
std::string shown(std::string_view name) {
  constexpr std::size_t longest = 60;
  std::string text(name.substr(0, longest));
  std::ranges::replace_if(
      text, [](char c) { return is_control(c) || c == '\1' || c == '\t'; }, '?');
  return name.size() > longest ? text + "..." : text;
}

std::string record_number(std::uint64_t number) { return "record " + std::to_string(number); }

}  // namespace

struct RecordStream::Parser {
  explicit Parser(ByteSource& source) : feed{.source = &source}, sequence(kseq_init(&feed)) {}
  ~Parser() { kseq_destroy(sequence); }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  Feed feed;
  kseq_t* sequence;
};

RecordStream::RecordStream(const std::string& path, const ByteSource::Options& options)
    : source_(path, options), parser_(std::make_unique<Parser>(source_)) {
  look_at_first_header();
}

RecordStream::~RecordStream() = default;

std::string RecordStream::where(std::string_view name) const {
  return record_number(records_) + (name.empty() ? "" : " (" + shown(name) + ")");
}

void RecordStream::fail(const std::string& where, const std::string& wrong, const std::string& expected) const {
  // What the file may be instead helps when its very beginning makes no sense.
  const bool may_be_other = records_ <= 1 && source_.is_other_format();
  throw InputError(source_.name(), where,
                   wrong + (may_be_other ? " (it looks like " + source_.description() + ")" : ""), expected);
}

void RecordStream::look_at_first_header() {
  find_header();
  if (header_ == '@') format_ = SequenceFormat::fastq;
}

void RecordStream::find_header() {
  kstream_t* stream = parser_->sequence->f;
  do header_ = ks_getc(stream);
  while (header_ == '\n' || header_ == '\r' || header_ == ' ' || header_ == '\t');
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

// A FASTQ record of four lines that all lie in the buffer, the '@' before it read, is taken from there as it is: nearly
// every record of a file of short reads, at twice the rate. Whatever is unusual is left to kseq, errors too.
bool RecordStream::next_in_buffer(RawRecord& record) {
  kstream_t* const stream = parser_->sequence->f;
  if (header_ != '@' || format_ != SequenceFormat::fastq || stream->begin >= stream->end) return false;
  const char* const begin = reinterpret_cast<const char*>(stream->buf) + stream->begin;
  const char* const end = reinterpret_cast<const char*>(stream->buf) + stream->end;
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
  // "+", and as many qualities as letters: where their line ends too early that is no quality character.
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
  stream->begin += static_cast<int>(at - begin);
  stream->seek_pos += static_cast<std::uint64_t>(at - begin);
  header_ = 0;
  ++records_;
  last_name_.assign(record.name);
  return true;
}

bool RecordStream::next(RawRecord& record) {
  kseq_t* const sequence = parser_->sequence;
  Feed& feed = parser_->feed;
  try {
    if (header_ == 0) find_header();
    if (header_ < 0) return false;
    if (next_in_buffer(record)) return true;
    if ((header_ == '@') != (format_ == SequenceFormat::fastq))
      fail(record_number(records_ + 1), "begins with '" + std::string(1, static_cast<char>(header_)) + "' in a " +
                                            std::string(to_string(format_)) + " file");
    feed.begin_record();
    sequence->last_char = no_header_read;
    // Its result, an int, says nothing that the fields do not say also of a record above 2 GiB.
    kseq_read(sequence);
  } catch (const InputError& error) {
    if (!error.where().empty()) throw;
    throw InputError(error.file(), record_number(records_ + 1), error.wrong(), error.expected());
  }
  header_ = sequence->last_char == no_header_read ? 0 : sequence->last_char;
  ++records_;
  last_name_.assign(sequence->name.l == 0 ? "" : sequence->name.s, sequence->name.l);

  record.name = view(sequence->name);
  record.description = trimmed(view(sequence->comment));
  if (record.name.empty()) {  // "> name"
    record.name = first_word(record.description);
    record.description = trimmed(record.description.substr(record.name.size()));
  }
  record.letters = view(sequence->seq);
  record.quality = view(sequence->qual);
  for (const std::string_view text : {record.name, record.description}) {
    const auto bad = std::ranges::find_if(text, is_control);
    if (bad != text.end()) fail(where(record.name), "binary: " + sequence::quoted(*bad) + " in the header line");
  }
  if (format_ == SequenceFormat::fastq)
    check_fastq(record);
  else if (feed.plus)
    fail(where(record.name), "a line that begins with '+' in a FASTA file");
  return true;
}

void RecordStream::check_fastq(const RawRecord& record) const {
  const Feed& feed = parser_->feed;
  const bool ends_here = parser_->sequence->last_char == no_header_read;
  if (!feed.plus)
    fail(where(record.name),
         ends_here ? "the file ends inside the record: no '+' line and no qualities" : "no '+' line");
  if (ends_here) fail(where(record.name), "the file ends inside the record: no qualities");

  const std::string_view plus = first_word(trimmed(feed.plus_line));
  if (!plus.empty() && plus != record.name)
    fail(where(record.name), "its '+' line names another record: '" + shown(plus) + "'");

  const std::string letters = std::to_string(record.letters.size());
  if (feed.letter_lines <= 1) {
    // Where the letters are on one line the qualities must be too: kseq would take the next record for the rest.
    if (feed.quality_lines > 1 || record.quality.size() != record.letters.size())
      fail(where(record.name),
           std::to_string(feed.first_quality_line) + " quality characters for " + letters + " letters");
  } else if (record.quality.size() != record.letters.size()) {
    fail(where(record.name), "the lines of quality characters do not add up to " + letters + " as the letters do");
  }
}

}  // namespace genocl::io
