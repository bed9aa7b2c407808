#include "genocl/align/profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "align/device_state.hpp"
#include "align/scoring/statistics.hpp"
#include "genocl/error.hpp"
#include "pairwise/path.hpp"
#include "pairwise/table_words.hpp"

namespace genocl::align {

Profile::Profile(std::string name, std::span<const Code> letters, std::span<const Row> rows, const Matrix& matrix)
    : name_(std::move(name)), letters_(letters.begin(), letters.end()), scores_(rows.size() * stride) {
  if (matrix.alphabet() != Alphabet::protein) throw InputError("a profile with a matrix that is not for proteins");
  if (rows.size() != letters.size())
    throw InputError("a profile of " + std::to_string(letters.size()) + " letters and " + std::to_string(rows.size()) +
                     " rows");
  highest_ = -Matrix::most;
  lowest_ = Matrix::most;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (letters[row] >= protein::letters.size())
      throw InputError("a profile with a letter that is none, in row " + std::to_string(row + 1));
    for (Code code = 0; code < protein::letters.size(); ++code) {
      const Code scored = code == protein::encode('U') ? protein::encode('C') : code;
      const int score = scored < rows[row].size() ? rows[row][scored] : matrix(letters[row], scored);
      if (score < -Matrix::most)
        throw InputError("a profile with a score of " + std::to_string(score) + " in row " + std::to_string(row + 1));
      scores_[row * stride + code] = static_cast<std::int8_t>(score);
      highest_ = std::max(highest_, score);
      lowest_ = std::min(lowest_, score);
    }
  }
}

void Profile::set_ratios(std::vector<Ratios> ratios) {
  if (!ratios.empty() && ratios.size() != size())
    throw InputError("a profile of " + std::to_string(size()) + " rows and frequencies of " +
                     std::to_string(ratios.size()));
  for (const Ratios& row : ratios)
    for (const double ratio : row)
      if (!(ratio >= 0 && std::isfinite(ratio)))
        throw InputError("a profile with a frequency ratio of " + std::to_string(ratio) + "; expected 0 or more");
  ratios_ = std::move(ratios);
}

Profile Profile::of(std::string name, std::span<const Code> letters, const Matrix& matrix) {
  std::vector<Row> rows(letters.size());
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (Code code = 0; code < rows[row].size(); ++code)
      rows[row][code] = static_cast<std::int8_t>(matrix(letters[row], code));
  return {std::move(name), letters, rows, matrix};
}

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
  constexpr std::size_t amino_acids = std::tuple_size_v<Profile::Row>;
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

std::int64_t score_of(const Alignment& alignment, const Profile& profile, std::span<const Code> subject,
                      const GapPenalty& gap) {
  return pairwise::score_of_runs(alignment, profile.letters(), subject, position_scores(profile), gap);
}

}  // namespace genocl::align
