// genocl-overlap plot: reads matches or alignments and writes a dot plot.
#include <png.h>

#include <algorithm>
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

  void add(std::string_view reference, std::uint64_t reference_length, std::string_view query,
           std::uint64_t query_length, PlotLine line) {
    if (!is_wanted(reference, query)) return;
    if (line.reference_end > reference_length || line.query_end > query_length ||
        line.reference_begin > line.reference_end || line.query_begin > line.query_end)
      fail("positions outside of a record", "begins and ends up to its length");
    line.reference = record(data_.reference, references_, reference, reference_length);
    line.query = record(data_.query, queries_, query, query_length);
    if (line.reference_end - line.reference_begin >= settings_.min_length) data_.lines.push_back(line);
  }

  void add_paf(std::string_view line) {
    const std::vector<std::string_view> fields = parts_of(line, '\t');
    if (fields.size() < 12 || (fields[4] != "+" && fields[4] != "-"))
      fail(genocl::in_quotes(line.substr(0, 40)), "12 columns of PAF, delta of nucmer, or output of genocl mem");
    add(fields[5], number(fields[6]), fields[0], number(fields[1]),
        {.reference_begin = number(fields[7]),
         .reference_end = number(fields[8]),
         .query_begin = number(fields[2]),
         .query_end = number(fields[3]),
         .reverse = fields[4] == "-"});
  }

  void add_delta(std::string_view line) {
    const std::vector<std::string_view> words = words_of(line);
    if (gaps_left_) {
      gaps_left_ = words.size() != 1 || words[0] != "0";
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
    add(reference_, reference_length_, query_, query_length_,
        {.reference_begin = begin - 1,
         .reference_end = number(words[1]),
         .query_begin = std::min(first, last) - 1,
         .query_end = std::max(first, last),
         .reverse = first > last});
    gaps_left_ = true;
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
    add(numbers == 1 ? words[0] : "reference", reference - 1 + length, query_, query_length,
        {.reference_begin = reference - 1,
         .reference_end = reference - 1 + length,
         .query_begin = is_reverse_ ? query_length - query_end : query - 1,
         .query_end = is_reverse_ ? query_length - (query - 1) : query_end,
         .reverse = is_reverse_});
  }

  std::string path_;
  const PlotSettings& settings_;
  PlotData data_;
  std::unordered_map<std::string, std::uint32_t> references_, queries_;
  std::size_t line_ = 0;
  bool reads_mummer_ = false, is_reverse_ = false, gaps_left_ = false;
  std::string_view reference_, query_;
  std::uint64_t reference_length_ = 0, query_length_ = 0;
};

}  // namespace

PlotData read_plot(const std::string& path, const PlotSettings& settings) {
  const std::string text = genocl::io::read_text_file(path);
  return PlotReader(path, settings).read(text);
}

void write_plot(const PlotSettings& settings) {
  check_files({settings.input}, {settings.output});
  const bool is_png = settings.format == "png" || (settings.format.empty() && settings.output.ends_with(".png"));
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
