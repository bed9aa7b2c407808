// Multiple alignments in files: FASTA, A2M, A3M, Stockholm, Clustal.

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/align/profile_making.hpp"
#include "genocl/error.hpp"
#include "pairwise/table_words.hpp"

namespace genocl::align {
namespace {

/// The lines of a text, with their numbers.
class AlignmentLines {
 public:
  AlignmentLines(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  bool next() {
    if (text_.empty()) return false;
    const std::size_t end = std::min(text_.find('\n'), text_.size());
    line_ = text_.substr(0, end);
    while (!line_.empty() && std::isspace(static_cast<unsigned char>(line_.back())) != 0) line_.remove_suffix(1);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    ++number_;
    return true;
  }
  std::string_view line() const noexcept { return line_; }
  std::size_t number() const noexcept { return number_; }
  const std::string& file() const noexcept { return file_; }
  [[noreturn]] void fail(const std::string& wrong, const std::string& expected = {}) const {
    throw InputError(file_, std::to_string(number_), wrong, expected);
  }

 private:
  std::string_view text_, line_;
  const std::string& file_;
  std::size_t number_ = 0;
};

/// Rows whose letters come in blocks.
class BlockRows {
 public:
  void add(std::string_view name, std::string_view letters) {
    const auto [found, is_new] = place_of_.try_emplace(std::string(name), rows_.size());
    if (is_new) rows_.push_back({std::string(name), {}});
    rows_[found->second].letters += letters;
  }
  bool empty() const noexcept { return rows_.empty(); }
  std::vector<AlignedSequence> take() { return std::move(rows_); }

 private:
  std::vector<AlignedSequence> rows_;
  std::map<std::string, std::size_t> place_of_;
};

std::vector<AlignedSequence> stockholm_rows(AlignmentLines& lines) {
  BlockRows rows;
  bool ended = false;
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.empty() || (line.starts_with('#') && !line.starts_with("# STOCKHOLM"))) continue;
    if (ended) lines.fail("a second alignment", "one in a file");
    if (line == "//") {
      ended = true;
      continue;
    }
    const std::vector<std::string_view> words = pairwise::words_of(line);
    if (words.size() != 2) lines.fail(in_quotes(line), "a name and letters");
    rows.add(words[0], words[1]);
  }
  return rows.take();
}

bool is_number(std::string_view word) {
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) { return std::isdigit(c) != 0; });
}

std::vector<AlignedSequence> clustal_rows(AlignmentLines& lines) {
  BlockRows rows;
  while (lines.next()) {
    const std::string_view line = lines.line();
    // Lines of '*', ':' and '.' below a block begin with a blank.
    if (line.empty() || std::isspace(static_cast<unsigned char>(line.front())) != 0) continue;
    const std::vector<std::string_view> words = pairwise::words_of(line);
    if (words.size() < 2 || words.size() > 3 || (words.size() == 3 && !is_number(words[2])))
      lines.fail(in_quotes(line), "a name and letters");
    rows.add(words[0], words[1]);
  }
  return rows.take();
}

/// Rows of HH-suite with structures or a consensus.
bool is_annotation(std::string_view name) {
  return name.starts_with("ss_") || name.starts_with("sa_") || name.starts_with("aa_dssp") ||
         name.ends_with("_consensus");
}

bool equal_lengths(std::span<const AlignedSequence> rows) {
  return std::ranges::all_of(
      rows, [&](const AlignedSequence& row) { return row.letters.size() == rows.front().letters.size(); });
}

std::vector<AlignedSequence> fasta_rows(AlignmentLines& lines) {
  std::vector<AlignedSequence> rows;
  do {
    std::string_view line = lines.line();
    if (line.empty() || (line.starts_with('#') && rows.empty())) continue;
    if (line.starts_with('>')) {
      const std::vector<std::string_view> words = pairwise::words_of(line.substr(1));
      rows.push_back({std::string(words.empty() ? std::string_view() : words.front()), {}});
      continue;
    }
    if (rows.empty()) lines.fail(in_quotes(line.substr(0, 40)), "\">name\"");
    for (const std::string_view word : pairwise::words_of(line)) rows.back().letters += word;
  } while (lines.next());
  if (rows.empty() || equal_lengths(rows)) return rows;
  std::vector<AlignedSequence> aligned;
  for (AlignedSequence& row : rows) {
    if (is_annotation(row.name)) continue;
    std::erase_if(row.letters, [](unsigned char c) { return std::islower(c) != 0 || c == '.'; });
    aligned.push_back(std::move(row));
  }
  return aligned;
}

/// "CLUSTAL W ...", "CLUSTAL O(1.2.4) ...", "MUSCLE (3.8) multiple sequence alignment".
bool is_clustal(std::string_view line) {
  return line.starts_with("CLUSTAL") || line.find("multiple sequence alignment") != std::string_view::npos;
}

}  // namespace

std::vector<AlignedSequence> parse_alignment(std::string_view text, const std::string& file) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  AlignmentLines lines(text, file);
  std::vector<AlignedSequence> rows;
  bool any = lines.next();
  while (any && lines.line().empty()) any = lines.next();
  if (any) {
    const std::string_view first = lines.line();
    if (first.starts_with("# STOCKHOLM"))
      rows = stockholm_rows(lines);
    else if (is_clustal(first))
      rows = clustal_rows(lines);
    else
      rows = fasta_rows(lines);
  }
  if (rows.empty()) throw InputError(file, {}, "no aligned sequence in it", "FASTA, A2M, A3M, Stockholm or Clustal");
  for (const AlignedSequence& row : rows)
    if (row.letters.size() != rows.front().letters.size())
      throw InputError(file, {},
                       "sequence " + in_quotes(row.name) + " of an alignment has " +
                           std::to_string(row.letters.size()) + " letters and gaps",
                       std::to_string(rows.front().letters.size()) + ", as the first one has");
  return rows;
}

}  // namespace genocl::align
