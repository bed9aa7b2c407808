// Writes SVG.
#pragma once

#include <string>
#include <string_view>

namespace program {

/// A number as SVG takes it, with two decimals.
std::string svg_number(double value);
/// The text with what has a meaning in XML escaped, and control characters left out.
std::string svg_escaped(std::string_view text);
/// What fits `width` in letters of that size, by and large, with "..." where some is left out.
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
