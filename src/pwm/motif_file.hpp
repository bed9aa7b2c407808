// Motif files: lines, fields and numbers, and one function for each format (genocl/pwm/motif.hpp).
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/error.hpp"
#include "genocl/pwm/motif.hpp"

namespace genocl::pwm {

/// What blanks and tabs separate.
std::vector<std::string_view> fields_of(std::string_view line);
/// Without blanks, tabs and a Windows line end around it.
std::string_view trimmed(std::string_view text);

/// Goes through a text line by line. A byte-order mark at its beginning is left out.
class TextLines {
 public:
  TextLines(std::string_view text, std::string file);

  /// To the next line; false at the end.
  bool next();
  /// To the next line that holds anything; false at the end.
  bool next_filled();
  /// The line that next() went to, trimmed.
  std::string_view line() const noexcept { return line_; }
  /// Of that line, from 1.
  std::size_t line_number() const noexcept { return line_number_; }
  const std::string& file() const noexcept { return file_; }

  /// A place in the text to come back to.
  struct Mark {
    std::size_t at = 0, line_number = 0;
    std::string_view line;
  };
  Mark mark() const noexcept { return {at_, line_number_, line_}; }
  void back_to(const Mark& mark) noexcept;

  /// Throws InputError unless the whole field is a finite number.
  double number(std::string_view field) const;
  /// The same, of a count: 0 or more.
  double count(std::string_view field) const;
  /// Throws InputError about the line that next() went to, or another one.
  [[noreturn]] void fail(const std::string& wrong, const std::string& expected = {}) const;
  [[noreturn]] void fail_at(std::size_t line_number, const std::string& wrong, const std::string& expected = {}) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_number_ = 0;
  std::string_view line_;
};

// One function for each format of motif files (genocl/pwm/motif.hpp).

/// Probabilities stand for so many sites where a file does not say.
constexpr double usual_sites = 20;

/// The motifs of a file, with what was repaired. The motif's names get blanks for tabs and other control characters.
class MotifList {
 public:
  MotifList(const TextLines& lines, const MotifOptions& options) : lines_(lines), options_(options) {}

  /// What the numbers of a matrix may be.
  enum class Values {
    counts,         ///< or frequencies, which a sum of 1 or 100 tells where they are no integers
    probabilities,  ///< of HOMER: of a sum of 1; else counts
    scaled,         ///< of MEME: probabilities; they become counts of motif.sites
    log_odds        ///< log-odds scores that log_odds_base() knows
  };
  /// Adds the motif whose header is that line, unless it has no columns, a column of zeros, or probabilities that do
  /// not sum to 1 +- 0.1.
  void add(std::size_t line, Motif motif, Values values);

  /// Adds a motif of aligned sites, or of a consensus.
  void add_sites(std::size_t line, Motif motif, const std::string& what);

  MotifRows rows() const noexcept { return options_.rows; }
  bool empty() const noexcept { return motifs_.empty(); }
  /// Throws InputError where no motif is left.
  std::vector<Motif> take();

 private:
  bool scale(std::size_t line, Motif& motif, double total, std::string& wrong);
  void leave_out(std::size_t line, const std::string& id, const std::string& wrong, const std::string& expected);
  void note(MotifNote::Kind kind, std::size_t line, const std::string& id, const std::string& what);

  const TextLines& lines_;
  const MotifOptions& options_;
  std::vector<Motif> motifs_;
  std::optional<InputError> first_left_out_;
};

/// Each goes on from where `lines` is to the end. Throws InputError.
void parse_meme(TextLines& lines, MotifList& motifs);
void parse_transfac(TextLines& lines, MotifList& motifs);
/// Rows below a header, a title or nothing: JASPAR, HOMER, Cluster-Buster, HOCOMOCO, ENCODE, CIS-BP, UniPROBE.
/// `homer`: a header and a position per row only.
void parse_jaspar_or_homer(TextLines& lines, MotifList& motifs, bool homer);
/// Aligned FASTA, a site per line, or an IUPAC consensus.
void parse_sites(TextLines& lines, MotifList& motifs);

/// Whether the line is a row of a matrix: numbers, perhaps behind one letter.
bool is_matrix_row(std::string_view line);
/// Whether the line is one that CIS-BP or UniPROBE has above a matrix, or the letters of columns.
bool is_title(std::string_view line);
/// Whether the line holds one word of at least `min_letters` nucleotide codes and gaps, and perhaps a name.
bool is_site(std::string_view line, std::size_t min_letters);

/// The base, e, 2 or 10, of log-odds scores against a uniform background: that whose probabilities sum to 1 +- 0.02 in
/// every column; none where no base does.
std::optional<double> log_odds_base(std::span<const std::array<double, 4>> columns);

/// "x" of "folder/x.pfm.gz".
std::string name_of_file(const std::string& file);

/// Four counts of a position, from fields[first] on.
std::array<double, 4> column_of(const TextLines& lines, const std::vector<std::string_view>& fields, std::size_t first);

/// Whether the line is made of nothing but numbers.
bool is_numbers(std::string_view line);

/// "MA0004.1", "Arnt" of "MA0004.1 Arnt"; the rest is all that follows, blanks inside included.
struct TwoNames {
  std::string first, rest;
};
TwoNames two_names(std::string_view text);

}  // namespace genocl::pwm
