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

/// Fields separated by blanks and tabs.
std::vector<std::string_view> fields_of(std::string_view line);
/// The text without surrounding blanks, tabs and Windows line ends.
std::string_view trimmed(std::string_view text);

/// Iterates over the lines of a text. Skips a byte-order mark.
class TextLines {
 public:
  TextLines(std::string_view text, std::string file);

  /// Advances to the next line; false at the end.
  bool next();
  /// Advances to the next non-empty line; false at the end.
  bool next_filled();
  /// The current line, trimmed.
  std::string_view line() const noexcept { return line_; }
  /// Number of the current line, from 1.
  std::size_t line_number() const noexcept { return line_number_; }
  const std::string& file() const noexcept { return file_; }

  /// A position to return to.
  struct Mark {
    std::size_t at = 0, line_number = 0;
    std::string_view line;
  };
  Mark mark() const noexcept { return {at_, line_number_, line_}; }
  void back_to(const Mark& mark) noexcept;

  /// The field as a number. Throws InputError unless all of it is a finite number.
  double number(std::string_view field) const;
  /// The field as a count, at least 0. Throws InputError.
  double count(std::string_view field) const;
  /// Throws InputError for the current line, or for another one.
  [[noreturn]] void fail(const std::string& wrong, const std::string& expected = {}) const;
  [[noreturn]] void fail_at(std::size_t line_number, const std::string& wrong, const std::string& expected = {}) const;

 private:
  std::string_view text_;
  std::string file_;
  std::size_t at_ = 0, line_number_ = 0;
  std::string_view line_;
};

// One function for each format of motif files (genocl/pwm/motif.hpp).

/// Number of sites of probabilities, if the file does not state it.
constexpr double usual_sites = 20;

/// The motifs of a file, with notes on repairs. Control characters in names become blanks.
class MotifList {
 public:
  MotifList(const TextLines& lines, const MotifOptions& options) : lines_(lines), options_(options) {}

  /// The kind of numbers in a matrix.
  enum class Values {
    counts,         ///< or frequencies, recognised by a sum of 1 or 100 of values that are no integers
    probabilities,  ///< of HOMER: with a sum of 1; otherwise counts
    scaled,         ///< of MEME: probabilities; converted to counts of motif.sites
    log_odds        ///< log-odds scores with a base that log_odds_base() finds
  };
  /// Adds the motif with its header in that line, unless it has no columns, a column of zeros, or probabilities that
  /// do not sum to 1 +- 0.1.
  void add(std::size_t line, Motif motif, Values values);

  /// Adds a motif of aligned sites, or of a consensus.
  void add_sites(std::size_t line, Motif motif, const std::string& what);

  MotifRows rows() const noexcept { return options_.rows; }
  bool empty() const noexcept { return motifs_.empty(); }
  /// @throws InputError if no motif is left
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

/// Each parses from the current line to the end. Throws InputError.
///
/// The XML output of MEME, DREME and STREME. Takes the whole text.
void parse_meme_xml(std::string_view text, const TextLines& lines, MotifList& motifs);
/// The background of such a file; no value if it contains none.
std::optional<Background> meme_xml_background(std::string_view text, const TextLines& lines);
/// Whether a text is XML: the first letters are those of an XML declaration or of MEME's element.
bool is_xml(std::string_view text);
/// A background of a motif file with few digits, whose sum need not be 1. Throws InputError with the line.
Background checked_background(const TextLines& lines, std::size_t line, std::array<double, 4> frequencies);
void parse_meme(TextLines& lines, MotifList& motifs);
void parse_transfac(TextLines& lines, MotifList& motifs);
/// Rows after a header, a title or nothing: JASPAR, HOMER, Cluster-Buster, HOCOMOCO, ENCODE, CIS-BP, UniPROBE.
/// `homer`: only a header and one position in each row.
void parse_jaspar_or_homer(TextLines& lines, MotifList& motifs, bool homer);
/// Aligned FASTA, one site in each line, or an IUPAC consensus.
void parse_sites(TextLines& lines, MotifList& motifs);

/// Whether the line is a row of a matrix: numbers, optionally after one letter.
bool is_matrix_row(std::string_view line);
/// Whether the line is a title of CIS-BP or UniPROBE, or contains the letters of columns.
bool is_title(std::string_view line);
/// Whether the line has one word of at least `min_letters` nucleotide codes and gaps, and optionally a name.
bool is_site(std::string_view line, std::size_t min_letters);

/// The base, e, 2 or 10, of log-odds scores against a uniform background: the one whose probabilities sum to 1 +-
/// 0.02 in every column; empty if none.
std::optional<double> log_odds_base(std::span<const std::array<double, 4>> columns);

/// The IUPAC code of a set of bases, bit b for base b.
char letter_of_bases(unsigned bases);

/// "x" of "folder/x.pfm.gz".
std::string name_of_file(const std::string& file);

/// Four counts of a position, from fields[first] on.
std::array<double, 4> column_of(const TextLines& lines, const std::vector<std::string_view>& fields, std::size_t first);

/// Whether the line consists of numbers only.
bool is_numbers(std::string_view line);

/// "MA0004.1" and "Arnt" of "MA0004.1 Arnt"; the rest is all that follows, including blanks.
struct TwoNames {
  std::string first, rest;
};
TwoNames two_names(std::string_view text);

}  // namespace genocl::pwm
