#include "pwm/scan/file_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "genocl/error.hpp"

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

}  // namespace genocl::pwm
