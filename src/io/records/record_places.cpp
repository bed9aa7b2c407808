#include "genocl/io/record_places.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "genocl/error.hpp"
#include "io/htslib_log.hpp"
#include "io/records/placed_text.hpp"

namespace genocl::io {
namespace {

constexpr std::uint64_t lines_of_mark = 1024;

/// What a record is told by.
struct Line {
  char first = '\n';
  std::uint64_t length = 0;  // without its end
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
  std::array<bool, 4> is_record{};  // [phase]: every line so far that has this number modulo 4 begins a record
  std::array<Line, 4> last{};       // [line % 4]
  std::uint64_t ended = 0;          // lines
};

/// One begins where the text's piece does, or behind it.
void RecordPlaces::State::begin_line(std::uint64_t in_piece, std::uint64_t text_begin) {
  if (lines % lines_of_mark == 0) marks.push_back({text.place() + in_piece, text_begin});
  ++lines;
}

/// With it the record is known that may begin three lines before.
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

/// A line belongs to the part that has the line end before it, and the first one to the first part: nobody has to look
/// at what is before a part.
void RecordPlaces::State::scan(std::uint64_t part, std::uint64_t parts) {
  // The quotient and the rest apart: their product with a part's number is no larger than the file.
  const auto share = [&](std::uint64_t i) { return text.size() / parts * i + text.size() % parts * i / parts; };
  const std::uint64_t end = text.place_from(share(part + 1));
  text.seek(text.place_from(share(part)));
  is_record.fill(true);
  std::uint64_t before = 0;  // of the text: what is before the piece
  bool in_line = part == 0;  // of this part, or behind it
  bool begins = part == 0;   // one of this part, with the next byte
  bool inside = true;        // this part; behind it there are some lines that end its records
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
  if (line.length > 0) end_line(line);  // the file's last one, without its end
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
    // Where a piece ends, the place is the next one's.
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

}  // namespace genocl::io
