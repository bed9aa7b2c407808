// Profiles in the formats of psiblast: a table in ASCII (-out_ascii_pssm), and PssmWithParameters in ASN.1 text
// (-out_pssm, -in_pssm). NCBI defines the latter in scoremat.asn.

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>
#include <vector>

#include "align/composition/composition.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/align/profile_making.hpp"
#include "genocl/error.hpp"
#include "pairwise/table_words.hpp"

namespace genocl::align {
namespace {

/// NCBIstdaa.
constexpr std::string_view asn_letters = "-ABCDEFGHIKLMNPQRSTVWXYZU*OJ";

/// The parts of a PssmWithParameters in ASN.1 text that a profile needs, by their paths.
class AsnReader {
 public:
  AsnReader(std::string_view text, const std::string& file) : text_(text), file_(file) {
    while (next_token()) take_token();
    if (!path_.empty()) fail("the end of the text", "}");
  }

  [[noreturn]] void fail(const std::string& wrong, const std::string& expected) const {
    throw InputError(file_, std::to_string(line_), wrong, expected);
  }

  std::uint64_t rows = 0, columns = 0;
  bool by_row = false;
  std::int64_t scaling_factor = 1;
  std::string query;  ///< letters
  std::vector<std::int64_t> scores;
  std::vector<double> ratios;
  std::optional<double> lambda, k;

 private:
  bool next_token() {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; };
    while (at_ < text_.size() && is_blank(text_[at_])) line_ += text_[at_++] == '\n' ? 1 : 0;
    if (at_ == text_.size()) return false;
    const char first = text_[at_];
    std::size_t end = at_ + 1;
    if (first == '"' || first == '\'') {
      end = text_.find(first, end);
      if (end == std::string_view::npos) fail("a text without an end", std::string(1, first));
      ++end;
    } else if (first != '{' && first != '}' && first != ',') {
      while (end < text_.size() && !is_blank(text_[end]) && text_[end] != '{' && text_[end] != '}' && text_[end] != ',')
        ++end;
    }
    token_ = text_.substr(at_, end - at_);
    line_ += static_cast<std::size_t>(std::ranges::count(token_, '\n'));
    at_ = end;
    return true;
  }

  void take_token() {
    if (token_ == "{") {
      path_.push_back(words_.empty() ? std::string_view() : words_.front());
      words_.clear();
      reals_.clear();
    } else if (token_ == "," || token_ == "}") {
      if (!words_.empty()) take_value();
      words_.clear();
      if (token_ == ",") return;
      if (path_.empty()) fail("a } too many", "none");
      if (reals_.size() == 3) take_real();
      reals_.clear();
      path_.pop_back();
    } else {
      words_.push_back(token_);
    }
  }

  bool in(std::string_view name) const { return !path_.empty() && path_.back() == name; }
  bool in_ratio() const { return in("") && path_.size() > 1 && path_[path_.size() - 2] == "freqRatios"; }

  std::int64_t number(std::string_view word) const {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) fail(in_quotes(word), "a whole number");
    return value;
  }

  /// A name and its value, or a member of a list.
  void take_value() {
    const std::string_view name = words_.front(), value = words_.back();
    if (in("scores")) {
      scores.push_back(number(value));
    } else if (in("freqRatios")) {
      ratios.push_back(static_cast<double>(number(value)));
    } else if (in_ratio() || in("lambda") || in("kappa")) {
      reals_.push_back(number(value));
    } else if (name == "numRows") {
      rows = static_cast<std::uint64_t>(number(value));
    } else if (name == "numColumns") {
      columns = static_cast<std::uint64_t>(number(value));
    } else if (name == "byRow") {
      by_row = value == "TRUE";
    } else if (name == "scalingFactor") {
      scaling_factor = number(value);
    } else if (name == "seq-data" && words_.size() >= 3) {
      take_query(words_[1], words_[2]);
    }
  }

  /// A real number is a mantissa, a base and an exponent.
  void take_real() {
    const double value = static_cast<double>(reals_[0]) * std::pow(static_cast<double>(reals_[1]), reals_[2]);
    if (in_ratio())
      ratios.push_back(value);
    else
      (in("lambda") ? lambda : k) = value;
  }

  void take_query(std::string_view coding, std::string_view quoted) {
    if (quoted.front() != '"' && quoted.front() != '\'') fail(in_quotes(quoted) + " as a query", "letters in quotes");
    query.clear();
    std::string written(quoted.substr(1, quoted.size() - 2));
    std::erase_if(written, [](char c) { return c == '\n' || c == '\r' || c == ' '; });
    if (coding == "ncbieaa" || coding == "iupacaa") {
      query = written;
    } else if (coding == "ncbistdaa") {
      if (written.size() % 2 != 0) fail("a query of " + std::to_string(written.size()) + " digits", "an even number");
      for (std::size_t i = 0; i < written.size(); i += 2) {
        unsigned code = 0;
        const auto [end, error] = std::from_chars(written.data() + i, written.data() + i + 2, code, 16);
        if (error != std::errc() || end != written.data() + i + 2 || code >= asn_letters.size())
          fail(in_quotes(written.substr(i, 2)), "a letter of NCBIstdaa");
        query += asn_letters[code];
      }
    } else {
      fail("a query in " + std::string(coding), "ncbistdaa, ncbieaa or iupacaa");
    }
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t at_ = 0, line_ = 1;
  std::string_view token_;
  std::vector<std::string_view> path_, words_;
  std::vector<std::int64_t> reals_;
};

Profile asn_profile(std::string_view text, const std::string& file, std::string name, const Matrix& matrix) {
  const AsnReader read(text, file);
  if (read.rows != asn_letters.size()) read.fail(std::to_string(read.rows) + " rows", "numRows 28");
  if (read.scaling_factor != 1)
    read.fail("scores with a scaling factor of " + std::to_string(read.scaling_factor), "1");
  if (read.columns == 0 || read.query.size() != read.columns)
    read.fail(
        std::to_string(read.columns) + " columns and a query of " + std::to_string(read.query.size()) + " letters",
        "equal numbers, above 0");
  if (read.scores.size() / asn_letters.size() != read.columns || read.scores.size() % asn_letters.size() != 0)
    read.fail(std::to_string(read.scores.size()) + " scores", "28 for each column");
  if (!read.ratios.empty() && read.ratios.size() != read.scores.size())
    read.fail(std::to_string(read.ratios.size()) + " frequency ratios", "one for each score");
  std::vector<Code> letters;
  std::vector<Profile::Row> rows(read.columns);
  std::vector<Profile::Ratios> ratios(read.ratios.empty() ? 0 : read.columns);
  for (std::size_t column = 0; column < read.columns; ++column) {
    const Code letter = protein::encode(read.query[column]);
    if (letter == invalid_code) read.fail(in_quotes(read.query.substr(column, 1)) + " in the query", "an amino acid");
    letters.push_back(letter);
    for (std::size_t i = 0; i < asn_letters.size(); ++i) {
      const Code code = protein::encode(asn_letters[i]);
      if (code >= rows[column].size()) continue;
      const std::size_t at = read.by_row ? i * read.columns + column : column * asn_letters.size() + i;
      if (read.scores[at] < -Matrix::most || read.scores[at] > Matrix::most)
        read.fail("a score of " + std::to_string(read.scores[at]),
                  "from " + std::to_string(-Matrix::most) + " to " + std::to_string(Matrix::most));
      rows[column][code] = static_cast<std::int8_t>(read.scores[at]);
      if (!ratios.empty()) ratios[column][code] = read.ratios[at] / chance_frequencies()[code];
    }
  }
  Profile profile(std::move(name), letters, rows, matrix);
  profile.set_ratios(std::move(ratios));
  const auto is_plausible = [](const std::optional<double>& value) { return value && *value > 0 && *value < 100; };
  if (is_plausible(read.lambda) && is_plausible(read.k)) profile.set_gapped({*read.lambda, *read.k});
  return profile;
}

Profile ascii_profile(std::string_view text, const std::string& file, std::string name, const Matrix& matrix) {
  std::vector<Code> columns, letters;
  std::vector<Profile::Row> rows;
  std::size_t number = 0;
  const auto fail = [&](const std::string& wrong, const std::string& expected) {
    throw InputError(file, std::to_string(number), wrong, expected);
  };
  const auto letter_of = [](std::string_view word) {
    const Code code = word.size() == 1 ? protein::encode(word.front()) : invalid_code;
    return code == invalid_code ? std::nullopt : std::optional(code);
  };
  const auto read_columns = [&](const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
      const auto code = letter_of(word);
      if (!code || *code >= amino_acids) return columns.clear();
      if (columns.size() == amino_acids) break;  // the letters repeat, for the percentages
      if (std::ranges::find(columns, *code) != columns.end()) return columns.clear();
      columns.push_back(*code);
    }
    if (columns.size() < amino_acids) columns.clear();
  };
  const auto read_row = [&](const std::vector<std::string_view>& words) {
    const std::string expected_number = std::to_string(rows.size() + 1);
    if (words.front() != expected_number) fail("row " + in_quotes(words.front()), "row " + expected_number);
    if (words.size() < 2 + amino_acids)
      fail("a row of " + std::to_string(words.size()) + " words", "its number, its letter and twenty scores");
    const auto letter = letter_of(words[1]);
    if (!letter) fail(in_quotes(words[1]) + " is no letter of proteins", "one");
    Profile::Row row{};
    for (std::size_t i = 0; i < amino_acids; ++i) {
      const std::string_view word = words[2 + i];
      int score = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), score);
      if (error != std::errc() || end != word.data() + word.size() || score < -Matrix::most || score > Matrix::most)
        fail(in_quotes(word),
             "a whole number from " + std::to_string(-Matrix::most) + " to " + std::to_string(Matrix::most));
      row[columns[i]] = static_cast<std::int8_t>(score);
    }
    letters.push_back(*letter);
    rows.push_back(row);
  };
  std::optional<Profile::Gapped> gapped;
  const auto read_gapped = [&](const std::vector<std::string_view>& words) {
    if (words.size() != 4 || words[0] != "PSI" || words[1] != "Gapped") return;
    const auto read = [&](std::string_view word) {
      double value = 0;
      const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
      if (error != std::errc() || end != word.data() + word.size() || !(value > 0 && value < 100))
        fail(in_quotes(word), "K and lambda, above 0");
      return value;
    };
    const double k = read(words[2]);
    gapped = {.lambda = read(words[3]), .k = k};
  };
  bool behind = false;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::vector<std::string_view> words = pairwise::words_of(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (columns.empty()) {
      if (!words.empty()) read_columns(words);
    } else if (behind) {
      read_gapped(words);
    } else if (!words.empty()) {
      read_row(words);
    } else {
      behind = !rows.empty();
    }
  }
  if (rows.empty())
    throw InputError(file, {}, "no profile", "a line of the twenty amino acids and a line of scores for each letter");
  Profile profile(std::move(name), letters, rows, matrix);
  if (gapped) profile.set_gapped(*gapped);
  return profile;
}

}  // namespace

Profile Profile::parse(std::string_view text, const std::string& file, std::string name, const Matrix& matrix) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  const bool is_asn = first != std::string_view::npos && text.substr(first).starts_with("PssmWithParameters");
  return is_asn ? asn_profile(text, file, std::move(name), matrix) : ascii_profile(text, file, std::move(name), matrix);
}

namespace {

/// A list of values in braces, each on a line.
class AsnList {
 public:
  AsnList(std::string& text, std::string_view name) : text_(text) { text_ += "      " + std::string(name) + " {\n"; }
  void add(const std::string& value) {
    text_ += first_ ? "        " : ",\n        ";
    text_ += value;
    first_ = false;
  }
  void end() { text_ += "\n      }"; }

 private:
  std::string& text_;
  bool first_ = true;
};

/// A mantissa, a base and an exponent. Fifteen digits, as in NCBI's files.
std::string asn_real(double value) {
  if (value == 0) return "{ 0, 10, 0 }";
  std::array<char, 32> written;
  std::snprintf(written.data(), written.size(), "%.14e", value);
  std::string digits(written.data());
  const std::size_t e = digits.find('e');
  int exponent = std::atoi(digits.c_str() + e + 1);
  digits.resize(e);
  const std::size_t point = digits.find('.');
  exponent -= static_cast<int>(digits.size() - point - 1);
  digits.erase(point, 1);
  for (; digits.size() > 1 && digits.back() == '0'; digits.pop_back()) ++exponent;
  return "{ " + digits + ", 10, " + std::to_string(exponent) + " }";
}

/// In quotes. ASN.1 has visible ASCII characters only; NCBI's programs write # for others.
std::string asn_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    quoted += c < ' ' || c > '~' ? '#' : c;
    if (c == '"') quoted += c;
  }
  return quoted + "\"";
}

}  // namespace

std::string MadeProfile::ascii() const {
  std::string text =
      "\nLast position-specific scoring matrix computed, weighted observed percentages rounded down, information per "
      "position, and relative weight of gapless real matches to pseudocounts\n         ";
  const auto add = [&text](const char* format, auto... values) {
    std::array<char, 64> field;
    std::snprintf(field.data(), field.size(), format, values...);
    text += field.data();
  };
  for (int half = 0; half < 2; ++half)
    for (Code a = 0; a < amino_acids; ++a) add("%4c", protein::decode(a));
  for (std::size_t row = 0; row < profile.size(); ++row) {
    add("\n%5zu %c  ", row + 1, protein::decode(profile.letters()[row]));
    for (Code a = 0; a < amino_acids; ++a) add("%4d", profile(row, a));
    text += ' ';
    for (const double share : columns[row].observed) add("%4d", static_cast<int>(100 * share + 0.5));
    add("%6.2f", columns[row].information);
    // Wider for columns without observations.
    add(columns[row].information == 0 ? "%9.2f" : " %.2f", columns[row].weight);
  }
  text += "\n\n                      K         Lambda\n";
  const auto parameters = [&](const char* what, const KarlinAltschul& of) {
    add("%-21s", what);
    add("%6.4f", of.k);
    add("     %6.4f\n", of.lambda);
  };
  parameters("Standard Ungapped", standard);
  parameters("Standard Gapped", standard_gapped);
  parameters("PSI Ungapped", own);
  parameters("PSI Gapped", own_gapped);
  return text;
}

std::string MadeProfile::asn1() const {
  constexpr int no_score = -32768;  // NCBI's BLAST_SCORE_MIN, of letters without scores
  const std::size_t size = profile.size();
  std::string text = "PssmWithParameters ::= {\n  pssm {\n    isProtein TRUE,\n    numRows " +
                     std::to_string(asn_letters.size()) + ",\n    numColumns " + std::to_string(size) +
                     ",\n    byRow FALSE,\n    query seq {\n      id {\n        local str \"Query_1\"\n      },\n";
  if (!profile.name().empty()) text += "      descr {\n        title " + asn_text(profile.name()) + "\n      },\n";
  text += "      inst {\n        repr raw,\n        mol aa,\n        length " + std::to_string(size) +
          ",\n        seq-data ncbieaa \"";
  for (std::size_t row = 0; row < size; ++row) {
    if (row != 0 && row % 60 == 0) text += '\n';
    text += protein::decode(profile.letters()[row]);
  }
  text += "\"\n      }\n    },\n    intermediateData {\n";
  // The values of a column for all letters of NCBIstdaa; 0 for those that are no amino acids.
  const auto add_values = [&](std::string_view name, const auto& value_of) {
    AsnList list(text, name);
    for (std::size_t row = 0; row < size; ++row)
      for (const char letter : asn_letters) {
        const Code code = protein::encode(letter);
        list.add(asn_real(code < amino_acids ? value_of(row, code) : 0));
      }
    list.end();
  };
  add_values("weightedResFreqsPerPos", [&](std::size_t row, Code code) { return columns[row].observed[code]; });
  text += ",\n";
  add_values("freqRatios",
             [&](std::size_t row, Code code) { return profile.ratios()[row][code] * chance_frequencies()[code]; });
  text += ",\n";
  AsnList information(text, "informationContent");
  for (const ProfileColumn& column : columns) information.add(asn_real(column.information));
  information.end();
  text += ",\n";
  AsnList weights(text, "gaplessColumnWeights");
  for (const ProfileColumn& column : columns) weights.add(asn_real(column.weight));
  weights.end();
  text += "\n    },\n    finalData {\n";
  AsnList scores(text, "scores");
  for (std::size_t row = 0; row < size; ++row)
    for (const char letter : asn_letters) {
      const Code code = protein::encode(letter);
      const bool scored = code < amino_acids || letter == 'X' || letter == '*';
      scores.add(std::to_string(scored ? profile(row, code) : no_score));
    }
  scores.end();
  const auto add_parameters = [&text](const std::string& suffix, const KarlinAltschul& of) {
    text += ",\n      lambda" + suffix + " " + asn_real(of.lambda) + ",\n      kappa" + suffix + " " + asn_real(of.k) +
            ",\n      h" + suffix + " " + asn_real(of.h);
  };
  add_parameters("", own_gapped);
  add_parameters("Ungapped", own);
  text += "\n    }\n  },\n  params {\n    pseudocount 0,\n    rpsdbparams {\n      matrixName " + asn_text(matrix) +
          ",\n      gapOpen " + std::to_string(gap.open) + ",\n      gapExtend " + std::to_string(gap.extend) +
          "\n    }\n  }\n}\n";
  return text;
}

}  // namespace genocl::align
