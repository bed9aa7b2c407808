// What begins with '>', and bare rows. JASPAR: a header and four rows, "A [ 1 2 3 ]" or bare numbers. HOMER:
// ">consensus<tab>name<tab>threshold...", then a row of four numbers for each position. Collections mix both, so that
// each motif's own rows tell.
#include <algorithm>
#include <filesystem>
#include <optional>
#include <span>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

struct Row {
  std::size_t line;
  std::optional<Code> letter;
  std::vector<double> values;
};

Row row_of(const TextLines& lines) {
  Row row{lines.line_number(), {}, {}};
  std::string text(lines.line());
  if (const Code letter = dna::encode(text.front()); dna::is_base(letter)) {
    row.letter = letter;
    text.front() = ' ';
  }
  // Brackets may stand close to the numbers.
  for (char& c : text)
    if (c == '[' || c == ']' || c == '|' || c == ':') c = ' ';
  for (const std::string_view field : fields_of(text)) row.values.push_back(lines.count(field));
  return row;
}

/// What a header says, however it is read.
struct Header {
  std::size_t line = 0;
  TwoNames names;  ///< of JASPAR
  Motif homer;     ///< without columns
  bool tabs = false;
};

Header header_of(const TextLines& lines) {
  Header header;
  header.line = lines.line_number();
  const std::string_view text = trimmed(lines.line().substr(1));
  header.names = two_names(text);
  if (header.names.first.empty()) lines.fail("a header without a name", "\">ID name\"");
  std::vector<std::string_view> fields;
  if (text.find('\t') == std::string_view::npos) {
    fields = fields_of(text);
    // Blanks separate where a threshold follows two names, and are part of a name anywhere else.
    if (fields.size() < 3 || !is_numbers(fields[2])) {
      header.homer.id = header.names.first;
      header.homer.alt_id = header.names.rest;
      return header;
    }
  } else {
    header.tabs = true;
    for (std::size_t begin = 0; begin <= text.size();) {
      const std::size_t end = std::min(text.find('\t', begin), text.size());
      fields.push_back(trimmed(text.substr(begin, end - begin)));
      begin = end + 1;
    }
  }
  // The name is unique, the consensus is not.
  const std::string_view consensus = fields[0], name = fields[1];
  header.homer.id = name.empty() ? consensus : name;
  if (!name.empty()) header.homer.alt_id = consensus;
  if (fields.size() > 2 && is_numbers(fields[2])) header.homer.threshold = lines.number(fields[2]);
  return header;
}

/// How far the sums of rows, or of columns, differ: 0 where all are equal, up to 1.
double spread(std::span<const double> sums) {
  const auto [least, most] = std::ranges::minmax(sums);
  return most > 0 ? (most - least) / most : 1;
}

/// Rows of four numbers without letters: whether each of them is a position. Columns of counts have equal sums, and
/// those of frequencies sum to 1.
MotifRows rows_by_sums(const TextLines& lines, std::size_t line, std::span<const Row> rows, bool threshold) {
  std::vector<double> sums;
  double of_letters = 0;
  bool symmetric = rows.size() == 4;
  for (std::size_t begin = 0; begin < rows.size(); begin += 4) {
    std::array<double, 4> columns{};
    for (std::size_t r = 0; r < 4; ++r) {
      double sum = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        const double value = rows[begin + r].values[i];
        sum += value;
        columns[i] += value;
        symmetric = symmetric && value == rows[begin + i].values[r];
      }
      sums.push_back(sum);
    }
    of_letters = std::max(of_letters, spread(columns));
  }
  const double of_positions = spread(sums);
  constexpr double equal = 0.02;
  if (symmetric || (of_letters <= of_positions / 2 && of_positions > equal)) return MotifRows::letters;
  if (of_positions <= of_letters / 2 && of_letters > equal) return MotifRows::positions;
  if (threshold) return MotifRows::positions;
  lines.fail_at(line, "rows of four numbers that may be letters or positions",
                "letters in front of them, or --orientation (letters or positions)");
}

/// `known`: what rows without letters are; `threshold`: the header has one, as HOMER's.
MotifRows orientation(const TextLines& lines, std::size_t line, std::span<const Row> rows, MotifRows known,
                      bool threshold = false) {
  const bool lettered = std::ranges::any_of(rows, [](const Row& row) { return row.letter.has_value(); });
  if (lettered) return MotifRows::letters;
  if (rows.empty() || known != MotifRows::automatic) return known;
  const bool fours = std::ranges::all_of(rows, [](const Row& row) { return row.values.size() == 4; });
  if (!fours) return MotifRows::letters;
  if (rows.size() % 4 != 0) return MotifRows::positions;
  return rows_by_sums(lines, line, rows, threshold);
}

/// Four rows, of A, C, G and T.
void read_letters(const TextLines& lines, std::size_t header, std::span<const Row> rows, Motif& motif) {
  const std::string name = "motif " + shown(motif.id);
  std::array<bool, 4> seen{};
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const Row& row = rows[r];
    if (r == 4) lines.fail_at(row.line, name + ": a fifth row", "a header, \">ID name\"");
    if (r == 0) motif.counts.resize(row.values.size());
    if (row.letter.has_value() != rows[0].letter.has_value())
      lines.fail_at(row.line, "a row with a letter beside one without", "the same for all four");
    const Code letter = row.letter.value_or(static_cast<Code>(r));
    if (seen[letter]) lines.fail_at(row.line, name + ": a second row of " + dna::decode(letter), "one of each letter");
    seen[letter] = true;
    if (row.values.size() != motif.counts.size())
      lines.fail_at(row.line, name + ": a row of " + std::to_string(row.values.size()) + " numbers",
                    std::to_string(motif.counts.size()) + " as in the first");
    for (std::size_t i = 0; i < row.values.size(); ++i) motif.counts[i][letter] = row.values[i];
  }
  if (rows.size() < 4)
    lines.fail_at(header, name + " with " + std::to_string(rows.size()) + " rows", "four, of A, C, G and T");
}

void read_positions(const TextLines& lines, std::span<const Row> rows, Motif& motif) {
  for (const Row& row : rows) {
    if (row.values.size() != 4)
      lines.fail_at(row.line,
                    "motif " + shown(motif.id) + ": a row of " + std::to_string(row.values.size()) + " numbers",
                    "four");
    motif.counts.push_back({row.values[0], row.values[1], row.values[2], row.values[3]});
  }
}

/// The rows up to the next header; up to an empty line as well where there are no headers.
std::vector<Row> rows_of(TextLines& lines, bool bare) {
  std::vector<Row> rows;
  TextLines::Mark before = lines.mark();
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with('>')) {
      lines.back_to(before);
      break;
    }
    if (line.empty() && bare && !rows.empty() && !rows.front().letter) break;
    if (!line.empty() && !line.starts_with('#')) {
      if (!dna::is_base(dna::encode(line.front())) && !is_numbers(line)) {
        row_of(lines);  // throws for a number that is none
        lines.fail(in_quotes(line), "a header, \">ID name\"");
      }
      rows.push_back(row_of(lines));
      // Motifs follow one another without anything in between.
      if (bare && rows.front().letter && rows.size() == 4) break;
    }
    before = lines.mark();
  }
  return rows;
}

/// Motifs without a header are named after their file.
void add_bare(TextLines& lines, MotifList& motifs, std::size_t& number) {
  const std::vector<Row> rows = rows_of(lines, true);
  if (rows.empty()) return;
  const bool positions = orientation(lines, rows[0].line, rows, motifs.rows()) == MotifRows::positions;
  const std::size_t each = positions ? rows.size() : std::size_t{4};
  for (std::size_t begin = 0; begin < rows.size(); begin += each) {
    const std::span<const Row> of_motif = std::span(rows).subspan(begin, std::min(each, rows.size() - begin));
    Motif motif;
    motif.id = std::filesystem::path(lines.file()).stem().string();
    if (++number > 1) motif.id += "_" + std::to_string(number);
    if (positions)
      read_positions(lines, of_motif, motif);
    else
      read_letters(lines, of_motif[0].line, of_motif, motif);
    motifs.add(of_motif[0].line, std::move(motif), MotifList::Values::counts);
  }
}

}  // namespace

void parse_jaspar_or_homer(TextLines& lines, MotifList& motifs, bool homer) {
  std::size_t bare = 0;
  TextLines::Mark before = lines.mark();
  while (lines.next_filled()) {
    if (!lines.line().starts_with('>')) {
      if (lines.line().starts_with('#')) {
        before = lines.mark();
        continue;
      }
      if (homer) lines.fail(in_quotes(lines.line()), "a header, \">consensus<tab>name\"");
      lines.back_to(before);
      add_bare(lines, motifs, bare);
      before = lines.mark();
      continue;
    }
    Header header = header_of(lines);
    const std::vector<Row> rows = rows_of(lines, false);
    before = lines.mark();
    const MotifRows known = homer || (header.tabs && header.homer.threshold) ? MotifRows::positions : motifs.rows();
    if (orientation(lines, header.line, rows, known, header.homer.threshold.has_value()) == MotifRows::positions) {
      read_positions(lines, rows, header.homer);
      motifs.add(header.line, std::move(header.homer), MotifList::Values::probabilities);
    } else {
      Motif motif{std::move(header.names.first), std::move(header.names.rest), {}, 0, {}};
      if (!rows.empty()) read_letters(lines, header.line, rows, motif);
      motifs.add(header.line, std::move(motif), MotifList::Values::counts);
    }
  }
}

}  // namespace genocl::pwm
