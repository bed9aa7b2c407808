#include "io/record_places.hpp"

#include <fcntl.h>
#include <htslib/bgzf.h>
#include <htslib/hfile.h>
#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <string_view>

#include "genocl/error.hpp"
#include "genocl/io/record_places.hpp"
#include "io/htslib_log.hpp"
#include "runtime/platform.hpp"

namespace genocl::io {
namespace {

constexpr std::uint64_t lines_of_mark = 1024;

/// The properties of a line that identify a record.
struct Line {
  char first = '\n';
  std::uint64_t length = 0;  // without the line end
};

}  // namespace

struct RecordPlaces::State {
  explicit State(const std::string& name) : path(name), text(name) {}

  void scan(std::uint64_t part, std::uint64_t parts);
  void begin_line(std::uint64_t in_piece, std::uint64_t text_begin);
  void end_line(const Line& line);
  Begin begin_of(std::uint64_t line) const;

  SilentHtslib silent;
  std::string path;
  mutable PlacedText text;
  bool usable = false;
  std::uint64_t lines = 0, text_size = 0;
  std::vector<Begin> marks;         // of lines 0, 1024, ...
  std::array<bool, 4> is_record{};  // [phase]: all lines so far of this number modulo 4 begin a record
  std::array<Line, 4> last{};       // [line % 4]
  std::uint64_t ended = 0;          // number of complete lines
};

/// Starts a line at or after the beginning of the text's piece.
void RecordPlaces::State::begin_line(std::uint64_t in_piece, std::uint64_t text_begin) {
  if (lines % lines_of_mark == 0) marks.push_back({text.place() + in_piece, text_begin});
  ++lines;
}

/// Completes a line, and checks the record that may begin three lines before it.
void RecordPlaces::State::end_line(const Line& line) {
  last[ended % 4] = line;
  ++ended;
  if (ended < 4 || ended - 4 >= lines) return;
  const std::uint64_t begin = ended - 4;
  const auto of_record = [&](std::uint64_t i) -> const Line& { return last[(begin + i) % 4]; };
  const bool is = of_record(0).first == '@' && of_record(2).first == '+' && of_record(1).length > 0 &&
                  of_record(1).length == of_record(3).length;
  is_record[begin % 4] = is_record[begin % 4] && is;
}

/// A line belongs to the part that contains the preceding line end; the first line belongs to the first part. Therefore
/// no part depends on the text before it.
void RecordPlaces::State::scan(std::uint64_t part, std::uint64_t parts) {
  // Quotient and remainder are multiplied separately: neither product exceeds the file size, so there is no overflow.
  const auto share = [&](std::uint64_t i) { return text.size() / parts * i + text.size() % parts * i / parts; };
  const std::uint64_t end = text.place_from(share(part + 1));
  text.seek(text.place_from(share(part)));
  is_record.fill(true);
  std::uint64_t before = 0;  // text bytes before the piece
  bool in_line = part == 0;  // in a line of this part or after it
  bool begins = part == 0;   // the next byte begins a line of this part
  bool inside = true;        // in this part; some lines after it complete its records
  Line line;
  while (true) {
    if (inside && !text.next(end)) {
      if (text.failed()) return;
      inside = false;
      text_size = before;
      text.seek(end);
    }
    if (!inside && (!in_line || !text.next(text.end()))) break;
    const std::string_view piece = text.piece();
    if (part == 0 && before == 0 && piece[0] != '@') return;
    for (std::size_t at = 0; at < piece.size();) {
      if (begins) begin_line(at, before + at);
      begins = false;
      const std::size_t found = std::min(piece.find('\n', at), piece.size());
      if (in_line) {
        if (line.length == 0 && found > at) line.first = piece[at];
        line.length += found - at;
      }
      if (found == piece.size()) break;
      if (in_line) end_line(line);
      if (!inside && ended >= lines + 3) {
        usable = true;
        return;
      }
      line = {};
      in_line = true;
      begins = inside;
      at = found + 1;
    }
    before += piece.size();
  }
  if (text.failed()) return;
  if (line.length > 0) end_line(line);  // the last line, without a line end
  usable = true;
}

RecordPlaces::Begin RecordPlaces::State::begin_of(std::uint64_t line) const {
  Begin begin = marks[line / lines_of_mark];
  std::uint64_t left = line % lines_of_mark;
  text.seek(begin.place);
  while (text.next(text.end())) {
    const std::string_view piece = text.piece();
    std::size_t at = 0;
    for (; left > 0 && at < piece.size(); --left) {
      const std::size_t found = piece.find('\n', at);
      if (found == std::string_view::npos) {
        at = piece.size();
        break;
      }
      at = found + 1;
    }
    begin.text += at;
    // At the end of a piece the place belongs to the next one.
    if (left == 0 && at < piece.size()) return {text.place() + at, begin.text};
  }
  throw InputError(path, {}, "has changed while it was read");
}

RecordPlaces::RecordPlaces(const std::string& path, std::uint64_t part, std::uint64_t parts)
    : state_(std::make_unique<State>(path)) {
  if (parts == 0 || part >= parts) throw InputError("RecordPlaces: no part of a file");
  if (state_->text.usable()) state_->scan(part, parts);
}
RecordPlaces::RecordPlaces(RecordPlaces&&) noexcept = default;
RecordPlaces& RecordPlaces::operator=(RecordPlaces&&) noexcept = default;
RecordPlaces::~RecordPlaces() = default;

bool RecordPlaces::usable() const noexcept { return state_->usable; }
std::uint64_t RecordPlaces::file_size() const noexcept { return state_->text.size(); }
std::uint64_t RecordPlaces::lines() const noexcept { return state_->lines; }
std::uint64_t RecordPlaces::text_size() const noexcept { return state_->text_size; }
std::uint64_t RecordPlaces::end() const noexcept { return state_->text.end(); }

bool RecordPlaces::is_four_lines(std::uint64_t line) const noexcept { return state_->is_record[(4 - line % 4) % 4]; }

std::vector<RecordPlaces::Begin> RecordPlaces::begins(std::uint64_t line, std::uint64_t records) const {
  const std::uint64_t step = 4 * records;
  std::vector<Begin> found;
  for (std::uint64_t wanted = (step - line % step) % step; wanted < lines(); wanted += step)
    found.push_back(state_->begin_of(wanted));
  return found;
}

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;  // of a plain file; fits the cache

// A bgzip block (SAM specification, 4.1): a gzip member whose extra field contains its size.
constexpr std::array<unsigned char, 4> block_begin = {0x1f, 0x8b, 8, 4};
constexpr std::array<unsigned char, 6> block_extra = {6, 0, 'B', 'C', 2, 0};  // from byte 10 on
constexpr std::size_t header_bytes = 18, longest_block = std::size_t{1} << 16;

bool is_block(std::string_view bytes) {
  return bytes.size() >= header_bytes && std::memcmp(bytes.data(), block_begin.data(), block_begin.size()) == 0 &&
         std::memcmp(bytes.data() + 10, block_extra.data(), block_extra.size()) == 0;
}

std::size_t block_size(std::string_view bytes) {
  return std::size_t{static_cast<unsigned char>(bytes[16])} + std::size_t{static_cast<unsigned char>(bytes[17])} * 256 +
         1;
}

bool read(int file, std::uint64_t at, std::span<char> place) {
  return platform::read_at(file, at, std::as_writable_bytes(place));
}

/// Returns whether the bytes are consecutive blocks: the header of the next block, or the end, follows each.
bool begins_blocks(std::string_view bytes, bool at_end) {
  while (is_block(bytes)) {
    const std::size_t size = block_size(bytes);
    if (size > bytes.size()) return !at_end;
    bytes.remove_prefix(size);
    if (bytes.size() < header_bytes) return bytes.empty() || !at_end;
  }
  return false;
}

}  // namespace

PlacedText::PlacedText(const std::string& path) {
  file_ = path == "-" ? -1 : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  struct stat status {};
  if (file_ < 0 || fstat(file_, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size <= 0) return;
  size_ = static_cast<std::uint64_t>(status.st_size);
  std::array<char, header_bytes> head{};
  if (!read(file_, 0, std::span(head).first(std::min<std::size_t>(size_, header_bytes)))) return;
  if (std::memcmp(head.data(), block_begin.data(), 2) != 0) {
    usable_ = true;
    buffer_ = std::make_unique<char[]>(piece_bytes);
    return;
  }
  if (!is_block({head.data(), head.size()})) return;
  const int copy = fcntl(file_, F_DUPFD_CLOEXEC, 0);
  hFILE* const stream = copy < 0 ? nullptr : hdopen(copy, "r");
  if (stream == nullptr) {
    if (copy >= 0) close(copy);
    return;
  }
  bgzf_ = bgzf_hopen(stream, "r");
  if (bgzf_ == nullptr) {
    hclose_abruptly(stream);
    return;
  }
  buffer_ = std::make_unique<char[]>(longest_block);
  usable_ = bgzf_check_EOF(bgzf_) == 1;
}

PlacedText::~PlacedText() {
  if (bgzf_ != nullptr) bgzf_close(bgzf_);
  if (file_ >= 0) close(file_);
}

std::uint64_t PlacedText::place_from(std::uint64_t byte) const {
  if (byte >= size_) return end();
  if (bgzf_ == nullptr || byte == 0) return byte;
  // The size of two blocks, so that the range contains the beginning of a block and the header of the next.
  std::string bytes(std::min<std::uint64_t>(2 * longest_block + header_bytes, size_ - byte), '\0');
  if (!read(file_, byte, bytes)) return end();
  const std::string_view all = bytes;
  const std::string_view begin(reinterpret_cast<const char*>(block_begin.data()), block_begin.size());
  for (std::size_t at = all.find(begin); at != std::string_view::npos; at = all.find(begin, at + 1))
    if (begins_blocks(all.substr(at), byte + all.size() == size_)) return (byte + at) << 16;
  return end();
}

void PlacedText::seek(std::uint64_t place) {
  next_ = place;
  failed_ = bgzf_ != nullptr && bgzf_seek(bgzf_, static_cast<std::int64_t>(place), SEEK_SET) != 0;
}

bool PlacedText::next(std::uint64_t end) {
  piece_ = {};
  if (failed_) return false;
  if (bgzf_ != nullptr) return next_of_bgzip(end);
  if (next_ >= std::min(end, size_)) return false;
  const std::size_t count = std::min<std::uint64_t>(piece_bytes, std::min(end, size_) - next_);
  failed_ = !read(file_, next_, {buffer_.get(), count});
  if (failed_) return false;
  place_ = next_;
  next_ += count;
  piece_ = {buffer_.get(), count};
  return true;
}

bool PlacedText::next_of_bgzip(std::uint64_t end) {
  // Loads the next nonempty block.
  const int first = bgzf_peek(bgzf_);
  if (first < 0) {
    failed_ = first != -1;
    return false;
  }
  place_ = static_cast<std::uint64_t>(bgzf_tell(bgzf_));
  if (place_ >= end) return false;
  std::size_t count = static_cast<std::size_t>(bgzf_->block_length - bgzf_->block_offset);
  if (place_ >> 16 == end >> 16) count = std::min<std::size_t>(count, end - place_);
  failed_ = bgzf_read(bgzf_, buffer_.get(), count) != static_cast<ssize_t>(count);
  if (failed_) return false;
  piece_ = {buffer_.get(), count};
  return true;
}

}  // namespace genocl::io
