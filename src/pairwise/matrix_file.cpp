// Parser of substitution matrices in NCBI's format.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pairwise/scoring.hpp"
#include "pairwise/table_words.hpp"

namespace genocl::pairwise {
namespace {

/// Parses one matrix line by line.
class MatrixParser {
 public:
  MatrixParser(const std::string& file, Alphabet alphabet) : file_(file), alphabet_(alphabet) {}

  void line(std::string_view text) {
    ++line_;
    const std::vector<std::string_view> words = words_of(text);
    if (words.empty() || words.front().starts_with('#')) return;
    if (columns_.empty())
      read_columns(words);
    else
      read_row(words);
  }

  void check_complete() const {
    if (columns_.empty()) throw InputError(file_, {}, "no matrix", "a line of letters, then a row for each of them");
    for (const Code code : columns_)
      if (!row_seen_[code]) throw InputError(file_, {}, std::string("no row for '") + letter_of(code) + "'");
    const std::string_view needed = alphabet_ == Alphabet::dna ? "ACGT" : protein::letters.substr(0, 20);
    for (const char letter : needed)
      if (!row_seen_[*code_of(letter)]) throw InputError(file_, {}, std::string("no column for '") + letter + "'");
    if (columns_.size() < alphabet_size(alphabet_) && !row_seen_[other()])
      throw InputError(file_, {}, "it lacks letters of the alphabet",
                       std::string("a row and a column '") + letter_of(other()) + "' to stand for them");
  }

  /// Returns the score of two codes. Without a row of their own U scores as C and O as X, others as other().
  std::int8_t score(Code query, Code subject) const {
    const auto place = [&](Code code) {
      if (row_seen_[code]) return code;
      if (alphabet_ == Alphabet::protein && code == protein::encode('U')) return protein::encode('C');
      if (alphabet_ == Alphabet::protein && code == protein::encode('O') && row_seen_[protein::unknown])
        return protein::unknown;
      return other();
    };
    return scores_[place(query) * 32u + place(subject)];
  }

 private:
  [[noreturn]] void fail(const std::string& wrong, const std::string& expected = {}) const {
    throw InputError(file_, std::to_string(line_), wrong, expected);
  }

  std::optional<Code> code_of(char letter) const {
    const Code code = alphabet_ == Alphabet::dna ? dna::encode(letter) : protein::encode(letter);
    return code == invalid_code ? std::nullopt : std::optional(code);
  }
  char letter_of(Code code) const { return alphabet_ == Alphabet::dna ? dna::decode(code) : protein::decode(code); }
  /// The letter that stands for letters without a row.
  Code other() const { return alphabet_ == Alphabet::dna ? dna::unknown : protein::encode('*'); }

  Code letter(std::string_view word) const {
    const std::optional<Code> code = word.size() == 1 ? code_of(word.front()) : std::nullopt;
    if (!code) fail(in_quotes(word), "a letter of the " + std::string(to_string(alphabet_)) + " alphabet");
    return *code;
  }

  void read_columns(const std::vector<std::string_view>& words) {
    for (const std::string_view word : words) {
      // T and U have one code: a DNA matrix has a column for one of them.
      const Code code = letter(word);
      if (std::ranges::find(columns_, code) != columns_.end()) fail("two columns for '" + shown(word) + "'");
      columns_.push_back(code);
    }
  }

  void read_row(const std::vector<std::string_view>& words) {
    const Code row = letter(words.front());
    if (std::ranges::find(columns_, row) == columns_.end())
      fail("a row for '" + shown(words.front()) + "', which has no column");
    if (row_seen_[row]) fail("two rows for '" + shown(words.front()) + "'");
    if (words.size() != columns_.size() + 1)
      fail(std::to_string(words.size() - 1) + " scores", std::to_string(columns_.size()));
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string_view word = words[i + 1];
      int score = 0;
      const auto [end, error] =
          std::from_chars(word.data() + (word.front() == '+' ? 1 : 0), word.data() + word.size(), score);
      const bool number = end == word.data() + word.size() && error != std::errc::invalid_argument;
      if (!number || error != std::errc() || score < -Matrix::most || score > Matrix::most)
        fail(in_quotes(word),
             "a whole number from " + std::to_string(-Matrix::most) + " to " + std::to_string(Matrix::most));
      scores_[row * 32u + columns_[i]] = static_cast<std::int8_t>(score);
    }
    row_seen_[row] = true;
  }

  std::string file_;
  Alphabet alphabet_;
  std::size_t line_ = 0;
  std::vector<Code> columns_;
  std::array<bool, 32> row_seen_ = {};
  std::array<std::int8_t, 32 * 32> scores_ = {};
};

}  // namespace

Matrix Matrix::parse(std::string_view text, const std::string& file, Alphabet alphabet) {
  if (alphabet == Alphabet::bytes) throw InputError(file, {}, "a matrix for bytes", "one for protein or DNA");
  MatrixParser parser(file, alphabet);
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    parser.line(line);
    text.remove_prefix(std::min(text.size(), line.size() + 1));
  }
  parser.check_complete();
  Matrix matrix(file.substr(file.find_last_of('/') + 1), alphabet);
  const std::size_t size = alphabet_size(alphabet);
  for (std::size_t q = 0; q < size; ++q)
    for (std::size_t s = 0; s < size; ++s)
      matrix.scores_[q * stride + s] = parser.score(static_cast<Code>(q), static_cast<Code>(s));
  matrix.find_range();
  return matrix;
}

}  // namespace genocl::pairwise
