// Lines, fields and numbers of the small text files that come with motifs; errors name the file and the line.
#pragma once

#include <string>
#include <string_view>
#include <vector>

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

}  // namespace genocl::pwm
