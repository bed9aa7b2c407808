// MEME's minimal format, version 4 or 5, and the text output of its programs; files one after the other, with their
// headers, are one text.
#include <algorithm>
#include <cmath>
#include <optional>

#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

/// "w= 6" and "w=6": what stands after `key`.
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

/// From the line of "letter-probability matrix:" on, which `lines` is at.
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
    if (sites > 0) motif.sites = sites;  // 0 is written where it is not known
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

/// "A 0.3 C 0.2 G 0.2 T 0.3", from the line that `lines` is at, on one line or several.
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
  // Three digits are written, which need not sum to one.
  double sum = 0;
  for (const double one : frequencies) sum += one;
  if (std::abs(sum - 1) > 0.0101) lines.fail("a background that sums to " + std::to_string(sum), "1");
  for (double& one : frequencies) one /= sum;
  if (std::ranges::any_of(frequencies, [](double one) { return one == 0; }))
    lines.fail("a background with a frequency of 0", "all above 0");
  return Background(frequencies);
}

}  // namespace

std::optional<Background> parse_motif_background(std::string_view text, const std::string& file) {
  TextLines lines(text, file);
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
  std::optional<Motif> motif;  // whose name was seen, and not its matrix
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
      // The text output has more in that line: "MOTIF CACGTG MEME-1<tab>width = 6  sites = 10 ...".
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
    // Else: strands, the background of the file, log-odds, URLs, diagrams.
  }
  finish();
}

}  // namespace genocl::pwm
