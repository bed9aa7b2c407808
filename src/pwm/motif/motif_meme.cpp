// MEME's minimal format, version 4 or 5; files one after the other, with their headers, are one text.
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
    std::array<double, 4> column = column_of(lines, fields, 0);
    const double sum = column[0] + column[1] + column[2] + column[3];
    if (sum != 0 && std::abs(sum - 1) > 0.1)
      lines.fail(name + ": probabilities that sum to " + std::to_string(sum), "1");
    for (double& value : column) value *= motif.sites;
    motif.counts.push_back(column);
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
  if (letters != "ACGT" && letters != "ACGU" && letters != "DNA" && letters.rfind("\"DNA\"", 0) != 0)
    lines.fail("an alphabet of " + in_quotes(letters), "ACGT");
}

/// "A 0.3 C 0.2 G 0.2 T 0.3", which `lines` is at.
Background background_of(const TextLines& lines) {
  const std::vector<std::string_view> fields = fields_of(lines.line());
  constexpr std::string_view letters = "ACGT";
  std::array<double, 4> frequencies{};
  bool is = fields.size() == 8;
  for (std::size_t i = 0; is && i < 4; ++i) {
    const std::string_view letter = fields[2 * i];
    is = letter.size() == 1 && (letter[0] == letters[i] || (i == 3 && letter[0] == 'U'));
    if (is) frequencies[i] = lines.count(fields[2 * i + 1]);
  }
  if (!is) lines.fail(in_quotes(lines.line()) + " for the background", "\"A 0.25 C 0.25 G 0.25 T 0.25\"");
  // Three digits are written, which need not sum to one.
  double sum = 0;
  for (const double one : frequencies) sum += one;
  if (std::abs(sum - 1) > 0.01) lines.fail("a background that sums to " + std::to_string(sum), "1");
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

std::vector<Motif> parse_meme(TextLines& lines) {
  std::vector<Motif> motifs;
  std::size_t begin = 0;  // line of the last motif's name
  bool complete = true;
  const auto finish = [&] {
    if (!complete)
      lines.fail_at(begin, "motif " + shown(motifs.back().id) + " without columns", "a letter-probability matrix");
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
      motifs.push_back({std::move(names.first), std::move(names.rest), {}, 0, {}});
      begin = lines.line_number();
      complete = false;
    } else if (line.starts_with("letter-probability matrix")) {
      if (complete)
        lines.fail(
            motifs.empty() ? "a matrix before the first motif" : "a second matrix of motif " + shown(motifs.back().id),
            "\"MOTIF ID name\" before it");
      read_matrix(lines, motifs.back());
      check_motif(lines, begin, motifs.back());
      complete = true;
    } else if (!motifs.empty() && complete && is_numbers(line) && fields_of(line).size() == 4) {
      lines.fail("motif " + shown(motifs.back().id) + ": a row more than its w= says");
    }
    // Else: strands, the background of the file, log-odds, URLs.
  }
  finish();
  return motifs;
}

}  // namespace genocl::pwm
