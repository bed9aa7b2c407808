#include "genocl/align/profile.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "align/device_state.hpp"
#include "align/profile/asn_profile.hpp"
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
