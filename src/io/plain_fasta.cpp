#include "io/plain_fasta.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "genocl/error.hpp"
#include "io/record_stream.hpp"
#include "io/text.hpp"
#include "runtime/parallel.hpp"
#include "runtime/platform.hpp"

namespace genocl::io {

std::size_t behind_line(std::string_view text, std::size_t from) {
  const std::size_t newline = text.find('\n', from);
  return newline == std::string_view::npos ? newline : newline + 1;
}

std::string_view line_of(std::string_view text, std::size_t from, std::size_t behind) {
  std::string_view line = text.substr(from, behind - from - 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

PlainRecord plain_fastq(std::string_view text, std::size_t from, std::size_t& behind) {
  std::array<std::string_view, 4> lines;
  behind = from;
  for (std::string_view& line : lines) {
    const std::size_t begin = behind;
    behind = behind_line(text, begin);
    if (behind == std::string_view::npos) return PlainRecord::unfinished;
    line = line_of(text, begin, behind);
  }
  const std::string_view letters = lines[1];
  const bool plain = lines[0].starts_with('@') && !letters.empty() && letters.front() != '>' &&
                     letters.front() != '@' && letters.front() != '+' && lines[2].starts_with('+') &&
                     lines[3].size() == letters.size();
  return plain ? PlainRecord::found : PlainRecord::other;
}

PlainRecord plain_fasta(std::string_view text, std::size_t from, std::size_t& behind) {
  if (from < text.size() && text[from] != '>') return PlainRecord::other;
  for (behind = from;;) {
    behind = behind_line(text, behind);
    if (behind == std::string_view::npos || behind == text.size()) return PlainRecord::unfinished;
    if (text[behind] == '>') return PlainRecord::found;
  }
}

namespace {

/// A line from `at` on: its end without \n or \r\n, and the beginning of the next line. The file's last line may lack
/// the line end.
struct LineEnds {
  std::size_t end = 0, behind = 0;
  bool whole = false;
};

LineEnds line_at(std::string_view text, std::size_t at) {
  const std::size_t behind = behind_line(text, at);
  LineEnds line{.end = text.size(), .behind = text.size(), .whole = behind != std::string_view::npos};
  if (line.whole) line = {.end = behind - 1, .behind = behind, .whole = true};
  if (line.end > at && text[line.end - 1] == '\r') --line.end;
  return line;
}

}  // namespace

PlainFasta::PlainFasta(int file, std::uint64_t size, std::string name, unsigned threads, const Sizes& sizes)
    : file_(file), size_(size), name_(std::move(name)), threads_(threads), sizes_(sizes) {}

std::string_view PlainFasta::name() const { return first_word(trimmed(header(records_[next_]))); }

double PlainFasta::fraction() const noexcept {
  const std::uint64_t taken = at_ + (next_ < records_.size() ? records_[next_].begin : rest_);
  return static_cast<double>(taken) / static_cast<double>(size_);
}

bool PlainFasta::fetch() {
  while (next_ == records_.size()) {
    if (!records_.empty()) {  // move the remainder to the front
      std::memmove(window_.get(), window_.get() + rest_, filled_ - rest_);
      filled_ -= rest_;
      at_ += rest_;
      rest_ = 0;
      records_.clear();
      parts_.clear();
      next_ = 0;
    }
    if (filled_ == 0 && at_ == size_) return false;
    read_more();
    find_records();
  }
  return true;
}

/// Reads another window, or doubles the size of an incomplete record.
void PlainFasta::read_more() {
  // The line at the end of the previous window is scanned again with its continuation.
  for (bool found = false; !found && !parts_.empty(); parts_.pop_back()) found = !parts_.back().runs.empty();
  const std::size_t from = parts_.empty() ? 0 : parts_.back().end;
  const auto more =
      static_cast<std::size_t>(std::min<std::uint64_t>(std::max(sizes_.window, filled_), size_ - at_ - filled_));
  if (filled_ + more > capacity_) {
    auto larger = std::make_unique_for_overwrite<char[]>(filled_ + more);
    platform::use_large_pages(larger.get(), filled_ + more);
    if (filled_ > 0) std::memcpy(larger.get(), window_.get(), filled_);
    window_ = std::move(larger);
    capacity_ = filled_ + more;
  }
  std::atomic<int> failed = -1;
  runtime::parallel_for((more + sizes_.part - 1) / sizes_.part, threads_, [&](std::size_t i) {
    const std::size_t begin = filled_ + i * sizes_.part;
    const std::span<char> place(window_.get() + begin, std::min(sizes_.part, filled_ + more - begin));
    if (!platform::read_at(file_, at_ + begin, std::as_writable_bytes(place))) failed = errno;
  });
  if (failed == 0) throw InputError(name_, {}, "has changed while it was read");
  if (failed > 0) throw InputError(name_, {}, "cannot be read: " + std::generic_category().message(failed));
  filled_ += more;
  const std::size_t first = parts_.size();
  for (std::size_t begin = from; begin < filled_; begin += sizes_.part)
    parts_.push_back({.begin = begin, .end = std::min(begin + sizes_.part, filled_), .runs = {}});
  runtime::parallel_for(parts_.size() - first, threads_, [&](std::size_t i) { look_through(parts_[first + i]); });
}

/// Scans all lines that begin in the part. The letters of a line that the window truncates do not matter, since its
/// record is incomplete.
void PlainFasta::look_through(Part& part) const {
  const std::string_view text = window();
  std::size_t at = part.begin;
  if (at > 0 && text[at - 1] != '\n') at = std::min(behind_line(text.substr(0, part.end), at), part.end);
  while (at < part.end) {
    const LineEnds line = line_at(text, at);
    if (text[at] == '>') {
      const std::string_view header = text.substr(at + 1, line.end - at - 1);
      part.runs.push_back(
          {.begin = at, .letters = 0, .header = true, .unusual = std::ranges::any_of(header, is_control)});
    } else {
      if (part.runs.empty()) part.runs.push_back({.begin = at, .letters = 0, .header = false, .unusual = false});
      Run& run = part.runs.back();
      run.letters += line.end - at;
      run.unusual = run.unusual || text[at] == '@' || text[at] == '+';
    }
    at = line.behind;
  }
}

void PlainFasta::find_records() {
  records_.clear();
  for (std::size_t p = 0; p < parts_.size(); ++p)
    for (std::size_t r = 0; r < parts_[p].runs.size(); ++r) {
      const Run& run = parts_[p].runs[r];
      if (run.header) records_.push_back({.begin = run.begin, .letters = 0, .part = p, .run = r, .unusual = false});
      Record& record = records_.back();
      record.letters += run.letters;
      record.unusual = record.unusual || run.unusual;
    }
  rest_ = filled_;
  if (ends_file()) return;
  rest_ = records_.back().begin;
  records_.pop_back();
}

std::size_t PlainFasta::end_of(std::size_t record) const noexcept {
  return record + 1 < records_.size() ? records_[record + 1].begin : rest_;
}

std::string_view PlainFasta::header(const Record& record) const {
  const std::string_view text = window();
  return text.substr(record.begin + 1, line_at(text, record.begin).end - record.begin - 1);
}

/// Encodes the run's lines of letters, up to `end`. Returns false if a line is unusual.
bool PlainFasta::encode_run(const Run& run, std::size_t end, Alphabet alphabet, Code* codes) const {
  const std::string_view text = window();
  std::size_t at = run.header ? line_at(text, run.begin).behind : run.begin;
  while (at < end) {
    const LineEnds line = line_at(text, at);
    const std::string_view letters = text.substr(at, line.end - at);
    if (encode_letters(alphabet, letters, {codes, letters.size()}) != letters.size()) return false;
    codes += letters.size();
    at = line.behind;
  }
  return true;
}

std::size_t PlainFasta::take(SequenceSet& batch, std::size_t count, bool keep_descriptions) {
  std::size_t usual = 0;
  while (usual < count && !records_[next_ + usual].unusual) ++usual;
  if (usual == 0) return 0;
  const std::size_t first = batch.size();
  std::uint64_t letters = 0;
  for (std::size_t i = 0; i < usual; ++i) letters += records_[next_ + i].letters;
  std::vector<std::uint64_t> places(usual);
  const std::uint64_t begin = batch.residues();
  std::span<Code> last;
  for (std::size_t i = 0; i < usual; ++i) {
    const Record& record = records_[next_ + i];
    const std::string_view line = trimmed(header(record));
    const std::string_view word = first_word(line);
    places[i] = batch.residues() - begin;
    last =
        batch.extend(word, keep_descriptions ? trimmed(line.substr(word.size())) : std::string_view(), record.letters)
            .codes;
  }
  Code* const codes = last.data() + last.size() - letters;

  // The work is divided by parts, since the lines of a long record span several. Each part starts with the number of
  // its first record, and with the number of that record's letters in previous parts.
  const std::size_t behind = next_ + usual;
  const std::size_t first_part = records_[next_].part;
  const auto first_run = [&](std::size_t part) { return part == first_part ? records_[next_].run : 0; };
  struct Begin {
    std::size_t record = 0;
    std::uint64_t within = 0;

    /// Advances to the run's record.
    void reach(const Run& run, const std::vector<Record>& records) {
      if (run.header && run.begin != records[record].begin) *this = {.record = record + 1, .within = 0};
    }
  };
  std::vector<Begin> begins;
  Begin now{.record = next_, .within = 0};
  for (std::size_t p = first_part; p < parts_.size() && now.record < behind; ++p) {
    begins.push_back(now);
    for (std::size_t r = first_run(p); r < parts_[p].runs.size() && now.record < behind; ++r) {
      now.reach(parts_[p].runs[r], records_);
      now.within += parts_[p].runs[r].letters;
    }
  }
  std::atomic<std::size_t> bad = behind;
  runtime::parallel_for(begins.size(), threads_, [&](std::size_t i) {
    const Part& part = parts_[first_part + i];
    Begin at = begins[i];
    for (std::size_t r = first_run(first_part + i); r < part.runs.size(); ++r) {
      const Run& run = part.runs[r];
      at.reach(run, records_);
      if (at.record >= behind) return;
      const std::size_t end = r + 1 < part.runs.size() ? part.runs[r + 1].begin : part.end;
      if (!encode_run(run, end, batch.alphabet(), codes + places[at.record - next_] + at.within)) {
        std::size_t known = bad;
        while (at.record < known && !bad.compare_exchange_weak(known, at.record)) {
        }
      }
      at.within += run.letters;
    }
  });
  const std::size_t taken = bad - next_;
  while (batch.size() > first + taken) batch.pop_back();
  next_ += taken;
  return taken;
}

std::string_view PlainFasta::take_text() {
  const std::size_t begin = records_[next_].begin;
  return window().substr(begin, end_of(next_++) - begin);
}

}  // namespace genocl::io
