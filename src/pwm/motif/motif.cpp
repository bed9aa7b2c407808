#include "genocl/pwm/motif.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "genocl/error.hpp"
#include "pwm/motif/motif_file.hpp"

namespace genocl::pwm {
namespace {

bool is_number(std::string_view field) {
  const std::string_view digits = field.starts_with('+') ? field.substr(1) : field;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

/// "A [ 1 2 3 ]", "A 1 2 3", "A | 1 2 3": a row of JASPAR's.
bool is_lettered_row(std::string_view line) {
  if (line.empty() || !(std::string_view("ACGTUacgtu").find(line.front()) != std::string_view::npos)) return false;
  const std::string_view rest = trimmed(line.substr(1));
  if (rest.empty()) return false;
  if (std::string_view("[|:").find(rest.front()) != std::string_view::npos) return true;
  return rest.data() > line.data() + 1 && is_number(fields_of(rest).front());
}

/// "AC  M00001", "XX", "P0 A C G T", "VV  TRANSFAC".
bool is_transfac_line(std::string_view line) {
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (line.size() < 2 || !upper(line[0]) || !(upper(line[1]) || digit(line[1]))) return false;
  return line.size() == 2 || line[2] == ' ' || line[2] == '\t';
}

/// Both begin with '>'. HOMER's header has a threshold in its third field, and as many rows as there are positions,
/// with four numbers in each; JASPAR's has four rows.
MotifFormat jaspar_or_homer(TextLines& lines) {
  std::string_view header = lines.line();
  for (int field = 0; field < 2; ++field) {
    const std::size_t tab = header.find('\t');
    header = tab == std::string_view::npos ? std::string_view() : header.substr(tab + 1);
  }
  if (is_number(trimmed(header.substr(0, header.find('\t'))))) return MotifFormat::homer;
  std::size_t rows = 0;
  bool all_four = true;
  while (lines.next_filled() && !lines.line().starts_with('>')) {
    if (!is_numbers(lines.line())) return MotifFormat::jaspar;
    all_four = all_four && fields_of(lines.line()).size() == 4;
    ++rows;
  }
  return rows != 4 && rows != 0 && all_four ? MotifFormat::homer : MotifFormat::jaspar;
}

MotifFormat format_of(TextLines& lines) {
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with("MEME version") || line.starts_with("ALPHABET") || line.starts_with("MOTIF "))
      return MotifFormat::meme;
    if (line.starts_with('#') || line.starts_with('*')) continue;
    if (line.starts_with('>')) return jaspar_or_homer(lines);
    if (is_numbers(line) || is_lettered_row(line)) return MotifFormat::jaspar;
    if (is_transfac_line(line)) return MotifFormat::transfac;
    lines.fail("no motif file that is known begins like this", "JASPAR, MEME, TRANSFAC or HOMER");
  }
  return MotifFormat::jaspar;  // which says that nothing is there
}

}  // namespace

bool is_numbers(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  return !fields.empty() && std::ranges::all_of(fields, is_number);
}

TwoNames two_names(std::string_view text) {
  text = trimmed(text);
  const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
  return {std::string(text.substr(0, end)), std::string(trimmed(text.substr(end)))};
}

std::array<double, 4> column_of(const TextLines& lines, const std::vector<std::string_view>& fields,
                                std::size_t first) {
  std::array<double, 4> column{};
  for (std::size_t letter = 0; letter < 4; ++letter) column[letter] = lines.count(fields[first + letter]);
  return column;
}

void check_motif(const TextLines& lines, std::size_t line_number, const Motif& motif) {
  const std::string name = motif.id.empty() ? "a motif" : "motif " + shown(motif.id);
  if (motif.counts.empty()) lines.fail_at(line_number, name + " without columns", "one at least");
  for (std::size_t i = 0; i < motif.counts.size(); ++i)
    if (std::ranges::all_of(motif.counts[i], [](double count) { return count == 0; }))
      lines.fail_at(line_number, name + ": column " + std::to_string(i + 1) + " holds zeros only");
}

std::vector<Motif> parse_motifs(std::string_view text, const std::string& file, MotifFormat format) {
  TextLines lines(text, file);
  if (format == MotifFormat::automatic) {
    const TextLines::Mark begin = lines.mark();
    format = format_of(lines);
    lines.back_to(begin);
  }
  std::vector<Motif> motifs;
  switch (format) {
    case MotifFormat::meme:
      motifs = parse_meme(lines);
      break;
    case MotifFormat::transfac:
      motifs = parse_transfac(lines);
      break;
    case MotifFormat::homer:
      motifs = parse_homer(lines);
      break;
    case MotifFormat::automatic:
    case MotifFormat::jaspar:
      motifs = parse_jaspar(lines);
      break;
  }
  if (motifs.empty()) throw InputError(file, {}, "no motif in it", "JASPAR, MEME, TRANSFAC or HOMER");
  return motifs;
}

}  // namespace genocl::pwm
