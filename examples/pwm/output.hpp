// Numbers, fields and drawings of the output.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "genocl/pwm.hpp"

namespace program {

template <class Number>
std::string formatted(const char* format, Number number) {
  char text[400];
  const int size = std::snprintf(text, sizeof text, format, number);
  return {text, static_cast<std::size_t>(size)};
}

/// Writes 9 decimals.
inline std::string score_text(double score) { return formatted("%.9f", score); }
/// Writes three digits, which is what FIMO does.
inline std::string p_text(double p) { return formatted("%.3g", p); }
/// Writes enough digits to read the same number back.
inline std::string whole_p_text(double p) { return formatted("%.17g", p); }
/// Returns the upper bound of the P-value, which never overstates the significance.
inline double one_of(const genocl::pwm::PValue& p) { return p.high; }

/// Writes low, high, exact (yes, no) and the number of words; an unknown number is empty.
inline std::string bounds_text(const genocl::pwm::PValue& p) {
  return whole_p_text(p.low) + '\t' + whole_p_text(p.high) + '\t' + (p.exact ? "yes" : "no") + '\t' +
         (p.words ? std::to_string(*p.words) : std::string());
}

/// Splits a line at separators, with empty fields.
inline std::vector<std::string> split(std::string_view line, std::string_view separators) {
  std::vector<std::string> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find_first_of(separators, begin), line.size());
    fields.emplace_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

/// A number as SVG takes it, with two decimals.
std::string svg_number(double value);
/// Escapes a text for XML, without control characters.
std::string svg_escaped(std::string_view text);
/// Shortens a text with "..." to about `width` at a font size.
std::string svg_shortened(std::string_view text, double width, double size);

class Svg {
 public:
  Svg(double width, double height);

  /// `anchor`: start, middle or end. `style`: further attributes.
  void text(double x, double y, std::string_view text, double size, std::string_view anchor = "start",
            std::string_view style = {});
  void line(double x1, double y1, double x2, double y2, std::string_view colour, double width = 1);
  /// `points`: "x,y x,y ...".
  void polyline(std::string_view points, std::string_view colour, double width, std::string_view style = {});
  /// Adds an element of any kind.
  void raw(std::string_view element) { text_.append(element).append("\n"); }
  std::string finish() const { return text_ + "</svg>\n"; }

 private:
  std::string text_;
};

}  // namespace program
