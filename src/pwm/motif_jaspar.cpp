// Rows of numbers after a header, a title or nothing. JASPAR: a header and four rows, "A [ 1 2 3 ]" or bare numbers.
// HOMER: ">consensus<tab>name<tab>threshold...", then a row of four numbers for each position. Cluster-Buster and
// HOCOMOCO: a header and positions; ENCODE: with a consensus letter in each row. CIS-BP: "Pos A C G T" and numbered
// positions, after lines of keys. UniPROBE: "Protein: x", then rows "A:". Collections mix these formats, so each
// motif is recognised by its own rows.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <span>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

/// A row of a matrix.
struct Row {
  std::size_t line = 0;
  std::optional<Code> letter = {};  ///< a base, or an ambiguity code of a consensus
  std::vector<double> values = {};
  std::string negative = {};  ///< the first negative number, as written
};

/// "Pos A C G T" or "T A G C": the letters of four columns, after the number of the position if `numbered`.
struct ColumnNames {
  std::array<Code, 4> letters = {0, 1, 2, 3};
  bool numbered = false;
};

bool is_blank(char c) { return c == ' ' || c == '\t'; }

/// The line with blanks instead of brackets and bars, and instead of commas and semicolons. If a blank alone
/// separates two fields, commas are decimal commas and are kept.
std::string with_blanks(std::string_view line) {
  std::string text(line);
  for (char& c : text)
    if (c == '[' || c == ']' || c == '|' || c == ':') c = ' ';
  const auto separates = [](char c) { return c == ',' || c == ';'; };
  const std::string_view fields = trimmed(text);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (!is_blank(fields[i])) continue;
    const std::size_t end = fields.find_first_not_of(" \t", i);
    if (!separates(fields[i - 1]) && !separates(fields[end])) return text;
    i = end;
  }
  std::ranges::replace_if(text, separates, ' ');
  return text;
}

bool begins_number(std::string_view text) {
  const bool sign = text.starts_with('+') || text.starts_with('-');
  const std::string_view digits = text.substr(sign ? 1 : 0);
  return !digits.empty() && (std::isdigit(static_cast<unsigned char>(digits.front())) != 0 || digits.front() == '.');
}

Row row_of(const TextLines& lines) {
  Row row{.line = lines.line_number()};
  std::string text(lines.line());
  if (const Code letter = dna::encode(text.front()); letter != invalid_code) {
    row.letter = letter;
    text.front() = ' ';
  }
  text = with_blanks(text);
  for (const std::string_view field : fields_of(text)) {
    row.values.push_back(lines.number(field));
    if (row.values.back() < 0 && row.negative.empty()) row.negative = field;
  }
  return row;
}

std::optional<ColumnNames> column_names(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  ColumnNames names;
  names.numbered = fields.size() == 5 && (fields[0].starts_with("Pos") || fields[0].starts_with("pos"));
  if (fields.size() != (names.numbered ? 5 : 4)) return std::nullopt;
  std::array<bool, 4> seen{};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::string_view field = fields[fields.size() - 4 + i];
    const Code letter = dna::encode(field.front());
    if (field.size() != 1 || !dna::is_base(letter) || seen[letter]) return std::nullopt;
    seen[letter] = true;
    names.letters[i] = letter;
  }
  return names;
}

/// A header, in all interpretations.
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
    // Blanks separate fields if a threshold follows two names, and are part of a name otherwise.
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

/// Relative difference of the smallest and the largest sum: 0 to 1.
double spread(std::span<const double> sums) {
  const auto [least, most] = std::ranges::minmax(sums);
  return most > 0 ? (most - least) / most : 1;
}

/// Whether rows of four numbers without letters are positions. Columns of counts have equal sums, and those of
/// frequencies sum to 1.
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
                "letters in front of them, or --motif-rows (letters or positions)");
}

/// Whether rows with letters are positions, and the letters their consensus: each row has four numbers of one sum,
/// and the letters are not A, C, G and T once each, or the sums contradict them.
bool is_consensus(std::span<const Row> rows) {
  unsigned seen = 0;
  std::vector<double> sums;
  std::array<double, 4> columns{};
  for (const Row& row : rows) {
    if (!row.letter || row.values.size() != 4) return false;
    seen |= 1U << *row.letter;
    sums.push_back(0);
    for (std::size_t i = 0; i < 4; ++i) {
      sums.back() += row.values[i];
      columns[i] += row.values[i];
    }
  }
  constexpr double equal = 0.02;
  const auto all_one = [](std::span<const double> values) {
    return std::ranges::all_of(values, [](double sum) { return std::abs(sum - 1) <= equal; });
  };
  if (rows.size() == 4 && seen == 0b1111) return all_one(sums) && !all_one(columns);
  return !sums.empty() && spread(sums) <= 0.1;
}

/// The columns of a motif given as rows of four numbers.
std::vector<std::array<double, 4>> columns_of(std::span<const Row> rows, MotifRows what) {
  std::vector<std::array<double, 4>> columns(rows.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < 4; ++i)
      (what == MotifRows::positions ? columns[r][i] : columns[r / 4 * 4 + i][r % 4]) = rows[r].values[i];
  return columns;
}

/// @param known      interpretation of rows without letters
/// @param threshold  the header contains a threshold, as HOMER's
MotifRows meaning_of_rows(const TextLines& lines, std::size_t line, std::span<const Row> rows, MotifRows known,
                          bool threshold = false) {
  const bool lettered = std::ranges::any_of(rows, [](const Row& row) { return row.letter.has_value(); });
  if (lettered) return is_consensus(rows) ? MotifRows::positions : MotifRows::letters;
  if (rows.empty() || known != MotifRows::automatic) return known;
  const bool fours = std::ranges::all_of(rows, [](const Row& row) { return row.values.size() == 4; });
  if (!fours) return MotifRows::letters;
  if (rows.size() % 4 != 0) return MotifRows::positions;
  if (std::ranges::any_of(rows, [](const Row& row) { return !row.negative.empty(); })) {
    const bool positions = log_odds_base(columns_of(rows, MotifRows::positions)).has_value();
    if (positions != log_odds_base(columns_of(rows, MotifRows::letters)).has_value())
      return positions ? MotifRows::positions : MotifRows::letters;
  }
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
    if (!dna::is_base(letter))
      lines.fail_at(row.line, name + ": a row of " + dna::decode(letter), "A, C, G and T, or four numbers of one sum");
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

void read_positions(const TextLines& lines, std::span<const Row> rows, const ColumnNames& names, Motif& motif) {
  for (const Row& row : rows) {
    if (row.values.size() != 4)
      lines.fail_at(row.line,
                    "motif " + shown(motif.id) + ": a row of " + std::to_string(row.values.size()) + " numbers",
                    "four");
    std::array<double, 4>& column = motif.counts.emplace_back();
    for (std::size_t i = 0; i < 4; ++i) column[names.letters[i]] = row.values[i];
  }
}

/// Adds a motif of these rows, of counts, probabilities or log-odds scores.
void add_rows(const TextLines& lines, MotifList& motifs, std::size_t header, std::span<const Row> rows,
              const std::optional<ColumnNames>& names, bool positions, Motif motif, MotifList::Values values) {
  if (positions)
    read_positions(lines, rows, names.value_or(ColumnNames()), motif);
  else if (!rows.empty())
    read_letters(lines, header, rows, motif);
  const auto negative = std::ranges::find_if(rows, [](const Row& row) { return !row.negative.empty(); });
  if (negative != rows.end()) {
    if (!log_odds_base(motif.counts))
      lines.fail_at(negative->line, in_quotes(negative->negative),
                    "0 or more, or log-odds scores (base e, 2 or 10; uniform background) of probabilities");
    values = MotifList::Values::log_odds;
  }
  motifs.add(header, std::move(motif), values);
}

/// The rows up to the next header or title, also up to an empty line if there are no headers. Sets `names` if a line
/// of column names comes first.
std::vector<Row> rows_of(TextLines& lines, bool bare, std::optional<ColumnNames>& names) {
  std::vector<Row> rows;
  TextLines::Mark before = lines.mark();
  const auto end = [&] {
    lines.back_to(before);
    return std::move(rows);
  };
  while (lines.next()) {
    const std::string_view line = lines.line();
    if (line.starts_with('>')) return end();
    if (line.empty() && bare && !rows.empty() && !rows.front().letter) return end();
    if (!line.empty() && !line.starts_with('#')) {
      if (!is_matrix_row(line)) {
        const auto found = column_names(line);
        const bool usable = found && rows.empty() && !names;
        if (!usable && bare) return end();
        if (!usable) lines.fail(in_quotes(line), "a row of numbers, or a header, \">ID name\"");
        names = found;
        before = lines.mark();
        continue;
      }
      rows.push_back(row_of(lines));
      Row& row = rows.back();
      if (names && names->numbered && row.values.size() == 5) row.values.erase(row.values.begin());
      // Motifs follow one another without separators.
      if (bare && rows.front().letter && rows.size() == 4 && !is_consensus(rows)) {
        before = lines.mark();
        return end();
      }
    }
    before = lines.mark();
  }
  return rows;
}

/// The lines above the rows of a motif without '>'.
struct Titles {
  std::size_t line = 0;  ///< 0: none
  TwoNames names = {};
  std::string name, gene, factor;  ///< of CIS-BP: "TF Name", "Gene", "TF"
  bool database = false;           ///< CIS-BP or UniPROBE, of probabilities
  std::optional<ColumnNames> columns = {};
};

/// "Motif<tab>M0001_1.02" and similar lines of CIS-BP before a matrix. False for other lines.
bool read_cisbp_key(std::string_view line, Titles& titles) {
  if (line.starts_with("TF Name")) {
    titles.name = trimmed(line.substr(7));
    return true;
  }
  const TwoNames words = two_names(line);
  if (words.rest.empty()) return false;
  if (words.first == "Motif")
    titles.names = {words.rest, {}};
  else if (words.first == "Gene")
    titles.gene = words.rest;
  else if (words.first == "TF")
    titles.factor = words.rest;
  else
    return words.first == "Family" || words.first == "Species" || words.first == "DBID";
  return true;
}

/// "Protein: Foo<tab>Seed k-mer: ATGC<tab>Enrichment Score: 0.4" or "# Motif: ATGC<tab>...". False for other lines.
bool read_uniprobe_title(std::string_view line, Titles& titles) {
  if (line.starts_with('#')) line = trimmed(line.substr(1));
  if (!line.starts_with("Protein:") && !line.starts_with("Motif:")) return false;
  const std::size_t tab = std::min(line.find('\t'), line.size());
  titles.names.first = trimmed(line.substr(0, tab).substr(line.find(':') + 1));
  const std::string_view rest = line.substr(tab);
  constexpr std::string_view seed = "Seed k-mer:";
  if (const std::size_t at = rest.find(seed); at != std::string_view::npos)
    titles.names.rest = two_names(rest.substr(at + seed.size())).first;
  return true;
}

/// Full files of UniPROBE contain matrices of enrichment and energy before that of probabilities.
bool begins_other_matrix(std::string_view line) {
  return line.starts_with("Enrichment score matrix") || line.starts_with("Energy matrix");
}

/// Reads to the line before the first row.
Titles titles_of(TextLines& lines) {
  Titles titles;
  TextLines::Mark before = lines.mark();
  bool skipped = false;  // rows of another matrix are
  for (; lines.next_filled(); before = lines.mark()) {
    const std::string_view line = lines.line();
    if (line.starts_with('>')) break;
    if (read_uniprobe_title(line, titles)) {
      titles.database = true;
      skipped = false;
    } else if (line.starts_with('#')) {
      continue;
    } else if (line.starts_with("Probability matrix")) {
      skipped = false;
    } else if (begins_other_matrix(line)) {
      skipped = true;
    } else if (const auto columns = column_names(line)) {
      titles.columns = columns;
      titles.database = titles.database || columns->numbered;
      if (titles.line == 0) titles.line = lines.line_number();
      return titles;
    } else if (is_matrix_row(line)) {
      // "1<tab>ATGC<tab>0.49": a rank, as UniPROBE's full files have below a title.
      const std::vector<std::string_view> fields = fields_of(line);
      const bool rank = titles.database && fields.size() == 3 && !begins_number(fields[1]);
      if (!skipped && !rank) break;
    } else if (!skipped && read_cisbp_key(line, titles)) {
      titles.database = true;
    } else if (!skipped) {
      if (titles.line != 0) lines.fail(in_quotes(line), "a row of numbers, or a header, \">ID name\"");
      titles.names = two_names(line);
    }
    if (titles.line == 0) titles.line = lines.line_number();
  }
  lines.back_to(before);
  return titles;
}

/// A motif without a header. Motifs without a name get the name of their file, and a number.
void add_bare(TextLines& lines, MotifList& motifs, std::size_t& number) {
  Titles titles = titles_of(lines);
  std::optional<ColumnNames> names = titles.columns;
  const std::vector<Row> rows = rows_of(lines, true, names);
  if (rows.empty() && titles.line == 0) return;
  if (titles.names.first.empty()) titles.names.first = !titles.factor.empty() ? titles.factor : titles.gene;
  if (titles.names.rest.empty()) titles.names.rest = !titles.name.empty() ? titles.name : titles.gene;
  if (titles.names.rest == titles.names.first) titles.names.rest.clear();
  const bool named = !titles.names.first.empty();
  if (rows.empty() && !titles.database && !names)
    lines.fail_at(titles.line, in_quotes(titles.names.first), "a header, \">ID name\", or rows of numbers below it");
  const std::size_t first = titles.line != 0 ? titles.line : rows[0].line;
  const bool positions = names || meaning_of_rows(lines, first, rows, motifs.rows()) == MotifRows::positions;
  const std::size_t each = positions || named || rows.empty() ? std::max<std::size_t>(rows.size(), 1) : 4;
  const bool probabilities = titles.database || (named && positions);
  for (std::size_t begin = 0; begin == 0 || begin < rows.size(); begin += each) {
    const std::span<const Row> of_motif = std::span(rows).subspan(begin, std::min(each, rows.size() - begin));
    Motif motif;
    motif.id = titles.names.first;
    motif.alt_id = titles.names.rest;
    if (!named) motif.id = name_of_file(lines.file());
    if (!named && ++number > 1) motif.id += "_" + std::to_string(number);
    add_rows(lines, motifs, begin == 0 ? first : of_motif[0].line, of_motif, names, positions, std::move(motif),
             probabilities ? MotifList::Values::probabilities : MotifList::Values::counts);
  }
}

}  // namespace

bool is_matrix_row(std::string_view line) {
  if (begins_number(line)) return true;
  if (dna::encode(line.front()) == invalid_code) return false;
  const std::string_view rest = trimmed(line.substr(1));
  if (rest.empty()) return false;
  if (std::string_view("[|:,;").find(rest.front()) != std::string_view::npos) return true;
  if (!begins_number(rest)) return false;
  // "A1 2 3" is a row, "C2H2" is not.
  const std::string text = with_blanks(line.substr(1));
  return is_blank(line[1]) || is_numbers(text);
}

bool is_title(std::string_view line) {
  Titles titles;
  return read_uniprobe_title(line, titles) || read_cisbp_key(line, titles) || column_names(line).has_value();
}

void parse_jaspar_or_homer(TextLines& lines, MotifList& motifs, bool homer) {
  std::size_t bare = 0;
  TextLines::Mark before = lines.mark();
  for (; lines.next_filled(); before = lines.mark()) {
    if (!lines.line().starts_with('>')) {
      if (lines.line().starts_with('#') && !is_title(lines.line())) continue;
      if (homer) lines.fail(in_quotes(lines.line()), "a header, \">consensus<tab>name\"");
      lines.back_to(before);
      add_bare(lines, motifs, bare);
      continue;
    }
    Header header = header_of(lines);
    std::optional<ColumnNames> names;
    const std::vector<Row> rows = rows_of(lines, false, names);
    const MotifRows known = homer || (header.tabs && header.homer.threshold) ? MotifRows::positions : motifs.rows();
    const bool positions = names || meaning_of_rows(lines, header.line, rows, known,
                                                    header.homer.threshold.has_value()) == MotifRows::positions;
    Motif motif = positions ? std::move(header.homer)
                            : Motif{std::move(header.names.first), std::move(header.names.rest), {}, 0, {}};
    add_rows(lines, motifs, header.line, rows, names, positions, std::move(motif),
             positions ? MotifList::Values::probabilities : MotifList::Values::counts);
  }
}

}  // namespace genocl::pwm
