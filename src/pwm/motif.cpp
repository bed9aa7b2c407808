// Motif files: lines and fields, recognition of formats, repair of columns.

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <numbers>

#include "genocl/error.hpp"
#include "genocl/pwm/motif.hpp"
#include "genocl/sequence/alphabet.hpp"
#include "pwm/motif_file.hpp"

namespace genocl::pwm {
namespace {

constexpr std::string_view blanks = " \t\r\v\f";

}  // namespace

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = line.find_first_not_of(blanks); begin != std::string_view::npos;) {
    const std::size_t end = std::min(line.find_first_of(blanks, begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = line.find_first_not_of(blanks, end);
  }
  return fields;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

TextLines::TextLines(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {
  constexpr std::string_view byte_order_mark = "\xef\xbb\xbf";
  if (text_.starts_with(byte_order_mark)) at_ = byte_order_mark.size();
}

bool TextLines::next() {
  if (at_ >= text_.size()) {
    line_ = {};
    return false;
  }
  const std::size_t end = std::min(text_.find('\n', at_), text_.size());
  line_ = trimmed(text_.substr(at_, end - at_));
  at_ = end + 1;
  ++line_number_;
  return true;
}

bool TextLines::next_filled() {
  while (next())
    if (!line_.empty()) return true;
  return false;
}

void TextLines::back_to(const Mark& mark) noexcept {
  at_ = mark.at;
  line_number_ = mark.line_number;
  line_ = mark.line;
}

double TextLines::number(std::string_view field) const {
  const std::string_view digits = field.starts_with('+') ? field.substr(1) : field;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (error != std::errc() || end != digits.data() + digits.size() || !std::isfinite(value))
    fail(in_quotes(field), "a number");
  return value;
}

double TextLines::count(std::string_view field) const {
  const double value = number(field);
  if (value < 0) fail(in_quotes(field), "0 or more");
  return value;
}

void TextLines::fail(const std::string& wrong, const std::string& expected) const {
  fail_at(line_number_, wrong, expected);
}

void TextLines::fail_at(std::size_t line_number, const std::string& wrong, const std::string& expected) const {
  throw InputError(file_, std::to_string(line_number), wrong, expected);
}

namespace {

std::string number_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", value);
  return text;
}

bool is_number(std::string_view field) {
  const std::string_view digits = field.starts_with('+') ? field.substr(1) : field;
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() && end == digits.data() + digits.size();
}

/// "AC  M00001", "XX", "P0 A C G T", "VV  TRANSFAC".
bool is_transfac_line(std::string_view line) {
  const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  if (line.size() < 2 || !upper(line[0]) || !(upper(line[1]) || digit(line[1]))) return false;
  return line.size() == 2 || line[2] == ' ' || line[2] == '\t';
}

constexpr const char* known_formats = "JASPAR, MEME, TRANSFAC, HOMER, HOCOMOCO, CIS-BP, UniPROBE, or aligned sites";

/// Whether rows of a matrix follow the line.
bool rows_follow(TextLines lines) {
  while (lines.next_filled())
    if (!lines.line().starts_with('#')) return is_matrix_row(lines.line()) || is_title(lines.line());
  return false;
}

/// Whether letters, and no numbers, follow a header.
bool site_follows(TextLines lines) { return lines.next_filled() && is_site(lines.line(), 2); }

MotifFormat format_of(TextLines& lines) {
  bool banner = false;  // as at the begin of MEME's text output
  while (lines.next_filled()) {
    const std::string_view line = lines.line();
    if (line.starts_with("MEME version") || line.starts_with("ALPHABET") || line.starts_with("MOTIF "))
      return MotifFormat::meme;
    banner = banner || line.starts_with("****");
    if (is_title(line) && !banner) return MotifFormat::jaspar;
    if (line.starts_with('#') || banner) continue;
    if (line.starts_with('>')) return site_follows(lines) ? MotifFormat::sites : MotifFormat::jaspar;
    if (is_matrix_row(line)) return MotifFormat::jaspar;
    if (is_transfac_line(line)) return MotifFormat::transfac;
    if (rows_follow(lines)) return MotifFormat::jaspar;
    if (is_site(line, 3)) return MotifFormat::sites;
    lines.fail("no motif file that is known begins like this", known_formats);
  }
  return MotifFormat::jaspar;  // its parser reports the empty text
}

/// A name without control characters, for tables.
std::string without_controls(std::string name) {
  for (char& c : name)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = ' ';
  return name;
}

double sum_of(const std::array<double, 4>& column) { return column[0] + column[1] + column[2] + column[3]; }

/// A sum that is off by more than this is no sum of probabilities.
constexpr double rounding = 0.02;
/// A sum that is off by more than this is no sum of probabilities.
constexpr double repairable = 0.1;

std::size_t columns_of_sum(const Motif& motif, double total, double tolerance) {
  return static_cast<std::size_t>(std::ranges::count_if(
      motif.counts, [&](const auto& column) { return std::abs(sum_of(column) - total) <= tolerance * total; }));
}

/// Whether the columns are frequencies of that total: all of them, or all except errors in less than half.
bool are_frequencies(const Motif& motif, double total) {
  return 2 * columns_of_sum(motif, total, rounding) > motif.length();
}

bool all_integers(const Motif& motif) {
  return std::ranges::all_of(motif.counts, [](const std::array<double, 4>& column) {
    return std::ranges::all_of(column, [](double value) { return value == std::floor(value); });
  });
}

}  // namespace

bool is_numbers(std::string_view line) {
  const std::vector<std::string_view> fields = fields_of(line);
  return !fields.empty() && std::ranges::all_of(fields, is_number);
}

char letter_of_bases(unsigned bases) {
  for (std::size_t code = 0; code < dna::letters.size(); ++code)
    if (dna::bases_table[code] == bases) return dna::letters[code];
  return '-';
}

std::string name_of_file(const std::string& file) {
  std::filesystem::path path(file);
  for (const char* const packed : {".gz", ".bgz", ".bz2", ".xz", ".zst"})
    if (path.extension() == packed) {
      path.replace_extension();
      break;
    }
  return path.stem().string();
}

std::optional<double> log_odds_base(std::span<const std::array<double, 4>> columns) {
  std::optional<double> best;
  double least = rounding;
  for (const double base : {std::numbers::e, 2.0, 10.0}) {
    double off = 0;
    for (const std::array<double, 4>& column : columns) {
      double sum = 0;
      for (const double score : column) sum += std::pow(base, score) / 4;
      off = std::max(off, std::abs(sum - 1));
    }
    if (off > least) continue;
    least = off;
    best = base;
  }
  return best;
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

void MotifList::note(MotifNote::Kind kind, std::size_t line, const std::string& id, const std::string& what) {
  if (options_.note) options_.note({kind, line, id, what});
}

void MotifList::leave_out(std::size_t line, const std::string& id, const std::string& wrong,
                          const std::string& expected) {
  const InputError error(
      lines_.file(), std::to_string(line),
      (id.empty() ? "a motif" : "motif " + shown(id)) + (wrong.starts_with("with") ? " " : ": ") + wrong, expected);
  if (options_.strict) throw error;
  if (!first_left_out_) first_left_out_ = error;
  note(MotifNote::Kind::left_out, line, id, wrong);
}

/// Converts frequencies of that total to counts of motif.sites. False, with the reason, if a column has another sum.
bool MotifList::scale(std::size_t line, Motif& motif, double total, std::string& wrong) {
  std::string repaired;
  for (std::size_t i = 0; i < motif.length(); ++i) {
    const double sum = sum_of(motif.counts[i]), off = std::abs(sum - total);
    const std::string what =
        "column " + std::to_string(i + 1) + " sums to " + number_text(sum) + " instead of " + number_text(total);
    if (off > repairable * total) {
      wrong = what;
      return false;
    }
    // Deviations due to rounding are kept.
    const double share = off > rounding * total ? sum : total;
    if (share != total && repaired.empty()) repaired = what;
    for (double& value : motif.counts[i]) value = share == 1 ? value * motif.sites : value / share * motif.sites;
  }
  if (repaired.empty()) return true;
  if (options_.strict)
    throw InputError(lines_.file(), std::to_string(line), "motif " + shown(motif.id) + ": " + repaired);
  note(MotifNote::Kind::rescaled, line, motif.id, repaired);
  return true;
}

void MotifList::add(std::size_t line, Motif motif, Values values) {
  motif.id = without_controls(std::move(motif.id));
  motif.alt_id = without_controls(std::move(motif.alt_id));
  if (motif.counts.empty()) return leave_out(line, motif.id, "without columns", "a matrix");
  if (values == Values::log_odds) {
    const double base = log_odds_base(motif.counts).value();
    motif.sites = usual_sites;
    for (std::array<double, 4>& column : motif.counts) {
      for (double& value : column) value = std::pow(base, value) / 4;
      const double sum = sum_of(column);
      for (double& value : column) value *= motif.sites / sum;
    }
    note(MotifNote::Kind::log_odds, line, motif.id,
         "log-odds scores to the base " + (base == 2 || base == 10 ? number_text(base) : std::string("e")));
    motifs_.push_back(std::move(motif));
    return;
  }
  for (std::size_t i = 0; i < motif.length(); ++i)
    if (sum_of(motif.counts[i]) == 0)
      return leave_out(line, motif.id, "column " + std::to_string(i + 1) + " holds zeros only", {});
  double total = 0;  // of frequencies
  const bool integers = values == Values::counts && all_integers(motif);
  if (values == Values::scaled || (!integers && are_frequencies(motif, 1)))
    total = 1;
  else if (!integers && !all_integers(motif) && are_frequencies(motif, 100))
    total = 100;
  if (total != 0) {
    if (values != Values::scaled) motif.sites = usual_sites;
    std::string wrong;
    if (!scale(line, motif, total, wrong)) return leave_out(line, motif.id, wrong, {});
    if (values == Values::counts)
      note(MotifNote::Kind::frequencies, line, motif.id, "columns sum to " + number_text(total));
  }
  motifs_.push_back(std::move(motif));
}

void MotifList::add_sites(std::size_t line, Motif motif, const std::string& what) {
  motif.id = without_controls(std::move(motif.id));
  motif.alt_id = without_controls(std::move(motif.alt_id));
  note(MotifNote::Kind::sites, line, motif.id, what);
  motifs_.push_back(std::move(motif));
}

std::vector<Motif> MotifList::take() {
  if (motifs_.empty() && first_left_out_) throw *first_left_out_;
  if (motifs_.empty()) throw InputError(lines_.file(), {}, "no motif in it", known_formats);
  return std::move(motifs_);
}

std::vector<Motif> parse_motifs(std::string_view text, const std::string& file, const MotifOptions& options) {
  TextLines lines(text, file);
  MotifFormat format = options.format;
  const bool xml = is_xml(text);
  if (format == MotifFormat::automatic && !xml) {
    const TextLines::Mark begin = lines.mark();
    format = format_of(lines);
    lines.back_to(begin);
  }
  MotifList motifs(lines, options);
  if (xml && (format == MotifFormat::automatic || format == MotifFormat::meme)) {
    parse_meme_xml(text, lines, motifs);
    return motifs.take();
  }
  switch (format) {
    case MotifFormat::meme:
      parse_meme(lines, motifs);
      break;
    case MotifFormat::transfac:
      parse_transfac(lines, motifs);
      break;
    case MotifFormat::sites:
      parse_sites(lines, motifs);
      break;
    case MotifFormat::homer:
    case MotifFormat::automatic:
    case MotifFormat::jaspar:
      parse_jaspar_or_homer(lines, motifs, format == MotifFormat::homer);
      break;
  }
  return motifs.take();
}

}  // namespace genocl::pwm
