// Motif files of MEME (text) and TRANSFAC, and of aligned sites.
//
// MEME: the minimal format, version 4 or 5, and the text output of its programs. Concatenated files, with their
// headers, are one text.

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

/// "w= 6" and "w=6": the value of `key`.
std::optional<std::string_view> value_of(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    if (at > 0 && line[at - 1] != ' ' && line[at - 1] != '\t') continue;
    const std::vector<std::string_view> fields = fields_of(line.substr(at + key.size()));
    return fields.empty() ? std::string_view() : fields.front();
  }
  return std::nullopt;
}

std::size_t whole_number(const TextLines& lines, std::string_view key, std::string_view text) {
  const double value = lines.number(text);
  if (!(value >= 0) || value > 1e9 || value != std::floor(value))
    lines.fail(std::string(key) + " " + shown(text), "a whole number");
  return static_cast<std::size_t>(value);
}

/// Reads a matrix from the line "letter-probability matrix:" on, the current line.
void read_matrix(TextLines& lines, Motif& motif) {
  const std::string_view header = lines.line();
  const std::string name = "motif " + shown(motif.id);
  if (const auto letters = value_of(header, "alength="); letters && whole_number(lines, "alength=", *letters) != 4)
    lines.fail(name + " with alength= " + shown(*letters), "4, for DNA");
  std::optional<std::size_t> width;
  if (const auto text = value_of(header, "w=")) width = whole_number(lines, "w=", *text);
  motif.sites = usual_sites;
  if (const auto text = value_of(header, "nsites=")) {
    const double sites = lines.count(*text);
    if (sites > 0) motif.sites = sites;  // 0 means unknown
  }
  TextLines::Mark before = lines.mark();
  while ((!width || motif.counts.size() < *width) && lines.next_filled()) {
    const std::vector<std::string_view> fields = fields_of(lines.line());
    const bool row = is_numbers(lines.line());
    if (!row && !width) break;
    if (!row || fields.size() != 4)
      lines.fail(name + ": " + in_quotes(lines.line()) + " for row " + std::to_string(motif.counts.size() + 1) +
                     (width ? " of " + std::to_string(*width) : std::string()),
                 "four probabilities");
    motif.counts.push_back(column_of(lines, fields, 0));
    before = lines.mark();
  }
  lines.back_to(before);
  if (width && motif.counts.size() < *width)
    lines.fail(name + " ends after " + std::to_string(motif.counts.size()) + " rows",
               std::to_string(*width) + " as its w= says");
}

void check_alphabet(const TextLines& lines) {
  const std::string_view line = lines.line();
  std::string letters;
  for (const char c : line.substr(std::string_view("ALPHABET").size()))
    if (c != '=' && c != ' ' && c != '\t') letters += c;
  if (letters != "ACGT" && letters != "ACGU" && letters != "DNA" && letters != "RNA" &&
      !letters.starts_with("\"DNA\"") && !letters.starts_with("\"RNA\""))
    lines.fail("an alphabet of " + in_quotes(letters), "ACGT");
}

/// "A 0.3 C 0.2 G 0.2 T 0.3", from the current line on, on one or several lines.
Background background_of(TextLines& lines) {
  constexpr std::string_view letters = "ACGT";
  std::array<double, 4> frequencies{};
  std::size_t found = 0;
  const auto fail = [&lines] {
    lines.fail(in_quotes(lines.line()) + " for the background", "\"A 0.25 C 0.25 G 0.25 T 0.25\"");
  };
  for (;;) {
    const std::vector<std::string_view> fields = fields_of(lines.line());
    if (fields.size() % 2 != 0 || found + fields.size() / 2 > 4) fail();
    for (std::size_t i = 0; i < fields.size(); i += 2, ++found) {
      const std::string_view letter = fields[i];
      if (letter.size() != 1 || !(letter[0] == letters[found] || (found == 3 && letter[0] == 'U'))) fail();
      frequencies[found] = lines.count(fields[i + 1]);
    }
    if (found == 4) break;
    if (!lines.next_filled()) fail();
  }
  return checked_background(lines, lines.line_number(), frequencies);
}

}  // namespace

Background checked_background(const TextLines& lines, std::size_t line, std::array<double, 4> frequencies) {
  // Three digits, which need not sum to one.
  double sum = 0;
  for (const double one : frequencies) sum += one;
  if (std::abs(sum - 1) > 0.0101) lines.fail_at(line, "a background that sums to " + std::to_string(sum), "1");
  for (double& one : frequencies) one /= sum;
  if (std::ranges::any_of(frequencies, [](double one) { return one == 0; }))
    lines.fail_at(line, "a background with a frequency of 0", "all above 0");
  return Background(frequencies);
}

std::optional<Background> parse_motif_background(std::string_view text, const std::string& file) {
  TextLines lines(text, file);
  if (is_xml(text)) return meme_xml_background(text, lines);
  std::optional<Background> found;
  while (lines.next_filled()) {
    if (!lines.line().starts_with("Background letter frequencies")) continue;
    if (!lines.next_filled()) lines.fail("nothing behind \"Background letter frequencies\"", "frequencies");
    const Background one = background_of(lines);
    if (found && !(*found == one)) lines.fail("a second background that is another one", "one for all motifs");
    found = one;
  }
  return found;
}

void parse_meme(TextLines& lines, MotifList& motifs) {
  std::optional<Motif> motif;  // named, still without its matrix
  std::string last;            // id of the motif before
  std::size_t begin = 0;       // line of the last motif's name
  const auto finish = [&] {
    if (motif) motifs.add(begin, std::move(*motif), MotifList::Values::scaled);
    motif.reset();
  };
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with("ALPHABET")) {
      check_alphabet(lines);
    } else if (line.starts_with("MEME version")) {
      finish();
    } else if (line.starts_with("MOTIF") && (line.size() == 5 || line[5] == ' ' || line[5] == '\t')) {
      finish();
      TwoNames names = two_names(line.substr(5));
      if (names.first.empty()) lines.fail("a motif without a name", "\"MOTIF ID name\"");
      // The text output continues that line: "MOTIF CACGTG MEME-1<tab>width = 6  sites = 10 ...".
      if (const std::size_t width = names.rest.find("width ="); width != std::string::npos)
        names.rest = trimmed(std::string_view(names.rest).substr(0, width));
      last = names.first;
      motif = Motif{std::move(names.first), std::move(names.rest), {}, 0, {}};
      begin = lines.line_number();
    } else if (line.starts_with("letter-probability matrix")) {
      if (!motif)
        lines.fail(last.empty() ? "a matrix before the first motif" : "a second matrix of motif " + shown(last),
                   "\"MOTIF ID name\" before it");
      read_matrix(lines, *motif);
      finish();
    } else if (!last.empty() && !motif && is_numbers(line) && fields_of(line).size() == 4) {
      lines.fail("motif " + shown(last) + ": a row more than its w= says");
    }
    // Other lines: strands, the background of the file, log-odds, URLs, diagrams.
  }
  finish();
}

// TRANSFAC flat files, and files of STAMP, RSAT and JASPAR in that style: records that end with "//".

namespace {

struct Record {
  std::string accession, id, name, description;
  std::array<Code, 4> letters = {0, 1, 2, 3};  ///< of the columns, from P0
  std::size_t begin = 0;                       ///< line
  bool header = false;                         ///< P0 was seen
  Motif motif;

  bool empty() const { return begin == 0; }
};

void read_letters(const TextLines& lines, Record& record) {
  if (record.header) lines.fail("a second matrix in a record", "\"//\" between motifs");
  record.header = true;
  const std::vector<std::string_view> fields = fields_of(lines.line());
  std::array<bool, 4> seen{};
  if (fields.size() < 5) lines.fail(in_quotes(lines.line()), "\"P0 A C G T\"");
  for (std::size_t i = 0; i < 4; ++i) {
    const Code letter = fields[i + 1].size() == 1 ? dna::encode(fields[i + 1].front()) : invalid_code;
    if (!dna::is_base(letter) || seen[letter]) lines.fail(in_quotes(lines.line()), "\"P0 A C G T\"");
    seen[letter] = true;
    record.letters[i] = letter;
  }
}

/// "01  1 2 2 0  S": the number of the position, counts, and optionally a consensus letter.
void read_row(const TextLines& lines, Record& record) {
  const std::vector<std::string_view> fields = fields_of(lines.line());
  if (fields.size() < 5 || fields.size() > 6)
    lines.fail(in_quotes(lines.line()), "a position, four counts and perhaps a letter");
  const std::array<double, 4> read = column_of(lines, fields, 1);
  std::array<double, 4> column{};
  for (std::size_t i = 0; i < 4; ++i) column[record.letters[i]] = read[i];
  record.motif.counts.push_back(column);
}

/// Adds the motif of a record, if any: the header of a file is a record without.
void finish(const TextLines& lines, Record& record, MotifList& motifs) {
  const bool named = !record.accession.empty() || !record.id.empty() || !record.description.empty();
  if (record.header || !record.motif.counts.empty() || named) {
    Motif& motif = record.motif;
    const TwoNames described = two_names(record.description);
    motif.id = !record.accession.empty() ? record.accession
               : !record.id.empty()      ? record.id
               : !record.name.empty()    ? record.name
                                         : described.first;
    motif.alt_id = !record.accession.empty() && !record.id.empty() ? record.id
                   : motif.id != record.name                       ? record.name
                                                                   : std::string();
    if (motif.id.empty()) lines.fail_at(record.begin, "a motif without a name", "a line AC, ID, NA or DE");
    motifs.add(record.begin, std::move(motif), MotifList::Values::counts);
  }
  record = {};
}

}  // namespace

void parse_transfac(TextLines& lines, MotifList& motifs) {
  Record record;
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with("//")) {
      finish(lines, record, motifs);
      continue;
    }
    if (line.starts_with('#')) continue;
    const std::vector<std::string_view> fields = fields_of(line);
    const std::string_view key = fields.front();
    const std::string value(trimmed(line.substr(key.size())));
    // STAMP ends a motif with XX.
    if ((key == "AC" || key == "ID" || key == "DE") && !record.motif.counts.empty()) finish(lines, record, motifs);
    if (record.empty()) record.begin = lines.line_number();
    if (key == "AC") {
      record.accession = two_names(value).first;
    } else if (key == "ID") {
      record.id = value;
    } else if (key == "NA") {
      record.name = value;
    } else if (key == "DE") {
      record.description = value;
    } else if (key == "P0" || key == "PO") {
      read_letters(lines, record);
    } else if (std::isdigit(static_cast<unsigned char>(key.front())) != 0) {
      if (!record.header && record.description.empty()) lines.fail("counts before \"P0 A C G T\"", "\"P0 A C G T\"");
      read_row(lines, record);
    } else if (key.size() != 2) {
      lines.fail(in_quotes(line), "a line of TRANSFAC's, with a key of two letters");
    }
  }
  if (!record.empty()) finish(lines, record, motifs);
}

// Motifs as letters: aligned sites (FASTA, A3M, JASPAR's .sites, a site in each line) and IUPAC consensus. As MEME's
// sites2meme and iupac2meme, a letter for several bases counts for each of them in equal parts.

namespace {

constexpr const char* expected_letter = "a nucleotide code, or - for a gap";

bool is_gap(char c) { return c == '-' || c == '.'; }
bool is_lower(char c) { return std::islower(static_cast<unsigned char>(c)) != 0; }

struct Site {
  std::string name, letters;
  std::size_t line = 0;
};

/// @throws InputError for a letter that is no nucleotide code
void check_letters(const TextLines& lines, std::string_view letters) {
  for (const char c : letters)
    if (!is_gap(c) && dna::encode(c) == invalid_code)
      lines.fail(in_quotes(letters) + ": " + in_quotes(std::string(1, c)), expected_letter);
}

/// Adds the letters of one site to existing columns, with weight `sites`.
void count_letters(std::string_view letters, double sites, Motif& motif) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const unsigned bases = dna::bases_table[is_gap(letters[i]) ? dna::unknown : dna::encode(letters[i])];
    double number = 0;
    for (unsigned base = 0; base < 4; ++base) number += (bases >> base) & 1U;
    for (unsigned base = 0; base < 4; ++base)
      if (((bases >> base) & 1U) != 0) motif.counts[i][base] += sites / number;
  }
}

/// A motif of sites of one length.
void add_sites(const TextLines& lines, MotifList& motifs, const std::vector<Site>& sites, std::string id) {
  Motif motif;
  motif.id = std::move(id);
  motif.counts.resize(sites.front().letters.size());
  for (const Site& site : sites) {
    if (site.letters.size() != motif.length())
      lines.fail_at(site.line,
                    (site.name.empty() ? std::string("a site") : "site " + shown(site.name)) + " of " +
                        std::to_string(site.letters.size()) + " letters",
                    std::to_string(motif.length()) + ", as the first one has");
    count_letters(site.letters, 1, motif);
  }
  motifs.add_sites(sites.front().line, std::move(motif), std::to_string(sites.size()) + " aligned sites");
}

void add_consensus(MotifList& motifs, const Site& site) {
  Motif motif;
  motif.id = site.name.empty() ? site.letters : site.name;
  if (!site.name.empty()) motif.alt_id = site.letters;
  motif.sites = usual_sites;
  motif.counts.resize(site.letters.size());
  count_letters(site.letters, usual_sites, motif);
  motifs.add_sites(site.line, std::move(motif), "an IUPAC consensus, as 20 sites");
}

/// The whole text is one alignment.
void parse_fasta(TextLines& lines, MotifList& motifs) {
  std::vector<Site> sites;
  bool upper = false, lower = false;
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with('>')) {
      sites.push_back({two_names(line.substr(1)).first, {}, lines.line_number()});
      continue;
    }
    if (sites.empty()) continue;  // comments
    check_letters(lines, line);
    sites.back().letters += line;
    for (const char c : line) {
      lower = lower || is_lower(c);
      upper = upper || (!is_lower(c) && !is_gap(c));
    }
  }
  if (sites.size() < 2)
    lines.fail_at(sites.front().line, "one record, " + shown(sites.front().name), "two aligned sites at least");
  // Lower case: insertions in A3M, flanks in JASPAR's .sites.
  if (upper && lower)
    for (Site& site : sites) std::erase_if(site.letters, [](char c) { return is_lower(c) || c == '.'; });
  if (sites.front().letters.empty())
    lines.fail_at(sites.front().line, "site " + shown(sites.front().name) + " without letters", "aligned sites");
  add_sites(lines, motifs, sites, name_of_file(lines.file()));
}

/// Lines up to an empty one: one motif of several sites, or a consensus in each line.
void add_block(const TextLines& lines, MotifList& motifs, const std::vector<Site>& sites, std::size_t& number) {
  if (sites.empty()) return;
  const bool named = std::ranges::all_of(sites, [](const Site& site) { return !site.name.empty(); });
  if (sites.size() > 1 && !named) {
    std::string id = name_of_file(lines.file());
    if (++number > 1) id += "_" + std::to_string(number);
    add_sites(lines, motifs, sites, std::move(id));
    return;
  }
  for (const Site& site : sites) add_consensus(motifs, site);
}

}  // namespace

bool is_site(std::string_view line, std::size_t min_letters) {
  const TwoNames words = two_names(line);
  return words.first.size() >= min_letters &&
         std::ranges::all_of(words.first, [](char c) { return is_gap(c) || dna::encode(c) != invalid_code; }) &&
         std::ranges::any_of(words.first, [](char c) { return !is_gap(c); });
}

void parse_sites(TextLines& lines, MotifList& motifs) {
  std::vector<Site> block;
  std::size_t number = 0;
  for (TextLines::Mark begin = lines.mark(); lines.next();) {
    const std::string_view line = lines.line();
    if (line.starts_with('>') && block.empty()) {
      lines.back_to(begin);
      return parse_fasta(lines, motifs);
    }
    if (line.empty()) {
      add_block(lines, motifs, block, number);
      block.clear();
    } else if (!line.starts_with('#')) {
      TwoNames words = two_names(line);
      check_letters(lines, words.first);
      block.push_back({std::move(words.rest), std::move(words.first), lines.line_number()});
    }
    begin = lines.mark();
  }
  add_block(lines, motifs, block, number);
}

}  // namespace genocl::pwm
