// genocl-overlap plot: reads matches or alignments and writes a dot plot.
#include <png.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <unordered_map>

#include "common/check_files.hpp"
#include "common/lists.hpp"
#include "common/numbers.hpp"
#include "common/png.hpp"
#include "genocl/error.hpp"
#include "genocl/io/output_file.hpp"
#include "genocl/io/text_file.hpp"
#include "overlap/commands.hpp"
#include "overlap/dot_plot.hpp"
#include "overlap/record_output.hpp"

namespace program {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

/// An alignment as lines: it is cut at long gaps.
class AlignmentPath {
 public:
  /// Bases of a gap that cuts.
  static constexpr std::uint64_t long_gap = 50;

  explicit AlignmentPath(const PlotLine& whole) : whole_(whole) {}

  /// Appends columns, in the direction of the reference: `reference` and `query` bases, one of them 0 for a gap.
  void move(std::uint64_t reference, std::uint64_t query) {
    const bool cuts = (reference == 0 || query == 0) && std::max(reference, query) >= long_gap;
    if (cuts) end_line();
    reference_ += reference;
    query_ += query;
    if (cuts) begin_line();
  }
  /// Whether the columns fit the ends of the alignment.
  bool fits() const {
    return reference_ == whole_.reference_end - whole_.reference_begin &&
           query_ == whole_.query_end - whole_.query_begin;
  }
  /// Appends the rest of the alignment as a line.
  void finish() {
    reference_ = whole_.reference_end - whole_.reference_begin;
    query_ = whole_.query_end - whole_.query_begin;
    end_line();
  }
  const std::vector<PlotLine>& lines() const { return lines_; }
  /// Bases that the alignment has left.
  std::uint64_t reference_left() const { return whole_.reference_end - whole_.reference_begin - reference_; }
  std::uint64_t query_left() const { return whole_.query_end - whole_.query_begin - query_; }

 private:
  void begin_line() {
    reference_first_ = reference_;
    query_first_ = query_;
  }
  void end_line() {
    if (reference_ == reference_first_) return;
    PlotLine line = whole_;
    line.reference_begin = whole_.reference_begin + reference_first_;
    line.reference_end = whole_.reference_begin + reference_;
    line.query_begin = whole_.reverse ? whole_.query_end - query_ : whole_.query_begin + query_first_;
    line.query_end = whole_.reverse ? whole_.query_end - query_first_ : whole_.query_begin + query_;
    lines_.push_back(line);
  }

  PlotLine whole_;
  std::uint64_t reference_ = 0, query_ = 0, reference_first_ = 0, query_first_ = 0;
  std::vector<PlotLine> lines_;
};

/// Parses one file, line by line.
class PlotReader {
 public:
  PlotReader(const std::string& path, const PlotSettings& settings)
      : path_(path == "-" ? "standard input" : path), settings_(settings) {}

  PlotData read(std::string_view text) {
    const std::vector<std::string_view> lines = parts_of(text, '\n');
    const bool is_delta = lines.size() > 1 && (lines[1] == "NUCMER" || lines[1] == "NUCMER\r");
    if (lines.size() > 1 && lines[1].starts_with("PROMER"))
      fail("a delta of promer, which counts amino acids", "NUCMER");
    for (line_ = is_delta ? 2 : 0; line_ < lines.size(); ++line_) {
      const std::string_view line = lines[line_];
      if (line.empty() || line.front() == '#') continue;
      if (is_delta)
        add_delta(line);
      else if (line.front() == '>')
        start_query(line);
      else if (reads_mummer_)
        add_match(line);
      else
        add_paf(line);
    }
    if (is_delta && gaps_left_) fail("the end of the file within an alignment", "0");
    return std::move(data_);
  }

 private:
  [[noreturn]] void fail(std::string_view found, const std::string& expected) const {
    throw genocl::InputError(path_, "line " + std::to_string(line_ + 1), std::string(found), expected);
  }

  std::uint64_t number(std::string_view word) const {
    const std::optional<std::uint64_t> value = number_of<std::uint64_t>(word);
    if (!value) fail(genocl::in_quotes(word), "a number");
    return *value;
  }

  static std::uint32_t record(PlotAxis& axis, std::unordered_map<std::string, std::uint32_t>& known,
                              std::string_view name, std::uint64_t length) {
    const auto [found, is_new] = known.emplace(name, static_cast<std::uint32_t>(axis.names.size()));
    if (is_new) {
      axis.names.emplace_back(name);
      axis.lengths.push_back(length);
    }
    axis.lengths[found->second] = std::max(axis.lengths[found->second], length);
    return found->second;
  }

  bool is_wanted(std::string_view reference, std::string_view query) const {
    return (settings_.reference.empty() || settings_.reference == reference) &&
           (settings_.query.empty() || settings_.query == query);
  }

  /// Returns the path of a match or an alignment, if it is drawn. `keep()` stores it.
  std::optional<AlignmentPath> start(std::string_view reference, std::uint64_t reference_length, std::string_view query,
                                     std::uint64_t query_length, PlotLine line) {
    if (!is_wanted(reference, query)) return std::nullopt;
    if (line.reference_end > reference_length || line.query_end > query_length ||
        line.reference_begin > line.reference_end || line.query_begin > line.query_end)
      fail("positions outside of a record", "begins and ends up to its length");
    line.reference = record(data_.reference, references_, reference, reference_length);
    line.query = record(data_.query, queries_, query, query_length);
    if (line.reference_end - line.reference_begin < settings_.min_length) return std::nullopt;
    return AlignmentPath(line);
  }
  void keep(std::optional<AlignmentPath>& path) {
    if (!path) return;
    path->finish();
    data_.lines.insert(data_.lines.end(), path->lines().begin(), path->lines().end());
    path.reset();
  }

  /// Moves along the columns of a CIGAR.
  void follow(AlignmentPath& path, std::string_view cigar) const {
    const std::string_view all = cigar;
    while (!cigar.empty()) {
      const std::size_t digits = std::min(cigar.find_first_not_of("0123456789"), cigar.size() - 1);
      const std::uint64_t length = number(cigar.substr(0, digits));
      const char letter = cigar[digits];
      const bool in_query = letter == 'I', in_reference = letter == 'D' || letter == 'N';
      if (!in_query && !in_reference && letter != 'M' && letter != '=' && letter != 'X')
        fail("a CIGAR with " + std::string(1, letter), "M, I, D, N, = and X");
      if ((!in_query && length > path.reference_left()) || (!in_reference && length > path.query_left()))
        fail(genocl::in_quotes(all.substr(0, 40)), "a CIGAR that fits the alignment");
      path.move(in_query ? 0 : length, in_reference ? 0 : length);
      cigar.remove_prefix(digits + 1);
    }
    if (!path.fits()) fail(genocl::in_quotes(all.substr(0, 40)), "a CIGAR that fits the alignment");
  }

  void add_paf(std::string_view line) {
    const std::vector<std::string_view> fields = parts_of(line, '\t');
    if (fields.size() < 12 || (fields[4] != "+" && fields[4] != "-"))
      fail(genocl::in_quotes(line.substr(0, 40)), "12 columns of PAF, delta of nucmer, or output of genocl mem");
    path_now_ = start(fields[5], number(fields[6]), fields[0], number(fields[1]),
                      {.reference_begin = number(fields[7]),
                       .reference_end = number(fields[8]),
                       .query_begin = number(fields[2]),
                       .query_end = number(fields[3]),
                       .reverse = fields[4] == "-"});
    for (std::size_t i = 12; i < fields.size() && path_now_; ++i)
      if (fields[i].starts_with("cg:Z:")) follow(*path_now_, fields[i].substr(5));
    keep(path_now_);
  }

  /// A number of delta: the columns up to and with a letter in a gap, negative for a letter of the query.
  void add_gap(std::string_view word) {
    const std::optional<std::int64_t> value = number_of<std::int64_t>(word);
    if (!value) fail(genocl::in_quotes(word), "a number");
    gaps_left_ = *value != 0;
    if (path_now_) {
      const std::uint64_t columns = static_cast<std::uint64_t>(std::abs(*value));
      const bool continues = columns == 1 && gap_letters_ > 0 && gap_in_query_ == (*value < 0);
      if (!continues) {
        if (gap_letters_ > 0) move_gap();
        if (columns > 1) move_checked(columns - 1, columns - 1);
      }
      gap_in_query_ = *value < 0;
      if (gaps_left_) ++gap_letters_;
    }
    if (!gaps_left_) keep(path_now_);
  }
  void move_gap() {
    move_checked(gap_in_query_ ? 0 : gap_letters_, gap_in_query_ ? gap_letters_ : 0);
    gap_letters_ = 0;
  }
  void move_checked(std::uint64_t reference, std::uint64_t query) {
    if (reference > path_now_->reference_left() || query > path_now_->query_left())
      fail("a gap behind the end of the alignment", "0");
    path_now_->move(reference, query);
  }

  void add_delta(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (gaps_left_) {
      if (words.size() != 1) fail(genocl::in_quotes(line), "a number");
      add_gap(words[0]);
      return;
    }
    if (line.front() == '>') {
      if (words.size() != 4) fail(genocl::in_quotes(line), ">REFERENCE QUERY LENGTH LENGTH");
      reference_ = words[0].substr(1);
      query_ = words[1];
      reference_length_ = number(words[2]);
      query_length_ = number(words[3]);
      return;
    }
    if (words.size() != 7 || query_length_ == 0) fail(genocl::in_quotes(line), "seven numbers of an alignment");
    const std::uint64_t first = number(words[2]), last = number(words[3]), begin = number(words[0]);
    if (begin == 0 || std::min(first, last) == 0) fail(genocl::in_quotes(line), "positions from 1 on");
    path_now_ = start(reference_, reference_length_, query_, query_length_,
                      {.reference_begin = begin - 1,
                       .reference_end = number(words[1]),
                       .query_begin = std::min(first, last) - 1,
                       .query_end = std::max(first, last),
                       .reverse = first > last});
    gaps_left_ = true;
    gap_letters_ = 0;
  }

  /// Matches of the reverse strand are placed from its end, so that they require the length of the query.
  void start_query(std::string_view line) {
    reads_mummer_ = true;
    const std::vector<std::string_view> words = words_of(line.substr(1));
    if (words.empty()) fail(genocl::in_quotes(line), "> and the name of a query");
    query_ = words[0];
    is_reverse_ = std::ranges::find(words, "Reverse") != words.end();
    query_length_ = 0;
    const auto length = std::ranges::find(words, "Len");
    if (words.end() - length > 2) query_length_ = number(length[2]);
    if (is_reverse_ && query_length_ == 0)
      fail("a reverse strand without the query's length", "output of genocl mem --query-lengths, or --format paf");
  }

  void add_match(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (words.size() != 3 && words.size() != 4) fail(genocl::in_quotes(line), "a match: record, two positions, length");
    const std::size_t numbers = words.size() - 3;
    const std::uint64_t reference = number(words[numbers]), query = number(words[numbers + 1]),
                        length = number(words[numbers + 2]);
    if (reference == 0 || query == 0) fail(genocl::in_quotes(line), "positions from 1 on");
    const std::uint64_t query_end = query - 1 + length, query_length = std::max(query_length_, query_end);
    if (is_reverse_ && query_end > query_length_) fail("a match behind the end of the query", "its length");
    path_now_ = start(numbers == 1 ? words[0] : "reference", reference - 1 + length, query_, query_length,
                      {.reference_begin = reference - 1,
                       .reference_end = reference - 1 + length,
                       .query_begin = is_reverse_ ? query_length - query_end : query - 1,
                       .query_end = is_reverse_ ? query_length - (query - 1) : query_end,
                       .reverse = is_reverse_});
    keep(path_now_);
  }

  std::string path_;
  const PlotSettings& settings_;
  PlotData data_;
  std::unordered_map<std::string, std::uint32_t> references_, queries_;
  std::size_t line_ = 0;
  bool reads_mummer_ = false, is_reverse_ = false, gaps_left_ = false;
  std::string_view reference_, query_;
  std::uint64_t reference_length_ = 0, query_length_ = 0;
  std::optional<AlignmentPath> path_now_;  ///< of the alignment that is read
  std::uint64_t gap_letters_ = 0;          ///< of a gap of delta that is read
  bool gap_in_query_ = false;
};

}  // namespace

PlotData read_plot(const std::string& path, const PlotSettings& settings) {
  const std::string text = genocl::io::read_text_file(path);
  return PlotReader(path, settings).read(text);
}

void write_plot(const PlotSettings& settings) {
  check_files({settings.input}, {settings.output});
  const bool is_png = settings.format == "png" || (settings.format.empty() && settings.output.ends_with(".png"));
  if (settings.format.empty() && !is_png && settings.output != "-" && !settings.output.ends_with(".svg"))
    throw genocl::InputError(settings.output, {}, "not the name of a picture", ".svg or .png, or --format");
  const PlotData data = read_plot(settings.input, settings);
  if (data.lines.empty()) throw genocl::InputError(settings.input, {}, "no match to draw");
  if (is_png) {
    write_png(settings.output, canvas_of(data, settings.size));
    return;
  }
  genocl::io::OutputFile file(settings.output);
  file.write(svg_of(data, settings.size));
  file.commit();
}

}  // namespace program
